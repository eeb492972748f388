// Subject agreement of two statements, by titles, names and the question's names, before values are
// compared.
import type { Statement } from './statement.js';

/** What is known beyond two statements: the question, and how rare a name is in the corpus. */
export interface Surroundings {
  /**
   * The question's names, stems of content words, times as statements have them, what it asks the
   * number of, and whether it asks how many.
   */
  asked: {
    names: ReadonlySet<string>;
    words: ReadonlySet<string>;
    times: ReadonlySet<string>;
    sought: ReadonlySet<string>;
    counts: boolean;
  };
  /** Whether the question asks for the state of now: it names no time. */
  ofNow: boolean;
  /** The rarer in the corpus, the larger; a folded name. */
  rarity: (name: string) => number;
  /**
   * Names that stand behind another as its qualifier ("Portland, OR"), by that other, over all
   * statements.
   */
  qualifiers: ReadonlyMap<string, ReadonlySet<string>>;
}

export type PageRelation = 'same' | 'other' | 'untitled';

/** Whether two statements stand on one page: a title names what its page is about. */
export function pageRelation(a: Statement, b: Statement): PageRelation {
  if (a.titled.size === 0 || b.titled.size === 0) return 'untitled';
  const lacks = (one: Statement, other: Statement): boolean =>
    [...one.titled].some((word) => !other.titled.has(word));
  const [mine, theirs] = [lacks(a, b), lacks(b, a)];
  if (!mine && !theirs) return 'same';
  return mine && theirs ? 'other' : 'untitled';
}

export interface NameDifference {
  /** Names that only one has and that tell the two apart. */
  older: ReadonlySet<string>;
  newer: ReadonlySet<string>;
  /** Names that both have, sources of reports aside. */
  shared: ReadonlySet<string>;
}

/**
 * The names in which statements differ, decided once for all of them that have the same names in
 * the same places.
 */
export class NamesApart {
  private readonly kinds = new Map<string, number>();
  private readonly kindOf = new Map<Statement, number>();
  private readonly decided = new Map<number, NameDifference>();

  constructor(
    statements: readonly Statement[],
    private readonly around: Surroundings,
  ) {
    const all = new Set(
      statements.flatMap((each) => [
        ...each.names,
        ...initialsOf(each).map(({ letters }) => letters),
      ]),
    );
    for (const statement of statements) {
      const wordsToo = [...all].filter((name) => statement.stems.has(name));
      const signature = `${signatureOf(statement)}\n${wordsToo.sort().join(' ')}`;
      if (!this.kinds.has(signature)) this.kinds.set(signature, this.kinds.size);
      this.kindOf.set(statement, this.kinds.get(signature)!);
    }
  }

  between(older: Statement, newer: Statement): NameDifference {
    const at = this.kindOf.get(older)! * this.kinds.size + this.kindOf.get(newer)!;
    let found = this.decided.get(at);
    if (!found) this.decided.set(at, (found = nameDifference(older, newer, this.around)));
    return found;
  }
}

const signatures = new WeakMap<Statement, string>();

/** All that `nameDifference` looks at of a statement but its words, as one string. */
function signatureOf(statement: Statement): string {
  let found = signatures.get(statement);
  if (found !== undefined) return found;
  const { names, spelled, titled } = statement;
  const behind = qualifications(statement).map((pair) => pair.join('>'));
  const initials = initialsOf(statement).map(({ letters, of }) => `${letters}:${of.join(' ')}`);
  found = [
    [...names].map((name) => `${name}=${spelled.get(name) ?? ''}`),
    [...sourceOf(statement)],
    [...titled],
    behind,
    initials,
  ]
    .map((each) => each.sort().join('|'))
    .join('\n');
  signatures.set(statement, found);
  return found;
}

function nameDifference(older: Statement, newer: Statement, around: Surroundings): NameDifference {
  const shared = new Set<string>();
  const unmatched: [string[], string[]] = [[], []];
  const sides = [
    [older, newer],
    [newer, older],
  ] as const;
  sides.forEach(([one, other], side) => {
    for (const name of one.names) {
      if (sourceOf(one).has(name)) continue;
      if (has(other, name)) shared.add(name);
      else unmatched[side]!.push(name);
    }
  });
  if (unmatched[0].length === 0 && unmatched[1].length === 0)
    return { older: new Set(), newer: new Set(), shared };
  const rarityOf = (name: string): number =>
    around.rarity(older.spelled.get(name) ?? newer.spelled.get(name) ?? name);
  const rarest = Math.max(-Infinity, ...[...shared].map(rarityOf));
  const [mine, theirs] = sides.map(([one, other], side) =>
    unmatched[side]!.filter(
      (name) => !shortened(name, one, other) && !qualifies(name, one, shared, around),
    ),
  ) as [string[], string[]];
  const general = (name: string): boolean => rarityOf(name) <= rarest;
  const oneSided = mine.length === 0 || theirs.length === 0;
  return {
    older: new Set(oneSided ? mine.filter((name) => !general(name)) : mine),
    newer: new Set(oneSided ? theirs.filter((name) => !general(name)) : theirs),
    shared,
  };
}

const has = (statement: Statement, name: string): boolean =>
  statement.names.has(name) || statement.titled.has(name) || statement.stems.has(name);

const sources = new WeakMap<Statement, ReadonlySet<string>>();

/** Names behind "according to": they say who reports. */
function sourceOf(statement: Statement): ReadonlySet<string> {
  let found = sources.get(statement);
  if (!found) {
    const names = new Set<string>();
    for (const { index, 0: said } of statement.text.matchAll(
      /\b(?:according to|source:|quoted by|courtesy of)\s+(?:the\s+)?/giu,
    )) {
      const end = index + said.length;
      let reach = end;
      for (const token of statement.tokens) {
        if (token.start < end) continue;
        if (token.kind !== 'name' || token.start > reach + 1) break;
        names.add(token.key);
        reach = token.end;
      }
    }
    sources.set(statement, (found = names));
  }
  return found;
}

const runsOf = new WeakMap<Statement, readonly { letters: string; of: string[] }[]>();

/** "NWS" beside "National Weather Service", either way round. */
function shortened(name: string, one: Statement, other: Statement): boolean {
  return (
    initialsOf(other).some(({ letters }) => letters === name) ||
    initialsOf(one).some(({ letters, of }) => of.includes(name) && has(other, letters))
  );
}

/** The initials of each run of three names or more. */
function initialsOf(statement: Statement): readonly { letters: string; of: string[] }[] {
  let found = runsOf.get(statement);
  if (!found) runsOf.set(statement, (found = readInitials(statement)));
  return found;
}

function readInitials({ tokens }: Statement): { letters: string; of: string[] }[] {
  const runs: { letters: string; of: string[] }[] = [];
  let run: string[] = [];
  let end = -1;
  for (const token of [...tokens, undefined]) {
    if (token?.kind === 'name' && token.start - end <= 1) run.push(token.key);
    else if (token?.kind === 'small' && run.length > 0) continue;
    else {
      if (run.length >= 2) runs.push({ letters: run.map((word) => word[0]).join(''), of: run });
      run = token?.kind === 'name' ? [token.key] : [];
    }
    if (token) end = token.end;
  }
  return runs;
}

/** "Portland, OR" beside "Portland", where no statement tells of another Portland. */
function qualifies(
  name: string,
  one: Statement,
  shared: ReadonlySet<string>,
  { qualifiers, asked }: Surroundings,
): boolean {
  if (asked.names.has(name)) return false;
  return qualifications(one).some(
    ([before, behind]) =>
      behind === name && shared.has(before) && (qualifiers.get(before)?.size ?? 0) <= 1,
  );
}

const qualified = new WeakMap<Statement, readonly (readonly [before: string, behind: string])[]>();

/** Names that stand behind a comma or a bracket right after another. */
function qualifications(
  statement: Statement,
): readonly (readonly [before: string, behind: string])[] {
  let found = qualified.get(statement);
  if (!found) {
    found = statement.tokens.flatMap((token, at) => {
      const before = statement.tokens[at - 1];
      return token.kind === 'name' && token.apart && before?.kind === 'name'
        ? [[before.key, token.key] as const]
        : [];
    });
    qualified.set(statement, found);
  }
  return found;
}

/** Which names qualify which, over all statements and the question. */
export function qualifiersOf(statements: readonly Statement[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const statement of statements) {
    for (const [before, behind] of qualifications(statement))
      found.set(before, (found.get(before) ?? new Set()).add(behind));
  }
  return found;
}
