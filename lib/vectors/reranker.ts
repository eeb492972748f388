// What scores a question and texts together (a cross-encoder, a hosted reranker): the interface
// that users' rerankers fulfil, and the one door through which the library calls any of them, so
// that what a foreign one returns is checked in one place. It orders nothing and knows no model.
import {
  AsOfError,
  describe,
  invalidArgument,
  mustBe,
  throwIfAborted,
  rejectOnAbort,
} from '../errors.js';
import { checkTexts } from './encoder.js';

export interface RerankOptions {
  signal?: AbortSignal;
}

/**
 * A model that reads a question and a text at once and says how well the text answers it.
 *
 * @example const mine: Reranker = { id: 'my-reranker-v1', score: async (query, texts) =>
 * Float32Array.from(await callMyModel(query, texts)) };
 */
export interface Reranker {
  /**
   * Stable name of the model and its version, 1 to 200 characters; it is printed beside every
   * figure that the model changed.
   */
  readonly id: string;
  /**
   * Resolves with a score for each text, in their order: finite, larger is more relevant. The range
   * is the reranker's own, so that scores compare within one call.
   */
  score(query: string, texts: readonly string[], options?: RerankOptions): Promise<Float32Array>;
}

/** Refuses what is no reranker, before a question waits for it. */
export function checkReranker(reranker: Reranker): Reranker {
  const whole =
    typeof reranker === 'object' && reranker !== null && typeof reranker.score === 'function';
  if (!whole) throw invalidArgument('reranker', 'a Reranker { id, score }', reranker);
  const { id } = reranker;
  if (typeof id !== 'string' || id.length === 0 || id.length > 200)
    throw invalidArgument('reranker.id', 'a string of 1 to 200 characters', id);
  return reranker;
}

/**
 * Calls a reranker and checks what it gives: kind, length and finiteness (ERR_RERANKER_FAILED names
 * the text). Errors of the reranker itself are wrapped, with the original as `cause`; AsOfErrors
 * pass as they are. For no texts the reranker is not called.
 */
export async function rerankTexts(
  reranker: Reranker,
  query: string,
  texts: readonly string[],
  options: RerankOptions = {},
): Promise<Float32Array> {
  mustBe('an object', { reranker, options });
  const { signal } = options;
  throwIfAborted(signal);
  if (typeof query !== 'string') throw invalidArgument('query', 'a string', query);
  checkTexts(texts);
  if (texts.length === 0) return new Float32Array(0);
  let scores: Float32Array;
  try {
    scores = await rejectOnAbort(
      Promise.resolve(reranker.score(query, texts, signal ? { signal } : {})),
      signal,
    );
  } catch (error) {
    throwIfAborted(signal);
    if (AsOfError.is(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `Expected the reranker ${reranker.id} to score ${texts.length} texts, it failed: ${reason}`;
    throw new AsOfError('ERR_RERANKER_FAILED', message, {
      cause: error,
      details: { reranker: reranker.id },
    });
  }
  throwIfAborted(signal);
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
  const message = `Expected the reranker ${reranker.id} to give ${expected}, received ${received}. Its score() must keep to the interface Reranker.`;
  return new AsOfError('ERR_RERANKER_FAILED', message, { details: { reranker: reranker.id } });
}
