// How well a ranking shows the version of a fact that was in force when a question was asked, and
// hides the others: Re3's question as a measure (section 3.4). It reads rankings and judgements; it
// says nothing of how a ranking came about.
import { invalidArgument, mustBe } from '../../errors.js';
import { invalidLine, readLines } from '../../text/lines.js';
import type { Qrels, Run } from '../files/trec.js';

/** Query id -> fact -> ids of the passages that state it as it was in force. */
export type Facts = Map<string, Map<string, Set<string>>>;

export interface VersionJudgements {
  /** Passages that say what was in force when the question was asked. */
  current: Qrels;
  /** Versions that were superseded by then. */
  outdated: Qrels;
  /** Versions published after that. */
  future?: Qrels;
  /** The facts of questions that ask for several. */
  facts?: Facts;
}

/** One query's ranking, seen through judgements of versions; best first. */
export interface VersionRanking {
  current: readonly boolean[];
  outdated: readonly boolean[];
  /** Absent where versions from later are not judged. */
  future?: readonly boolean[];
  /**
   * The rank, from 0, of the first passage that states each fact, Infinity where none does; absent
   * where facts are not given.
   */
  facts?: readonly number[];
}

/** Looks each passage of a ranking up in the judgements of its query. A grade above 0 counts. */
export function versionRanking(
  query: string,
  ids: readonly string[],
  judged: VersionJudgements,
): VersionRanking {
  const those = (qrels: Qrels): boolean[] => ids.map((id) => (qrels.get(query)?.get(id) ?? 0) > 0);
  const firstOf = (stating: ReadonlySet<string>): number => {
    const at = ids.findIndex((id) => stating.has(id));
    return at < 0 ? Infinity : at;
  };
  return {
    current: those(judged.current),
    outdated: those(judged.outdated),
    ...(judged.future ? { future: those(judged.future) } : {}),
    ...(judged.facts ? { facts: [...(judged.facts.get(query)?.values() ?? [])].map(firstOf) } : {}),
  };
}

/** current@k, outdated@k and future@k = 1 where any of the first k passages is one. */
export function anyWithin(those: readonly boolean[], k: number): number {
  const at = those.indexOf(true);
  return at >= 0 && at < k ? 1 : 0;
}

/**
 * clean@k = 1 where the first k have a current passage and neither a superseded version nor, where
 * judged, one from later.
 */
export function cleanWithin({ current, outdated, future = [] }: VersionRanking, k: number): number {
  return anyWithin(current, k) === 1 && anyWithin(outdated, k) === 0 && anyWithin(future, k) === 0
    ? 1
    : 0;
}

/**
 * all@k = 1 where the first k state every fact of the query; 1 for a query without any, undefined
 * where facts are not given.
 */
export function allFactsWithin({ facts }: VersionRanking, k: number): number | undefined {
  return facts && (facts.every((at) => at < k) ? 1 : 0);
}

/** Shares of the questions, 0 to 1; `all` only where facts are given. */
export interface VersionScores {
  queries: number;
  /** With a current passage first, and among the first k. */
  currentFirst: number;
  current: number;
  /** With a superseded version, and with one not yet published, among the first k. */
  outdated: number;
  future: number;
  /** With a current passage among the first k and neither of the two. */
  clean: number;
  /** With a current passage for each of the question's facts among the first k. */
  all?: number;
}

/**
 * Scores the first `k` of a ranking, over all `queries`: one that the run lacks has shown nothing.
 * A grade above 0 counts.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a k that is no whole number from 1.
 */
export function scoreVersions(
  run: Run,
  queries: readonly string[],
  judged: VersionJudgements,
  k = 5,
): VersionScores {
  mustBe('a Map', { run });
  mustBe('an array', { queries });
  mustBe('an object', { judged });
  if (!Number.isInteger(k) || k < 1) throw invalidArgument('k', 'a whole number from 1', k);
  const sums = { currentFirst: 0, current: 0, outdated: 0, future: 0, clean: 0, all: 0 };
  for (const query of queries) {
    const ranking = versionRanking(
      query,
      (run.get(query) ?? []).map(({ id }) => id),
      judged,
    );
    sums.currentFirst += anyWithin(ranking.current, 1);
    sums.current += anyWithin(ranking.current, k);
    sums.outdated += anyWithin(ranking.outdated, k);
    sums.future += anyWithin(ranking.future ?? [], k);
    sums.clean += cleanWithin(ranking, k);
    sums.all += allFactsWithin(ranking, k) ?? 0;
  }
  const share = (sum: number): number => (queries.length === 0 ? 0 : sum / queries.length);
  const { currentFirst, current, outdated, future, clean, all } = sums;
  return {
    queries: queries.length,
    currentFirst: share(currentFirst),
    current: share(current),
    outdated: share(outdated),
    future: share(future),
    clean: share(clean),
    ...(judged.facts ? { all: share(all) } : {}),
  };
}

/**
 * Reads the facts of questions: lines of `query fact document grade`, blank-separated.
 * @throws AsOfError ERR_INVALID_INPUT for another line.
 */
export async function readFacts(
  path: string,
  options: { signal?: AbortSignal } = {},
): Promise<Facts> {
  const facts: Facts = new Map();
  for await (const line of readLines(path, options)) {
    if (line.text.trim() === '') continue;
    const [query, fact, document, grade, ...more] = line.text.trim().split(/\s+/);
    if (grade === undefined || more.length > 0 || !/^-?\d+$/.test(grade))
      throw invalidLine(line, 'four fields: query fact document grade', line.text.slice(0, 60));
    if (Number(grade) <= 0) continue;
    const ofQuery = facts.get(query!) ?? new Map<string, Set<string>>();
    facts.set(query!, ofQuery.set(fact!, (ofQuery.get(fact!) ?? new Set()).add(document!)));
  }
  return facts;
}
