// asof train weights, and asof ask and eval with the settings it wrote, as a user runs them.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asof, argv } from '../../../../test/cli/spawn.js';

const lines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

describe('asof train weights', () => {
  let folder: string;
  let given: string[];
  const path = (name: string): string => join(folder, name);
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'asof-train-'));
    const towns = ['Lowmoor', 'Highfold', 'Saltby', 'Ashwick', 'Thornley', 'Merebank'];
    const passages = towns.flatMap((town) =>
      [2001, 2005, 2009].map((year) => ({
        id: `${town}-${year}`,
        text: `${year % 2 === 0 ? 'Today in' : 'In'} ${town} the fair is opened by a baker.`,
        published_at: `${year}-03-01`,
      })),
    );
    writeFileSync(path('passages.jsonl'), lines(passages));
    writeFileSync(
      path('queries.jsonl'),
      lines(
        towns.map((town) => ({
          id: town,
          text: `Who opens the fair in ${town}?`,
          asked_at: '2010-01-01',
        })),
      ),
    );
    writeFileSync(path('qrels'), towns.map((town) => `${town} 0 ${town}-2009 1\n`).join(''));
    await asof(['index', path('fair.asof'), path('passages.jsonl')]);
    given = argv`
      train weights ${path('fair.asof')} --queries ${path('queries.jsonl')}
      --qrels ${path('qrels')} --folds 3
    `;
  });
  after(() => rmSync(folder, { recursive: true }));

  it('searches on parts of the questions and writes settings that eval and ask read', async () => {
    const { code, stdout, stderr } = await asof(argv`
      ${given} --search weight=0,1,2 --search relevance.semantic=0,0.5 --metric hit@1
      --output ${path('settings.json')} --json
    `);
    assert.deepEqual([code, stderr], [0, '']);
    const report = JSON.parse(stdout) as {
      system: string;
      settings: { weight: number; relevance: { semantic: number; lexical: number } };
      trained: {
        queries: number;
        heldOut: { mean: number };
        best: { mean: number };
        folds: unknown[];
      };
    };
    assert.deepEqual(report, JSON.parse(readFileSync(path('settings.json'), 'utf8')));
    assert.deepEqual(
      [
        report.system,
        report.trained.queries,
        report.trained.folds.length,
        report.settings.relevance.lexical,
      ],
      ['tempralm', 6, 3, 0],
    );
    const evaluated = await asof(argv`
      eval ${path('fair.asof')} --queries ${path('queries.jsonl')} --qrels ${path('qrels')}
      --settings ${path('settings.json')} --metrics hit@1 --json
    `);
    const measured = JSON.parse(evaluated.stdout) as {
      system: string;
      options: { weight: number };
      metrics: Record<string, number>;
    };
    assert.deepEqual(
      [measured.system, measured.options.weight],
      ['tempralm', report.settings.weight],
    );
    assert.equal(measured.metrics['hit@1'], report.trained.best.mean);
    const asked = await asof(argv`
      ask ${path('fair.asof')} ${'Who opens the fair in Saltby?'}
      --settings ${path('settings.json')} --json
    `);
    assert.equal((JSON.parse(asked.stdout) as { system: string }).system, 'tempralm');
  });

  it('takes every number of a system by default, and says what was refused', async () => {
    const { code, stdout } = await asof([...given, '-s', 'reimplementation', '--metric', 'hit@1']);
    assert.equal(code, 0);
    assert.match(stdout, /held out/);
    assert.match(stdout, /weights\.overlap/);
    const refused = await asof(argv`
      ${given} -s reimplementation+published --search base=0,2 --metric hit@1
    `);
    assert.match(refused.stdout, /refused by the system: base 2/);
  });

  it('refuses unknown options, settings of another system, and invalid files', async () => {
    const fails = async (args: string[], code: number, message: RegExp): Promise<void> => {
      const result = await asof(args);
      assert.match(result.stderr, message);
      assert.equal(result.code, code);
    };
    const searching = async (search: string, message: RegExp): Promise<void> =>
      fails([...given, '--search', search], 2, message);
    await searching(
      'wait=1',
      /--search wait: tempralm has no such number\. It has .*weight.*relevance\.semantic/,
    );
    await searching('relevance.foo=0,1', /--search relevance\.foo: tempralm has no such number/);
    await searching('weight.foo=0,1', /--search weight\.foo: tempralm has no such number/);
    await fails([...given, '--search', 'weight'], 2, /NAME=V/);
    await fails([...given, '-s', 'dense'], 2, /dense has no numeric options to search/);
    await fails(
      [...given, '--output', path('none/s.json')],
      1,
      /Expected a folder to write --output/,
    );
    writeFileSync(path('other.json'), JSON.stringify({ system: 'dense', settings: { weight: 1 } }));
    await fails(
      ['ask', path('fair.asof'), 'Who?', '--settings', path('other.json')],
      2,
      /options of dense/,
    );
    await fails(
      ['ask', path('fair.asof'), 'Who?', '-s', 'bm25', '--settings', path('other.json')],
      2,
      /--settings is for dense/,
    );
    writeFileSync(path('broken.json'), '{');
    await fails(
      ['ask', path('fair.asof'), 'Who?', '--settings', path('broken.json')],
      1,
      /Expected JSON/,
    );
    await fails(
      ['ask', path('fair.asof'), 'Who?', '--settings', path('none.json')],
      1,
      /Expected a settings file/,
    );
  });
});
