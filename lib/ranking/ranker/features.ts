// The features of the ranker: one list that names them all, in the order that weights files count
// by, and the matrix of a question's candidates. A feature that does not apply is NaN, which a
// model reads as its own case.
import type { Candidate } from '../../retrieval/candidate.js';
import type { TextOffsets, TextTable } from '../../retrieval/textTable.js';
import type { PassageFeatures, SentenceView } from './passages.js';
import {
  passageRelevance,
  relevanceColumn,
  relevanceWidth,
  type PassageRelevance,
} from './relevance.js';
import type { QuestionFeatures } from './question.js';
import {
  competitionFeatureNames,
  competitionFeatures,
  type CompetingCandidate,
} from './competingCandidates.js';
import { bestDate, dateFeatureNames, putDateFeatures, yearsScaled } from './times.js';
import type { Interval } from '../../time/interval.js';

const relevanceNames = [
  'retrieval',
  'bm25',
  'bm25OfPassage',
  'similarity',
  'similarityOfPassage',
  'covers',
  'coversWithTitle',
  'coversBeyondTitle',
  'passageCovers',
  'titleCovers',
  'titleNamed',
  'names',
  'passageNames',
  'pairs',
  'similarityBelowBest',
  'coversBelowBest',
  'bm25BelowBest',
  'titleShare',
  'newNames',
  'answers',
  'coversEqually',
  'besideTime',
  'equallyBelowBest',
  'means',
  'meansBelowBest',
  'relevanceOfBest',
  'relevanceOfPassage',
] as const;
export const shapeNames = [
  'sentenceLength',
  'passageLength',
  'position',
  'listItem',
  'opensWithTitle',
  'dates',
  'datesOfPassage',
] as const;
export const timeNames = [
  'temporal',
  'temporalOfPassage',
  'temporalBelowBest',
  'fit',
  'fitOfPassage',
  ...dateFeatureNames,
  'interimOfTitle',
  'opens',
  'parenthesis',
  'dateOfTitle',
  'age',
  'valid',
] as const;
const askedNames = ['asksOfTime', 'asksPast', 'asksFuture', 'asksYears', 'asksOrder'] as const;

/** Of relevance, of what the sentence is like, of time, of the rivals, of the question itself. */
export const featureNames = [
  ...relevanceNames,
  ...shapeNames,
  ...timeNames,
  ...competitionFeatureNames,
  ...askedNames,
] as const;
export type FeatureName = (typeof featureNames)[number];

/**
 * The rows of a question's candidates and their features, row-major: feature f of row r is values[r
 * * featureNames.length + f].
 */
export interface FeatureMatrix {
  rows: { passage: PassageFeatures; sentence: SentenceView }[];
  values: Float32Array;
}

/** Weights of the two kinds of relevance in the score before ranking, as in the scan. */
export interface BaseWeights {
  semantic: number;
  lexical: number;
}

export function featureMatrix(
  question: QuestionFeatures,
  passages: readonly PassageFeatures[],
  { table, places }: { table: TextTable; places: readonly TextOffsets[] },
  weights: BaseWeights,
): FeatureMatrix {
  const { time } = question;
  const bestBm25 = bestMatch(passages);
  /** Relevance of a row without any clock. */
  const timeless = ({ scores: { similarity = 0, lexical = 0 } }: Candidate): number =>
    weights.semantic * similarity + (weights.lexical * lexical) / bestBm25;
  const count = passages.reduce((sum, { sentences }) => sum + sentences.length, 0);
  const told = new Float64Array(count * relevanceWidth);
  const holding = new Uint8Array(passages.length * table.places);
  let from = 0;
  const relevances = passages.map((passage, number) => {
    const holds = holding.subarray(number * table.places, (number + 1) * table.places);
    const relevance = passageRelevance(
      question,
      passage,
      table,
      places[number]!,
      holds,
      told,
      from,
    );
    from += passage.sentences.length;
    return relevance;
  });
  const cover = rareCover(question, relevances);
  const entries: CompetingCandidate[] = [];
  passages.forEach((passage, number) => {
    const covers = cover(relevances[number]!);
    for (const sentence of passage.sentences) {
      const { row, reading } = sentence;
      const [best, base] = [
        bestDate(passage.toldOn ?? reading.times, time),
        Math.max(row.score, 0),
      ];
      entries.push({ passage, sentence, number, best, relevance: timeless(row), covers, base });
    }
  });
  const rivals = competitionFeatures(entries, time);
  const context = contextOf(entries, passages, relevances, timeless, bestBm25);
  const width = featureNames.length;
  const values = new Float32Array(entries.length * width);
  const asks = askedOf(question);
  const beside = passages.map((passage, number) =>
    toldByPassage(passage, places[number]!.first, table.lengths),
  );
  for (const { number, best } of entries)
    beside[number]!.fit = Math.max(beside[number]!.fit, best?.fit ?? 0);
  let text = 0; // among the sentences of its passage
  for (let row = 0, at = 0; row < entries.length; row += 1, text += 1) {
    const entry = entries[row]!;
    const { number, best } = entry;
    if (row > 0 && entries[row - 1]!.number !== number) text = 0;
    at = putRelevance(values, at, entry, relevances[number]!, told, row * relevanceWidth, context);
    at = putShape(values, at, entry, beside[number]!, table.lengths[places[number]!.first + text]!);
    at = putTime(values, at, entry, beside[number]!, context);
    at =
      best && time.window
        ? putDateFeatures(values, at, best, time.window, beside[number]!.dates)
        : put(values, at, noDate);
    at = putDate(values, at, question, entry, context);
    at = put(
      values,
      at,
      rivals,
      row * competitionFeatureNames.length,
      competitionFeatureNames.length,
    );
    at = put(values, at, asks);
  }
  return { rows: entries.map(({ passage, sentence }) => ({ passage, sentence })), values };
}

/**
 * Copies `count` numbers; gives the place behind them. (set() is slower, and so is an array of each
 * part for each row.)
 */
function put(
  values: Float32Array,
  at: number,
  part: ArrayLike<number>,
  from = 0,
  count = part.length,
): number {
  for (let i = 0; i < count; i += 1) values[at + i] = part[from + i]!;
  return at + count;
}

/** The best BM25 of their rows, more than 0. */
function bestMatch(passages: readonly PassageFeatures[]): number {
  let best = 1e-9;
  for (const { whole, sentences } of passages) {
    best = Math.max(best, whole.scores['lexical'] ?? 0);
    for (const { row } of sentences) best = Math.max(best, row.scores['lexical'] ?? 0);
  }
  return best;
}

/**
 * The share of the question that a passage covers where rare words count by the square of their
 * weight and words that no candidate has not at all: templates that put the same in other words are
 * then alike, and statements about something else are not.
 */
function rareCover(
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

/** What the candidates of a question have in common, for features that compare. */
interface Context {
  bestBm25: number;
  bestBase: number;
  bestSimilarity: number;
  bestTemporal: number;
  bestCovers: number;
  bestMeans: number;
  bestRelevance: number;
  /** Of each passage as a whole, without any clock. */
  ofWhole: Float64Array;
  /** Share of the leading rows that each title has. */
  titleShares: ReadonlyMap<string, number>;
  /** Dates told under each title, by rows that are relevant. */
  titleDates: ReadonlyMap<string, readonly { date: Interval; relevance: number }[]>;
}

const leadingRows = 20;

function contextOf(
  entries: readonly CompetingCandidate[],
  passages: readonly PassageFeatures[],
  relevances: readonly PassageRelevance[],
  timeless: (row: Candidate) => number,
  bestBm25: number,
): Context {
  const leading = [...entries].sort((a, b) => b.base - a.base).slice(0, leadingRows);
  const titleShares = new Map<string, number>();
  const total = leading.reduce((sum, { base }) => sum + base, 0);
  for (const { passage, base } of leading) {
    const title = passage.record.title ?? '';
    titleShares.set(title, (titleShares.get(title) ?? 0) + (total > 0 ? base / total : 0));
  }
  const context = {
    bestBm25,
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

/** What all sentences of a passage have in common. */
interface Told {
  dates: readonly Interval[];
  terms: number;
  /** Of its best date; 0 where it has none. */
  fit: number;
  opensWithTitle: number;
  listItem: number;
}

function toldByPassage(
  { sentences, reading: { opensWithTitle, listItem } }: PassageFeatures,
  first: number,
  lengths: Uint32Array,
): Told {
  const dates: Interval[] = [];
  let terms = 0;
  sentences.forEach(({ reading: { times } }, at) => {
    for (const time of times) dates.push(time);
    terms += lengths[first + at]!;
  });
  return { dates, terms, fit: 0, opensWithTitle, listItem };
}

/**
 * In the order of the names, as those below; gives the place behind. `told` says what is told of
 * the sentence, from `row` on.
 */
function putRelevance(
  values: Float32Array,
  at: number,
  { passage, sentence, number, base, relevance }: CompetingCandidate,
  of: PassageRelevance,
  told: Float64Array,
  row: number,
  context: Context,
): number {
  const { similarity = 0, lexical = 0 } = sentence.row.scores;
  const {
    record: { title },
    whole,
  } = passage;
  const similarityOfPassage = whole.scores['similarity'] ?? 0;
  const bm25OfPassage = (whole.scores['lexical'] ?? 0) / context.bestBm25;
  const bm25 = lexical / context.bestBm25;
  const coversEqually = told[row + relevanceColumn.coversEqually]!;
  values[at] = Math.max(base, whole.score) / context.bestBase;
  values[at + 1] = bm25;
  values[at + 2] = bm25OfPassage;
  values[at + 3] = similarity;
  values[at + 4] = similarityOfPassage;
  values[at + 5] = told[row + relevanceColumn.covers]!;
  values[at + 6] = told[row + relevanceColumn.coversWithTitle]!;
  values[at + 7] = told[row + relevanceColumn.coversBeyondTitle]!;
  values[at + 8] = of.passageCovers;
  values[at + 9] = of.titleCovers;
  values[at + 10] = of.titleNamed;
  values[at + 11] = told[row + relevanceColumn.names]!;
  values[at + 12] = of.passageNames;
  values[at + 13] = told[row + relevanceColumn.pairs]!;
  values[at + 14] = context.bestSimilarity - Math.max(similarity, similarityOfPassage);
  values[at + 15] = context.bestCovers - of.passageCovers;
  values[at + 16] = 1 - Math.max(bm25, bm25OfPassage);
  values[at + 17] = title === undefined ? NaN : (context.titleShares.get(title) ?? 0);
  values[at + 18] = told[row + relevanceColumn.newNames]!;
  values[at + 19] = told[row + relevanceColumn.answers]!;
  values[at + 20] = coversEqually;
  values[at + 21] = told[row + relevanceColumn.besideTime]!;
  values[at + 22] = of.bestEqually - coversEqually;
  values[at + 23] = told[row + relevanceColumn.means]!;
  values[at + 24] = context.bestMeans - of.bestMeans;
  values[at + 25] = relevance / context.bestRelevance;
  values[at + 26] = Math.max(relevance, context.ofWhole[number]!) / context.bestRelevance;
  return at + relevanceNames.length;
}

function putShape(
  values: Float32Array,
  at: number,
  { sentence }: CompetingCandidate,
  { terms, dates, listItem, opensWithTitle }: Told,
  length: number,
): number {
  values[at] = Math.log1p(length);
  values[at + 1] = Math.log1p(terms);
  values[at + 2] = sentence.position;
  values[at + 3] = listItem;
  values[at + 4] = opensWithTitle;
  values[at + 5] = Math.log1p(sentence.reading.times.length);
  values[at + 6] = Math.log1p(dates.length);
  return at + shapeNames.length;
}

const noDate = dateFeatureNames.map(() => NaN);

function putTime(
  values: Float32Array,
  at: number,
  { passage, sentence, best }: CompetingCandidate,
  told: Told,
  context: Context,
): number {
  const { temporal = NaN } = sentence.row.scores;
  values[at] = temporal;
  values[at + 1] = passage.whole.scores['temporal'] ?? NaN;
  values[at + 2] = context.bestTemporal - temporal;
  values[at + 3] = best ? best.fit : NaN;
  values[at + 4] = told.fit === 0 ? NaN : told.fit;
  return at + 5;
}

/** What is told of its best date, and when its passage was published and holds. */
function putDate(
  values: Float32Array,
  at: number,
  { time }: QuestionFeatures,
  {
    passage: {
      record: { publishedAt, validFrom, validTo, title },
    },
    sentence: { reading },
    best,
    relevance,
  }: CompetingCandidate,
  { titleDates }: Context,
): number {
  const asked = time.named[0]?.start ?? time.askedAt;
  const cue = best ? reading.cue(best.date) : noCue;
  values[at] =
    best && title !== undefined
      ? interimOfTitle(best.date, best.named.start, titleDates.get(title) ?? [], relevance)
      : NaN;
  values[at + 1] = cue.opens;
  values[at + 2] = cue.parenthesis;
  values[at + 3] = best ? Number(reading.timesOfTitle) : NaN;
  values[at + 4] = publishedAt === undefined ? NaN : yearsScaled(time.askedAt - publishedAt);
  const holds = (validFrom ?? -Infinity) <= asked && asked < (validTo ?? Infinity);
  values[at + 5] = validFrom === undefined && validTo === undefined ? NaN : Number(holds);
  return at + 6;
}

const noCue = { opens: NaN, parenthesis: NaN };

/**
 * Dates under the same title, by rows about as relevant, that lie between this one and the time
 * asked for.
 */
function interimOfTitle(
  date: Interval,
  until: number,
  told: readonly { date: Interval; relevance: number }[],
  relevance: number,
): number {
  let starts: Set<number> | undefined; // most have none
  for (const other of told) {
    if (
      other.date.start >= date.end &&
      other.date.start < until &&
      other.relevance >= relevance - 0.05
    )
      (starts ??= new Set()).add(other.date.start);
  }
  return starts ? Math.log1p(starts.size) : 0;
}

function askedOf({ time: { joint, named, window, order } }: QuestionFeatures): number[] {
  return [
    Number(joint !== undefined),
    Number(window?.start === -Infinity),
    Number(window?.end === Infinity),
    named[0] ? yearsScaled(named[0].end - named[0].start) : NaN,
    joint ? order : NaN,
  ];
}
