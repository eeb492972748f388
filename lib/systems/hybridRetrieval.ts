// First stages of `hybrid`, on which its ranker is also trained: question analysis, multi-query
// retrieval and query expansion.
import { type Stage, stage } from '../pipeline.js';
import { constrainedPublicationMask } from '../retrieval/mask.js';
import {
  exactTimeForm,
  recencyDecayForm,
  stateDecayForm,
  type StateDecayOptions,
} from '../time/stateDecay.js';
import type { Candidates, Candidate } from '../retrieval/candidate.js';
import { multiQueryRetrieval } from '../retrieval/retrieve.js';
import type { QueryContext } from '../retrieval/queryContext.js';
import { expandQuery } from '../retrieval/queryExpansion.js';
import { passageClocks } from '../store/views/rowTimes.js';
import { decayFormAt, type Decay } from '../time/decay.js';
import { type TemporalForm, forms } from '../time/temporalForms.js';
import { isCurrentQuery, jointConstraint } from '../time/question/jointConstraint.js';
import { resolveRetrievalOptions, type HybridRetrievalOptions } from './hybridOptions.js';
import type { EventLookup } from './eventResolution.js';
import { contentWithYears, questionAsQuery } from './queryAnalysis.js';
import type { QueryRequest } from './system.js';

export interface HybridRetrieval {
  analyze: Stage<QueryRequest, QueryContext>;
  retrieve: Stage<QueryContext, Candidates>;
  /** How the time of an event is looked up. */
  lookup: EventLookup;
  /** Undefined without query expansion. */
  expand: Stage<Candidates, Candidates> | undefined;
  /** For the ranker, whose members count by publication too; undefined without state decay. */
  neutral: Stage<Candidates, Candidates> | undefined;
}

/** Passages by state decay; of the right ones, 97 of 100 are among them. */
const defaultShortlist = 220;

export function hybridRetrieval(
  options: HybridRetrievalOptions = {},
  shortlistSize = defaultShortlist,
): HybridRetrieval {
  const resolved = resolveRetrievalOptions(options);
  const { question, relevance, stateDecay, exactTime, mask, sentences, expansion } = resolved;
  const forms = temporalForms(stateDecay, resolved.decay);
  const scored = { relevance, ...(mask ? { mask: constrainedPublicationMask } : {}) };
  const scope = sentences ? 'all' : 'passages';
  const rows = { ...scored, scope, pool: true, form: forms.state } as const;
  const exact = exactTime && stateDecay !== false;
  const rankings = [
    { ...rows, n: shortlistSize },
    ...(exact ? [{ ...rows, n: 30, form: forms.exact }] : []),
  ];
  const retrieve = multiQueryRetrieval('scan(relevance x time, best row per passage)', rankings);
  const analyze = question ? contentWithYears(question) : questionAsQuery();
  return {
    analyze,
    lookup: {
      analyze,
      ranking: { ...scored, scope, pool: true },
      ...(question ? { question } : {}),
    },
    retrieve,
    expand: expansion ? expandQuery(retrieve, rows, expansion, shortlistSize) : undefined,
    neutral: stateDecay ? undatedAtMean() : undefined,
  };
}

/**
 * Scores in which what has no time on the question's clock has the mean temporal factor of what has
 * one. That it states none says nothing against it.
 */
function undatedAtMean(): Stage<Candidates, Candidates> {
  return stage('undatedAtMean', (candidates) => {
    const { query, hits, shortlistSize } = candidates;
    const undated = undatedOf(query, hits);
    const factors = hits
      .slice(0, shortlistSize)
      .flatMap((each) => (undated.has(each) ? [] : [each.scores['temporal'] ?? 1]));
    if (factors.length === 0 || undated.size === 0) return candidates;
    const mean = factors.reduce((sum, each) => sum + each, 0) / factors.length;
    const neutral = hits.map((each): Candidate => {
      const { temporal } = each.scores;
      if (!undated.has(each) || !temporal) return each;
      const score = (each.score / temporal) * mean;
      return { ...each, id: each.id, score, scores: { ...each.scores, temporal: mean } };
    });
    return { ...candidates, hits: neutral };
  });
}

/** Without validity and, of the state at asking, publication, else a content time that counts. */
function undatedOf(
  { snapshot, parsed }: QueryContext,
  hits: readonly Candidate[],
): ReadonlySet<Candidate> {
  const isCurrent = isCurrentQuery(parsed);
  const undated = new Set<Candidate>();
  for (const [segment, stored] of snapshot.segments.entries()) {
    const own = hits.filter((each) => each.segment === segment);
    const clocks = passageClocks(
      stored,
      own.map(({ row }) => row),
    );
    for (const [at, each] of own.entries()) {
      const { validFrom, validTo, publishedAt } = clocks[at]!;
      const isDated = isCurrent ? publishedAt !== undefined : each.interval !== undefined;
      if (!isDated && validFrom === undefined && validTo === undefined) undated.add(each);
    }
  }
  return undated;
}

/**
 * The temporal forms: states that last until superseded, or the caller's decay, and the question's
 * exact time.
 */
function temporalForms(
  stateDecay: StateDecayOptions | false,
  decay: Decay | undefined,
): { state: (query: QueryContext) => TemporalForm; exact: (query: QueryContext) => TemporalForm } {
  const none = (): TemporalForm => ({ combine: 'none' });
  if (decay) {
    const formAt = decayFormAt(decay);
    return { state: ({ parsed }) => formAt(parsed.askedAt), exact: none };
  }
  if (!stateDecay) return { state: none, exact: none };
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

/**
 * The scores of a ranker combined with the decays that the scan found, in the column `temporal`;
 * they are no probabilities then.
 */
export function decayScores({ shape, combine, weight = 1 }: Decay): Stage<Candidates, Candidates> {
  return stage(forms[shape].words, (candidates) => {
    const hits = candidates.hits.map((each): Candidate => {
      const { temporal = 1 } = each.scores;
      const score = combine === 'sum' ? each.score + weight * temporal : each.score * temporal;
      const share = Math.log(score) - Math.log(each.score);
      const shares = each.shares;
      return {
        ...each,
        id: each.id,
        score,
        ...(shares ? { shares: () => ({ ...shares(), decay: share }) } : {}),
      };
    });
    hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    const { calibrated: _, ...others } = candidates;
    return { ...others, hits };
  });
}
