// Score plans over shards: each query's statement on every shard, in the rounds of rankPlan
// (docs/decisions/postgres.md).
import { rankPlan, type ScorePlan } from 'asof/kit';
import type { Session } from './connection.js';
import { isExact } from './forms.js';
import { QuerySql, type LexicalContext, type PlanContext } from './querySql.js';
import type { PlanQuery, QueryRanking, QueryStatistics, RankBound } from './remoteTypes.js';
import { float8 } from './sql.js';
import { collectionStatistics, queryStatistics } from './statistics.js';
import { candidateRows, preferVectorIndex, sampleForIndex } from './vectorIndex.js';

/** Of forms that SQL computes otherwise in the last bits. */
const formRounding = 1e-12;

/** A query whose passages are approximate where a shard searched its index of vectors for them. */
class QueryOnShards implements QueryRanking {
  exact = true;
  readonly rounding: number;

  constructor(
    private readonly query: PlanQuery,
    private readonly plan: ScorePlan,
    private readonly context: PlanContext,
    private readonly lexical: LexicalContext | undefined,
  ) {
    this.rounding = isExact(query.form ?? { combine: 'none' }) ? 0 : formRounding;
  }

  statistics(): Promise<QueryStatistics> {
    return queryStatistics(this.query, this.plan, this.context, this.lexical);
  }

  best(statistics: QueryStatistics, bound: RankBound, isWanted: (part: number) => boolean) {
    return this.context.onShards(async (session, shard) =>
      isWanted(shard) ? this.bestOf(session, statistics, bound) : [],
    );
  }

  private async bestOf(session: Session, statistics: QueryStatistics, bound: RankBound) {
    const { query, plan, context } = this;
    const { candidates } = context;
    const sql = new QuerySql(query, plan, context, this.lexical);
    const isIndexed = candidates && !('all' in bound) && !statistics.moments;
    const sample =
      isIndexed && (await sampleForIndex(session, query, plan, { ...context, candidates }));
    if (sample) {
      this.exact = false;
      await preferVectorIndex(session, candidates);
      sql.restrictTo(candidateRows(sql, sample, candidates));
    }
    // Of whole passages, each is one row.
    const pool = (plan.pool ?? false) && plan.scope !== 'passages';
    const score = sql.score(statistics);
    const rows = pool
      ? `select passage, max(score) as score from
           (select passage, ${score} as score from ${sql.from} where ${sql.where}) y group by passage`
      : `select passage, ${score} as score from ${sql.from} where ${sql.where}`;
    const ranked =
      'from' in bound
        ? `select * from (${rows}) z where score >= ${float8(bound.from)}`
        : `${rows}${'limit' in bound ? ` order by score desc limit ${bound.limit}` : ''}`;
    return sql.run<{ id: string; score: number }>(
      session,
      `select id, score from (${ranked}) x join passages using (passage)`,
    );
  }
}

/** Runs a plan: ids of passages, and what the native scan is to score them with. */
export const rank = (plan: ScorePlan, context: PlanContext) =>
  rankPlan(plan, async (terms) => {
    const { scope, queries } = plan;
    const collection =
      terms.length > 0 ? await collectionStatistics(context, terms, scope) : undefined;
    return {
      collection,
      queries: queries.map((query) => new QueryOnShards(query, plan, context, collection)),
    };
  });
