// Conflict-aware recency filter (Re3 section 3.4): drops candidates that a later published one
// contradicts, by rules or by one call of a model. Candidates without a publication, or about a
// later time than the question's, do not take part.
import type { Candidate, Candidates, DroppedPassage } from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { idfWeights } from '../../retrieval/documentFrequency.js';
import { passageTexts } from '../../retrieval/passageTexts.js';
import { invalidArgument, mustBeWhole } from '../../errors.js';
import { constrainedPublicationMask } from '../../ranking/mask.js';
import { stage, type Stage } from '../../pipeline.js';
import {
  contentTimesOfEach,
  publishedOfEach,
  sentenceOf,
  sentenceRowsOf,
  sentencesOf,
} from '../../store/rowTimes.js';
import { checkTextModel, type TextModel } from '../../text/textModel.js';
import { formatDay } from '../../time/instant.js';
import { jointConstraint } from '../../time/question/jointConstraint.js';
import type { ArbitratedVersion } from './arbitrate.js';
import { arbitrateByModel } from './byModel.js';
import { arbitrateByRules } from './byRules.js';
import { versionCaches } from './caches.js';
import type { Version } from './statement.js';

export interface VersionOptions {
  /**
   * Candidates that are held against each other, best first, 2 to 1000. Those behind them follow
   * untouched. Default 50; 20 with a model.
   */
  depth?: number;
  /**
   * What reads the facts: 'rules' (default), or 'model' with one prompt for all candidates (the
   * paper).
   */
  by?: 'rules' | 'model';
}

/**
 * Words up to which a passage is one statement; of a longer one the sentence counts that won its
 * place.
 */
const oneStatement = 60;
/**
 * As much of the question as the best statement has, by the rarity of its words, must a sentence
 * have at least by this share to speak to it.
 */
const leastShare = 0.7;

/**
 * Leaves out each candidate whose vote is below zero (equation 14). A passage has one vote: that of
 * what it says to the question, so that an outdated fact elsewhere in it drops nothing. Notes: by
 * (rules or the model's id), versions (candidates that took part), dropped.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a depth out of range, and for 'model' without one;
 * ERR_MODEL_FAILED where the model's answer does not
 * fit, asked twice: rules do not stand in for it unseen.
 */
export function dropSuperseded(
  { by = 'rules', depth = by === 'model' ? 20 : 50 }: VersionOptions = {},
  model?: TextModel,
): Stage<Candidates, Candidates> {
  mustBeWhole({ 'versions.depth': depth }, 2, 1000);
  if (by !== 'rules' && by !== 'model')
    throw invalidArgument('versions.by', "'rules' or 'model'", by);
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
      const first = hits.slice(0, depth);
      note('by', by === 'model' ? model!.id : 'rules');
      if (by === 'rules' && !anyPublished(query, first)) {
        note('versions', 0);
        note('dropped', 0);
        return candidates;
      }
      const versions = versionsOf(query, first);
      note(
        'versions',
        versions.filter(
          ({ publishedAt }) => publishedAt !== undefined && publishedAt <= untilOf(query),
        ).length,
      );
      const votes =
        by === 'model'
          ? await arbitrateByModel(model!, query.parsed, versions, {
              until: untilOf(query),
              ...(signal ? { signal } : {}),
            })
          : await arbitrateByRules(query.parsed, versions, {
              until: untilOf(query),
              rarity: rarityIn(query),
              caches: query.snapshot.caches.get(versionCaches),
              ...(signal ? { signal } : {}),
            });
      const lost = new Map(votes.filter(({ vote }) => vote < 0).map((each) => [each.id, each]));
      note('dropped', lost.size);
      if (lost.size === 0) return candidates;
      const published = new Map(versions.map(({ id, publishedAt }) => [id, publishedAt]));
      const kept = hits.filter(({ id }) => !lost.has(id));
      // What stood behind the last passage that is shown would not have been shown either.
      const end = kept.length < query.k ? hits.length : hits.indexOf(kept[query.k - 1]!);
      const dropped = hits
        .slice(0, end)
        .filter(({ id }) => lost.has(id))
        .map(({ id }) => droppedFor(lost.get(id)!, published));
      return { ...candidates, hits: kept, dropped: [...(candidates.dropped ?? []), ...dropped] };
    },
    'Re3 3.4',
  );
}

/**
 * The last instant whose publications count: that of asking, or the one that the question gives for
 * what was known.
 */
function untilOf(query: QueryContext): number {
  const { clock, window } = query.parsed.constraint;
  const given =
    clock === 'published' && window && Number.isFinite(window.end) ? window.end - 1 : Infinity;
  return Math.min(
    (constrainedPublicationMask(query) as { publishedUntil: number }).publishedUntil,
    given,
  );
}

/**
 * Whether any of the passages says when it was published: without, none is newer than another, and
 * none need be read.
 */
function anyPublished({ snapshot }: QueryContext, candidates: readonly Candidate[]): boolean {
  return snapshot.segments.some((stored, number) => {
    const rows = candidates.filter((each) => each.segment === number).map(({ row }) => row);
    return publishedOfEach(stored, rows).some((at) => !Number.isNaN(at));
  });
}

/**
 * What each candidate says to the question; a long passage that says nothing to it takes no part,
 * as one without a publication.
 */
function versionsOf(query: QueryContext, candidates: readonly Candidate[]): Version[] {
  const texts = passageTexts(query);
  const terms = [...new Set(query.terms())];
  const weights = idfWeights(query.snapshot, terms);
  const weightOf = new Map(terms.map((term, at) => [term, weights[at]!]));
  const share = (text: string): number => {
    const held = new Set(query.analyzer.analyze(text).filter((term) => weightOf.has(term)));
    return [...held].reduce((sum, term) => sum + weightOf.get(term)!, 0);
  };
  const bestOf = (sentences: readonly string[]): string => {
    const shares = sentences.map(share);
    return sentences[shares.indexOf(Math.max(...shares))]!;
  };
  const said = candidates.map((candidate) => {
    const { id, title, text, publishedAt } = texts.passage(candidate);
    const long =
      text.length > 4 * oneStatement && text.split(/\s+/, oneStatement + 1).length > oneStatement;
    const statement = long ? bestOf(sentencesFor(query, candidate, text)) : text;
    return {
      version: { id, text: statement, ...(title === undefined ? {} : { title }) },
      publishedAt,
      long,
    };
  });
  // Only where some are long: sharing words is not looked up for nothing.
  const shares = said.some(({ long }) => long)
    ? said.map(({ version: { title = '', text } }) => share(`${title} ${text}`))
    : [];
  const later = laterThanAsked(query);
  const most = Math.max(0, ...shares);
  return said.map(({ version, publishedAt, long }, at) => {
    if (
      publishedAt === undefined ||
      (long && shares[at]! < leastShare * most) ||
      later(candidates[at]!, publishedAt)
    )
      return version;
    return { ...version, publishedAt };
  });
}

/**
 * Whether a passage was published after the time that a question asks about and tells of nothing
 * before its end.
 */
function laterThanAsked({
  snapshot,
  parsed,
}: QueryContext): (candidate: Candidate, publishedAt: number) => boolean {
  const { clock, window } = jointConstraint(parsed);
  if (clock !== 'content' || !window || !Number.isFinite(window.end)) return () => false;
  return ({ segment: number, passage, row }, publishedAt) => {
    if (publishedAt < window.end) return false;
    const stored = snapshot.segments[number]!;
    const [from, to] = sentenceRowsOf(stored, passage);
    const rows = [row, ...Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)];
    return contentTimesOfEach(stored, rows).every((times) =>
      times.every(({ start }) => start >= window.end),
    );
  };
}

/** The sentence that won a passage its place; all of them, where it was the passage. */
function sentencesFor(query: QueryContext, candidate: Candidate, text: string): string[] {
  const stored = query.snapshot.segments[candidate.segment]!;
  const won = sentenceOf(stored, candidate.row);
  if (won.end - won.start < text.length) return [text.slice(won.start, won.end)];
  const [from, to] = sentenceRowsOf(stored, candidate.passage);
  return to <= from
    ? [text]
    : sentencesOf(stored, from, to - from).map(({ start, end }) => text.slice(start, end));
}

/** How rare a name is among the corpus's rows, looked up once a run. */
function rarityIn({ snapshot, analyzer }: QueryContext): (name: string) => number {
  const known = new Map<string, number>();
  return (name) => {
    let rarity = known.get(name);
    if (rarity === undefined)
      known.set(name, (rarity = Math.max(0, ...idfWeights(snapshot, analyzer.analyze(name)))));
    return rarity;
  };
}

function droppedFor(
  { id, newer, values }: ArbitratedVersion,
  published: ReadonlyMap<string, number | undefined>,
): DroppedPassage {
  const at = published.get(newer!);
  const day = at === undefined ? '' : ` of ${formatDay(at)}`;
  return {
    id,
    because: `it says ${quoted(values![0])} where ${newer!}${day} says ${quoted(values![1])}`,
    newer: newer!,
  };
}

/** The longest value that a reason quotes. */
const longestQuote = 80;
const quoted = (value: string): string =>
  value === ''
    ? 'nothing'
    : `"${value.length > longestQuote ? `${value.slice(0, longestQuote)}...` : value}"`;
