// The programs in examples/, run as a user would against the sources: their whole output.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const outputs: Readonly<Record<string, RegExp[]>> = {
  'index-and-ask': [
    /^3 passages added$/,
    /^Who was UK prime minister as of 6 May 2021\? Boris Johnson \(johnson: Boris Johnson became/,
    /^Who was UK prime minister on 1 May 2018\? Theresa May \(may: Theresa May became/,
    /^in January 2017: may$/,
  ],
  service: [/^200 Boris Johnson$/, /^400 AsOfError: Expected question\.askedAt to be an ISO 8601/],
  'time-window': [
    /^window: 2018-01-01 to 2021-01-01, end exclusive$/,
    /^content: johnson$/,
    /^published: johnson$/,
    /^published by 2020: johnson, may$/,
  ],
  'own-vectors': [
    /^by similarity: report of 2024, report of 2018, report of 2020$/,
    /^as of May 2021: report of 2018, report of 2020$/,
    /^batch: report of 2018, report of 2020$/,
    /^exact: true$/,
  ],
  langchain: [/^\[ '1\. johnson, 2019-07-24' \]$/, /^\[ '1\. may, 2016-07-13' \]$/],
  evaluation: [
    /^bm25: hit@1 0\.33, mrr@10 0\.61$/,
    /^hybrid: hit@1 1\.00, mrr@10 1\.00$/,
    /^q1 Q0 johnson 1$/,
  ],
};

describe('examples', function () {
  this.timeout(120_000);
  // Data of the others, and a service with a test of its own.
  const apart = ['ministers.ts', 'tenants.ts'];
  const names = readdirSync(join(root, 'examples'))
    .filter((name) => name.endsWith('.ts') && !apart.includes(name))
    .map((name) => name.replace(/\.ts$/, ''));

  it('are all run here, and none is longer than 60 lines', () => {
    assert.deepEqual(names.sort(), Object.keys(outputs).sort());
    for (const name of names) {
      const lines = readFileSync(join(root, 'examples', `${name}.ts`), 'utf8').split('\n');
      assert.ok(lines.length <= 60, `${name}: ${lines.length} lines`);
    }
  });

  it('print what they say, one after another in one process', async () => {
    // The service answers once its module is loaded: last, nothing is printed between.
    const ordered = [...names.filter((name) => name !== 'service'), 'service'];
    const programs = ordered.map(
      (name) => `console.log('# ${name}'); await import('./examples/${name}.ts');`,
    );
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', programs.join('\n')],
      { cwd: root, env: { ...process.env, TSX_TSCONFIG_PATH: 'tsconfig.test.json' } },
    );
    assert.equal(stderr, '');
    const printed = new Map(
      stdout
        .split(/^# /m)
        .slice(1)
        .map((each) => {
          const [name, ...lines] = each.trimEnd().split('\n');
          return [name!, lines];
        }),
    );
    for (const [name, expected] of Object.entries(outputs)) {
      const lines = printed.get(name)!;
      assert.equal(lines.length, expected.length, stdout);
      for (const [index, pattern] of expected.entries()) assert.match(lines[index]!, pattern, name);
    }
  });
});
