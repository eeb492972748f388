// The ranking measures straight from their definitions, over sets and ranks, in float64. Shares no
// code with lib/eval.

/** What a query's judgements and its ranking (ids, best first) are. */
export interface OracleQuery {
  ranking: string[];
  judgements: Record<string, number>;
  relevantFrom: number;
}

function isRelevant(query: OracleQuery, id: string): boolean {
  return Object.hasOwn(query.judgements, id) && query.judgements[id]! >= query.relevantFrom;
}

function allRelevant(query: OracleQuery): string[] {
  return Object.keys(query.judgements).filter((id) => isRelevant(query, id));
}

function prefix(query: OracleQuery, k: number): Set<string> {
  return new Set(query.ranking.filter((_, index) => index < k));
}

export function oraclePrecision(query: OracleQuery, k: number): number {
  const top = prefix(query, k);
  return allRelevant(query).filter((id) => top.has(id)).length / k;
}

export function oracleRecall(query: OracleQuery, k: number): number {
  const relevant = allRelevant(query);
  const top = prefix(query, k);
  return relevant.length === 0 ? 0 : relevant.filter((id) => top.has(id)).length / relevant.length;
}

export function oracleHit(query: OracleQuery, k: number): number {
  return [...prefix(query, k)].some((id) => isRelevant(query, id)) ? 1 : 0;
}

export function oracleReciprocalRank(query: OracleQuery, k: number): number {
  let best = 0;
  for (const id of allRelevant(query)) {
    const rank = query.ranking.indexOf(id) + 1;
    if (rank >= 1 && rank <= k) best = Math.max(best, 1 / rank);
  }
  return best;
}

export function oracleAveragePrecision(query: OracleQuery, k: number): number {
  const relevant = allRelevant(query);
  if (relevant.length === 0) return 0;
  let sum = 0;
  for (const id of relevant) {
    const rank = query.ranking.indexOf(id) + 1;
    if (rank >= 1 && rank <= k) sum += oraclePrecision(query, rank);
  }
  return sum / relevant.length;
}

export function oracleNdcg(query: OracleQuery, k: number): number {
  const gain = (id: string): number => Math.max(0, query.judgements[id] ?? 0);
  const dcg = (ids: string[]): number => {
    let sum = 0;
    for (let rank = 1; rank <= Math.min(k, ids.length); rank += 1)
      sum += gain(ids[rank - 1]!) / (Math.log(rank + 1) / Math.LN2);
    return sum;
  };
  const ideal = dcg(Object.keys(query.judgements).sort((a, b) => gain(b) - gain(a)));
  return ideal === 0 ? 0 : dcg(query.ranking) / ideal;
}

export function oracleRPrecision(query: OracleQuery): number {
  const count = allRelevant(query).length;
  return count === 0 ? 0 : oraclePrecision(query, count);
}

export function oracleBpref(query: OracleQuery): number {
  const relevant = allRelevant(query);
  const irrelevant = new Set(
    Object.keys(query.judgements).filter(
      (id) => query.judgements[id]! >= 0 && !isRelevant(query, id),
    ),
  );
  let sum = 0;
  for (const id of relevant) {
    const rank = query.ranking.indexOf(id);
    if (rank < 0) continue;
    const above = query.ranking.slice(0, rank).filter((each) => irrelevant.has(each)).length;
    sum +=
      above === 0
        ? 1
        : 1 - Math.min(above, relevant.length) / Math.min(irrelevant.size, relevant.length);
  }
  return relevant.length === 0 ? 0 : sum / relevant.length;
}
