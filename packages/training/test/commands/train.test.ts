// asof train: triplets as lines, an adapter from a corpus or from lines, and a corpus that is read
// with it.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { saying, startLoopback } from '../../../../test/models/loopback.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';
import { datedPages } from '../pages.js';
import type { Triplet } from '../../lib/mining/triplets.js';
import { asof, argv } from '../../../../test/cli/spawn.js';

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('asof train', () => {
  const folder = temporaryFolder();
  let [passages, corpus] = ['', ''];
  before(async () => {
    [passages, corpus] = [folder.path('pages.jsonl'), folder.path('pages.asof')];
    writeFileSync(
      passages,
      datedPages()
        .map((passage) => `${JSON.stringify(passage)}\n`)
        .join(''),
    );
    assert.equal((await asof(['index', corpus, passages])).code, 0);
  });

  it('mine prints triplets, the same for the same options', async () => {
    const args = ['train', 'mine', corpus, '--split', 'train', '--limit', '30', '--seed', '2'];
    const { code, stdout, stderr } = await asof(args);
    assert.deepEqual([code, stderr], [0, '']);
    const records = lines(stdout);
    assert.equal(records.filter(({ kind }) => kind === 'temporal').length, 30);
    assert.ok(records.some(({ kind }) => kind === 'general'));
    assert.ok(
      records.every(
        ({ kind, split, by }) =>
          split === 'train' && by === (kind === 'temporal' ? 'rules' : undefined),
      ),
    );
    assert.equal((await asof(args)).stdout, stdout);
    const only = lines(
      (await asof([...args, '--no-general', '--matching', 'year', '--margin', '0.5'])).stdout,
    );
    assert.ok(only.every(({ kind, margin }) => kind === 'temporal' && margin === 0.5));
  });

  it('adapter trains, and a corpus indexed with it is asked with it only', async () => {
    const weights = folder.path('pages.adapter');
    const { code, stdout } = await asof(argv`
      train adapter ${corpus} --out ${weights} --rank 4 --epochs 1 --json
    `);
    assert.equal(code, 0);
    const { rank, statistics } = JSON.parse(stdout) as {
      rank: number;
      statistics: Record<string, number>;
    };
    assert.equal(rank, 4);
    assert.ok(statistics['temporal']! > 100 && statistics['steps']! > 5);
    const adapted = folder.path('adapted.asof');
    assert.equal(
      (await asof(['index', adapted, passages, '--encoder', `adapter:${weights}`])).code,
      0,
    );
    const question = 'Who was keeper of the Marsh Mill in 1856?';
    const answered = await asof(argv`
      ask ${adapted} ${question} --system dense --encoder adapter:${weights} --json
    `);
    assert.equal(answered.code, 0, answered.stderr);
    const without = await asof(['ask', adapted, question]);
    assert.equal(without.code, 1);
    assert.match(without.stderr, /adapter-/);
  });

  it('mine writes triplets for sentence-transformers', async () => {
    const mine = ['train', 'mine', corpus, '--limit', '20'];
    const own = (await asof(mine)).stdout.trim().split('\n');
    const { stdout } = await asof([...mine, '--format', 'sentence-transformers']);
    const lines = stdout.trim().split('\n');
    assert.equal(lines.length, own.length);
    for (const [at, line] of lines.entries()) {
      const { question, positive, negative, margin } = JSON.parse(own[at]!) as Triplet;
      const title = (each: Triplet['positive']): string => `${each.title!}. ${each.text}`;
      assert.deepEqual(JSON.parse(line), {
        anchor: question,
        positive: title(positive),
        negative: title(negative),
        label: margin,
      });
    }
    const wrong = await asof([...mine, '--format', 'csv']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /--format must be one of asof, sentence-transformers/);
  });

  it('adapter reads lines, puts itself away and goes on to the same weights', async () => {
    const triplets = folder.path('triplets.jsonl');
    writeFileSync(triplets, (await asof(['train', 'mine', corpus, '--limit', '200'])).stdout);
    const [one, two, checkpoint] = [
      folder.path('one.adapter'),
      folder.path('two.adapter'),
      folder.path('run.checkpoint'),
    ];
    const args = argv`
      train adapter ${corpus} --triplets ${triplets} --rank 2 --checkpoint ${checkpoint}
      --checkpoint-every 5
    `;
    const first = await asof([...args, '--out', one]);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /temporal triplets and \d+ general, \d+ steps/);
    assert.ok(existsSync(checkpoint));
    assert.equal((await asof([...args, '--out', two, '--resume'])).code, 0);
    const other = await asof([...args, '--out', two, '--resume', '--seed', '5']);
    assert.equal(other.code, 2);
    assert.match(other.stderr, /one of another/);
  });

  it('mine lets a model on a server write the questions', async () => {
    const server = await startLoopback();
    try {
      server.always((response, seen) => {
        const time = /end it with the words \\"([^"]+)\\"/.exec(JSON.stringify(seen.body))![1]!;
        saying(JSON.stringify({ question: `Who minded it ${time}?` }))(response, seen);
      });
      const { code, stdout, stderr } = await asof(argv`
        train mine ${corpus} --limit 5 --no-general --model m --base-url ${server.baseURL}
      `);
      assert.equal(code, 0, stderr);
      assert.ok(
        lines(stdout).every(
          ({ question, by }) =>
            String(question).startsWith('Who minded it') && by === 'openai-compatible:m',
        ),
      );
      mkdirSync(folder.path('prompts'));
      const template = 'json: q = question\n---\nOf {entity}, end it with the words "{time}"\n';
      writeFileSync(folder.path('prompts/mined.txt'), template);
      server.always((response, seen) => {
        const time = /^Of .*, end it with the words \\"([^"]+)\\"/.exec(
          JSON.stringify((seen.body['messages'] as { content: string }[])[0]!.content).slice(1),
        )![1]!;
        saying(JSON.stringify({ q: `Whose was it ${time}?` }))(response, seen);
      });
      const own = await asof(argv`
        train mine ${corpus} --limit 5 --no-general --model m --base-url ${server.baseURL}
        --prompts ${folder.path('prompts')}
      `);
      assert.equal(own.code, 0, own.stderr);
      assert.ok(lines(own.stdout).every(({ question }) => /^Whose was it/.test(String(question))));
    } finally {
      server.close();
    }
  });

  it('refuses bad usage', async () => {
    for (const [args, words] of [
      [['train', 'adapter', corpus], /--out FILE is needed/],
      [['train', 'adapter', corpus, '--out', 'x', '--resume'], /need --checkpoint/],
      [['train', 'adapter', corpus, '--out', 'x', '--rate', 'fast'], /--rate must be a number/],
      [['train', 'adapter', corpus, '--out', 'x', '--sides', 'left'], /--sides must be/],
      [
        ['train', 'adapter', corpus, '--out', 'x', '--triplets', 'y', '--matching', 'year'],
        /--matching is an option of mining, which --triplets replaces/,
      ],
      [['train', 'mine', corpus, '--matching', 'decade'], /--matching must be/],
      [['train', 'mine', corpus, '--split', 'dev'], /--split must be/],
      [['train', 'mine', corpus, '--seed', '-1'], /--seed must be/],
      [['train'], /train mine/],
      [
        ['index', folder.path('other.asof'), passages, '--encoder', 'adapter:'],
        /adapter:FILE needs the path/,
      ],
    ] as const) {
      const { code, stderr, stdout } = await asof(args);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr + stdout, words);
    }
    // Said before the work, which may take hours.
    const nowhere = await asof(argv`
      train adapter ${corpus} --out ${folder.path('none/x.adapter')}
    `);
    assert.deepEqual([nowhere.code, nowhere.stdout], [1, '']);
    assert.match(nowhere.stderr, /Expected a folder to write --out .* in, found none\. Create it/);
  });
});
