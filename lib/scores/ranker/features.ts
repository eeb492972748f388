// The features of the ranker: one list that names them all, in the order that weights files count by, and the matrix of a
// question's candidates. A feature that does not apply is NaN, which a model reads as its own case.
import type { Candidate } from '../../candidates/candidate.js';
import type { TextPlaces, TextTable } from '../../candidates/textTable.js';
import type { PassageView, SentenceView } from './passages.js';
import { passageRelevance, type PassageRelevance } from './relevance.js';
import type { QuestionView } from './question.js';
import { rivalFeatureNames, rivalsOf, type Entry } from './rivals.js';
import { bestDate, dateFeatureNames, dateFeatures, yearsScaled } from './times.js';
import type { Interval } from '../../time/interval.js';

const relevanceNames = [
  'retrieval', 'bm25', 'bm25OfPassage', 'similarity', 'similarityOfPassage', 'covers', 'coversWithTitle', 'coversBeyondTitle',
  'passageCovers', 'titleCovers', 'titleNamed',
  'names', 'passageNames', 'pairs', 'similarityBelowBest', 'coversBelowBest', 'bm25BelowBest', 'titleShare', 'newNames',
  'answers', 'coversEqually', 'besideTime', 'equallyBelowBest',
  'means', 'meansBelowBest', 'relevanceOfBest', 'relevanceOfPassage',
] as const;
export const shapeNames = ['sentenceLength', 'passageLength', 'position', 'listItem', 'opensWithTitle', 'dates', 'datesOfPassage'] as const;
export const timeNames = [
  'temporal', 'temporalOfPassage', 'temporalBelowBest', 'fit', 'fitOfPassage', ...dateFeatureNames,
  'interimOfTitle', 'opens', 'parenthesis', 'dateOfTitle', 'age', 'valid',
] as const;
const askedNames = ['asksOfTime', 'asksPast', 'asksFuture', 'asksYears', 'asksOrder'] as const;

/** Of relevance, of what the sentence is like, of time, of the rivals, of the question itself. */
export const featureNames = [...relevanceNames, ...shapeNames, ...timeNames, ...rivalFeatureNames, ...askedNames] as const;
export type FeatureName = (typeof featureNames)[number];

/** The rows of a question's candidates and their features, row-major: feature f of row r is values[r * featureNames.length + f]. */
export interface FeatureMatrix {
  rows: { passage: PassageView; sentence: SentenceView }[];
  values: Float32Array;
}

/** Weights of the two kinds of relevance in the score before ranking, as in the scan. */
export interface BaseWeights {
  semantic: number;
  lexical: number;
}

export function featureMatrix(
  question: QuestionView,
  passages: readonly PassageView[],
  { table, places }: { table: TextTable; places: readonly TextPlaces[] },
  weights: BaseWeights,
): FeatureMatrix {
  const { time } = question;
  const all = passages.flatMap((passage) => [passage.whole, ...passage.sentences.map(({ row }) => row)]);
  const bestBm25 = Math.max(1e-9, ...all.map(({ scores }) => scores['lexical'] ?? 0));
  /** Relevance of a row without any clock. */
  const timeless = ({ scores: { similarity = 0, lexical = 0 } }: Candidate): number =>
    weights.semantic * similarity + (weights.lexical * lexical) / bestBm25;
  const relevances = new Map(passages.map((passage, at) => [passage, passageRelevance(question, passage, table, places[at]!)]));
  const cover = rareCover(question, [...relevances.values()]);
  const entries: Entry[] = passages.flatMap((passage, number) => {
    const covers = cover(relevances.get(passage)!);
    const { first } = places[number]!;
    return passage.sentences.map((sentence, at): Entry => {
      const relevance = timeless(sentence.row);
      const base = Math.max(sentence.row.score, 0);
      return { passage, sentence, text: first + at, best: bestDate(sentence.reading.times, time), relevance, covers, base };
    });
  });
  const rivals = rivalsOf(entries, time);
  const context = contextOf(entries, relevances, timeless, bestBm25);
  const width = featureNames.length;
  const values = new Float32Array(entries.length * width);
  const asks = askedOf(question);
  const told = toldByPassages(entries, table.lengths);
  entries.forEach((entry, row) => {
    const beside = told.get(entry.passage)!;
    const relevance = relevanceOf(entry, relevances.get(entry.passage)!, timeless(entry.passage.whole), context);
    let at = row * width;
    const { best } = entry;
    const dates = best && time.window ? dateFeatures(best, time.window, beside.dates) : noDate;
    const times = [timeOf(entry, beside, context), dates, dateOf(question, entry, context)] as const;
    for (const part of [relevance, shapeOf(entry, beside, table.lengths), ...times, rivals[row]!, asks]) {
      for (let i = 0; i < part.length; i += 1, at += 1) values[at] = part[i]!; // set() is slower with a list than with an array of numbers
    }
  });
  return { rows: entries.map(({ passage, sentence }) => ({ passage, sentence })), values };
}

/**
 * The share of the question that a passage covers where rare words count by the square of their weight and words that no candidate has
 * not at all: templates that put the same in other words are then alike, and statements about something else are not.
 */
function rareCover({ words: { weights } }: QuestionView, all: readonly PassageRelevance[]): (of: PassageRelevance) => number {
  const squares = weights.map((weight, place) => (all.some(({ holds }) => holds[place] === 1) ? weight * weight : 0));
  const total = squares.reduce((sum, square) => sum + square, 0);
  return ({ holds }) => (total > 0 ? squares.reduce((sum, square, place) => sum + (holds[place] === 1 ? square : 0), 0) / total : 0);
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
  /** Share of the leading rows that each title has. */
  titleShares: ReadonlyMap<string, number>;
  /** Dates told under each title, by rows that are relevant. */
  titleDates: ReadonlyMap<string, readonly { date: Interval; relevance: number }[]>;
}

const leadingRows = 20;

function contextOf(
  entries: readonly Entry[],
  relevances: ReadonlyMap<PassageView, PassageRelevance>,
  timeless: (row: Candidate) => number,
  bestBm25: number,
): Context {
  const most = (value: (entry: Entry) => number): number => entries.reduce((best, entry) => Math.max(best, value(entry)), 0);
  const leading = [...entries].sort((a, b) => b.base - a.base).slice(0, leadingRows);
  const titleShares = new Map<string, number>();
  const total = leading.reduce((sum, { base }) => sum + base, 0);
  for (const { passage, base } of leading) {
    const title = passage.record.title ?? '';
    titleShares.set(title, (titleShares.get(title) ?? 0) + (total > 0 ? base / total : 0));
  }
  const titleDates = new Map<string, { date: Interval; relevance: number }[]>();
  for (const { passage, sentence, relevance } of entries) {
    const title = passage.record.title ?? '';
    const own = titleDates.get(title) ?? [];
    titleDates.set(title, own);
    for (const date of sentence.reading.times) own.push({ date, relevance });
  }
  return {
    bestBm25, titleShares, titleDates,
    bestBase: Math.max(1e-9, most(({ base }) => base)),
    bestSimilarity: most(({ sentence }) => sentence.row.scores['similarity'] ?? 0),
    bestTemporal: most(({ sentence }) => sentence.row.scores['temporal'] ?? 1),
    bestCovers: most(({ passage }) => relevances.get(passage)!.passageCovers),
    bestMeans: most(({ passage }) => relevances.get(passage)!.bestMeans || 0),
    bestRelevance: Math.max(1e-9, most(({ passage, relevance }) => Math.max(relevance, timeless(passage.whole)))),
  };
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

/** Of each passage; the entries of one stand together. */
function toldByPassages(entries: readonly Entry[], lengths: Uint32Array): Map<PassageView, Told> {
  const told = new Map<PassageView, Told>();
  for (const { passage, text, best } of entries) {
    let own = told.get(passage);
    if (!own) {
      const { sentences, reading: { opensWithTitle, listItem } } = passage;
      own = {
        dates: sentences.flatMap(({ reading: { times } }) => times),
        terms: 0,
        fit: 0,
        opensWithTitle,
        listItem,
      };
      told.set(passage, own);
    }
    own.terms += lengths[text]!;
    own.fit = Math.max(own.fit, best?.fit ?? 0);
  }
  return told;
}

function relevanceOf({ passage, sentence, base, relevance }: Entry, of: PassageRelevance, ofWhole: number, context: Context): number[] {
  const { similarity = 0, lexical = 0 } = sentence.row.scores;
  const whole = passage.whole.scores;
  const similarityOfPassage = whole['similarity'] ?? 0;
  const [bm25OfPassage, bm25] = [(whole['lexical'] ?? 0) / context.bestBm25, lexical / context.bestBm25];
  const { covers, coversWithTitle, coversBeyondTitle, names, pairs, newNames, answers, coversEqually, besideTime, means } =
    of.sentences[passage.sentences.indexOf(sentence)]!;
  return [
    Math.max(base, passage.whole.score) / context.bestBase, bm25, bm25OfPassage, similarity, similarityOfPassage,
    covers, coversWithTitle, coversBeyondTitle,
    of.passageCovers, of.titleCovers, of.titleNamed, names, of.passageNames, pairs,
    context.bestSimilarity - Math.max(similarity, similarityOfPassage), context.bestCovers - of.passageCovers, 1 - Math.max(bm25, bm25OfPassage),
    passage.record.title === undefined ? NaN : (context.titleShares.get(passage.record.title) ?? 0),
    newNames, answers, coversEqually, besideTime, of.bestEqually - coversEqually,
    means, context.bestMeans - of.bestMeans, relevance / context.bestRelevance, Math.max(relevance, ofWhole) / context.bestRelevance,
  ];
}

function shapeOf({ sentence, text }: Entry, { terms, dates, listItem, opensWithTitle }: Told, lengths: Uint32Array): number[] {
  const { reading, position } = sentence;
  const [words, times] = [Math.log1p(lengths[text]!), Math.log1p(reading.times.length)];
  return [words, Math.log1p(terms), position, listItem, opensWithTitle, times, Math.log1p(dates.length)];
}

const noDate = dateFeatureNames.map(() => NaN);

function timeOf({ passage, sentence, best }: Entry, told: Told, context: Context): number[] {
  const { temporal = NaN } = sentence.row.scores;
  return [
    temporal, passage.whole.scores['temporal'] ?? NaN, context.bestTemporal - temporal, best ? best.fit : NaN, told.fit === 0 ? NaN : told.fit,
  ];
}

/** What is told of its best date, and when its passage was published and holds. */
function dateOf({ time }: QuestionView, { passage, sentence: { reading }, best, relevance }: Entry, context: Context): number[] {
  const { publishedAt, validFrom, validTo, title } = passage.record;
  const at = time.named[0]?.start ?? time.askedAt;
  const cue = best ? reading.cue(best.date) : noCue;
  return [
    best && title !== undefined ? interimOfTitle(best.date, best.named.start, context.titleDates.get(title) ?? [], relevance) : NaN,
    cue.opens, cue.parenthesis, best ? Number(reading.timesOfTitle) : NaN,
    publishedAt === undefined ? NaN : yearsScaled(time.askedAt - publishedAt),
    validFrom === undefined && validTo === undefined ? NaN : Number((validFrom ?? -Infinity) <= at && at < (validTo ?? Infinity)),
  ];
}

const noCue = { opens: NaN, parenthesis: NaN };

/** Dates under the same title, by rows about as relevant, that lie between this one and the time asked for. */
function interimOfTitle(date: Interval, until: number, told: readonly { date: Interval; relevance: number }[], relevance: number): number {
  let starts: Set<number> | undefined; // most have none
  for (const other of told) {
    if (other.date.start >= date.end && other.date.start < until && other.relevance >= relevance - 0.05) (starts ??= new Set()).add(other.date.start);
  }
  return starts ? Math.log1p(starts.size) : 0;
}

function askedOf({ time: { joint, named, window, order } }: QuestionView): number[] {
  return [
    Number(joint !== undefined), Number(window?.start === -Infinity), Number(window?.end === Infinity),
    named[0] ? yearsScaled(named[0].end - named[0].start) : NaN, joint ? order : NaN,
  ];
}
