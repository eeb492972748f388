// The first stage of a plan: candidates by BM25 and by vectors, each with the mask as a filter and
// the form in its score, as one multi-search; then their scores, or those of all rows, by a script.
import { bm25Weights, invalidArgument, rankPlan, type ScorePlan } from 'asof/kit';
import { passageOf } from './documents.js';
import {
  every,
  maskQueries,
  scopeQueries,
  some,
  viewQueries,
  windowQuery,
  type Query,
} from './filter.js';
import { longestTerm, mostHits } from './mapping.js';
import { mostCandidates } from './options.js';
import { chunksOf, foundIds, idsOf } from './read.js';
import type { Hit } from './reader.js';
import type {
  CollectionStatistics,
  PlanQuery,
  QueryRanking,
  QueryStatistics,
  RankBound,
  RankedPassage,
} from './remoteTypes.js';
import { scriptOf, shiftOf, type ScriptForm, type ScriptTerms } from './script.js';
import { collectionOf, collectionSearch, type CountContext } from './statistics.js';

export interface RankContext extends CountContext {
  /** Passages that each search finds, or as many as a plan has results if these are more. */
  candidates: number;
  /** Ranks all rows. */
  exact: boolean;
  timeInQuery: boolean;
}

/** Passages by the best of the rows that a query finds. */
const nested = (query: Query): Query => ({ nested: { path: 'rows', score_mode: 'max', query } });

const scored = (query: Query, terms: ScriptTerms): Query => ({
  script_score: { query, script: scriptOf(terms) },
});

/** Distinct terms, each with how often a query has it: at most as many as a query takes clauses. */
const mostClauses = 1000;
function clauses(terms: readonly string[]): Query[] {
  const counts = new Map<string, number>();
  for (const term of terms)
    if (term.length <= longestTerm) counts.set(term, (counts.get(term) ?? 0) + 1);
  return Array.from(counts, ([value, boost]) => ({
    term: { 'rows.words': { value, boost } },
  })).slice(0, mostClauses);
}

const scriptForm = (form: PlanQuery['form']): ScriptForm | undefined =>
  !form || form.combine === 'none' || form.kind === 'recency' ? undefined : form;

/** Times of which a form makes most, from narrow to wide: rows of each are searched apart. */
function bestTimes(form: ScriptForm): Query[] {
  const { clock } = form;
  const overlapping = (name: 'published' | 'validity' | 'content', start: number, end: number) =>
    windowQuery({ start, end, clock: name, relation: 'overlaps' });
  const within = (start: number, end: number): Query => {
    if (clock !== 'validity or content' && clock !== 'validity or published')
      return overlapping(clock, start, end);
    const other = clock === 'validity or content' ? 'content' : 'published';
    const isValid = { exists: { field: 'rows.valid' } };
    const otherwise = { bool: { must_not: [isValid], filter: [overlapping(other, start, end)] } };
    return some([overlapping('validity', start, end), otherwise]);
  };
  if (form.kind === 'spline') {
    const { lines, outside } = form;
    const best = lines.filter(({ atStart, atEnd }) => Math.max(atStart, atEnd) > outside);
    return best.length === 0 ? [] : [some(best.map(({ window: w }) => within(w.start, w.end)))];
  }
  const { at, halfLifeMs, offsetMs } = form;
  return [1, 8].map((halves) => {
    const reach = Math.ceil(offsetMs + halves * halfLifeMs);
    return within(Math.floor(at) - reach, Math.ceil(at) + reach);
  });
}

/** A query of a plan over the index. */
class QueryOnIndex implements QueryRanking {
  exact: boolean;
  readonly rounding: number;
  readonly #rows: Query[];
  /** Of a query that is BM25 alone. */
  readonly #isLexical: boolean;
  #collection: CollectionStatistics | undefined;
  /** Ids among which it ranks; undefined: all. */
  #among: readonly string[] | undefined;

  constructor(
    private readonly query: PlanQuery,
    private readonly plan: ScorePlan,
    private readonly context: RankContext,
  ) {
    const { view, settings, exact } = context;
    const { mask = {}, vector, form } = query;
    this.#rows = [
      ...scopeQueries(plan.scope),
      ...viewQueries(view, settings.fields),
      ...maskQueries(mask),
    ];
    this.#isLexical = !vector && (form?.combine ?? 'none') === 'none';
    this.exact = exact || view.ids !== undefined;
    this.#among = view.ids;
    if (exact && !view.ids) this.#checkStated();
    const weight = form?.combine === 'sum' ? Math.abs(form.weight) : 0;
    const { semanticWeight = 1, lexicalWeight = 1 } = query;
    const most = this.#isLexical
      ? 64 * (query.terms?.length ?? 0)
      : 2 * (Math.abs(semanticWeight) + Math.abs(lexicalWeight)) + weight;
    this.rounding = 2 * most * 2 ** -23;
  }

  /** @throws AsOfError ERR_INVALID_ARGUMENT for what one script does not state */
  #checkStated(): void {
    const refused = [
      [this.plan.column !== undefined, 'vectors that a system derives (re3)'],
      [
        this.query.form?.combine === 'sum' && this.query.form.kind === 'recency',
        'a recency that is standardised over the corpus',
      ],
      [this.plan.k > mostHits / 2, `more than ${mostHits / 2} results`],
    ] as const;
    for (const [isRefused, what] of refused)
      if (isRefused)
        throw invalidArgument(
          'exact',
          `false for ${what}, which no script of OpenSearch states`,
          true,
          'Connect without exact, or ask a folder or PostgreSQL.',
        );
  }

  /** Searches that find its candidates. */
  candidateSearches(): object[] {
    const { query, context } = this;
    const { exact, timeInQuery, view, settings } = context;
    if (exact || view.ids) return [];
    const { k } = this.plan;
    const wanted = k > mostCandidates ? 0 : k;
    const candidates = Math.max(context.candidates, wanted);
    const { vector, terms = [], semanticWeight = 1 } = query;
    const form = timeInQuery ? scriptForm(query.form) : undefined;
    const rows = timeInQuery
      ? this.#rows
      : [...scopeQueries(this.plan.scope), ...viewQueries(view, settings.fields)];
    const weighted = { vector: vector && { of: vector, weight: semanticWeight }, form };
    const nearest = (filters: readonly Query[]): Query => {
      const filter = filters.length > 0 ? { filter: every(filters) } : {};
      const vectors = Array.from(vector!, (x) => Number(x.toPrecision(9)));
      const knn = { knn: { 'rows.vector': { vector: vectors, k: candidates, ...filter } } };
      return form ? scored(knn, weighted) : knn;
    };
    const matching = { bool: { filter: rows, should: clauses(terms), minimum_should_match: 1 } };
    const found: Query[] = [];
    if (vector) found.push(nearest(rows));
    if (vector && form) found.push(...bestTimes(form).map((best) => nearest([...rows, best])));
    if (terms.length > 0)
      found.push(form?.combine === 'product' ? scored(matching, { found: 1, form }) : matching);
    if (found.length === 0) found.push(form ? scored(every(rows), { form }) : every(rows));
    return found.map((each) => ({ ...foundIds, size: candidates, query: nested(each) }));
  }

  /** Takes what its searches found, and the statistics of the terms. */
  prepare(ids: readonly string[], collection: CollectionStatistics | undefined): void {
    this.#collection = collection;
    if (!this.exact) this.#among = ids;
  }

  async statistics(): Promise<QueryStatistics> {
    const lexical = this.#lexical();
    if (!lexical) return { maxLexical: 0 };
    const score = { lexical: { of: lexical, weight: 1 } };
    const [best] = await this.#search(score, { limit: 1 });
    if (!best?._score) return { maxLexical: 0 };
    // Scores are floats: what is above the beginning of its last bits has 24 more.
    const less = best._score * (1 - 2 ** -22);
    const factor = 2 ** 22 / best._score;
    const [exact] = await this.#search({ ...score, zoom: { less, factor } }, { limit: 1 });
    return { maxLexical: less + (exact?._score ?? 0) / factor };
  }

  async best({ maxLexical = 0 }: QueryStatistics, bound: RankBound): Promise<RankedPassage[][]> {
    const { query, plan, context } = this;
    const { vector, semanticWeight = 1, lexicalWeight = query.terms ? 1 : 0 } = query;
    const isUnscored =
      plan.column !== undefined || (query.form?.combine === 'sum' && query.form.kind === 'recency');
    if (
      this.#among &&
      (isUnscored || 'all' in bound || ('limit' in bound && bound.limit > mostHits))
    )
      return [(await this.#passing(this.#among)).map((id) => ({ id, score: 0 }))];
    const lexical = this.#lexical();
    const isWeighed = lexical && (this.#isLexical || maxLexical > 0);
    const terms: ScriptTerms = {
      vector: vector && { of: vector, weight: semanticWeight },
      lexical: isWeighed
        ? { of: lexical, weight: this.#isLexical ? 1 : lexicalWeight / maxLexical }
        : undefined,
      form: scriptForm(query.form),
    };
    const shift = shiftOf(terms);
    const shifted = 'from' in bound ? { from: bound.from + shift } : bound;
    const hits = await this.#search(terms, shifted, true);
    if ('from' in bound && hits.length === mostHits) this.exact = false;
    return [
      hits.map((hit) => {
        const passage = passageOf(hit._source!, context.settings);
        return { id: passage.stored.id, score: hit._score! - shift, passage };
      }),
    ];
  }

  /** Of ids those of passages that a question sees: all candidates, some of the view's. */
  async #passing(ids: readonly string[]): Promise<readonly string[]> {
    if (!this.context.view.ids) return ids;
    const searches = Array.from(chunksOf(ids, mostHits), (some) => ({
      ...foundIds,
      size: mostHits,
      query: every([{ terms: { id: some } }, nested(every(this.#rows))]),
    }));
    return idsOf(await this.context.reader.searches(searches, this.context.signal));
  }

  /** Its terms that some row has, with their weights. */
  #lexical(): ReturnType<typeof bm25Weights> | undefined {
    if (!this.#collection || !this.query.terms) return undefined;
    const weights = bm25Weights(this.query, this.plan, this.#collection);
    return weights.terms.length > 0 ? weights : undefined;
  }

  async #search(terms: ScriptTerms, bound: RankBound, reads = false): Promise<Hit[]> {
    const { onlyMatching = false } = this.query;
    const needsTerm = terms.lexical ? !terms.vector && (onlyMatching || !terms.form) : false;
    const isEmpty = (onlyMatching || this.#isLexical) && !terms.lexical;
    if (isEmpty || this.#among?.length === 0) return [];
    const matches = { terms: { 'rows.words': terms.lexical?.of.terms ?? [] } };
    const rows = every([...this.#rows, ...(needsTerm ? [matches] : [])]);
    const passages = nested(scored(rows, terms));
    const among = this.#among && { terms: { id: this.#among } };
    const { hits } = await this.context.reader.search(
      {
        size: 'limit' in bound ? bound.limit : mostHits,
        ...('from' in bound ? { min_score: bound.from } : {}),
        _source: reads ? ['stored'] : false,
        track_total_hits: false,
        query: among ? { bool: { filter: [among], must: [passages] } } : passages,
      },
      this.context.signal,
    );
    return hits.hits;
  }
}

/** Runs a plan: passages, and what the native scan is to score them with. */
export const rank = (plan: ScorePlan, context: RankContext) =>
  rankPlan(plan, async (terms) => {
    const queries = plan.queries.map((query) => new QueryOnIndex(query, plan, context));
    const searches = queries.map((query) => query.candidateSearches());
    const counted = terms.length > 0 ? [collectionSearch(terms, plan.scope, context)] : [];
    const answers = await context.reader.searches([...counted, ...searches.flat()], context.signal);
    const collection = terms.length > 0 ? collectionOf(answers.shift()!, terms) : undefined;
    queries.forEach((query, q) => {
      const own = answers.splice(0, searches[q]!.length);
      query.prepare([...new Set(idsOf(own))], collection);
    });
    return { collection, queries };
  });
