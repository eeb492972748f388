// Writers of the ranker's features into a row of the feature matrix, in the order of their names.
import type { Interval } from '../../time/interval.js';
import type { CompetingCandidate } from './competingCandidates.js';
import type { FeatureContext, PassageAggregate } from './featureContext.js';
import { relevanceNames, shapeNames } from './featureNames.js';
import type { QuestionFeatures } from './question.js';
import { relevanceColumn, relevanceWidth } from './relevance.js';
import { dateFeatureNames, yearsScaled } from './times.js';

/** Writes the features of relevance; all functions return the index behind what they wrote. */
export function putRelevance(
  values: Float32Array,
  at: number,
  { passage, sentence, number, base, relevance }: CompetingCandidate,
  row: number,
  context: FeatureContext,
): number {
  const of = context.relevances[number]!;
  const columns = context.sentenceRelevance;
  const first = row * relevanceWidth;
  const { similarity = 0, lexical = 0 } = sentence.row.scores;
  const {
    record: { title },
    whole,
  } = passage;
  const similarityOfPassage = whole.scores['similarity'] ?? 0;
  const bm25OfPassage = (whole.scores['lexical'] ?? 0) / context.bestBm25;
  const bm25 = lexical / context.bestBm25;
  const coversEqually = columns[first + relevanceColumn.coversEqually]!;
  values[at] = Math.max(base, whole.score) / context.bestBase;
  values[at + 1] = bm25;
  values[at + 2] = bm25OfPassage;
  values[at + 3] = similarity;
  values[at + 4] = similarityOfPassage;
  values[at + 5] = columns[first + relevanceColumn.covers]!;
  values[at + 6] = columns[first + relevanceColumn.coversWithTitle]!;
  values[at + 7] = columns[first + relevanceColumn.coversBeyondTitle]!;
  values[at + 8] = of.passageCovers;
  values[at + 9] = of.titleCovers;
  values[at + 10] = of.titleNamed;
  values[at + 11] = columns[first + relevanceColumn.names]!;
  values[at + 12] = of.passageNames;
  values[at + 13] = columns[first + relevanceColumn.pairs]!;
  values[at + 14] = context.bestSimilarity - Math.max(similarity, similarityOfPassage);
  values[at + 15] = context.bestCovers - of.passageCovers;
  values[at + 16] = 1 - Math.max(bm25, bm25OfPassage);
  values[at + 17] = title === undefined ? NaN : (context.titleShares.get(title) ?? 0);
  values[at + 18] = columns[first + relevanceColumn.newNames]!;
  values[at + 19] = columns[first + relevanceColumn.answers]!;
  values[at + 20] = coversEqually;
  values[at + 21] = columns[first + relevanceColumn.besideTime]!;
  values[at + 22] = of.bestEqually - coversEqually;
  values[at + 23] = columns[first + relevanceColumn.means]!;
  values[at + 24] = context.bestMeans - of.bestMeans;
  values[at + 25] = relevance / context.bestRelevance;
  values[at + 26] = Math.max(relevance, context.ofWhole[number]!) / context.bestRelevance;
  return at + relevanceNames.length;
}

export function putShape(
  values: Float32Array,
  at: number,
  { sentence }: CompetingCandidate,
  { terms, dates, listItem, opensWithTitle }: PassageAggregate,
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

export const noDate = dateFeatureNames.map(() => NaN);

export function putTime(
  values: Float32Array,
  at: number,
  { passage, sentence, best }: CompetingCandidate,
  aggregate: PassageAggregate,
  context: FeatureContext,
): number {
  const { temporal = NaN } = sentence.row.scores;
  values[at] = temporal;
  values[at + 1] = passage.whole.scores['temporal'] ?? NaN;
  values[at + 2] = context.bestTemporal - temporal;
  values[at + 3] = best ? best.fit : NaN;
  values[at + 4] = aggregate.fit === 0 ? NaN : aggregate.fit;
  return at + 5;
}

/** Writes the features of the best date, of publication and of validity. */
export function putDate(
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
  { titleDates }: FeatureContext,
): number {
  const queryTime = time.named[0]?.start ?? time.askedAt;
  const cue = best ? reading.cue(best.date) : noCue;
  values[at] =
    best && title !== undefined
      ? interimOfTitle(best.date, best.named.start, titleDates.get(title) ?? [], relevance)
      : NaN;
  values[at + 1] = cue.opens;
  values[at + 2] = cue.parenthesis;
  values[at + 3] = best ? Number(reading.timesOfTitle) : NaN;
  values[at + 4] = publishedAt === undefined ? NaN : yearsScaled(time.askedAt - publishedAt);
  const holds = (validFrom ?? -Infinity) <= queryTime && queryTime < (validTo ?? Infinity);
  values[at + 5] = validFrom === undefined && validTo === undefined ? NaN : Number(holds);
  return at + 6;
}

const noCue = { opens: NaN, parenthesis: NaN };

/** Dates of rows with the same title, about as relevant, between this date and the query's time. */
function interimOfTitle(
  date: Interval,
  until: number,
  dates: readonly { date: Interval; relevance: number }[],
  relevance: number,
): number {
  // Most rows have none.
  let starts: Set<number> | undefined;
  for (const other of dates) {
    if (
      other.date.start >= date.end &&
      other.date.start < until &&
      other.relevance >= relevance - 0.05
    )
      (starts ??= new Set()).add(other.date.start);
  }
  return starts ? Math.log1p(starts.size) : 0;
}

export function questionColumns({
  time: { joint, named, window, order },
}: QuestionFeatures): number[] {
  return [
    Number(joint !== undefined),
    Number(window?.start === -Infinity),
    Number(window?.end === Infinity),
    named[0] ? yearsScaled(named[0].end - named[0].start) : NaN,
    joint ? order : NaN,
  ];
}
