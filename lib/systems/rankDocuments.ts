// Ranking of passages that the caller holds, by a system: for rerankers of frameworks.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AsOfError,
  checkOptionNames,
  invalidArgument,
  messageOf,
  throwIfAborted,
} from '../errors.js';
import type { Passage, Question } from '../records.js';
import { Corpus } from '../store/corpus.js';
import type { NamedEncoder } from '../vectors/encoder.js';
import { hybrid } from './hybrid.js';
import { maxPassages } from './askOptions.js';
import type { System, SystemResult } from './system.js';

export interface DocumentRanking {
  /** The system that ranks a corpus of the documents. Default `hybrid({ corpus })`. */
  system?: ((corpus: Corpus) => System) | undefined;
  /** Default: the embedded encoder. */
  encoder?: NamedEncoder | undefined;
  /** IANA name of the time zone of days. Default UTC. */
  timeZone?: string | undefined;
}

/** Answers a question from the given passages alone. */
export type DocumentRanker = (
  question: Question,
  passages: readonly Passage[],
  options?: { k?: number | undefined; signal?: AbortSignal | undefined },
) => Promise<SystemResult>;

/**
 * Ranks passages by a corpus of them that lasts as long as a call, in the system's temporary
 * folder, since segments are mapped files.
 * @throws AsOfError ERR_INVALID_ARGUMENT for options of `whose` function that are none; a call as
 * `Corpus.add` and `System.run`, and ERR_STORAGE if the temporary folder cannot be written
 */
export function documentRanker(whose: string, options: DocumentRanking): DocumentRanker {
  checkOptionNames(whose, options, ['system', 'encoder', 'timeZone']);
  const { system = (corpus) => hybrid({ corpus }), encoder, timeZone } = options;
  if (typeof system !== 'function')
    throw invalidArgument(
      'system',
      'a function of a corpus',
      system,
      'Pass (corpus) => hybrid({ corpus }).',
    );
  return async (question, passages, { k = maxPassages, signal } = {}) => {
    throwIfAborted(signal);
    const folder = await temporaryFolder();
    try {
      await using corpus = await Corpus.open(folder, { encoder, timeZone, signal });
      await corpus.add(passages, { batchSize: Math.max(1, passages.length), signal });
      return await system(corpus).run(question, { k, signal });
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 2 });
    }
  };
}

async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'asof-'));
  } catch (cause) {
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected to write to ${tmpdir()}, the system refused: ${messageOf(cause)}.`,
      { cause },
    );
  }
}
