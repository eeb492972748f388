// The interface of rerankers (cross-encoders, hosted rerankers), and the one function through which
// the library calls them, so that foreign results are validated in one place.
import {
  AsOfError,
  callModel,
  describe,
  invalidArgument,
  mustBe,
  throwIfAborted,
} from '../errors.js';
import { checkTexts } from './encoder.js';

/**
 * A model that scores how well a text answers a question.
 * @example const mine: Reranker = { id: 'my-reranker-v1', score: async (query, texts) =>
 * Float32Array.from(await callMyModel(query, texts)) };
 */
export interface Reranker {
  /**
   * Stable name of the model and its version, 1 to 200 characters; printed with every figure that
   * depends on the model.
   */
  readonly id: string;
  /**
   * Resolves with one finite score per text, in order; larger is more relevant. Scores are
   * comparable within one call.
   */
  score(
    query: string,
    texts: readonly string[],
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Float32Array>;
}

/** Throws ERR_INVALID_ARGUMENT for a value that is no reranker. */
export function checkReranker(reranker: Reranker): Reranker {
  const valid =
    typeof reranker === 'object' && reranker !== null && typeof reranker.score === 'function';
  if (!valid) throw invalidArgument('reranker', 'a Reranker { id, score }', reranker);
  const { id } = reranker;
  if (typeof id !== 'string' || id.length === 0 || id.length > 200)
    throw invalidArgument('reranker.id', 'a string of 1 to 200 characters', id);
  return reranker;
}

/**
 * Calls a reranker, unless there are no texts, and validates its result.
 * @throws AsOfError ERR_INVALID_ARGUMENT; ERR_ABORTED; ERR_RERANKER_FAILED for a result of another
 * type or length, a score that is not finite (named with its text), and errors of the reranker, as
 * `cause`; its AsOfErrors pass unchanged
 */
export async function rerankTexts(
  reranker: Reranker,
  query: string,
  texts: readonly string[],
  options: { signal?: AbortSignal } = {},
): Promise<Float32Array> {
  mustBe('an object', { reranker, options });
  const { signal } = options;
  throwIfAborted(signal);
  if (typeof query !== 'string') throw invalidArgument('query', 'a string', query);
  checkTexts(texts);
  if (texts.length === 0) return new Float32Array(0);
  const { id } = reranker;
  const scores = await callModel(
    () => reranker.score(query, texts, signal ? { signal } : {}),
    signal,
    (reason, cause) => {
      const message = `Expected the reranker ${id} to score ${texts.length} texts, it failed: ${reason}`;
      return new AsOfError('ERR_RERANKER_FAILED', message, { cause, details: { reranker: id } });
    },
  );
  if (!(scores instanceof Float32Array) || scores.length !== texts.length) {
    throw failed(reranker, `a Float32Array of ${texts.length}`, describe(scores));
  }
  const wrong = scores.findIndex((score) => !Number.isFinite(score));
  if (wrong !== -1)
    throw failed(
      reranker,
      'finite scores',
      `${scores[wrong]} for text ${wrong}, ${describe(texts[wrong])}`,
    );
  return scores;
}

function failed(reranker: Reranker, expected: string, received: string): AsOfError {
  const message =
    `Expected the reranker ${reranker.id} to return ${expected}, received ${received}. ` +
    'Its score() must implement the interface Reranker.';
  return new AsOfError('ERR_RERANKER_FAILED', message, { details: { reranker: reranker.id } });
}
