// One query of a score plan as SQL over the rows of a shard: which rows, their relevance by vectors
// and BM25, and their score with time.
import type { Fields } from 'asof';
import { bm25Weights, type ScorePlan } from 'asof/kit';
import type { Session } from './connection.js';
import { filterSql } from './filter.js';
import { maskSql, productSql, temporalSql } from './forms.js';
import type {
  CollectionStatistics,
  CorpusView,
  PlanQuery,
  QueryStatistics,
} from './remoteTypes.js';
import { float8, Parameters, storableIds, vectorText } from './sql.js';

/** Runs the same on every shard, of which it gets the number. */
export type OnShards = <Result>(
  work: (session: Session, shard: number) => Promise<Result>,
) => Promise<Result[]>;

export interface PlanContext {
  /** The shards with all passages of the view. */
  onShards: OnShards;
  /** Those with all that BM25 counts. */
  onEveryShard: OnShards;
  fields: Fields;
  view: CorpusView;
  /** Rows that an index of vectors finds for each query and shard. Absent: exact search. */
  candidates?: number | undefined;
}

/** Parts of rows (packages/postgres/lib/schema.ts) that scopes search. */
export const partsOf: Record<ScorePlan['scope'], string> = {
  passages: 'part in (0, 1)',
  sentences: 'part in (1, 2)',
  all: 'true',
};

/** Condition on the passages that a question sees; undefined for all. */
function passingSql(
  { filter, ids }: CorpusView,
  fields: Fields,
  parameters: Parameters,
): string | undefined {
  const conditions = [
    ...(filter ? [filterSql(filter, fields, parameters)] : []),
    ...(ids ? [`id = any(${parameters.add(storableIds(ids), 'text[]')})`] : []),
  ];
  return conditions.length === 0 ? undefined : conditions.join(' and ');
}

/** Condition on rows or passages that a question sees. */
export function viewSql(view: CorpusView, fields: Fields, parameters: Parameters): string {
  return among(passingSql(view, fields, parameters));
}

const among = (passing: string | undefined): string =>
  passing ? `passage in (select passage from passages where ${passing})` : 'true';

/** The statistics of the whole, for BM25. */
export type LexicalContext = CollectionStatistics;

/** Rows with a term of the query and their BM25, as native/index/lexical/bm25.hpp computes it. */
function lexicalSql(
  query: PlanQuery,
  plan: ScorePlan,
  collection: LexicalContext,
  parameters: Parameters,
): string {
  const { terms, weights, k1, base, slope } = bm25Weights(query, plan, collection);
  const list = parameters.add(terms, 'text[]');
  const values = parameters.add(weights, 'float8[]');
  const norm = `(${float8(k1)} * (${float8(base)} + ${float8(slope)} * (p & 4294967295)))`;
  // Where only presence counts the term part is 1.
  const part = k1 === 0 ? 'w' : `w - w / (1 + (p >> 32 & 65535) * (1 / ${norm}))`;
  return `select base + (p >> 48) as row, sum((${part} + 1572864::float8) - 1572864::float8) as s
    from (select w, base, unnest(packed) as p
          from unnest(${list}, ${values}) q(term, w) join postings using (term)
          where ${partsOf[plan.scope]}) x group by 1`;
}

/** One query of a plan over one shard, in parts of which statements are made. */
export class QuerySql {
  readonly parameters = new Parameters();
  /** Condition on rows. */
  readonly where: string;
  /** The same, where rows come in an order that is to be kept. */
  readonly whereEach: string;
  readonly isLexical: boolean;
  /** BM25 by row, as `lexical`. */
  private readonly lexical: string | undefined;
  private readonly joins: string;
  private candidates: string | undefined;

  constructor(
    readonly query: PlanQuery,
    readonly plan: ScorePlan,
    context: PlanContext,
    lexical?: LexicalContext,
  ) {
    const { form, mask = {}, vector, onlyMatching = false } = query;
    this.isLexical = !vector && (form?.combine ?? 'none') === 'none';
    const scope = plan.scope;
    if (lexical && query.terms) this.lexical = lexicalSql(query, plan, lexical, this.parameters);
    const join = this.isLexical || onlyMatching ? 'join' : 'left join';
    const column =
      plan.column && vector
        ? `join (select row, v as derived from derived_vectors
             where key = ${this.parameters.add(plan.column, 'text')}) d using (row)`
        : '';
    this.joins = `${column} ${this.lexical ? `${join} lexical using (row)` : 'cross join (select 0::float8 as s) l'}`;
    const passing = passingSql(context.view, context.fields, this.parameters);
    const ofRow = [partsOf[scope], maskSql(mask)];
    this.where = [...ofRow, among(passing)].join(' and ');
    this.whereEach = passing
      ? [...ofRow, `(select ${passing} from passages p where p.passage = r.passage)`].join(' and ')
      : this.where;
  }

  /** Rows with their lexical score as `s`, if they have any. */
  get from(): string {
    return `${this.candidates ? 'candidates join rows r using (row)' : 'rows r'} ${this.joins}`;
  }

  get hasLexical(): boolean {
    return this.lexical !== undefined;
  }

  /** Ranks these rows alone. */
  restrictTo(rows: string): void {
    this.candidates = rows;
  }

  /** Relevance of a row, given the greatest BM25. */
  relevance(maxLexical: number): string {
    const { vector, semanticWeight = 1, terms, lexicalWeight = terms ? 1 : 0 } = this.query;
    const parts = [
      ...(vector
        ? [
            `${float8(semanticWeight)} * -(${this.plan.column ? 'derived' : 'v'} <#> ${this.parameters.add(vectorText(vector), 'vector')})`,
          ]
        : []),
      ...(terms && maxLexical > 0
        ? [`${float8(lexicalWeight / maxLexical)} * coalesce(s::float4, 0)::float8`]
        : []),
    ];
    return parts.length > 0 ? `(${parts.join(' + ')})` : '0::float8';
  }

  score({ maxLexical = 0, moments }: QueryStatistics): string {
    if (this.isLexical) return 's';
    const { form = { combine: 'none' } } = this.query;
    const relevance = this.relevance(maxLexical);
    if (form.combine === 'none') return relevance;
    const value = temporalSql(form);
    if (form.combine === 'product') return productSql(relevance, value);
    const addend = moments ? standardised(value, moments) : value;
    return `${relevance} + ${float8(form.weight)} * ${addend}`;
  }

  run<Row>(session: Session, text: string): Promise<Row[]> {
    const parts = [
      ...(this.lexical ? [`lexical as (${this.lexical})`] : []),
      ...(this.candidates ? [`candidates as materialized (${this.candidates})`] : []),
    ];
    const all = parts.length > 0 ? `with ${parts.join(', ')} ${text}` : text;
    return session.query<Row>(all, this.parameters.values);
  }
}

function standardised(value: string, moments: NonNullable<QueryStatistics['moments']>): string {
  const { relevanceMean, relevanceDeviation, recencyMean, recencyDeviation } = moments;
  const factor = recencyDeviation === 0 ? 0 : relevanceDeviation / recencyDeviation;
  return `(${float8(relevanceMean)} +
    (coalesce(${value}, ${float8(recencyMean)}) - ${float8(recencyMean)}) * ${float8(factor)})`;
}
