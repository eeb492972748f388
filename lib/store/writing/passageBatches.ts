// Validation of passages to add, and their division into commits.
import { checkOptionNames, invalidArgument, mustBe, mustBeWhole } from '../../errors.js';
import type { Passage } from '../../records.js';
import { abortableItems, checkRunOptions, isIterable } from '../../runtime/cancellation.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { accepts, type AddOptions } from '../corpusOptions.js';
import { preparePassage, type PassageRules, type PreparedPassage } from '../passages/passages.js';
import { batchCharacters } from './segmentBuilder.js';
import type { AddCounts } from './writer.js';

/** Passages of one commit by default. */
export const defaultBatchSize = 2048;

/** @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkAddArguments(passages: unknown, options: AddOptions): void {
  checkOptionNames('add', options, ['batchSize', 'signal', 'onProgress', 'onRefused']);
  checkRunOptions(options);
  mustBeWhole({ batchSize: options.batchSize ?? defaultBatchSize }, 1);
  if (options.onRefused !== undefined) mustBe('a function', { onRefused: options.onRefused });
  if (isIterable(passages)) return;
  throw invalidArgument(
    'passages',
    'an iterable of passages',
    passages,
    'Pass an array, or any iterable or async iterable.',
  );
}

/**
 * Commits after which an add merges, and not only at its end: each segment is a file to keep open
 * and to look ids up in.
 */
export const commitsBetweenMerges = 64;

export interface BatchWriter {
  commit(batch: readonly PreparedPassage[]): Promise<AddCounts>;
  /** Merges small segments, where the corpus has any. */
  merge?(): Promise<void>;
}

/** Adds passages in batches by commits; the counts of all. */
export async function addInBatches(
  passages: Iterable<Passage> | AsyncIterable<Passage>,
  { batchSize = defaultBatchSize, signal, onProgress, onRefused }: AddOptions,
  rules: PassageRules,
  writer: BatchWriter,
): Promise<AddCounts> {
  const totals: AddCounts = { added: 0, replaced: 0, unchanged: 0 };
  const total = Array.isArray(passages) ? passages.length : Infinity;
  let [done, commits] = [0, 0];
  for await (const batch of passageBatches(passages, rules, { batchSize, signal, onRefused })) {
    const counts = await writer.commit(batch);
    totals.added += counts.added;
    totals.replaced += counts.replaced;
    totals.unchanged += counts.unchanged;
    done += batch.length;
    onProgress?.({ done, total });
    commits += 1;
    if (commits % commitsBetweenMerges === 0) await writer.merge?.();
  }
  if (Object.values(totals).some((count) => count > 0)) await writer.merge?.();
  return totals;
}

/** Validated passages in batches of up to `size`, bounded by characters too. */
async function* passageBatches(
  passages: Iterable<Passage> | AsyncIterable<Passage>,
  rules: PassageRules,
  { batchSize, signal, onRefused }: AddOptions & { batchSize: number },
): AsyncGenerator<PreparedPassage[]> {
  let batch: PreparedPassage[] = [];
  let characters = 0;
  let index = 0;
  for await (const passage of abortableItems(passages, signal)) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const prepare = (): void => void batch.push(preparePassage(passage, index, rules));
    const isAccepted = accepts(prepare, onRefused);
    index += 1;
    if (!isAccepted) continue;
    characters += batch.at(-1)!.record.length;
    if (batch.length < batchSize && characters < batchCharacters) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
