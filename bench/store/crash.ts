// Kills an indexing process at random moments, again and again on one corpus, and looks at what is
// left each time: the corpus opens, verifies, and holds every passage whose batch was acknowledged.
// `npm run crash -- 100` runs a hundred rounds.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Corpus } from '../../lib/store/corpus.js';
import { filesOf } from '../../lib/store/format/manifest.js';
import { crashEncoder, crashPassage, kept } from './crashChild.js';

export interface CrashFigures {
  rounds: number;
  /** Rounds in which the child was killed while it worked (the others it had ended before). */
  killed: number;
  /** Operations that the children said were done, and passages that they said were added. */
  acknowledged: number;
  passages: number;
  /**
   * Passages found that no acknowledgement had named: a batch was committed, and its child killed
   * before it could say so.
   */
  unacknowledged: number;
  /** Files of segments that a crash left, removed by the next writer. */
  orphans: number;
  /** Rounds in which the corpus had not been made yet when the child died. */
  unmade: number;
}

/** The longest a child works before it is killed; short lives are likelier. */
const longestMilliseconds = 1000;

/**
 * Runs the rounds; throws where anything acknowledged is missing or the corpus does not open or
 * verify.
 */
export async function crashRounds(
  rounds: number,
  log: (line: string) => void = () => {},
): Promise<CrashFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'asof-crash-'));
  const figures: CrashFigures = {
    rounds,
    killed: 0,
    acknowledged: 0,
    passages: 0,
    unacknowledged: 0,
    orphans: 0,
    unmade: 0,
  };
  /** The last version of each passage that was acknowledged; null where its deletion was. */
  const acknowledged = new Map<number, number | null>();
  let path = join(folder, 'corpus-0');
  try {
    for (let round = 0; round < rounds; round += 1) {
      if (round % 10 === 0) {
        // A new corpus now and then, so that its making is interrupted too.
        path = join(folder, `corpus-${round}`);
        acknowledged.clear();
      }
      const said = await killedChild(path, round);
      if (said.killed) figures.killed += 1;
      figures.acknowledged += said.lines.length;
      const attempted = apply(said.lines, acknowledged, figures);
      const before = existsSync(join(path, 'segments'))
        ? readdirSync(join(path, 'segments')).length
        : 0;
      if (!existsSync(join(path, 'manifest'))) figures.unmade += 1;
      const corpus = await Corpus.open(path, { encoder: crashEncoder });
      await corpus.verify();
      figures.unacknowledged += check(corpus, acknowledged, attempted);
      await corpus.delete(['no such passage']); // takes the lock, and with it removes orphans
      const after = readdirSync(join(path, 'segments')).sort();
      figures.orphans += Math.max(0, before - after.length);
      using snapshot = corpus.snapshot();
      const named = filesOf(snapshot.manifest).sort();
      if (after.join() !== named.join())
        throw new Error(`${after.join(', ')} in place of ${named.join(', ')}`);
      log(
        `round ${round + 1}: ${said.killed ? 'killed' : 'ended'} after ${said.milliseconds} ms, ${said.lines.length} operations acknowledged, ` +
          `${corpus.info().passages} passages`,
      );
      await corpus.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

interface WriterOutput {
  lines: string[];
  killed: boolean;
  milliseconds: number;
}

/**
 * Starts the child and kills it at a random moment after it began to work; gives the lines that it
 * said until then.
 */
async function killedChild(path: string, round: number): Promise<WriterOutput> {
  const script = fileURLToPath(new URL('./crashChild.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, path, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  let milliseconds = 0;
  let timer: NodeJS.Timeout | undefined;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    if (timer || !text.includes('ready\n')) return;
    milliseconds = Math.floor(Math.random() ** 2 * longestMilliseconds);
    timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  });
  const signal = await new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, by) =>
      by || code === 0 ? resolve(by) : reject(new Error(`the child ended with ${code}`)),
    );
  });
  clearTimeout(timer);
  // What follows the last line feed was not said in full.
  return {
    lines: text
      .split('\n')
      .slice(0, -1)
      .filter((line) => line !== 'ready'),
    killed: signal === 'SIGKILL',
    milliseconds,
  };
}

/**
 * Enters acknowledged operations; gives the passages that the one after them may have changed, or
 * not.
 */
function apply(
  lines: readonly string[],
  acknowledged: Map<number, number | null>,
  figures: CrashFigures,
): Map<number, number | null> {
  let attempted = new Map<number, number | null>();
  for (const line of lines) {
    const [kind, operation, from, to, version] = line.split(' ') as [
      string,
      string,
      string,
      string,
      string,
    ];
    const changes = new Map<number, number | null>();
    for (let i = Number(from); i < Number(to); i += 1) {
      changes.set(
        i,
        operation === 'add'
          ? Number(version)
          : operation === 'delete'
            ? null
            : (acknowledged.get(i) ?? null),
      );
    }
    if (kind === 'begin') {
      attempted = changes;
      figures.acknowledged -= 1;
      continue;
    }
    for (const [i, state] of changes) acknowledged.set(i, state);
    if (operation === 'add') figures.passages += changes.size;
    attempted = new Map();
  }
  return attempted;
}

/**
 * Compares the corpus with what was acknowledged; gives how many passages the last, unacknowledged
 * operation had changed.
 */
function check(
  corpus: Corpus,
  acknowledged: Map<number, number | null>,
  attempted: Map<number, number | null>,
): number {
  const expectedIds = new Set<string>();
  let done = 0;
  for (const i of new Set([...acknowledged.keys(), ...attempted.keys()])) {
    const stored = corpus.get(crashPassage(i, 0).id);
    const state = stored ? kept(stored) : null;
    const before = acknowledged.get(i) ?? null;
    if (attempted.has(i) && state === attempted.get(i) && state !== before) done += 1;
    else if (state !== before)
      throw new Error(`passage ${i} is ${state}, acknowledged was ${before}`);
    if (state !== null) expectedIds.add(crashPassage(i, 0).id);
  }
  // The unacknowledged operation happened in full or not at all.
  const changed = [...attempted].filter(
    ([i, state]) => (acknowledged.get(i) ?? null) !== state,
  ).length;
  if (done !== 0 && done !== changed)
    throw new Error(`${done} of ${changed} changes of one batch are visible`);
  if (corpus.info().passages !== expectedIds.size)
    throw new Error(`${corpus.info().passages} passages instead of ${expectedIds.size}`);
  for (const [i, state] of attempted)
    acknowledged.set(i, done > 0 ? state : (acknowledged.get(i) ?? null));
  return done;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rounds = Number(process.argv[2] ?? 100);
  const started = performance.now();
  const figures = await crashRounds(rounds, (line) => console.error(line));
  console.log(
    JSON.stringify(
      { ...figures, lost: 0, seconds: Math.round((performance.now() - started) / 1000) },
      null,
      2,
    ),
  );
}
