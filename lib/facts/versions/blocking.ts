// Blocking (record linkage): which statements are compared at all, by page, times, measures and
// modality, decided once for all statements with the same key.
import { measuresDiffer, type Measures } from './lexicon.js';
import { modalityOf, modalitiesDiffer } from './modality.js';
import { officesDiffer, tellsOfStandIn } from './relations.js';
import { ofOtherTimes } from './statedTimes.js';
import type { Statement } from './statement.js';
import { pageRelation, type PageRelation } from './subject.js';

const bullet = /^\s*(?:[-–—*•·]|\d{1,3}[.)])\s/;
const listed = ({ text, tokens }: Statement): boolean =>
  bullet.test(text) || tokens.every(({ kind }) => kind === 'time' || kind === 'small');

/** Whether it counts what is new in a day, not all there is. */
const ofDays = ({ stems, tokens }: Statement): boolean =>
  stems.has('newli') && tokens.some(({ kind }) => kind === 'quantity');

/**
 * The page that two statements share or do not, where they can be compared; undefined where they
 * cannot.
 */
function meet(older: Statement, newer: Statement): PageRelation | undefined {
  const page = pageRelation(older, newer);
  if (page === 'other' || (page === 'untitled' && ofOtherTimes(older, newer))) return undefined;
  if (
    page === 'same'
      ? measuresDiffer(older.measures, newer.measures)
      : measuresDiffer(older.kinds, newer.kinds)
  )
    return undefined;
  if (
    page === 'untitled' &&
    (modalitiesDiffer(older, newer) ||
      ofDays(older) !== ofDays(newer) ||
      officesDiffer(older, newer))
  )
    return undefined;
  // Items of a list and headings stand beside each other, whatever they have in common.
  return page === 'same' && (listed(older) || listed(newer)) ? undefined : page;
}

const signatures = new WeakMap<Statement, string>();

/** All that `meet` looks at, as one string. */
function signatureOf(statement: Statement): string {
  let found = signatures.get(statement);
  if (found !== undefined) return found;
  const { titled, times, firmTimes, measures, kinds, scheduling, holding } = statement;
  const groups = (all: Measures): string =>
    [...all]
      .map(([family, words]) => `${family}:${listOf(words)}`)
      .sort()
      .join(';');
  const { asks, supposes, plans, foresees, observed } = modalityOf(statement);
  const own = [
    scheduling,
    holding,
    holding && tellsOfStandIn(statement),
    ofDays(statement),
    listed(statement),
  ];
  const flags = [asks, supposes, plans, foresees, observed, ...own];
  found = [
    listOf(titled),
    listOf(times),
    listOf(firmTimes),
    groups(measures),
    groups(kinds),
    flags.map(Number).join(''),
  ].join('\n');
  signatures.set(statement, found);
  return found;
}

export const listOf = (keys: ReadonlySet<string>): string =>
  keys.size < 2 ? [...keys].join() : [...keys].sort().join(' ');

/** As many decisions as are kept; beyond them each is made anew. */
const mostKept = 1 << 22;
const answers: readonly (PageRelation | undefined)[] = [undefined, 'same', 'other', 'untitled'];

export class Blocking {
  private readonly kinds = new Map<string, number>();
  private readonly kindOf = new Map<Statement, number>();
  private readonly decided: Uint8Array;

  constructor(statements: readonly Statement[]) {
    for (const statement of statements) {
      const signature = signatureOf(statement);
      if (!this.kinds.has(signature)) this.kinds.set(signature, this.kinds.size);
      this.kindOf.set(statement, this.kinds.get(signature)!);
    }
    this.decided = new Uint8Array(this.kinds.size ** 2 <= mostKept ? this.kinds.size ** 2 : 0);
  }

  /** The page of two statements that can be compared; undefined where they cannot. */
  pageOf(older: Statement, newer: Statement): PageRelation | undefined {
    const at = this.kindOf.get(older)! * this.kinds.size + this.kindOf.get(newer)!;
    const known = this.decided[at];
    if (known) return answers[known - 1];
    const page = meet(older, newer);
    if (known === 0) this.decided[at] = answers.indexOf(page) + 1;
    return page;
  }
}
