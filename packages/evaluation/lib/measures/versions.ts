// Measures of versions (after Re3 section 3.4): whether a ranking contains the version in force at
// the asking time, and no superseded or later one.
import { invalidLine, readLines } from 'asof/kit';
import type { Qrels } from '../files/trec.js';

/** Query id -> fact -> ids of the passages that state its version in force. */
export type Facts = Map<string, Map<string, Set<string>>>;

export interface VersionJudgements {
  /** Passages with the version in force at the asking time. */
  current: Qrels;
  /** Versions superseded at the asking time. */
  outdated: Qrels;
  /** Versions published after the asking time. */
  future?: Qrels | undefined;
  /** The required facts of questions for several facts. */
  facts?: Facts | undefined;
}

/** One query's ranking with its version judgements; best first. */
export interface VersionRanking {
  current: readonly boolean[];
  outdated: readonly boolean[];
  /** Absent without judgements of later versions. */
  future?: readonly boolean[] | undefined;
  /**
   * The rank, from 0, of the first passage that states each fact, Infinity without one; absent
   * without facts.
   */
  facts?: readonly number[] | undefined;
}

/** A ranking with its version judgements; grades above 0 count. */
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
 * clean@k = 1 if the first k contain a current passage and neither a superseded nor, where judged,
 * a later version.
 */
export function cleanWithin({ current, outdated, future = [] }: VersionRanking, k: number): number {
  return anyWithin(current, k) === 1 && anyWithin(outdated, k) === 0 && anyWithin(future, k) === 0
    ? 1
    : 0;
}

/**
 * all@k = 1 if the first k state every fact of the query; 1 for a query without facts, undefined
 * without judgements of facts.
 */
export function allFactsWithin({ facts }: VersionRanking, k: number): number | undefined {
  return facts && (facts.every((at) => at < k) ? 1 : 0);
}

/**
 * Reads the facts of questions: lines of `query fact document grade`, blank-separated.
 * @throws AsOfError ERR_INVALID_INPUT for malformed lines.
 */
export async function readFacts(
  path: string,
  options: { signal?: AbortSignal | undefined } = {},
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
