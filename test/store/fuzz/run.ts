// `node --import tsx test/store/fuzz/run.ts [SECONDS [SEED]]`: damages and forges corpora and runs
// all operations on them in a child process (child.ts), for a minute by default, going on from
// damage like that which was kept (test/fuzz/inputs.ts). What crashes, hangs or ends with foreign
// errors is written to a file. `-- FILE ...` runs it again.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  fuzzArguments,
  type Input,
  KeptInputs,
  keptFolder,
  readInput,
  writeFound,
} from '../../fuzz/inputs.js';
import { makeWhole } from './corpora.js';

const child = fileURLToPath(new URL('./child.ts', import.meta.url));
const patience = 60_000;

interface Case {
  input: Input;
  what: string;
  found: string[];
}

/** Runs cases in a child process until it ends; `next` says what comes after each. */
function runCases(
  folder: string,
  next: () => Input | undefined,
  done: (input: Input, draws: number, reached: string[]) => void,
): Promise<Case | undefined> {
  return new Promise((resolve) => {
    const process_ = spawn(process.execPath, ['--import', 'tsx', child, folder]);
    let [rest, errors, stuck] = ['', '', false];
    let current: Case | undefined;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => ((stuck = true), process_.kill('SIGKILL')), patience);
    };
    const go = (): void => {
      const input = next();
      current = input && { input, what: '', found: [] };
      if (input) process_.stdin.write(`${JSON.stringify(input)}\n`);
      else process_.stdin.end();
    };
    process_.stdin.on('error', () => {}); // it has crashed, which its exit says
    process_.stdout.on('data', (piece: Buffer) => {
      wait();
      const lines = (rest + piece.toString()).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (line.startsWith('CASE')) current!.what = line.slice(5);
        if (line.startsWith('FOUND')) current!.found.push(line);
        if (!line.startsWith('DONE')) continue;
        if (current!.found.length > 0) report(current!);
        const { draws, reached } = JSON.parse(line.slice(5)) as {
          draws: number;
          reached: string[];
        };
        done(current!.input, draws, reached);
        go();
      }
    });
    process_.stderr.on(
      'data',
      (piece: Buffer) => void (errors = (errors + piece.toString()).slice(-4000)),
    );
    process_.on('exit', (code, signal) => {
      clearTimeout(timer);
      if (current)
        current.found.push(
          stuck ? 'never ended' : `ended the process: ${signal ?? code} ${errors.slice(-1500)}`,
        );
      resolve(current);
    });
    wait();
    go();
  });
}

let found = 0;
function report({ input, what, found: all }: Case): void {
  found += 1;
  console.log(`${what || JSON.stringify(input)}\n  ${all[0]!}`); // one a case is enough
  if (files.length === 0) writeFound('store', 'node --import tsx test/store/fuzz/run.ts', input);
}

const files = process.argv.slice(2).filter((each) => each.endsWith('.json'));
const { seconds, seed } = fuzzArguments(files.length > 0 ? [] : process.argv.slice(2));
const again = files.map(readInput);
const folder = mkdtempSync(join(tmpdir(), 'asof-fuzz-'));
const kept = new KeptInputs(keptFolder('store'));
let number = 0;
try {
  console.log(`fuzz:store, seed ${seed}, ${kept.atFirst} inputs kept before`);
  await makeWhole(folder);
  const until = performance.now() + seconds * 1000;
  const goesOn = (): boolean => (files.length > 0 ? again.length > 0 : performance.now() < until);
  while (goesOn()) {
    const crashed = await runCases(
      folder,
      () => {
        if (!goesOn()) return undefined;
        number += 1;
        return again.shift() ?? kept.next(seed, number);
      },
      (input, draws, reached) => void (files.length > 0 || kept.offer(input, draws, reached)),
    );
    if (crashed) report(crashed);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  `${number} cases of seed ${seed}, ${kept.length} inputs kept: ${found === 0 ? 'nothing found' : `${found} found`}`,
);
process.exitCode = found === 0 ? 0 : 1;
