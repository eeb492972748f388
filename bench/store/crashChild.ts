// The process that gets killed: adds, replaces, deletes and compacts as fast as it can, and says
// each operation before it begins and after it was acknowledged, on standard output, synchronously.
import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Passage, StoredPassage } from '../../lib/records.js';
import { Corpus } from '../../lib/store/corpus.js';
import type { Encoder } from '../../lib/vectors/encoder.js';

/** A vector of each text's length: the crash is about files, not about meaning. */
export const crashEncoder: Encoder = {
  id: 'crash-16',
  dimensions: 16,
  async encode(texts) {
    const vectors = new Float32Array(texts.length * 16);
    texts.forEach((text, i) => void (vectors[i * 16 + (text.length % 16)] = 1));
    return vectors;
  },
};

export const crashPassage = (i: number, version: number): Passage => ({
  id: `passage ${i}`,
  title: `Report ${i}`,
  text: `This is edition ${version} of report ${i}. It was written on 5 May 2021. ${'It has more to say. '.repeat(i % 20)}`,
  publishedAt: '2021-05-06',
  metadata: { version },
});

/** The version that a stored passage is of. */
export const kept = (passage: StoredPassage): number => Number(passage.metadata!['version']);

async function work(path: string, round: number): Promise<void> {
  const next = randomNumbers(round);
  const say = (line: string): void => void writeSync(1, `${line}\n`);
  say('ready');
  const corpus = await Corpus.open(path, { encoder: crashEncoder });
  for (let step = 0; step < 400; step += 1) {
    const from = next(400);
    const to = from + 1 + next(60);
    const version = round * 1000 + step;
    const operation = ['add', 'add', 'add', 'delete', 'compact'][next(5)]!;
    // Each batch of an add is one operation: it is acknowledged by the progress that follows it.
    const batchSize = operation === 'add' ? 1 + next(40) : to - from;
    const words = (done: number): string =>
      `${operation} ${from + done} ${Math.min(to, from + done + batchSize)} ${version}`;
    say(`begin ${words(0)}`);
    if (operation === 'add') {
      const passages = Array.from({ length: to - from }, (_, i) => crashPassage(from + i, version));
      let before = 0;
      const onProgress = ({ done }: { done: number }): void => {
        say(`done ${words(before)}`);
        if (done < to - from) say(`begin ${words(done)}`);
        before = done;
      };
      await corpus.add(passages, { batchSize, onProgress });
      continue;
    }
    if (operation === 'delete')
      await corpus.delete(Array.from({ length: to - from }, (_, i) => `passage ${from + i}`));
    else await corpus.compact();
    say(`done ${words(0)}`);
  }
  await corpus.close();
}

/** Whole numbers below a bound, another sequence for each seed (xorshift). */
function randomNumbers(seed: number): (below: number) => number {
  let state = (seed + 1) * 2654435761;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await work(process.argv[2]!, Number(process.argv[3]));
