// Passages of about 100 tokens encoded a second on one core: the public API, tokenization alone,
// @huggingface/tokenizers (which only cuts text) and a twin of the encoder in TypeScript on top of
// it, in one run; and how near the vectors are to the twin in float64. usage: node --import tsx
// bench/kernels/encode.bench.ts [passages.jsonl]
import '../../test/selectAddon.js';
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from '@huggingface/tokenizers';
import { binding } from '../../lib/binding.js';
import { addon } from '../../test/addon.js';
import { staticEncoder } from '../../lib/vectors/staticEncoder.js';
import { pool, readStaticModel, tokenizerConfig } from '../../test/oracle/staticModel.js';

const model = fileURLToPath(new URL('../../models/default-encoder.bin', import.meta.url));
const given =
  process.argv[2] ??
  fileURLToPath(new URL('../../../shared/data/timeqa_human/corpus.jsonl', import.meta.url));
const composed =
  'In 1871 the council of the harbour town bought the old customs house and let its upper ' +
  'floor to the surveyors of the coast, who drew charts ' +
  'there until the war.';

const textOf = ({ title, text }: { title?: string; text: string }): string =>
  title ? `${title}. ${text}` : text;
const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trim().split('\n');

const handle = await binding.openStaticEncoder(model);
const source = existsSync(given)
  ? linesOf(given).map((line) => textOf(JSON.parse(line) as { title?: string; text: string }))
  : Array.from({ length: 20_000 }, (_, i) => `${composed} ${i} ${composed} ${composed}`);
const lengths = source.map((text) => addon.tokenizeText(handle, text).length);
const passages = source.filter((_, i) => lengths[i]! >= 85 && lengths[i]! <= 115);
const some = passages.slice(0, 300);
const tokens =
  lengths.filter((length) => length >= 85 && length <= 115).reduce((a, b) => a + b) /
  passages.length;

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

/**
 * Passages a second by the clock, and by processor time, which other work on the machine disturbs
 * less.
 */
async function rate(
  name: string,
  count: number,
  rounds: number,
  run: () => unknown,
): Promise<number> {
  await run();
  const seconds: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await run();
    seconds.push((performance.now() - started) / 1000);
  }
  const { user, system } = process.cpuUsage(before);
  const byProcessor = (count * rounds * 1e6) / (user + system);
  const middle = median(seconds);
  const shown = (value: number): string => Math.round(value).toLocaleString('en').padStart(9);
  console.log(
    `${name.padEnd(36)}${shown(count / middle)} passages/s${shown(byProcessor)} a processor second, spread ` +
      `${Math.round((100 * (seconds.at(-1)! - seconds[0]!)) / middle)} % over ${rounds}`,
  );
  return byProcessor;
}

addon.setThreadCount(1);
const encoder = await staticEncoder();
const oracle = readStaticModel(model);
const reference = new Tokenizer(tokenizerConfig(oracle), {});
const cut = (text: string): number[] => reference.encode(text, { add_special_tokens: false }).ids;
const twin = (text: string): Float64Array => pool(oracle, cut(text));

console.log(
  `${cpus()[0]!.model}, one thread, Node ${process.version}; ${passages.length} passages of ${tokens.toFixed(0)} tokens on average, ` +
    `${encoder.dimensions} dimensions`,
);
const ours = await rate('asof, public API', passages.length, 9, () =>
  encoder.encode(passages, { kind: 'passage' }),
);
await rate('asof, one passage a call', some.length, 9, async () => {
  for (const text of some) await encoder.encode([text], { kind: 'passage' });
});
await rate('asof, tokenization alone, on JS thread', passages.length, 9, () =>
  passages.map((text) => addon.tokenizeText(handle, text)),
);
const theirs = await rate('@huggingface/tokenizers, cutting only', some.length, 5, () =>
  some.map(cut),
);
const typescript = await rate('TypeScript twin on top of it', some.length, 5, () => some.map(twin));
console.log(
  `ratio to @huggingface/tokenizers alone ${(ours / theirs).toFixed(1)}, to the TypeScript twin ${(ours / typescript).toFixed(1)} (processor time)`,
);

const vectors = await encoder.encode(some, { kind: 'passage' });
let least = 1,
  largest = 0;
some.forEach((text, i) => {
  const expected = twin(text);
  const got = vectors.subarray(i * encoder.dimensions, (i + 1) * encoder.dimensions);
  least = Math.min(
    least,
    got.reduce((sum, value, j) => sum + value * expected[j]!, 0),
  );
  got.forEach((value, j) => (largest = Math.max(largest, Math.abs(value - expected[j]!))));
});
console.log(
  `against the float64 twin over ${some.length} passages: least cosine ${least.toFixed(9)}, largest difference of a component ` +
    `${largest.toExponential(2)}`,
);
