// What models/train/lora.py does before and around the model, in Python without torch: triplets
// read as `asof train mine` writes them, random negatives, the schedule of the rate, batches by
// length.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import {
  toSentenceTransformersRecord,
  toTripletRecord,
} from '../../packages/training/lib/mining/triplets.js';
import type { Triplet } from '../../packages/training/lib/index.js';
import { temporaryFolder } from '../store/fixtures.js';
import { assertEach } from '../assertEach.js';

const triplet = (question: string, positive: string, negative: string): Triplet => ({
  kind: 'general',
  split: 'train',
  question,
  positive: { id: positive, title: 'Page', text: positive },
  negative: { id: negative, text: negative },
  margin: 0.75,
});
const triplets = [
  triplet('who led in 2001?', 'Ann led from 2000.', 'Bob led in 1990.'),
  triplet('who led in 2001?', 'Ann was head in 2001.', 'Cid led in 2010.'),
  triplet('who led in 1990?', 'Bob led in 1990.', 'Ann led from 2000.'),
];

describe('models/train/lora.py', function () {
  this.timeout(20_000);
  const folder = temporaryFolder();
  before(function () {
    if (spawnSync('python3', ['--version']).status !== 0) this.skip();
  });

  const fileOf = (records: readonly Record<string, unknown>[]): string => {
    const file = folder.path('triplets.jsonl');
    writeFileSync(file, records.map((each) => `${JSON.stringify(each)}\n`).join(''));
    return file;
  };
  const python = (lines: string): { value: unknown; stderr: string } => {
    const program = `import json, random, sys\nfrom lora import *\nprint(json.dumps(${lines}))`;
    const { stdout, stderr } = spawnSync('python3', ['-c', program], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONPATH: 'models/train', PYTHONDONTWRITEBYTECODE: '1' },
    });
    return { value: stdout === '' ? undefined : JSON.parse(stdout), stderr };
  };
  const read = (file: string): string => `read(${JSON.stringify(file)})`;

  it('reads what train mine writes for sentence-transformers', () => {
    const file = fileOf(triplets.map(toSentenceTransformersRecord));
    assert.deepEqual(
      python(read(file)).value,
      triplets.map(({ question, positive, negative, margin }) => [
        question,
        `Page. ${positive.text}`,
        negative.text,
        margin,
      ]),
    );
  });

  it('refuses the other format, and a file without lines', () => {
    assert.match(
      python(read(fileOf(triplets.map(toTripletRecord)))).stderr,
      /triplets\.jsonl:1: expected anchor, positive and negative, received kind, .* Write the file/,
    );
    assert.match(python(read(fileOf([]))).stderr, /is empty: expected a triplet a line/);
  });

  it('draws random negatives that are no positives of their question', () => {
    const file = fileOf(triplets.map(toSentenceTransformersRecord));
    const drawn = (seed: number): [string, string, string, number][] =>
      python(`with_random_negatives(${read(file)}, random.Random(${seed}))`).value as never;
    const own = new Set(triplets.slice(0, 2).map(({ positive }) => `Page. ${positive.text}`));
    const all = [1, 2, 3].map(drawn);
    assert.deepEqual(drawn(1), all[0]);
    assert.ok(new Set(all.map((rows) => JSON.stringify(rows))).size > 1);
    for (const rows of all) {
      assert.deepEqual(
        rows.map(([anchor, , , label]) => [anchor, label]),
        triplets.map(({ question }) => [question, 1]),
      );
      for (const [, , negative] of rows.slice(0, 2)) assert.ok(!own.has(negative), negative);
      assert.notEqual(rows[2]![2], 'Page. Bob led in 1990.');
    }
    const one = fileOf([{ anchor: 'q', positive: 'p', negative: 'p' }]);
    assert.match(
      python(`with_random_negatives(${read(one)}, random.Random(1))`).stderr,
      /Expected passages beside an anchor's positives/,
    );
  });

  it('raises the rate over a tenth of the steps and lets it fall to nothing', () => {
    const rates = python('[rate_at(step, 100) for step in range(101)]').value as number[];
    assert.equal(rates[0], 0.1);
    assert.equal(Math.max(...rates), 1);
    assert.equal(rates[9], 1);
    assert.equal(rates[100], 0);
    assert.ok(rates.slice(10).every((rate, at) => at === 0 || rate < rates[at + 9]!));
    assert.deepEqual(python('[rate_at(0, 1)]').value, [1]);
  });

  it('runs texts of similar length together, each once', () => {
    const lengths = Array.from({ length: 40 }, (_, at) => (at * 17) % 40);
    const found = python(`chunks(${JSON.stringify(lengths)})`).value as number[][];
    assertEach(found, ({ length }) => length, [16, 16, 8]);
    const order = found.flat().map((row) => lengths[row]);
    assert.deepEqual(
      order,
      [...lengths].sort((a, b) => a - b),
    );
  });
});
