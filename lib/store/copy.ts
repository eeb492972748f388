// Copies of all passages from one corpus into another, wherever they are: with their vectors, so
// that nothing is encoded again. What is there already is left, so that a copy that was interrupted
// is completed by another one.
import { invalidArgument } from '../errors.js';
import type { Passage, RunOptions } from '../records.js';
import type { CorpusOptions } from './corpusOptions.js';
import { timesOfPassages } from './fields/types.js';
import type { StoredCorpusInfo } from './info.js';
import { storedContents, type StoredContent, type StoredCorpus } from './storedCorpus.js';
import { pipelineNames } from './writing/segmentBuilder.js';
import { createHash } from '../runtime/digest.js';

/** Passages of a corpus in numbers: equal corpora have equal ones, whatever their order. */
export interface ContentSum {
  passages: number;
  /**
   * Of id, record hash and vectors of each passage the first 128 bits of SHA-256, summed modulo
   * 2^128; in hexadecimal.
   */
  checksum: string;
}

const bits = 128n;

class Summation {
  private passages = 0;
  private sum = 0n;

  add({ stored, hash, vector, sentenceVectors }: StoredContent): void {
    const digest = createHash('sha256').update(`${Buffer.byteLength(stored.id)} ${stored.id}`);
    digest.update(hash);
    for (const each of [vector, sentenceVectors])
      if (each) digest.update(new Uint8Array(each.buffer, each.byteOffset, each.byteLength));
    this.passages += 1;
    this.sum += BigInt(`0x${digest.digest('hex').slice(0, Number(bits / 4n))}`);
  }

  get result(): ContentSum {
    const checksum = BigInt.asUintN(Number(bits), this.sum).toString(16);
    return { passages: this.passages, checksum: checksum.padStart(Number(bits / 4n), '0') };
  }
}

/** Reads all passages of a corpus. */
export async function contentSum(
  corpus: StoredCorpus,
  { signal, onProgress }: RunOptions = {},
): Promise<ContentSum> {
  const sum = new Summation();
  const total = await corpus.count({ signal });
  for await (const content of storedContents(corpus, signal)) {
    sum.add(content);
    onProgress?.({ done: sum.result.passages, total });
  }
  return sum.result;
}

/**
 * What the copy of a corpus is opened with: it is created so, or has to be so.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a corpus whose sentences, times or terms another
 * version has made
 */
export function copyOptions({
  encoder,
  fields,
  timeZone,
  sentenceRows,
  pipeline,
}: StoredCorpusInfo): Pick<CorpusOptions, 'encoder' | 'fields' | 'timeZone' | 'sentences'> {
  const [has, expected] = [pipeline, pipelineNames].map((each) => JSON.stringify(each));
  if (has !== expected)
    throw invalidArgument(
      'corpus',
      `one indexed by this version of asof, with ${expected}`,
      has,
      'Its vectors are of sentences that this version splits otherwise: index the passages anew.',
    );
  return { encoder, fields, timeZone, sentences: sentenceRows };
}

/** Counts of a copy, and the sum of what was read. */
export interface CopyCounts extends ContentSum {
  added: number;
  replaced: number;
  unchanged: number;
}

/** Adds all passages of a corpus to another one, which was opened with `copyOptions`. */
export async function copyPassages(
  from: StoredCorpus,
  to: StoredCorpus,
  { signal, onProgress }: RunOptions = {},
): Promise<CopyCounts> {
  const sum = new Summation();
  const total = await from.count({ signal });
  const { dimensions } = to.encoder;
  const passages = async function* (): AsyncGenerator<Passage> {
    for await (const content of storedContents(from, signal)) {
      sum.add(content);
      yield passageOf(content, dimensions);
    }
  };
  const counts = await to.add(passages(), {
    signal,
    onProgress: ({ done }) => onProgress?.({ done, total }),
  });
  return { ...counts, ...sum.result };
}

function passageOf(
  { stored, vector, sentenceVectors }: StoredContent,
  dimensions: number,
): Passage {
  const passage = { ...stored, vector };
  // A number of milliseconds near 1970 would be taken for seconds, and refused.
  for (const name of timesOfPassages)
    if (stored[name] !== undefined) Object.assign(passage, { [name]: new Date(stored[name]) });
  if (!sentenceVectors || sentenceVectors.length === 0) return passage;
  const sentences = Array.from({ length: sentenceVectors.length / dimensions }, (_, nth) =>
    sentenceVectors.subarray(nth * dimensions, (nth + 1) * dimensions),
  );
  return { ...passage, sentenceVectors: sentences };
}
