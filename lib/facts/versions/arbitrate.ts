// Arbitration of fact versions (Re3 section 3.4, equation 14): the latest publication wins,
// conflicting older ones lose, equal dates tie.
import { stemmer } from 'stemmer';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import type { Mention } from '../../time/mention.js';
import { compare, type ComparisonContext, type Verdict } from './compare.js';
import type { VersionCaches } from './caches.js';
import { headOf } from './lexicon.js';
import { Blocking } from './blocking.js';
import { SlotWords } from './slotWords.js';
import {
  knownNames,
  readStatement,
  statementOf,
  type Statement,
  type Version,
} from './statement.js';
import { NamesApart, qualifiersOf, type Surroundings } from './subject.js';

/** A version with the times that its text speaks of. */
export interface TaggedVersion extends Version {
  mentions: readonly Mention[];
}

/** A passage with the vote on its version. */
export interface ArbitratedVersion {
  id: string;
  /**
   * +1 supports the version in force, -1 a version that it supersedes, 0 takes part in no conflict
   * (equation 14).
   */
  vote: 1 | 0 | -1;
  /**
   * Where the vote is -1: the id of the version in force, and the values in which the two differ.
   */
  newer?: string;
  values?: readonly [older: string, newer: string];
}

export interface AskedThen {
  /** The question, with the times in it. */
  text: string;
  mentions: readonly Mention[];
  /** Whether it asks for the state of now. */
  ofNow: boolean;
  /** What was published later takes no part. UTC epoch milliseconds. */
  until: number;
  /** How rare a name is in the corpus, the larger the rarer; by default, among the versions. */
  rarity?: (name: string) => number;
  caches: VersionCaches;
  signal?: AbortSignal;
}

/**
 * Votes on versions, in their order. A version loses to the newest one that survives, was published
 * later and can be compared with it, where their values differ; it supports that one where they are
 * the same. So no vote hangs on the order of `versions`, and voting again over what survives
 * changes nothing. Other work of the process has its turn between two statements.
 * @throws AsOfError ERR_ABORTED
 */
export async function arbitrate(
  versions: readonly TaggedVersion[],
  asked: AskedThen,
): Promise<ArbitratedVersion[]> {
  const texts = [
    asked.text,
    ...versions.map(({ text }) => text),
    ...versions.flatMap(({ title }) => (title === undefined ? [] : [`the ${title}`])),
  ];
  const known = knownNames(texts, asked.caches);
  const dated = versions.filter(
    ({ publishedAt }) => publishedAt !== undefined && publishedAt <= asked.until,
  );
  const statements: Statement[] = [];
  for (const { mentions, ...version } of dated) {
    const turn = yieldToEventLoop(asked.signal);
    if (turn) await turn;
    statements.push(statementOf(version, mentions, known, asked.caches));
  }
  statements.sort(
    (a, b) => b.publishedAt! - a.publishedAt! || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
  const votes = new Map<string, ArbitratedVersion>();
  const survivors: Statement[] = [];
  // What says the same as a version in force, from new to old.
  const supported = new Map<string, string>();
  const verdictOf = comparison(statements, asked, known);
  for (const statement of statements) {
    const turn = yieldToEventLoop(asked.signal);
    if (turn) await turn;
    const decided = inForce(statement, survivors, (newer) => verdictOf(statement, newer));
    if (decided?.verdict.kind !== 'conflict') {
      survivors.push(statement);
      if (decided) supported.set(statement.id, decided.newer.id);
      continue;
    }
    const { newer, verdict } = decided;
    votes.set(newer.id, { id: newer.id, vote: 1 });
    votes.set(statement.id, {
      id: statement.id,
      vote: -1,
      newer: newer.id,
      values: [verdict.older, verdict.newer],
    });
  }
  for (const [id, newer] of supported)
    if (votes.get(newer)?.vote === 1) votes.set(id, { id, vote: 1 });
  return versions.map(({ id }) => votes.get(id) ?? { id, vote: 0 });
}

/** Rarity among the statements themselves, where no corpus tells it. */
function rarityAmong(statements: readonly Statement[]): (name: string) => number {
  const texts = statements.map(({ title = '', text }) => `${title} ${text}`.toLowerCase());
  const known = new Map<string, number>();
  return (name) => {
    let rarity = known.get(name);
    if (rarity === undefined)
      known.set(name, (rarity = -texts.filter((text) => text.includes(name.toLowerCase())).length));
    return rarity;
  };
}

type Deciding = { newer: Statement; verdict: Verdict };

/**
 * The newest survivor that can be compared with a statement; of several with one date, one that
 * says the same.
 */
function inForce(
  { publishedAt }: Statement,
  survivors: readonly Statement[],
  verdictOf: (newer: Statement) => Verdict,
): Deciding | undefined {
  let found: Deciding | undefined;
  for (const newer of survivors) {
    if (newer.publishedAt! <= publishedAt!) break;
    if (found && newer.publishedAt! < found.newer.publishedAt!) break;
    const verdict = verdictOf(newer);
    if (verdict.kind === 'same') return { newer, verdict };
    if (verdict.kind === 'conflict' && !found) found = { newer, verdict };
  }
  return found;
}

/** Stems of what a question asks the name or the number of: "which gate", "from what platform". */
const soughtBy = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/\b(?:which|what)\s+(\p{L}+)/giu)].map(([, word]) =>
      stemmer(word!.toLowerCase()),
    ),
  );

/**
 * Compares two of the statements, which are ordered from new to old; what only all of them together
 * tell is learned first.
 */
function comparison(
  statements: readonly Statement[],
  asked: AskedThen,
  known: ReadonlySet<string>,
): (older: Statement, newer: Statement) => Verdict {
  const question = readStatement({ id: '', text: asked.text }, asked.mentions, known);
  const surroundings: Surroundings = {
    asked: {
      names: question.names,
      words: new Set([...question.stems, ...question.names].map((word) => headOf(stemmer(word)))),
      sought: soughtBy(asked.text),
      times: question.times,
      counts:
        /\bhow (?:many|much|high|long|large|big|tall|old|far|fast|warm|cold|deep|heavy)\b/i.test(
          asked.text,
        ),
    },
    ofNow: asked.ofNow,
    rarity: asked.rarity ?? rarityAmong(statements),
    qualifiers: qualifiersOf([...statements, question]),
  };
  const around: ComparisonContext = {
    ...surroundings,
    slotWords: new SlotWords(statements),
    meetings: new Blocking(statements),
    names: new NamesApart(statements, surroundings),
  };
  return (older, newer) => compare(older, newer, around);
}
