// Score plans over shards, in rounds. Statistics first, since all shards weigh by those of the
// whole; then the greatest BM25 and the moments of a recency; then the passages with the rows from
// the k-th score on, and a band below it for what SQL computes otherwise in the last bits
// (docs/decisions/postgres.md).
import type { ScorePlan } from 'asof/kit';
import type { Session } from './connection.js';
import { isExact } from './forms.js';
import { QuerySql, type LexicalContext, type PlanContext } from './querySql.js';
import type { PlanQuery, QueryStatistics } from './remoteTypes.js';
import { float8 } from './sql.js';
import { collectionStatistics, queryStatistics } from './statistics.js';
import { candidateRows, preferVectorIndex, sampleForIndex } from './vectorIndex.js';

/** Results beyond k that are asked for at once: most bands end within them. */
const spare = 64;
/** Most results of a plan that are asked for with a limit. */
const unlimited = 0xffffffff;

interface Found {
  id: string;
  score: number;
}

/**
 * Ids of the passages with the rows that can be among the best k of a query; approximate where a
 * shard searched its index of vectors for them.
 */
async function rankQuery(
  query: PlanQuery,
  plan: ScorePlan,
  context: PlanContext,
  given: { lexical: LexicalContext | undefined; statistics: QueryStatistics },
): Promise<{ ids: string[]; approximate: boolean }> {
  const { k, scope } = plan;
  // Of whole passages, each is one row.
  const pool = (plan.pool ?? false) && scope !== 'passages';
  if (k === 0) return { ids: [], approximate: false };
  const { candidates } = context;
  const limit = k === unlimited ? undefined : k + spare;
  let approximate = false;
  /** The best, or all from a score on. */
  const best = async (session: Session, from?: number): Promise<Found[]> => {
    const sql = new QuerySql(query, plan, context, given.lexical);
    const isIndexed = candidates && limit && !given.statistics.moments;
    const sample =
      isIndexed && (await sampleForIndex(session, query, plan, { ...context, candidates }));
    if (sample) {
      approximate = true;
      await preferVectorIndex(session, candidates);
      sql.restrictTo(candidateRows(sql, sample, candidates));
    }
    const score = sql.score(given.statistics);
    const rows = pool
      ? `select passage, max(score) as score from
           (select passage, ${score} as score from ${sql.from} where ${sql.where}) y group by passage`
      : `select passage, ${score} as score from ${sql.from} where ${sql.where}`;
    const ranked =
      from !== undefined
        ? `select * from (${rows}) z where score >= ${float8(from)}`
        : `${rows}${limit ? ` order by score desc limit ${limit}` : ''}`;
    return sql.run<Found>(
      session,
      `select id, score from (${ranked}) x join passages using (passage)`,
    );
  };
  const first = await context.onShards((session) => best(session));
  const scores = first
    .flat()
    .map(({ score }) => score)
    .sort((a, b) => b - a);
  const kth = scores[k - 1];
  if (limit === undefined || kth === undefined)
    return { ids: first.flat().map(({ id }) => id), approximate };
  const threshold = kth - band(query, given.statistics);
  // A shard whose last row is within the band may have more of them.
  const isCut = first.map(
    (rows) => rows.length === limit && Math.min(...rows.map(({ score }) => score)) >= threshold,
  );
  const all = await context.onShards(async (session, shard) =>
    isCut[shard]
      ? best(session, threshold)
      : first[shard]!.filter(({ score }) => score >= threshold),
  );
  return { ids: all.flat().map(({ id }) => id), approximate };
}

/** Of a product, for scores of either sign. */
const greatestFactor = 2;

/**
 * How far below the k-th score, as SQL has it, one of the best k may be: twice the bound of the
 * errors of both sums of products, of vectors of length 1, times the greatest factor; 0 where the
 * same bits are computed. The native scan standardises recencies by the same moments.
 */
function band(
  { vector, semanticWeight = 1, form = { combine: 'none' }, lexicalWeight = 1 }: PlanQuery,
  { moments }: QueryStatistics,
): number {
  if (!vector && isExact(form) && !moments) return 0;
  const d = vector?.length ?? 0;
  const products = Math.abs(semanticWeight) * (2 * Math.ceil(d / 4) + 4 + d) * 2 ** -24;
  const weight = form.combine === 'sum' ? Math.abs(form.weight) : 0;
  const rounding = 1e-9 * (1 + weight + Math.abs(semanticWeight) + Math.abs(lexicalWeight));
  return 2 * greatestFactor * products + rounding;
}

/** Runs a plan: ids of passages, and what the native scan is to score them with. */
export async function rankPlan(plan: ScorePlan, context: PlanContext) {
  const { k1 = 0.9, b = 0.4, scope, queries } = plan;
  const terms = [...new Set(queries.flatMap(({ terms: own = [] }) => own))];
  const collection =
    terms.length > 0 ? await collectionStatistics(context, terms, scope) : undefined;
  const lexical = collection && { k1, b, collection };
  const found = await Promise.all(
    queries.map(async (query) => {
      const statistics = await queryStatistics(query, plan, context, lexical);
      const ranked = await rankQuery(query, plan, context, { lexical, statistics });
      return { ...ranked, statistics };
    }),
  );
  return {
    ids: [...new Set(found.flatMap(({ ids }) => ids))],
    statistics: {
      ...(collection && { collection }),
      queries: found.map(({ statistics }) => statistics),
      approximate: found.some(({ approximate }) => approximate),
    },
  };
}
