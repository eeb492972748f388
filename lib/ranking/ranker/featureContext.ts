// Aggregates over a question's candidates and passages that the ranker's features compare with.
import type { Candidate } from '../../retrieval/candidate.js';
import type { Interval } from '../../time/interval.js';
import type { CompetingCandidate } from './competingCandidates.js';
import type { PassageFeatures } from './passages.js';
import type { QuestionFeatures } from './question.js';
import type { PassageRelevance } from './relevance.js';

/** The greatest BM25 of their rows, above 0. */
export function maxBm25(passages: readonly PassageFeatures[]): number {
  let best = 1e-9;
  for (const { whole, sentences } of passages) {
    best = Math.max(best, whole.scores['lexical'] ?? 0);
    for (const { row } of sentences) best = Math.max(best, row.scores['lexical'] ?? 0);
  }
  return best;
}

/**
 * The share of the question that a passage covers, terms weighted by their squared IDF, without
 * terms that no candidate contains.
 */
export function rareTermCoverage(
  { words: { weights } }: QuestionFeatures,
  all: readonly PassageRelevance[],
): (of: PassageRelevance) => number {
  const squares = weights.map((weight, place) =>
    all.some(({ holds }) => holds[place] === 1) ? weight * weight : 0,
  );
  const total = squares.reduce((sum, square) => sum + square, 0);
  return ({ holds }) =>
    total > 0
      ? squares.reduce((sum, square, place) => sum + (holds[place] === 1 ? square : 0), 0) / total
      : 0;
}

/** Aggregates over the candidates of a question, for features that compare. */
export interface FeatureContext {
  bestBm25: number;
  bestBase: number;
  bestSimilarity: number;
  bestTemporal: number;
  bestCovers: number;
  bestMeans: number;
  bestRelevance: number;
  /** Relevance of each whole passage, without time. */
  ofWhole: Float64Array;
  /** Relevance of each passage, and of its sentences, `relevanceWidth` numbers each. */
  relevances: readonly PassageRelevance[];
  sentenceRelevance: Float64Array;
  /** Share of the top rows by title. */
  titleShares: ReadonlyMap<string, number>;
  /** Dates of rows by title, with their relevance. */
  titleDates: ReadonlyMap<string, readonly { date: Interval; relevance: number }[]>;
}

const topRows = 20;

export function featureContext(
  entries: readonly CompetingCandidate[],
  passages: readonly PassageFeatures[],
  { relevances, sentenceRelevance }: Pick<FeatureContext, 'relevances' | 'sentenceRelevance'>,
  timeless: (row: Candidate) => number,
  bestBm25: number,
): FeatureContext {
  const top = [...entries].sort((a, b) => b.base - a.base).slice(0, topRows);
  const titleShares = new Map<string, number>();
  const total = top.reduce((sum, { base }) => sum + base, 0);
  for (const { passage, base } of top) {
    const title = passage.record.title ?? '';
    titleShares.set(title, (titleShares.get(title) ?? 0) + (total > 0 ? base / total : 0));
  }
  const context = {
    bestBm25,
    relevances,
    sentenceRelevance,
    titleShares,
    titleDates: new Map<string, { date: Interval; relevance: number }[]>(),
    bestBase: 1e-9,
    bestSimilarity: 0,
    bestTemporal: 0,
    bestCovers: 0,
    bestMeans: 0,
    bestRelevance: 1e-9,
    ofWhole: Float64Array.from(passages, ({ whole }) => timeless(whole)),
  };
  for (const {
    passage,
    sentence: {
      row: { scores },
      reading: { times },
    },
    number,
    base,
    relevance,
  } of entries) {
    const { passageCovers, bestMeans } = relevances[number]!;
    context.bestBase = Math.max(context.bestBase, base);
    context.bestSimilarity = Math.max(context.bestSimilarity, scores['similarity'] ?? 0);
    context.bestTemporal = Math.max(context.bestTemporal, scores['temporal'] ?? 1);
    context.bestCovers = Math.max(context.bestCovers, passageCovers);
    context.bestMeans = Math.max(context.bestMeans, bestMeans || 0);
    context.bestRelevance = Math.max(context.bestRelevance, relevance, context.ofWhole[number]!);
    if (times.length === 0) continue;
    const title = passage.record.title ?? '';
    const own = context.titleDates.get(title) ?? [];
    context.titleDates.set(title, own);
    for (const date of times) own.push({ date, relevance });
  }
  return context;
}

/** Aggregates over the sentences of a passage. */
export interface PassageAggregate {
  dates: readonly Interval[];
  terms: number;
  /** Greatest fit of a date; 0 without dates. */
  fit: number;
  opensWithTitle: number;
  listItem: number;
}

export function aggregatePassage(
  { sentences, reading: { opensWithTitle, listItem } }: PassageFeatures,
  first: number,
  lengths: Uint32Array,
): PassageAggregate {
  const dates: Interval[] = [];
  let terms = 0;
  sentences.forEach(({ reading: { times } }, at) => {
    for (const time of times) dates.push(time);
    terms += lengths[first + at]!;
  });
  return { dates, terms, fit: 0, opensWithTitle, listItem };
}
