// Training examples of the ranker: hybrid's candidates per question with features and labels.
import { mustBe, throwIfAborted } from '../../errors.js';
import type { Question, RunOptions } from '../../records.js';
import { featuresOfCandidates } from '../../ranking/ranker/candidates.js';
import { featureNames } from '../../ranking/ranker/featureNames.js';
import type { Corpus } from '../../store/corpus.js';
import type { HybridRetrievalOptions } from '../../systems/hybridOptions.js';
import { hybridRetrieval } from '../../systems/hybridRetrieval.js';

/** The labelled candidates of one question. */
export interface RankingExample {
  /** Group for cross-validation, such as a page. */
  group: string;
  /** Weight of the question. */
  weight: number;
  /**
   * Labels and numbers of rows, in row order: relevant (1), irrelevant (0) or unjudged (-1).
   */
  passages: readonly { id: string; label: -1 | 0 | 1; rows: number }[];
  /** Features of all rows, row-major. */
  values: Float32Array;
}

export interface JudgedQuestion extends Question {
  group: string;
  /** Default 1. */
  weight?: number;
  /** Ids of the relevant passages. */
  right: readonly string[];
  /**
   * Whether another passage may be relevant and should be skipped. Default: none.
   */
  unjudged?: (passage: { id: string; title?: string; text: string }) => boolean;
}

export interface RankingExampleOptions extends RunOptions, HybridRetrievalOptions {}

/** Candidates kept per question, the best before ranking; relevant ones are kept beyond. */
const maxCandidates = 40;
const retrieval = featureNames.indexOf('retrieval');
const width = featureNames.length;

/**
 * One example per question, in order. Questions without a retrieved relevant passage are kept for
 * measures and do not train.
 */
export async function rankingExamples(
  corpus: Corpus,
  questions: readonly JudgedQuestion[],
  options: RankingExampleOptions = {},
): Promise<RankingExample[]> {
  mustBe('an object', { corpus, options });
  mustBe('an array', { questions });
  const { signal, onProgress } = options;
  const { analyze, retrieve, expand, ranking } = hybridRetrieval(options);
  const context = { note: () => {}, ...(signal ? { signal } : {}) };
  using snapshot = corpus.snapshot();
  const examples: RankingExample[] = [];
  for (const { group, weight = 1, right, unjudged, ...question } of questions) {
    throwIfAborted(signal);
    const query = await analyze.run({ question, k: 1, corpus, snapshot }, context);
    const candidates = await retrieve.run(query, context);
    const { rows, values } = await featuresOfCandidates(
      expand ? await expand.run(candidates, context) : candidates,
      ranking,
      signal,
    );
    const wanted = new Set(right);
    const passages: { id: string; label: -1 | 0 | 1; rows: number; from: number; best: number }[] =
      [];
    rows.forEach(({ passage: { record } }, row) => {
      const score = values[row * width + retrieval]!;
      const last = passages.at(-1);
      if (last?.id === record.id) {
        last.rows += 1;
        last.best = Math.max(last.best, score);
        return;
      }
      passages.push({
        id: record.id,
        label: wanted.has(record.id) ? 1 : unjudged?.(record) ? -1 : 0,
        rows: 1,
        from: row,
        best: score,
      });
    });
    const floor =
      passages.map(({ best }) => best).sort((a, b) => b - a)[maxCandidates - 1] ?? -Infinity;
    const kept = passages.filter(({ best, label }) => best >= floor || label === 1);
    examples.push({
      group,
      weight,
      passages: kept.map(({ id, label, rows: count }) => ({ id, label, rows: count })),
      values: concatenateRows(values, kept),
    });
    onProgress?.({ done: examples.length, total: questions.length });
  }
  return examples;
}

function concatenateRows(
  values: Float32Array,
  kept: readonly { from: number; rows: number }[],
): Float32Array {
  const all = new Float32Array(kept.reduce((sum, { rows }) => sum + rows, 0) * width);
  let at = 0;
  for (const { from, rows } of kept) {
    all.set(values.subarray(from * width, (from + rows) * width), at);
    at += rows * width;
  }
  return all;
}
