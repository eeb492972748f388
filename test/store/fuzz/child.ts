// Runs all operations on damaged corpora: `child.ts FOLDER`, which reads inputs, a line each. Only
// AsOfErrors and the results of the whole corpus may result, of a forged one any results; the
// parent (run.ts) detects crashes and hangs by the case that it sent last.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AsOfError } from '../../../lib/errors.js';
import { Corpus } from '../../../lib/store/corpus.js';
import type { CorpusOptions } from '../../../lib/store/corpusOptions.js';
import { createSystem, systemNames } from '../../../lib/papers/registry.js';
import { encoder, fuzzPassages, storages } from './corpora.js';
import { type Input, redrawn } from '../../fuzz/inputs.js';
import { damage, type Draw, drawing } from './damage.js';
import { forge } from './forge.js';
import { needed } from '../../reranker.js';

const questions = [
  { text: 'Who opened the bridge before 1980?', askedAt: '2021-05-06' },
  {
    text: 'Which mayor was elected last in the city between 1990 and 2003?',
    askedAt: '2010-01-01',
  },
  { text: 'harbour tower rebuilt', askedAt: '2024-01-01' },
];

/** What has come of the calls of a case. */
const outcomes = new Set<string>();

/** A message without its numbers, names and paths. */
const shapeOf = (message: string): string =>
  message
    .replace(/[\w.-]*\/[\w./-]+|"[^"]*"|'[^']*'/g, 'NAME')
    .replace(/\b(?=\w*\d)\w+/g, '0')
    .slice(0, 100);

/**
 * What may come of a damaged corpus: results, or an error in asof's words that is not a fault of
 * asof's own.
 */
async function tolerated(what: string, work: () => unknown): Promise<void> {
  try {
    await work();
    outcomes.add(`${what.split(':')[0]!}: result`);
  } catch (error) {
    if (AsOfError.is(error) && error.code !== 'ERR_INTERNAL') {
      outcomes.add(`${error.code} ${shapeOf(error.message)}`);
      return;
    }
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
  spoil: () => Promise<void>,
  forged: boolean,
): Promise<void> {
  let corpus: Corpus | undefined;
  await tolerated(
    'open',
    async () => void (corpus = await Corpus.open(path, { encoder, ...options })),
  );
  if (!corpus) return;
  const open = corpus;
  await tolerated('refresh', () => open.refresh());
  await spoil();
  for (const [what, ask] of asked(open))
    await tolerated(what, async () => {
      const [result, right] = [await ask(), whole.get(what)];
      if (result !== right && !forged) throw new Error(`Expected ${right}, received ${result}.`);
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
  input: Input,
  whole: (storage: string) => Promise<Results>,
): Promise<{ draws: number; reached: string[] }> {
  let draws = 0;
  const own = drawing(input.seed, input.number);
  const next = redrawn(() => own(2 ** 32) / 2 ** 32, input);
  const draw: Draw = (limit) => ((draws += 1), Math.floor(next() * limit));
  const storage = storages[draw(storages.length)]!;
  const path = join(folder, 'copy');
  rmSync(path, { recursive: true, force: true });
  cpSync(join(folder, `whole-${storage}`), path, { recursive: true });
  writeFileSync(join(folder, beside), beside);
  const later = draw(4) === 0;
  const [forged, options] = [draw(3) === 0, { readOnly: draw(2) === 0 }];
  const kind = `${forged ? 'forged' : 'damaged'}${later ? ' while open' : ''}`;
  let what = '';
  const spoil = async (): Promise<void> => {
    const other = join(folder, `whole-${storages[draw(storages.length)]!}`);
    what = await (forged ? forge(path, draw) : damage(path, other, draw));
    console.log(`CASE ${kind} ${storage}: ${what}`);
  };
  outcomes.clear();
  if (!later) await spoil();
  const right = await whole(storage);
  await askEverything(path, options, right, later ? spoil : async () => {}, forged);
  if (readFileSync(join(folder, beside), 'utf8') !== beside)
    console.log('FOUND a file beside the corpus was changed');
  const place = what
    .replaceAll(/segments\/[^ ]*\./g, '')
    .replaceAll(/\d+/g, '0')
    .slice(0, 60);
  return { draws, reached: [...outcomes].map((each) => `${kind} ${place}: ${each}`) };
}

/** A file that is none of the corpus's. */
const beside = 'beside';

const folder = process.argv[2]!;
const results = new Map<string, Promise<Results>>();
const whole = (storage: string): Promise<Results> => {
  const known = results.get(storage) ?? resultsOf(join(folder, `whole-${storage}`));
  results.set(storage, known);
  return known;
};
for await (const line of createInterface({ input: process.stdin }))
  console.log(`DONE ${JSON.stringify(await runCase(folder, JSON.parse(line) as Input, whole))}`);
