// Ranking of given passages by question and time: `hybrid` over a corpus of them that exists while
// it is asked.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustBeWhole } from '../errors.js';
import type { Passage, Question } from '../records.js';
import type { Evidence } from '../reading/evidence.js';
import { Corpus } from '../store/corpus.js';
import type { Encoder } from '../vectors/encoder.js';
import { hybrid } from './hybrid.js';
import { maxPassages } from './system.js';

export interface RankOptions {
  /** Passages to return, 1 to 10,000. */
  k: number;
  /** Default: the embedded encoder. */
  encoder?: Encoder | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * The best k of at most 10,000 passages for a question, best first.
 * @throws AsOfError what Corpus.open, add and `hybrid` reject with
 */
export async function rankPassages(
  passages: readonly Passage[],
  question: Question,
  { k, encoder, signal }: RankOptions,
): Promise<Evidence[]> {
  mustBeWhole({ 'the number of passages': passages.length }, 0, maxPassages);
  if (passages.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), 'asof-rank-'));
  try {
    await using corpus = await Corpus.open(join(folder, 'corpus'), {
      encoder,
      timeZone: question.timeZone,
      storage: 'f32',
      signal,
    });
    await corpus.add(passages, { signal });
    const { evidence } = await hybrid({ corpus }).run(question, { k, signal });
    return evidence;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
