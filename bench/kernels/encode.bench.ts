// Passages of about 100 tokens encoded a second on one core: the public API, tokenization alone,
// @huggingface/tokenizers (which only cuts text) and a twin of the encoder in TypeScript on top of
// it, in one run; and how near the vectors are to the twin in float64.
//
// node --import tsx bench/kernels/encode.bench.ts [passages.jsonl]
import '../../test/selectAddon.js';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from '@huggingface/tokenizers';
import { binding } from '../../lib/binding.js';
import { addon } from '../../test/addon.js';
import { staticEncoder } from '../../lib/vectors/staticEncoder.js';
import { pool, readStaticModel, tokenizerConfig } from '../../test/oracle/staticModel.js';
import { contest } from '../contest.js';
import { describeMachine, machine } from '../machine.js';
import { say } from '../report.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const model = at('../../models/default-encoder.bin');
const given = process.argv[2] ?? at('../../../shared/data/timeqa_human/corpus.jsonl');
const composed =
  'In 1871 the council of the harbour town bought the old customs house and let its upper ' +
  'floor to the surveyors of the coast, who drew charts there until the war.';

const handle = await binding.openStaticEncoder(model);
const source = existsSync(given)
  ? readFileSync(given, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { title?: string; text: string })
      .map(({ title, text }) => (title ? `${title}. ${text}` : text))
  : Array.from({ length: 20_000 }, (_, i) => `${composed} ${i} ${composed} ${composed}`);
const passages = source.filter((text) => {
  const { length } = addon.tokenizeText(handle, text);
  return length >= 85 && length <= 115;
});
const some = passages.slice(0, 300);

addon.setThreadCount(1);
const encoder = await staticEncoder();
const oracle = readStaticModel(model);
const reference = new Tokenizer(tokenizerConfig(oracle), {});
const cut = (text: string): number[] => reference.encode(text, { add_special_tokens: false }).ids;
const twin = (text: string): Float64Array => pool(oracle, cut(text));

say(`${describeMachine(machine())}\n`);
await contest(`${encoder.dimensions} dimensions`, 'passages', [
  {
    name: 'asof, public API',
    amount: passages.length,
    run: () => encoder.encode(passages, { kind: 'passage' }),
  },
  {
    name: 'asof, one passage a call',
    amount: some.length,
    run: async () => {
      for (const text of some) await encoder.encode([text], { kind: 'passage' });
    },
  },
  {
    name: 'asof, tokenization alone, on JS thread',
    amount: some.length,
    run: () => void some.map((text) => addon.tokenizeText(handle, text)),
  },
  { name: 'TypeScript twin', amount: some.length, run: () => void some.map(twin) },
  { name: '@huggingface/tokenizers', amount: some.length, run: () => void some.map(cut) },
]);

const vectors = await encoder.encode(some, { kind: 'passage' });
let [least, largest] = [1, 0];
some.forEach((text, i) => {
  const expected = twin(text);
  const got = vectors.subarray(i * encoder.dimensions, (i + 1) * encoder.dimensions);
  least = Math.min(
    least,
    got.reduce((sum, value, j) => sum + value * expected[j]!, 0),
  );
  got.forEach((value, j) => (largest = Math.max(largest, Math.abs(value - expected[j]!))));
});
say(
  `\nAgainst the float64 twin over ${some.length} passages: least cosine ${least.toFixed(9)}, ` +
    `largest difference of a component ${largest.toExponential(2)}`,
);
