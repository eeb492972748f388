// Steps a second of a time encoder's training (Re3's FiLM) on the CPU and on a device, over the
// default encoder: node --import tsx bench/cuda/training.ts [DIMENSIONS]. Texts are ours, vectors
// random; batches of 128 and of 1024. Prints a line of JSON a batch. What comes before the first
// step (texts read, rows copied) is not counted.
import { devices, type Device } from '../../lib/models/index.js';
import { trainTimeEncoder, type TimeTriplet } from '../../packages/training/lib/index.js';
import type { Encoder, Passage } from '../../lib/index.js';

const dimensions = Number(process.argv[2] ?? 384);
const [readings, seconds] = [4096, 3];

/** Vectors by a text's own hash: what they say of it does not matter here. */
const encoder: Encoder = {
  id: `hash-${dimensions}`,
  dimensions,
  encode: (texts) => {
    const vectors = new Float32Array(texts.length * dimensions);
    texts.forEach((text, i) => {
      let state = [...text].reduce(
        (hash, each) => Math.imul(hash ^ each.charCodeAt(0), 16777619) >>> 0,
        2166136261,
      );
      for (let c = 0; c < dimensions; c += 1) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        vectors[i * dimensions + c] = state / 2 ** 31 - 1;
      }
      const own = vectors.subarray(i * dimensions, (i + 1) * dimensions),
        length = Math.hypot(...own);
      own.forEach((value, c) => void (own[c] = value / length));
    });
    return Promise.resolve(vectors);
  },
};

const dateOf = (i: number): string =>
  new Date(Date.UTC(2001, 0, 1 + ((i * 37) % 4300))).toISOString().slice(0, 10);
const passages: Passage[] = Array.from({ length: readings }, (_, i) => ({
  id: `r${i}`,
  text: `Gauge ${i % 64} read ${i % 90} on ${dateOf(i)}.`,
}));
const triplets: TimeTriplet[] = passages.map(({ id }, i) => ({
  query: `What did gauge ${i % 64} read on ${dateOf(i)}?`,
  positive: id,
  askedAt: '2020-01-01',
  negatives: [{ id: `r${(i + 64) % readings}`, kind: 'time' }],
}));

/** Between the first report and the last: steps, and milliseconds; ended after `seconds`. */
async function stepsASecond(device: Device, batch: number): Promise<number> {
  const ending = new AbortController();
  let [first, last] = [
    { done: 0, at: 0 },
    { done: 0, at: 0 },
  ];
  const onProgress = ({ done }: { done: number }): void => {
    last = { done, at: performance.now() };
    if (first.done === 0) first = last;
    else if (last.at - first.at > seconds * 1000) ending.abort();
  };
  const options = { device, batch, epochs: 4000, onProgress, signal: ending.signal };
  await trainTimeEncoder(encoder, { passages, triplets }, options).catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
  });
  return ((last.done - first.done) * 1000) / (last.at - first.at);
}

const there = (await devices())[1]!.available;
for (const batch of [128, 1024]) {
  const cpu = await stepsASecond('cpu', batch);
  const device = there ? await stepsASecond('cuda', batch) : undefined;
  process.stdout.write(`${JSON.stringify({ batch, dimensions, cpu, device })}\n`);
}
