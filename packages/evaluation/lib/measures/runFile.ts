// Streaming evaluation of a run file, one query in memory at a time. A file that is not grouped by
// query is read again as a whole.
import { AsOfError } from 'asof';
import { mustBe } from 'asof/kit';
import { readRun, runByQuery, type Qrels } from '../files/trec.js';
import {
  scoredQueryIds,
  scoreRanking,
  type QueryScores,
  type RunScores,
  type ScoreRunOptions,
  collectScores,
  scoreRun,
} from './averages.js';
import type { Metric } from './metricNames.js';

export interface RunFileScores extends RunScores {
  /** Tag of the run, from its last line. */
  tag: string;
  /** Number of queries of the run. */
  inRun: number;
  /** Whether the run was read as a whole, because it is not grouped by query. */
  whole: boolean;
}

/**
 * `scoreRun` of a TREC run file (`-` is standard input), to the same values. A file that is not
 * grouped by query is read again as a whole. Errors: as `readRun`; ERR_INVALID_INPUT for ungrouped
 * standard input, which cannot be read again.
 */
export async function scoreRunFile(
  path: string,
  qrels: Qrels,
  metrics: readonly Metric[],
  options: ScoreRunOptions & { signal?: AbortSignal } = {},
): Promise<RunFileScores> {
  mustBe('a Map', { qrels });
  mustBe('an array', { metrics });
  mustBe('an object', { options });
  const { signal, ...scoring } = options;
  const reading = signal ? { signal } : {};
  const known = new Set(scoredQueryIds(qrels, scoring));
  const scored = new Map<string, QueryScores>();
  const inRun: string[] = [];
  let last = '';
  try {
    for await (const { query, documents, tag } of runByQuery(path, reading)) {
      inRun.push(query);
      last = tag;
      if (known.has(query))
        scored.set(query, scoreRanking(query, documents, qrels, metrics, scoring));
    }
  } catch (fault) {
    if (!AsOfError.is(fault) || fault.details['grouped'] !== false || path === '-') throw fault;
    const { run, tag } = await readRun(path, reading);
    return { ...scoreRun(run, qrels, metrics, scoring), tag, inRun: run.size, whole: true };
  }
  return {
    ...collectScores(scored, inRun, qrels, metrics, scoring),
    tag: last,
    inRun: inRun.length,
    whole: false,
  };
}
