// asof train lora up to its Python: data, environment, failures. What torch does with it:
// trainLora.slow.ts.
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { asof, argv } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';
import { writeWorld } from '../timeEncoder/data.js';

/** A Python that imports everything, and copies the data of a training before `ending`. */
const script = (ending: string): string => `#!/bin/sh
case "$1" in
  -c) exit 0 ;;
  *) cp "$2" "$COPY"; echo 'Some library says hello.'; echo '{"done":1,"total":2,"loss":0.5}'; ${ending} ;;
esac
`;

describe('asof train lora', () => {
  const folder = temporaryFolder();
  let given: string[];
  before(function () {
    if (process.platform === 'win32') this.skip();
    given = ['train', 'lora', folder.path('model'), ...writeWorld(folder.path('.'), 3)];
    given.push('--out', folder.path('out'));
  });
  const python = (ending: string): string => {
    const file = folder.path('python');
    writeFileSync(file, script(ending));
    chmodSync(file, 0o755);
    return file;
  };
  const trained = async (...args: string[]): Promise<Record<string, unknown[]>> => {
    const copy = folder.path('data.json');
    const ending = 'echo "Traceback" >&2; echo "ValueError: no such weight" >&2; exit 3';
    const { code, stderr } = await asof([...given, '--python', python(ending), ...args], {
      env: { COPY: copy },
    });
    assert.equal(code, 1);
    assert.match(stderr, /by seed 1 to end, .* status 3: Traceback ValueError: no such weight\./);
    return JSON.parse(readFileSync(copy, 'utf8')) as Record<string, unknown[]>;
  };

  it('gives Python texts, times and examples of every kind of negatives', async () => {
    const { texts, questions, times, examples, settings, time } = await trained('--film');
    assert.equal(texts!.length, times!.length);
    assert.match(String(texts![questions![0] as number]), /^What did the gauge at/);
    assert.equal(examples!.length, 18);
    const [question, positive, negative] = examples![0] as [number, number, number];
    const town = (row: number): string => /gauge at (\w+)/.exec(String(texts![row]))![1]!;
    assert.equal(town(question), town(positive));
    assert.equal(town(question), town(negative));
    assert.deepEqual(times![question], times![positive]);
    assert.notDeepEqual(times![question], times![negative]);
    const { rank, film, lambdaHard } = settings as unknown as Record<string, unknown>;
    assert.deepEqual([rank, film, lambdaHard], [16, true, 0.1]);
    assert.ok((time as unknown as { mean: number }).mean > 2000);

    const random = await trained('--negatives', 'random', '--rank', '0', '--contrast', '0');
    assert.equal(random['time'], null);
    const positives = new Map(
      (random['examples'] as [number, number, number][]).map(([q, p]) => [q, p]),
    );
    for (const [q, p, n] of random['examples'] as [number, number, number][]) {
      assert.notEqual(n, p);
      assert.ok([...positives.values()].includes(n) && positives.get(q) !== n);
    }
    assert.deepEqual(
      ['rank', 'rate', 'contrast'].map((name) => (random['settings'] as never)[name]),
      [0, 2e-5, 0],
    );
    const all = await trained('--negatives', 'time,entity');
    assert.equal((all['examples'] as unknown[]).length, 36);
  });

  it('knows days of the year, and no parts of none', async () => {
    const { times } = await trained();
    for (const [year, month, day, ofYear] of times as (number | null)[][]) {
      if (day === null) assert.equal(ofYear, null);
      else {
        const start = Date.UTC(year!, 0, 1);
        assert.equal(ofYear, 1 + (Date.UTC(year!, month! - 1, day) - start) / 86_400_000);
      }
    }
  });

  it('says what Python lacks, and makes no environment unasked', async () => {
    const lacking = folder.path('lacking');
    writeFileSync(
      lacking,
      '#!/bin/sh\necho "ModuleNotFoundError: No module named \'torch\'" >&2; exit 1\n',
    );
    chmodSync(lacking, 0o755);
    const { code, stderr } = await asof([...given, '--python', lacking]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /import torch, transformers.*No module named 'torch'.*a folder to install/s,
    );
    const absent = await asof([...given, '--python', folder.path('nowhere')]);
    assert.equal(absent.code, 1);
    assert.match(absent.stderr, /nowhere.*ENOENT.*Training needs Python 3\.10/s);
    const environment = await asof(argv`
      ${given} --python ${lacking} --environment ${folder.path('env')}
    `);
    assert.equal(environment.code, 1);
    assert.match(environment.stderr, /-m venv .*env to run, it ended with status 1/);
  });

  it('makes an environment and installs what it lacks, once', async () => {
    const [log, environment] = [folder.path('calls'), folder.path('made')];
    const inside =
      '#!/bin/sh\necho "$*" >> "$COPY"\ncase "$2" in pip) touch "$0.torch" ;; esac\n' +
      'case "$1" in -c) test -e "$0.torch" ;; -m) ;; *) exit 3 ;; esac\n';
    writeFileSync(folder.path('inside'), inside);
    const maker = folder.path('maker');
    writeFileSync(
      maker,
      `#!/bin/sh\nmkdir -p "$3/bin" && cp '${folder.path('inside')}' "$3/bin/python" && chmod +x "$3/bin/python"\n`,
    );
    chmodSync(maker, 0o755);
    const args = [...given, '--python', maker, '--environment', environment];
    const first = await asof(args, { env: { COPY: log } });
    assert.match(first.stderr, /^asof: installing torch in .*made: some minutes\n.* status 3/s);
    assert.match((await asof(args, { env: { COPY: log } })).stderr, /^asof: Expected the training/);
    const calls = readFileSync(log, 'utf8').split('\n');
    assert.equal(calls.filter((each) => each.startsWith('-m pip install')).length, 1);
    assert.match(calls.join('\n'), /install --quiet torch transformers numpy onnx/);
  });

  it('refuses bad usage before any work', async () => {
    for (const [args, words] of [
      [['--rank', '-1'], /--rank must be/],
      [['--negatives', 'hard'], /--negatives must be of time, entity/],
      [['--seeds', '1,1'], /--seeds must be different/],
      [['--seeds', '1,2', '--seed', '3'], /takes the place of --seed/],
      [['--margin', '3'], /--margin must be/],
      [['--device', 'tpu'], /--device must be/],
    ] as const) {
      const { code, stderr } = await asof([...given, ...args]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, words);
    }
  });
});
