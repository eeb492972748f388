// asof train re3, as a user runs it: triplets and passages in, weights out, put away and taken up
// again.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { readTimeEncoder } from '../../../../lib/models/index.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';
import { datedPages } from '../pages.js';
import { writeWorld } from '../timeEncoder/data.js';
import { asof, argv } from '../../../../test/cli/spawn.js';

const lines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

describe('asof train re3', () => {
  const folder = temporaryFolder();
  let given: string[];
  before(() => {
    const files = writeWorld(folder.path('.'), 25).slice(0, 4);
    given = argv`
      train re3 ${files} --width 8 --batch 16 --epochs 3
      --validate-every 10 --rate 0.005
    `;
  });

  it('writes weights that the library reads, and says what they find', async () => {
    const out = folder.path('times.bin');
    const { code, stdout, stderr } = await asof(argv`
      ${given} --dev ${folder.path('dev.jsonl')} --out ${out} --json
    `);
    assert.deepEqual([code, stderr], [0, '']);
    const report = JSON.parse(stdout) as {
      kind: string;
      width: number;
      settings: Record<string, unknown>;
      training: { validation: number };
      statistics: object;
      parameters: number;
    };
    assert.deepEqual(
      [report.kind, report.width, report.settings['lambdaTime'], report.training.validation],
      ['film', 8, 0.1, 50],
    );
    const weights = await readTimeEncoder(out);
    assert.deepEqual(
      [weights.parameters.length, weights.statistics, weights.settings],
      [report.parameters, report.statistics, report.settings],
    );
    const told = await asof([...given, '--dev', folder.path('dev.jsonl'), '--out', out]);
    assert.match(
      told.stdout,
      /film, \d+ parameters; 150 examples, \d+ steps in .*; of 50 held-out questions Recall@5 [01]\.\d+ before, [01]\.\d+ after \(step \d+\)/,
    );
  });

  it('trains by several seeds, writes the best weights, and prints their spread', async () => {
    const [out, dev] = [folder.path('best.bin'), folder.path('dev.jsonl')];
    const args = [...given, '--dev', dev, '--out', out, '--negatives', 'time,random'];
    const { code, stdout, stderr } = await asof([...args, '--seeds', '1,2,3', '--json']);
    assert.deepEqual([code, stderr], [0, '']);
    const { settings, gains, spread } = JSON.parse(stdout) as {
      settings: { seed: number };
      gains: { after: { recall: number; reciprocalRank: number } }[];
      spread: { recall: { mean: number; deviation: number }; best: number };
    };
    const recalls = gains.map(({ after }) => after.recall);
    const mean = recalls.reduce((sum, value) => sum + value, 0) / 3;
    assert.ok(Math.abs(spread.recall.mean - mean) < 1e-12);
    const qualities = gains.map(({ after }) => after.recall + after.reciprocalRank);
    assert.equal(spread.best, qualities.indexOf(Math.max(...qualities)));
    assert.equal(settings.seed, spread.best + 1);
    assert.equal((await readTimeEncoder(out)).settings['seed'], settings.seed);
    const alone = await asof([...args, '--seed', '2', '--json']);
    const { training } = JSON.parse(alone.stdout) as { training: { found: object } };
    assert.deepEqual(training.found, gains[1]);
  });

  it('resumes from a checkpoint to the same weights; takes zero lambdas, other kinds', async () => {
    const [one, two, checkpoint] = [
      folder.path('one.bin'),
      folder.path('two.bin'),
      folder.path('run.checkpoint'),
    ];
    const args = argv`
      ${given} --kind concatenated --lambda-hard 0 --lambda-time 0.5 --checkpoint ${checkpoint}
      --checkpoint-every 5
    `;
    assert.equal((await asof([...args, '--out', one])).code, 0);
    assert.ok(existsSync(checkpoint));
    assert.equal((await asof([...args, '--out', two, '--resume'])).code, 0);
    assert.deepEqual(
      (await readTimeEncoder(two)).parameters,
      (await readTimeEncoder(one)).parameters,
    );
    const other = await asof([...args, '--out', two, '--resume', '--seed', '2']);
    assert.equal(other.code, 2);
    assert.match(other.stderr, /one of another/);
  });

  it('trains on what train mine mines from free text, held-out pages for validation', async () => {
    const [pages, corpus, mined] = ['pages.jsonl', 'pages.asof', 'mined.jsonl'].map((name) =>
      folder.path(name),
    ) as [string, string, string];
    const published = datedPages(25).map((page, at) => ({ ...page, published_at: `${1990 + at}` }));
    writeFileSync(pages, lines(published));
    assert.equal((await asof(['index', corpus, pages])).code, 0);
    const { stdout } = await asof(['train', 'mine', corpus]);
    writeFileSync(mined, stdout);
    const records = stdout.trim().split('\n');
    assert.match(records[0]!, /"published_at":"(?:199|20)\d-01-01/);
    const out = folder.path('mined.bin');
    const args = ['train', 're3', '--triplets', mined, '--out', out, '--json', '--batch', '16'];
    const steps = ['--width', '8', '--epochs', '2', '--validate-every', '5', '--rate', '0.01'];
    const trained = await asof([...args, ...steps, '--extractor', 'grammar']);
    assert.deepEqual([trained.code, trained.stderr], [0, '']);
    const { training, settings } = await readTimeEncoder(out);
    const { triplets, examples, validation, found } = training as Record<string, number> & {
      found: Record<'before' | 'after', { recall: number }>;
    };
    const held = records.filter((record) => record.includes('"split":"test"'));
    assert.deepEqual([triplets, settings['extractor']], [records.length - held.length, 'grammar']);
    assert.ok(examples! > 100 && validation! > 10 && held.length > 10, JSON.stringify(training));
    assert.ok(found.after.recall >= found.before.recall);
    assert.equal((await asof([...args, ...steps])).code, 0);
    const byDefault = await readTimeEncoder(out);
    const all = byDefault.training['examples'] as number;
    assert.ok(all > 100, `${all}: spans of years are fused too`);
    assert.equal(byDefault.settings['extractor'], undefined);
    const wrong = await asof([...args, '--extractor', 'oracle']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /--extractor must be one of grammar, learned, both/);
  });

  it('refuses bad usage, lines that are none and passages that are missing', async () => {
    const [triplets, passages] = [folder.path('triplets.jsonl'), folder.path('passages.jsonl')];
    for (const [args, words] of [
      [['train', 're3', '--triplets', triplets, '--passages', passages], /--out FILE is needed/],
      [['train', 're3', '--passages', passages, '--out', 'x'], /--triplets FILE\.jsonl is needed/],
      [[...given, '--out', 'x', '--kind', 'spline'], /--kind must be/],
      [[...given, '--out', 'x', '--lambda-time', 'much'], /--lambda-time must be/],
      [[...given, '--out', 'x', '--resume'], /need --checkpoint/],
      [[...given, '--out', 'x', '--seeds', '1,2', '--checkpoint', 'y'], /of one training/],
      [[...given, '--out', 'x', '--negatives', 'near'], /some of time, .*random/],
      [[...given, '--out', 'x', '--margin', '3'], /margin/],
    ] as const) {
      const { code, stderr } = await asof(args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, words);
    }
    const nowhere = await asof([...given, '--out', folder.path('none/x.bin')]);
    assert.deepEqual([nowhere.code, nowhere.stdout], [1, '']);
    assert.match(nowhere.stderr, /Expected a folder to write --out/);
    writeFileSync(folder.path('few.jsonl'), lines([{ id: 'Ashwick-0', text: 'It is dry.' }]));
    const none = await asof(argv`
      train re3 --triplets ${triplets} --out ${folder.path('x.bin')}
    `);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /Give the passages/);
    const few = await asof(argv`
      train re3 --triplets ${triplets} --passages ${folder.path('few.jsonl')}
      --out ${folder.path('x.bin')}
    `);
    assert.equal(few.code, 1);
    assert.match(few.stderr, /every passage that a triplet names/);
    writeFileSync(folder.path('broken.jsonl'), '{"query":"Who?","positive":"a"}\nno json\n');
    const broken = await asof(argv`
      train re3 --triplets ${folder.path('broken.jsonl')} --passages ${passages}
      --out ${folder.path('x.bin')}
    `);
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /broken\.jsonl:2/);
  });
});
