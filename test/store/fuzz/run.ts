// `npm run fuzz:store -- [SECONDS [SEED [NUMBER]]]`: damages corpora and runs all operations on
// them in a child process (child.ts). Crashes, hangs and foreign errors are printed with the
// arguments that reproduce them.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeWhole } from './corpora.js';

const child = fileURLToPath(new URL('./child.ts', import.meta.url));
const patience = 60_000;

/** Runs the cases [from, to) in a child process; resolves with the next case and the findings. */
function runCases(
  folder: string,
  seed: number,
  from: number,
  to: number,
  until: number,
): Promise<{ next: number; found: string[] }> {
  return new Promise((resolve) => {
    const process_ = spawn(process.execPath, [
      '--import',
      'tsx',
      child,
      folder,
      String(seed),
      String(from),
      String(to),
    ]);
    let lines = '';
    let [errors, over, stuck] = ['', false, false];
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => ((stuck = true), process_.kill('SIGKILL')), patience);
    };
    wait();
    process_.stdout.on('data', (piece: Buffer) => {
      wait();
      lines += piece.toString();
      if (performance.now() > until && !over) {
        over = true;
        process_.kill('SIGKILL');
      }
    });
    process_.stderr.on(
      'data',
      (piece: Buffer) => void (errors = (errors + piece.toString()).slice(-4000)),
    );
    process_.on('exit', (code, signal) => {
      clearTimeout(timer);
      const number = Number(readFileSync(join(folder, 'at'), 'utf8'));
      const found: string[] = [];
      let current = '';
      for (const line of lines.split('\n')) {
        if (line.startsWith('CASE')) current = line;
        if (line.startsWith('FOUND') && !found.at(-1)?.startsWith(current))
          found.push(`${current}\n  ${line}`); // one a case is enough
      }
      const ended = code === 0 || over;
      if (!ended)
        found.push(
          `${current}\n  ${stuck ? 'never ended' : `ended the process: ${signal ?? code}`} ${errors.slice(-1500)}`,
        );
      resolve({ next: code === 0 ? to : number + 1, found });
    });
  });
}

const given = process.argv.slice(2).map(Number);
if (given.length > 3 || given.some((value) => !(value >= 0))) {
  console.error("Expected seconds, a seed and a case's number.");
  process.exit(2);
}
const [seconds = 60, seed = Date.now() % 1_000_000, only] = given;
const folder = mkdtempSync(join(tmpdir(), 'asof-fuzz-'));
const until = only === undefined ? performance.now() + seconds * 1000 : Infinity;
const all: string[] = [];
let number = only ?? 0;
try {
  await makeWhole(folder);
  const to = only === undefined ? 1e9 : only + 1;
  while (number < to && performance.now() < until) {
    const { next, found } = await runCases(folder, seed, number, to, until);
    for (const each of found) console.log(`${each}\n`);
    all.push(...found);
    number = next;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  `Cases to ${number} of seed ${seed}: ${all.length === 0 ? 'nothing found' : `${all.length} found`}`,
);
process.exitCode = all.length === 0 ? 0 : 1;
