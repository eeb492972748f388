// Ranking measures, each a pure function of one query's judged ranking, with its formula. They are trec_eval's: g(i) is
// the grade at rank i, a document is relevant from `relevantFrom` up, R is the number of relevant documents judged, and a
// query with R = 0 scores zero. Averaging over queries is not done here.

/** One query's ranking seen through its judgements. */
export interface JudgedRanking {
  /** Grade at each rank, best first; undefined where the document is unjudged (a grade below zero counts as that). */
  grades: readonly (number | undefined)[];
  /** Whether the document at each rank is relevant. */
  relevant: readonly boolean[];
  /** R: relevant documents among the judgements, retrieved or not. */
  relevantCount: number;
  /** Judged documents that are not relevant, retrieved or not. */
  irrelevantCount: number;
  /** Positive grades of all judged documents, descending: the ideal ranking's gains. */
  idealGains: readonly number[];
}

export interface JudgeOptions {
  /** The grade from which a document is relevant, at least 1. Default 1. (nDCG uses the grades themselves.) */
  relevantFrom?: number;
  /** Only this many of the first documents are looked at. Default all. */
  depth?: number;
}

/** Looks each document of a ranking up in the query's judgements (document id -> grade). */
export function judge(ids: readonly string[], judgements: ReadonlyMap<string, number>, options: JudgeOptions = {}): JudgedRanking {
  const relevantFrom = options.relevantFrom ?? 1;
  const seen = options.depth === undefined ? ids : ids.slice(0, options.depth);
  const grades = seen.map((id) => judgements.get(id)).map((grade) => (grade !== undefined && grade >= 0 ? grade : undefined));
  const judged = [...judgements.values()].filter((grade) => grade >= 0);
  const relevantCount = judged.filter((grade) => grade >= relevantFrom).length;
  return {
    grades,
    relevant: grades.map((grade) => grade !== undefined && grade >= relevantFrom),
    relevantCount,
    irrelevantCount: judged.length - relevantCount,
    idealGains: judged.filter((grade) => grade > 0).sort((a, b) => b - a),
  };
}

/** hit@k = 1 where any of the first k is relevant (trec_eval's success). */
export function hit(ranking: JudgedRanking, k: number): number {
  return relevantWithin(ranking, k) > 0 ? 1 : 0;
}

/** recall@k = |relevant in the first k| / R. */
export function recall(ranking: JudgedRanking, k: number): number {
  return overRelevant(relevantWithin(ranking, k), ranking);
}

/** precision@k = |relevant in the first k| / k; ranks that were not filled count as irrelevant. */
export function precision(ranking: JudgedRanking, k: number): number {
  return relevantWithin(ranking, k) / k;
}

/** mrr@k = 1 / rank of the first relevant document within the first k, else 0 (trec_eval's recip_rank). */
export function reciprocalRank(ranking: JudgedRanking, k = Infinity): number {
  const first = ranking.relevant.indexOf(true);
  return first >= 0 && first < k ? 1 / (first + 1) : 0;
}

/** map@k = (1/R) * sum over relevant ranks i <= k of (relevant up to i) / i. R stays the whole R, as in trec_eval's map_cut. */
export function averagePrecision(ranking: JudgedRanking, k = Infinity): number {
  let found = 0;
  let sum = 0;
  for (const [index, relevant] of ranking.relevant.entries()) {
    if (index >= k) break;
    if (relevant) sum += (found += 1) / (index + 1);
  }
  return overRelevant(sum, ranking);
}

/** ndcg@k = DCG@k / ideal DCG@k with DCG@k = sum over i <= k of g(i) / log2(i + 1): the gain is the grade itself. */
export function normalizedGain(ranking: JudgedRanking, k = Infinity): number {
  const ideal = discountedGain(ranking.idealGains, k);
  return ideal > 0 ? discountedGain(ranking.grades, k) / ideal : 0;
}

/** rprec = precision@R. */
export function rPrecision(ranking: JudgedRanking): number {
  return overRelevant(relevantWithin(ranking, ranking.relevantCount), ranking);
}

/**
 * bpref = (1/R) * sum over relevant retrieved d of 1 - min(n(d), R) / min(N, R), n(d) the judged irrelevant documents
 * above d and N all judged irrelevant documents. Unjudged documents do not count.
 */
export function binaryPreference(ranking: JudgedRanking): number {
  const { relevantCount, irrelevantCount } = ranking;
  let above = 0;
  let sum = 0;
  for (const [index, relevant] of ranking.relevant.entries()) {
    if (relevant) sum += above === 0 ? 1 : 1 - Math.min(above, relevantCount) / Math.min(irrelevantCount, relevantCount);
    else if (ranking.grades[index] !== undefined) above += 1;
  }
  return overRelevant(sum, ranking);
}

function relevantWithin(ranking: JudgedRanking, k: number): number {
  let found = 0;
  for (let index = 0; index < Math.min(k, ranking.relevant.length); index += 1) if (ranking.relevant[index]) found += 1;
  return found;
}

function overRelevant(sum: number, ranking: JudgedRanking): number {
  return ranking.relevantCount === 0 ? 0 : sum / ranking.relevantCount;
}

function discountedGain(gains: readonly (number | undefined)[], k: number): number {
  let sum = 0;
  for (let index = 0; index < Math.min(k, gains.length); index += 1) sum += (gains[index] ?? 0) / Math.log2(index + 2);
  return sum;
}
