// How near the ONNX encoder's vectors, or the ONNX reranker's scores, are to a reference
// implementation's (models/export/reference.py), and how fast they come. It judges numbers, not
// retrieval, and ends with 1 where a cosine is below 0.999 or a logit off by more than 0.001.
// usage: node --import tsx bench/quality/vectors/onnx.ts MODEL_FOLDER REFERENCE.json [--threads 1]
// [--max-tokens N]
import { readFileSync } from 'node:fs';
import { parseArgs } from '../../options.js';
import { onnxEncoder } from '../../../lib/models/onnx/onnxEncoder.js';
import { onnxReranker } from '../../../lib/models/onnx/onnxReranker.js';
import { describeMachine, machine } from '../../machine.js';

interface VectorReference {
  texts: string[];
  dimensions: number;
  /** Base64 of little-endian f32, row by row. */
  vectors: string;
}

interface PairReference {
  pairs: [string, string][];
  logits: number[][];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { threads: { type: 'string', default: '1' }, 'max-tokens': { type: 'string' } },
});
const [path, referenceFile] = positionals;
if (path === undefined || referenceFile === undefined) {
  console.error(
    'usage: node --import tsx bench/quality/vectors/onnx.ts MODEL_FOLDER REFERENCE.json ' +
      '[--threads 1] [--max-tokens N]',
  );
  process.exit(2);
}
const options = {
  path,
  threads: Number(values.threads),
  ...(values['max-tokens'] === undefined ? {} : { maxTokens: Number(values['max-tokens']) }),
};
const reference = JSON.parse(readFileSync(referenceFile, 'utf8')) as
  | VectorReference
  | PairReference;
console.log(describeMachine(machine()));
const good =
  'pairs' in reference ? await compareScores(reference) : await compareVectors(reference);
if (!good) process.exitCode = 1;

async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; seconds: number }> {
  const began = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - began) / 1000 };
}

/** The median of twenty runs, in milliseconds. */
async function typical(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < 20; i += 1) times.push((await timed(work)).seconds * 1000);
  return `${times.sort((a, b) => a - b)[10]!.toFixed(1)} ms (median of 20)`;
}

async function compareVectors({ texts, dimensions, vectors }: VectorReference): Promise<boolean> {
  const expected = new Float32Array(new Uint8Array(Buffer.from(vectors, 'base64')).buffer);
  const opening = await timed(() => onnxEncoder(options));
  await using encoder = opening.result;
  if (encoder.dimensions !== dimensions)
    throw new Error(
      `Expected ${dimensions} dimensions as the reference has, received ${encoder.dimensions}.`,
    );
  const { result: found, seconds } = await timed(() => encoder.encode(texts, { kind: 'passage' }));
  const cosines = texts.map((_, i) => {
    let [product, own, other] = [0, 0, 0];
    for (let j = i * dimensions; j < (i + 1) * dimensions; j += 1) {
      product += found[j]! * expected[j]!;
      own += found[j]! ** 2;
      other += expected[j]! ** 2;
    }
    return product / Math.sqrt(own * other);
  });
  const least = Math.min(...cosines);
  const question = await typical(() =>
    encoder.encode(['Who was the prime minister of the United Kingdom in May 2021?'], {
      kind: 'query',
    }),
  );
  console.log(
    `${encoder.id}, ${dimensions} dimensions, ${values.threads} thread(s); opened in ${(opening.seconds * 1000).toFixed(0)} ms`,
  );
  console.log(
    `cosine with the reference over ${texts.length} texts: least ${least.toFixed(9)}, mean ` +
      `${(cosines.reduce((a, b) => a + b, 0) / texts.length).toFixed(9)}`,
  );
  console.log(`${(texts.length / seconds).toFixed(1)} texts/s; one question ${question}`);
  return least >= 0.999;
}

/** A logit is what is compared: a sigmoid would hide differences at its ends. */
async function compareScores({ pairs, logits }: PairReference): Promise<boolean> {
  const opening = await timed(() => onnxReranker({ ...options, activation: 'none' }));
  await using reranker = opening.result;
  const expected = logits.map((of) => (of.length === 1 ? of[0]! : of[1]! - of[0]!));
  const { result: found, seconds } = await timed(async () => {
    const scores: number[] = [];
    for (const [query, text] of pairs) scores.push((await reranker.score(query, [text]))[0]!);
    return scores;
  });
  const most = Math.max(...found.map((score, i) => Math.abs(score - expected[i]!)));
  const hundred = pairs.slice(0, 100).map(([, text]) => text);
  const together = await typical(() => reranker.score(pairs[0]![0], hundred));
  console.log(
    `${reranker.id}, ${values.threads} thread(s); opened in ${(opening.seconds * 1000).toFixed(0)} ms`,
  );
  console.log(
    `logits of the reference over ${pairs.length} pairs are from ${Math.min(...expected).toFixed(3)} to ${Math.max(...expected).toFixed(3)}; ` +
      `ours differ by ${most.toExponential(1)} at most`,
  );
  console.log(
    `${(pairs.length / seconds).toFixed(1)} pairs/s one by one; ${hundred.length} texts of one question ${together}`,
  );
  return most <= 0.001;
}
