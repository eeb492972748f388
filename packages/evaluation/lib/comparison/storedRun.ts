// A run from the store, or measured and stored.
import type { System } from 'asof';
import { questionOf, withContext, type EvaluateOptions } from '../evaluate.js';
import type { CompareOptions } from './compareOptions.js';
import { measureRun } from './measureRun.js';
import type { Comparison } from './result.js';
import { runKey, type RunRecord } from './runStore.js';
import type { CollectionQuery, TestCollection } from './testCollection.js';

/** The questions of a run and what its record depends on. */
export interface RunRequest {
  set: TestCollection;
  /** Questions whose top passages are recorded. */
  shown: readonly CollectionQuery[];
  encoder: string;
  /** Settings that all runs of the comparison share. */
  result: Comparison;
  options: CompareOptions;
  /** Digest of the code; '' without a store. */
  code: string;
}

export const describeSystem = (system: System): Comparison['systems'][number] => ({
  name: system.name,
  options: { ...system.options },
  composition: String(system),
});

/** The record of a run; a stored one is used where nothing that it depends on has changed. */
export async function storedRun(
  system: System,
  request: RunRequest,
  onStep: (done: number) => void,
): Promise<RunRecord> {
  const { set, result, options } = request;
  const { metrics, signal, exactness, store } = options;
  const evaluateOptions: EvaluateOptions = {
    metrics,
    k: result.k,
    qrels: set.qrels,
    relevantFrom: result.relevant_from,
    onProgress: ({ done }) => onStep(done),
    ...set.judgements,
    exactness,
    signal,
  };
  const key = keyOf(system, request);
  const stored = (await store?.read(key)) as RunRecord | undefined;
  const record = stored ?? (await measuredRun(system, request, evaluateOptions));
  if (!stored) await store?.write(key, record);
  onStep(set.queries.length);
  return record;
}

const keyOf = (
  system: System,
  { set, shown, encoder, result, options, code }: RunRequest,
): string =>
  runKey({
    code,
    set: set.sha256,
    queries: set.queries.map(({ id, text }) => [id, text]),
    shown: shown.map(({ id }) => id),
    ...describeSystem(system),
    metrics: result.metrics,
    k: result.k,
    of: result.metric_options,
    relevantFrom: result.relevant_from,
    exactness: options.exactness,
    encoder,
    reranker: result.reranker,
    model: result.model,
  });

async function measuredRun(
  system: System,
  { set, shown }: RunRequest,
  options: EvaluateOptions,
): Promise<RunRecord> {
  const { k, signal } = options;
  try {
    // Warm-up: data read and computed once is not part of any question's latency.
    await system.run(questionOf(set.queries[0]!), {
      k: k!,
      signal,
    });
    return await measureRun(system, set.queries, new Set(shown.map(({ id }) => id)), options);
  } catch (fault) {
    throw withContext(`Set ${set.name}, system ${system.name}`, fault);
  }
}
