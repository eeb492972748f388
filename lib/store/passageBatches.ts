// Validation of passages to add, and their division into commits.
import type { Passage } from '../records.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import type { VectorShape } from './ownVectors.js';
import { preparePassage, type PreparedPassage } from './passages.js';

/** Passages of one commit by default. */
export const defaultBatchSize = 2048;
/** Characters at which a commit ends, regardless of its number of passages. */
export const batchCharacters = 4 << 20;

export function isIterable(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Symbol.iterator in value || Symbol.asyncIterator in value)
  );
}

/** Validated passages in batches, bounded by count and by characters. */
export async function* passageBatches(
  passages: Iterable<Passage> | AsyncIterable<Passage>,
  size: number,
  shape: VectorShape,
  signal: AbortSignal | undefined,
): AsyncGenerator<PreparedPassage[]> {
  let batch: PreparedPassage[] = [];
  let characters = 0;
  let index = 0;
  for await (const passage of passages) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const prepared = preparePassage(passage, index, shape);
    index += 1;
    batch.push(prepared);
    characters += prepared.record.length;
    if (batch.length < size && characters < batchCharacters) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
