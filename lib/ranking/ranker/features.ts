// Feature matrix of the ranker for a question's candidates. A feature that does not apply is NaN.
import type { Candidate } from '../../retrieval/candidate.js';
import type { TextOffsets, TextTable } from '../../retrieval/textTable.js';
import {
  competitionFeatureNames,
  competitionFeatures,
  type CompetingCandidate,
} from './competingCandidates.js';
import {
  noDate,
  putDate,
  putRelevance,
  putShape,
  putTime,
  questionColumns,
} from './featureColumns.js';
import { aggregatePassage, featureContext, maxBm25, rareTermCoverage } from './featureContext.js';
import { featureNames } from './featureNames.js';
import type { PassageFeatures, SentenceView } from './passages.js';
import type { QuestionFeatures } from './question.js';
import { passageRelevance, relevanceWidth } from './relevance.js';
import { bestDate, putDateFeatures } from './times.js';

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
  { table, textOffsets }: { table: TextTable; textOffsets: readonly TextOffsets[] },
  weights: BaseWeights,
): FeatureMatrix {
  const { time } = question;
  const bestBm25 = maxBm25(passages);
  /** Relevance of a row without time. */
  const timeless = ({ scores: { similarity = 0, lexical = 0 } }: Candidate): number =>
    weights.semantic * similarity + (weights.lexical * lexical) / bestBm25;
  const count = passages.reduce((sum, { sentences }) => sum + sentences.length, 0);
  const sentenceRelevance = new Float64Array(count * relevanceWidth);
  const holding = new Uint8Array(passages.length * table.width);
  let from = 0;
  const relevances = passages.map((passage, number) => {
    const holds = holding.subarray(number * table.width, (number + 1) * table.width);
    const output = { holds, columns: sentenceRelevance, from };
    const relevance = passageRelevance(question, passage, table, textOffsets[number]!, output);
    from += passage.sentences.length;
    return relevance;
  });
  const cover = rareTermCoverage(question, relevances);
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
  const competition = competitionFeatures(entries, time);
  const relevance = { relevances, sentenceRelevance };
  const context = featureContext(entries, passages, relevance, timeless, bestBm25);
  const width = featureNames.length;
  const values = new Float32Array(entries.length * width);
  const ofQuestion = questionColumns(question);
  const aggregates = passages.map((passage, number) =>
    aggregatePassage(passage, textOffsets[number]!.first, table.lengths),
  );
  for (const { number, best } of entries)
    aggregates[number]!.fit = Math.max(aggregates[number]!.fit, best?.fit ?? 0);
  // Index among the sentences of the passage.
  let text = 0;
  for (let row = 0, at = 0; row < entries.length; row += 1, text += 1) {
    const entry = entries[row]!;
    const { number, best } = entry;
    if (row > 0 && entries[row - 1]!.number !== number) text = 0;
    at = putRelevance(values, at, entry, row, context);
    at = putShape(
      values,
      at,
      entry,
      aggregates[number]!,
      table.lengths[textOffsets[number]!.first + text]!,
    );
    at = putTime(values, at, entry, aggregates[number]!, context);
    at =
      best && time.window
        ? putDateFeatures(values, at, best, time.window, aggregates[number]!.dates)
        : put(values, at, noDate);
    at = putDate(values, at, question, entry, context);
    at = put(
      values,
      at,
      competition,
      row * competitionFeatureNames.length,
      competitionFeatureNames.length,
    );
    at = put(values, at, ofQuestion);
  }
  return { rows: entries.map(({ passage, sentence }) => ({ passage, sentence })), values };
}

/** Copies `count` numbers; returns the index behind them. Faster than set() and subarray(). */
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
