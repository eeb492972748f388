// Ranking measures as trec_eval defines them: g(i) is the grade at rank i, a document is relevant
// from `relevantFrom` up, R is the number of relevant documents, R = 0 scores zero.

/**
 * The judged documents of one query's ranking. Rankings are long and judgements few, so measures
 * read judged documents only.
 */
export interface GradedRanking {
  /**
   * Ranks from 0 of the retrieved judged documents, ascending, and their grades (a negative grade
   * counts as unjudged).
   */
  places: readonly number[];
  grades: readonly number[];
  /** Ranks of the relevant documents. */
  relevantPlaces: readonly number[];
  /** R: relevant documents among the judgements, retrieved or not. */
  relevantCount: number;
  /** Judged documents that are not relevant, retrieved or not. */
  irrelevantCount: number;
  /** Positive grades of all judged documents, descending: the ideal ranking's gains. */
  idealGains: readonly number[];
}

export interface RelevanceOptions {
  /**
   * The grade from which a document is relevant, at least 1. Default 1. (nDCG uses the grades
   * themselves.)
   */
  relevantFrom?: number | undefined;
  /** Number of leading documents to consider. Default all. */
  depth?: number | undefined;
}

/** Grades a ranking by the query's judgements (document id -> grade). */
export function gradeRanking(
  ids: readonly string[],
  judgements: ReadonlyMap<string, number>,
  options: RelevanceOptions = {},
): GradedRanking {
  const { relevantFrom = 1, depth = Infinity } = options;
  const places: number[] = [];
  const grades: number[] = [];
  const relevantPlaces: number[] = [];
  for (let place = 0; place < ids.length && place < depth; place += 1) {
    const grade = judgements.get(ids[place]!);
    if (grade === undefined || grade < 0) continue;
    places.push(place);
    grades.push(grade);
    if (grade >= relevantFrom) relevantPlaces.push(place);
  }
  const idealGains: number[] = [];
  let relevantCount = 0;
  let irrelevantCount = 0;
  for (const grade of judgements.values()) {
    if (grade >= relevantFrom) relevantCount += 1;
    else if (grade >= 0) irrelevantCount += 1;
    if (grade > 0) idealGains.push(grade);
  }
  return {
    places,
    grades,
    relevantPlaces,
    relevantCount,
    irrelevantCount,
    idealGains: idealGains.sort((one, other) => other - one),
  };
}

/** hit@k = 1 where any of the first k is relevant (trec_eval's success). */
export function success(ranking: GradedRanking, k: number): number {
  return relevantWithin(ranking, k) > 0 ? 1 : 0;
}

/** recall@k = |relevant in the first k| / R. */
export function recall(ranking: GradedRanking, k: number): number {
  return overRelevant(relevantWithin(ranking, k), ranking);
}

/** precision@k = |relevant in the first k| / k; missing ranks count as irrelevant. */
export function precision(ranking: GradedRanking, k: number): number {
  return relevantWithin(ranking, k) / k;
}

/**
 * mrr@k = 1 / rank of the first relevant document within the first k, else 0 (trec_eval's
 * recip_rank).
 */
export function reciprocalRank(ranking: GradedRanking, k = Infinity): number {
  const first = ranking.relevantPlaces[0];
  return first !== undefined && first < k ? 1 / (first + 1) : 0;
}

/**
 * map@k = (1/R) * sum over relevant ranks i <= k of (relevant up to i) / i. R stays the whole R, as
 * in trec_eval's map_cut.
 */
export function averagePrecision(ranking: GradedRanking, k = Infinity): number {
  const { relevantPlaces } = ranking;
  let sum = 0;
  for (let at = 0; at < relevantPlaces.length && relevantPlaces[at]! < k; at += 1)
    sum += (at + 1) / (relevantPlaces[at]! + 1);
  return overRelevant(sum, ranking);
}

/**
 * ndcg@k = DCG@k / ideal DCG@k with DCG@k = sum over i <= k of g(i) / log2(i + 1): the gain is the
 * grade itself.
 */
export function ndcg(ranking: GradedRanking, k = Infinity): number {
  const { places, grades, idealGains } = ranking;
  let ideal = 0;
  for (let place = 0; place < idealGains.length && place < k; place += 1)
    ideal += idealGains[place]! / Math.log2(place + 2);
  if (ideal === 0) return 0;
  let gain = 0;
  for (let at = 0; at < places.length && places[at]! < k; at += 1)
    gain += grades[at]! / Math.log2(places[at]! + 2);
  return gain / ideal;
}

/** rprec = precision@R. */
export function rPrecision(ranking: GradedRanking): number {
  return overRelevant(relevantWithin(ranking, ranking.relevantCount), ranking);
}

/**
 * bpref = (1/R) * sum over relevant retrieved d of 1 - min(n(d), R) / min(N, R), n(d) the judged
 * irrelevant documents above d and N all judged irrelevant documents. Unjudged documents do not
 * count.
 */
export function bpref(ranking: GradedRanking): number {
  const { places, relevantPlaces, relevantCount, irrelevantCount } = ranking;
  const least = Math.min(irrelevantCount, relevantCount);
  let found = 0;
  let sum = 0;
  for (let at = 0; at < places.length; at += 1) {
    if (places[at] !== relevantPlaces[found]) continue;
    const above = at - found; // irrelevant judged documents at higher ranks
    sum += above === 0 ? 1 : 1 - Math.min(above, relevantCount) / least;
    found += 1;
  }
  return overRelevant(sum, ranking);
}

function relevantWithin({ relevantPlaces }: GradedRanking, k: number): number {
  let found = 0;
  while (found < relevantPlaces.length && relevantPlaces[found]! < k) found += 1;
  return found;
}

function overRelevant(sum: number, ranking: GradedRanking): number {
  return ranking.relevantCount === 0 ? 0 : sum / ranking.relevantCount;
}
