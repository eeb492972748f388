// Conflict-aware recency filter (Re3 section 3.4): drops candidates that a later published one
// contradicts, by series of statements or by one call of a model. Candidates without a publication,
// or published after the time that counts, do not take part.
import { invalidArgument, mustBeWhole } from '../../errors.js';
import { candidateMembers } from '../../facts/members/candidates.js';
import { cascade } from '../../facts/ranking/cascade.js';
import { embeddedRanker } from '../../facts/ranking/model.js';
import { supersededCandidates } from '../../facts/ranking/superseded.js';
import { stage, type Stage } from '../../pipeline.js';
import { constrainedPublicationMask } from '../../retrieval/mask.js';
import type { Candidate, Candidates, DroppedPassage } from '../../retrieval/candidate.js';
import { passageTexts } from '../../retrieval/passageTexts.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { checkTextModel, type TextModel } from '../../text/textModel.js';
import { droppedByModel } from './factsByModel.js';

export interface VersionOptions {
  /**
   * Candidates that are held against each other, best first, 2 to 1000; as many more than k are
   * retrieved, so that survivors fill the places. Default: the k that were asked for, as in the
   * paper, of which fewer may be left.
   */
  depth?: number | undefined;
  /**
   * What reads the facts: 'model' with one prompt for all candidates, as in the paper, or 'series',
   * statements as `hybrid` reads them. Default 'model' where there is one.
   */
  by?: 'series' | 'model' | undefined;
}

/**
 * Leaves out candidates whose vote is below zero (equation 14); by series that of the statement
 * which answers, so that an outdated fact elsewhere drops nothing. An unusable answer of the model
 * is an error: series do not stand in for it unseen.
 */
export function dropSuperseded(
  versions: VersionOptions = {},
  model?: TextModel,
): Stage<Candidates, Candidates> {
  const { by = model ? 'model' : 'series', depth } = versions;
  if (depth !== undefined) mustBeWhole({ 'versions.depth': depth }, 2, 1000);
  if (by !== 'series' && by !== 'model')
    throw invalidArgument('versions.by', "'series' or 'model'", by);
  if (by === 'model' && !model)
    throw invalidArgument(
      'model',
      "a TextModel { id, generate }, since versions.by is 'model'",
      model,
    );
  if (model) checkTextModel(model);
  return stage(
    by === 'model' ? 'dropSuperseded(model)' : 'dropSuperseded',
    async (candidates, { note, signal }) => {
      const { query, hits } = candidates;
      const versions = publishedVersions(query, hits.slice(0, depth ?? query.k));
      note('by', by === 'model' ? model!.id : by);
      note('versions', versions.length);
      const lost =
        versions.length < 2
          ? []
          : by === 'model'
            ? await droppedByModel(model!, query, versions, signal)
            : await droppedBySeries(query, versions, signal);
      note('dropped', lost.length);
      if (lost.length === 0) return candidates;
      const ids = new Set(lost.map(({ id }) => id));
      const kept = hits.filter(({ id }) => !ids.has(id));
      // What stood behind the last passage that is shown would not have been shown either.
      const end = kept.length < query.k ? hits.length : hits.indexOf(kept[query.k - 1]!);
      const shown = new Set(hits.slice(0, end).map(({ id }) => id));
      const dropped = lost.filter(({ id }) => shown.has(id));
      return { ...candidates, hits: kept, dropped: [...(candidates.dropped ?? []), ...dropped] };
    },
  );
}

/** Those published by the time of asking or of knowing; none where all were at once. */
function publishedVersions(query: QueryContext, hits: readonly Candidate[]): Candidate[] {
  const { publishedUntil } = constrainedPublicationMask(query) as { publishedUntil: number };
  const { clock, window } = query.parsed.constraint;
  const end = clock === 'published' && window ? window.end - 1 : Infinity;
  const until = Math.min(publishedUntil, end);
  const texts = passageTexts(query);
  const times = new Set<number>();
  const versions = hits.filter((each) => {
    const { publishedAt } = texts.passage(each);
    if (publishedAt === undefined || publishedAt > until) return false;
    times.add(publishedAt);
    return true;
  });
  return times.size < 2 ? [] : versions;
}

async function droppedBySeries(
  query: QueryContext,
  versions: readonly Candidate[],
  signal: AbortSignal | undefined,
): Promise<DroppedPassage[]> {
  const { question, table } = await candidateMembers(query, versions, { signal });
  const result = cascade(table, embeddedRanker().weights);
  return supersededCandidates(question, table, result, query.snapshot.timeZone);
}
