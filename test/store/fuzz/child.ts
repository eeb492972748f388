// Runs all operations on damaged corpora: `child.ts FOLDER SEED FROM TO`. Only AsOfErrors and the
// results of the whole corpus may result; the parent (run.ts) detects crashes and hangs by the case
// printed last.
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AsOfError } from '../../../lib/errors.js';
import { Corpus } from '../../../lib/store/corpus.js';
import type { CorpusOptions } from '../../../lib/store/corpusOptions.js';
import { createSystem, systemNames } from '../../../lib/papers/registry.js';
import { encoder, fuzzPassages, storages } from './corpora.js';
import { damage, drawing, type Draw } from './damage.js';
import { needed } from '../../reranker.js';

const questions = [
  { text: 'Who opened the bridge before 1980?', askedAt: '2021-05-06' },
  {
    text: 'Which mayor was elected last in the city between 1990 and 2003?',
    askedAt: '2010-01-01',
  },
  { text: 'harbour tower rebuilt', askedAt: '2024-01-01' },
];

/**
 * What may come of a damaged corpus: results, or an error in asof's words that is not a fault of
 * asof's own.
 */
async function tolerated(what: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (AsOfError.is(error) && error.code !== 'ERR_INTERNAL') return;
    console.log(
      `FOUND ${what}: ${error instanceof Error ? error.stack : String(error)}`.replaceAll(
        '\n',
        ' | ',
      ),
    );
  }
}

const ids = ['p0', 'p30', 'p400', 'p750', 'none'];

/** Evidence of every system for every question, and records, by question. */
type Results = Map<string, string>;

/** What is asked of a corpus, each with its result as text. */
function* asked(corpus: Corpus): Generator<[what: string, ask: () => Promise<string>]> {
  for (const name of systemNames) {
    for (const question of questions) {
      const ask = async (): Promise<string> => {
        const { evidence } = await createSystem(name, { corpus, ...needed(name) }).run(question);
        return JSON.stringify(evidence.map(({ id, score }) => [id, score]));
      };
      yield [`${name}: ${question.text}`, ask];
    }
  }
  for (const id of ids) yield [`get ${id}`, () => Promise.resolve(JSON.stringify(corpus.get(id)))];
}

async function resultsOf(path: string): Promise<Results> {
  const corpus = await Corpus.open(path, { encoder, readOnly: true });
  const results: Results = new Map();
  for (const [what, ask] of asked(corpus))
    await tolerated(what, async () => void results.set(what, await ask())); // re3 has no encoder
  await corpus.close();
  return results;
}

async function askEverything(
  path: string,
  options: CorpusOptions,
  whole: Results,
  spoil: () => void,
): Promise<void> {
  let corpus: Corpus | undefined;
  await tolerated(
    'open',
    async () => void (corpus = await Corpus.open(path, { encoder, ...options })),
  );
  if (!corpus) return;
  const open = corpus;
  await tolerated('refresh', () => open.refresh());
  spoil();
  for (const [what, ask] of asked(open))
    await tolerated(what, async () => {
      const [result, right] = [await ask(), whole.get(what)];
      if (result !== right) throw new Error(`Expected ${right}, received ${result}.`);
    });
  await tolerated('info', () => open.info());
  await tolerated('verify', () => open.verify());
  if (!options.readOnly) {
    await tolerated('delete', () => open.delete(['p3', 'p710', 'p30']));
    await tolerated('add', () => open.add(fuzzPassages(0, 10, 99)));
    await tolerated('compact', () => open.compact());
    await tolerated('verify', () => open.verify());
  }
  await tolerated('close', () => open.close());
}

/**
 * One case: a copy of an intact corpus, damaged before or after it is opened, on which all
 * operations run.
 */
async function runCase(
  folder: string,
  seed: number,
  number: number,
  whole: (storage: string) => Promise<Results>,
): Promise<void> {
  const draw: Draw = drawing(seed, number);
  const storage = storages[draw(storages.length)]!;
  const path = join(folder, 'copy');
  rmSync(path, { recursive: true, force: true });
  cpSync(join(folder, `whole-${storage}`), path, { recursive: true });
  const later = draw(4) === 0;
  const said = (what: string): void =>
    console.log(`CASE ${number} ${storage}${later ? ' while open' : ''}: ${what}`);
  const spoil = (): void =>
    said(damage(path, join(folder, `whole-${storages[draw(storages.length)]!}`), draw));
  if (!later) spoil();
  const options = { readOnly: draw(2) === 0 };
  await askEverything(path, options, await whole(storage), later ? spoil : () => {});
  console.log(`DONE ${number}`);
}

const [folder, seed, from, to] = process.argv.slice(2) as [string, string, string, string];
const results = new Map<string, Promise<Results>>();
const whole = (storage: string): Promise<Results> => {
  const known = results.get(storage) ?? resultsOf(join(folder, `whole-${storage}`));
  results.set(storage, known);
  return known;
};
for (let number = Number(from); number < Number(to); number += 1) {
  writeFileSync(join(folder, 'at'), String(number));
  await runCase(folder, Number(seed), number, whole);
}
