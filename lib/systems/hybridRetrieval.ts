// First stages of `hybrid`, on which its ranker is also trained: question analysis, multi-query
// retrieval and query expansion.
import type { Stage } from '../pipeline.js';
import { constrainedPublicationMask } from '../ranking/mask.js';
import {
  exactTimeForm,
  recencyDecayForm,
  stateDecayForm,
  type StateDecayOptions,
} from '../ranking/stateDecay.js';
import type { Candidates } from '../retrieval/candidate.js';
import { multiQueryRetrieval, type ConditionalRanking } from '../retrieval/multiQueryRetrieval.js';
import type { QueryContext } from '../retrieval/queryContext.js';
import { expandQuery } from '../retrieval/queryExpansion.js';
import type { Ranking } from '../retrieval/search.js';
import { countUndated } from '../retrieval/undatedPassages.js';
import type { TemporalForm } from '../time/temporalForms.js';
import { isCurrentQuery, jointConstraint } from '../time/question/jointConstraint.js';
import { resolveRetrievalOptions, type HybridRetrievalOptions } from './hybridOptions.js';
import { contentWithYears, questionAsQuery } from './queryAnalysis.js';
import type { QueryRequest } from './system.js';

export interface HybridRetrieval {
  analyze: Stage<QueryRequest, QueryContext>;
  retrieve: Stage<QueryContext, Candidates>;
  /** Undefined without query expansion. */
  expand: Stage<Candidates, Candidates> | undefined;
}

type TimedRanking = Ranking & { n: number; form: (query: QueryContext) => TemporalForm };

const defaultShortlist = 170;

export function hybridRetrieval(
  options: HybridRetrievalOptions = {},
  shortlistSize = defaultShortlist,
): HybridRetrieval {
  const resolved = resolveRetrievalOptions(options);
  const { question, relevance, stateDecay, exactTime, mask, sentences, expansion } = resolved;
  const forms = temporalForms(stateDecay);
  const scored = { relevance, ...(mask ? { mask: constrainedPublicationMask } : {}) };
  const scope = sentences ? 'all' : 'passages';
  const rows = { ...scored, scope, pool: true, form: forms.state } as const;
  const exact = exactTime && stateDecay !== false;
  const rankings = [
    { ...rows, n: shortlistSize },
    ...(exact ? [{ ...rows, n: 30, form: forms.exact }] : []),
  ];
  const retrieve = multiQueryRetrieval(
    'scan(relevance x time, best row per passage)',
    rankings,
    exact ? publicationRanking({ ...rows, n: 50 }) : undefined,
  );
  return {
    analyze: question ? contentWithYears(question) : questionAsQuery(),
    retrieve,
    expand: expansion ? expandQuery(retrieve, rows, expansion, shortlistSize) : undefined,
  };
}

/** Undated passages in a shortlist from which on more of them are assumed beyond it. */
const minUndated = 20;

/**
 * The same ranking by publication dates, if many of the shortlist are undated: content time gives
 * them all one value, and so an arbitrary choice of them.
 */
function publicationRanking(ranking: TimedRanking): ConditionalRanking {
  const readsContent = (form: TemporalForm): boolean =>
    form.combine === 'product' && form.clock === 'validity or content';
  const form = (query: QueryContext): TemporalForm => {
    const own = ranking.form(query);
    return own.combine === 'product' ? { ...own, clock: 'validity or published' } : own;
  };
  return {
    ranking: { ...ranking, form },
    when: (query, hits) =>
      readsContent(ranking.form(query)) && countUndated(query, hits) >= minUndated,
  };
}

/** The temporal forms: states that last until superseded, and the question's exact time. */
function temporalForms(stateDecay: StateDecayOptions | false): {
  state: (query: QueryContext) => TemporalForm;
  exact: (query: QueryContext) => TemporalForm;
} {
  if (!stateDecay)
    return { state: () => ({ combine: 'none' }), exact: () => ({ combine: 'none' }) };
  const current = ({ parsed }: QueryContext): TemporalForm => recencyDecayForm(parsed.askedAt);
  return {
    state: (query) =>
      isCurrentQuery(query.parsed)
        ? current(query)
        : stateDecayForm(jointConstraint(query.parsed), query.parsed.askedAt, stateDecay),
    exact: (query) =>
      isCurrentQuery(query.parsed) ? current(query) : exactTimeForm(jointConstraint(query.parsed)),
  };
}
