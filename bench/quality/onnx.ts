// How near the ONNX encoder's vectors are to a reference implementation's (models/export/reference.py), and how fast it is. It judges vectors, not
// retrieval, and ends with 1 where a cosine is below 0.999.
// usage: node --import tsx bench/quality/onnx.ts MODEL_FOLDER REFERENCE.json [--threads 1]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { onnxEncoder } from '../../lib/vectors/onnx/onnxEncoder.js';
import { describeMachine, machine } from '../machine.js';

interface Reference {
  texts: string[];
  dimensions: number;
  /** Base64 of little-endian f32, row by row. */
  vectors: string;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { threads: { type: 'string', default: '1' } } });
const [path, referenceFile] = positionals;
if (path === undefined || referenceFile === undefined) {
  console.error('usage: node --import tsx bench/quality/onnx.ts MODEL_FOLDER REFERENCE.json [--threads 1]');
  process.exit(2);
}
const { texts, dimensions, vectors } = JSON.parse(readFileSync(referenceFile, 'utf8')) as Reference;
const expected = new Float32Array(new Uint8Array(Buffer.from(vectors, 'base64')).buffer);

const opening = performance.now();
await using encoder = await onnxEncoder({ path, threads: Number(values.threads) });
const openMs = performance.now() - opening;
if (encoder.dimensions !== dimensions) throw new Error(`Expected ${dimensions} dimensions as the reference has, received ${encoder.dimensions}.`);

const began = performance.now();
const found = await encoder.encode(texts, { kind: 'passage' });
const seconds = (performance.now() - began) / 1000;
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

const questionTimes: number[] = [];
for (let i = 0; i < 20; i += 1) {
  const start = performance.now();
  await encoder.encode(['Who was the prime minister of the United Kingdom in May 2021?'], { kind: 'query' });
  questionTimes.push(performance.now() - start);
}
console.log(describeMachine(machine()));
console.log(`${encoder.id}, ${dimensions} dimensions, ${values.threads} thread(s); opened in ${openMs.toFixed(0)} ms`);
console.log(`cosine with the reference over ${texts.length} texts: least ${least.toFixed(9)}, mean ${(cosines.reduce((a, b) => a + b, 0) / texts.length).toFixed(9)}`);
console.log(`${(texts.length / seconds).toFixed(1)} texts/s; one question ${questionTimes.sort((a, b) => a - b)[10]!.toFixed(1)} ms (median of 20)`);
if (!(least >= 0.999)) process.exitCode = 1;
