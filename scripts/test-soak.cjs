// `node scripts/test-soak.cjs [ROUNDS [FILE...]]`: runs every test file that has properties, slow
// ones too (or those named), under another random seed a round, ten rounds by default, with a
// thousand cases where a property doesn't say how many; then, unless files are named, a million
// operations of the store's simulation. ASOF_SEED is the first round's seed and ASOF_RUNS the number
// of cases. A round that fails is printed with the command that repeats it; the rest still run.
const { spawnSync, execFileSync } = require('node:child_process');
const { randomInt } = require('node:crypto');
const { readFileSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const [rounds = '10', ...named] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(rounds)) {
  console.error(`Expected a number of rounds, then test files, received '${rounds}'.`);
  process.exit(2);
}
const tests = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts', '*.slow.ts'],
  { cwd: root, encoding: 'utf8' },
);
const withProperties = tests
  .split('\n')
  .filter(
    (file) => file !== '' && /\bfc\.|ASOF_RUNS/.test(readFileSync(path.join(root, file), 'utf8')),
  );
const files = named.length > 0 ? named : withProperties;
const runs = process.env.ASOF_RUNS ?? '1000';

const failures = [];
let isSimulated = true;
for (let round = 0; round < Number(rounds); round += 1) {
  const seed =
    round === 0 && process.env.ASOF_SEED !== undefined
      ? process.env.ASOF_SEED
      : String(randomInt(2 ** 31));
  const mocha = [
    require.resolve('mocha/bin/mocha.js'),
    '--timeout',
    '1200000',
    '--reporter',
    'dot',
    ...files,
  ];
  const env = { ...process.env, ASOF_SEED: seed, ASOF_RUNS: runs };
  console.log(`Round ${round + 1} of ${rounds}: ASOF_SEED=${seed} ASOF_RUNS=${runs}`);
  if (spawnSync(process.execPath, mocha, { cwd: root, stdio: 'inherit', env }).status !== 0)
    failures.push(seed);
  if (named.length > 0) continue;
  // It prints itself how to repeat a failure.
  const simulation = ['--import', 'tsx', 'test/store/simulation/run.ts', '1000000', '--seed', seed];
  const { status } = spawnSync(process.execPath, simulation, { cwd: root, stdio: 'inherit' });
  isSimulated &&= status === 0;
}
for (const seed of failures)
  console.error(
    `Failed: ASOF_SEED=${seed} ASOF_RUNS=${runs} node scripts/test-soak.cjs 1 ${named.join(' ')}`.trimEnd(),
  );
process.exit(failures.length === 0 && isSimulated ? 0 : 1);
