// Validation of passages to add, and their division into commits.
import { invalidArgument } from '../errors.js';
import type { Passage } from '../records.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import { preparePassage, type PassageRules, type PreparedPassage } from './passages.js';

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

/** @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkIterable(passages: unknown): void {
  if (isIterable(passages)) return;
  throw invalidArgument(
    'passages',
    'an iterable of passages',
    passages,
    'Pass an array, or any iterable or async iterable.',
  );
}

/** Validated passages in batches of up to `size`, bounded by characters too. */
export async function* passageBatches(
  passages: Iterable<Passage> | AsyncIterable<Passage>,
  size: number,
  rules: PassageRules,
  signal: AbortSignal | undefined,
): AsyncGenerator<PreparedPassage[]> {
  let batch: PreparedPassage[] = [];
  let characters = 0;
  let index = 0;
  for await (const passage of passages) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const prepared = preparePassage(passage, index, rules);
    index += 1;
    batch.push(prepared);
    characters += prepared.record.length;
    if (batch.length < size && characters < batchCharacters) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
