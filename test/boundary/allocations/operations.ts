// What is run while its allocations fail: every export of the addon and every method of its
// classes, by the good calls of calls.ts, and operations of a corpus, which call the addon with
// what a corpus has.
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isExternal, isTypedArray } from 'node:util/types';
import { binding } from '../../../lib/binding.js';
import { bm25, hybrid, searchVectors, timeline } from '../../../lib/index.js';
import { createSystem } from '../../../lib/papers/index.js';
import { Corpus } from '../../../lib/store/corpus.js';
import { tagTimes } from '../../../lib/time/index.js';
import { folder, goodCalls } from '../calls.js';
import { readPassages } from '../facts.js';
import type { LexiconHandle } from '../../../binding.js';

export interface Operation {
  name: string;
  /** What a call needs, made while no allocation fails; and whether it can be called again. */
  prepare: () => Promise<Attempt> | Attempt;
}

export interface Attempt {
  run: () => unknown;
  /** The result as far as it can be compared; by default what the call returned. */
  after?: () => unknown;
  /** A call that failed has left its arguments as they were. */
  repeatable?: boolean;
  end?: () => unknown;
}

/** Calls that write a file, which its caller removes where they fail. */
const filling = new Set(['writeSegment', 'writeMerge', 'writeFusedVectors']);
/** Switches of this process, of which a failed call would be another test. */
const omitted = new Set(['setErrorClass', 'watchAllocations', 'watchedAllocations']);

/** What a lexicon makes of passages: numbers of words, and which of its texts are their terms. */
function readingsOf(lexicon: LexiconHandle): unknown {
  const read = readPassages(lexicon);
  return [read.map((each) => binding.passageColumns(each)), binding.vocabularyOf(lexicon, read)];
}

export async function operations(): Promise<Operation[]> {
  return [...(await exportsOfAddon()), ...(await methods()), ...(await ofCorpora())];
}

async function exportsOfAddon(): Promise<Operation[]> {
  const calls = Object.entries(await goodCalls()).filter(([name]) => !omitted.has(name));
  return calls.map(([name, call]) => ({
    name,
    prepare: () => {
      const exported = (binding as unknown as Record<string, any>)[name];
      const args = call.args();
      if (name === 'runTraining') args[1] = 1; // steps, of which a failed call keeps whole ones
      return {
        run: () => (call.constructs ? new exported(...args) : exported(...args)),
        ...(filling.has(name)
          ? { after: () => readFileSync((args[0] as { path: string }).path) }
          : { repeatable: true }),
        ...(name === 'readPassages' ? { after: () => readingsOf(args[0] as LexiconHandle) } : {}),
      };
    },
  }));
}

const passages = Array.from({ length: 40 }, (_, i) => ({
  id: `k${i}`,
  text:
    `The mayor of town${i % 7} took office on ${1 + (i % 28)} May ${1950 + i}. ` +
    `The bridge opened ${i % 3} years later.`.repeat(i % 4),
  title: `Town ${i % 7}`,
  publishedAt: 1e12 + i * 1e8,
  metadata: { kind: `w${i % 3}`, count: i },
  ...(i % 9 === 3 ? { validFrom: `${1800 + i}` } : {}),
}));
const added = [
  { id: 'k3', text: 'Changed in 1999.' },
  { id: 'new', text: 'New.' },
];
const question = { text: 'Who was mayor of town5 in May 1950?', askedAt: '2019-01-01' };
const fields = { kind: 'keyword', count: 'number' } as const;

async function methods(): Promise<Operation[]> {
  const path = join(folder, 'whole');
  const corpus = await Corpus.open(path, { fields });
  await corpus.add(passages);
  await corpus.delete(['k7', 'k8']);
  await corpus.close();
  const file = readdirSync(join(path, 'segments')).find((name) => name.endsWith('.seg'))!;
  const segment = binding.Segment.open(join(path, 'segments', file));
  const of = (name: string, run: () => unknown): Operation => ({
    name: `Segment.${name}`,
    prepare: () => ({ run, repeatable: true }),
  });
  return [
    of('open', () => binding.Segment.open(segment.path)),
    of('sections', () => segment.sections()),
    of('read', () => segment.read('vectors.f32')),
    of('readEach', () => segment.readEach('vectors.f32', Uint32Array.of(0, 8, 64, 99, 1, 1))),
    of('verify', () => segment.verify()),
    of('verifyStructure', () => segment.verifyStructure()),
  ];
}

async function ofCorpora(): Promise<Operation[]> {
  const whole = join(folder, 'whole');
  const copy = join(folder, 'copy');
  const opened = await Corpus.open(whole, { readOnly: true });
  const ids = passages.map(({ id }) => id);
  const reading = (name: string, run: () => unknown): Operation => ({
    name,
    prepare: () => ({ run, repeatable: true }),
  });
  const evidence = async (system: { run(of: object): Promise<{ evidence: unknown[] }> }) =>
    (await system.run({ ...question, k: 9 })).evidence;
  const vector = Float32Array.from({ length: 256 }, (_, i) => Math.sin(i));
  const writing = (name: string, run: (corpus: Corpus) => unknown): Operation => ({
    name,
    prepare: async () => {
      rmSync(copy, { recursive: true, force: true });
      cpSync(whole, copy, { recursive: true });
      const corpus = await Corpus.open(copy);
      return {
        run: () => run(corpus),
        after: async () => [corpus.getMany([...ids, 'new']), await corpus.verify()],
        repeatable: true,
        end: () => corpus.close(),
      };
    },
  });
  return [
    reading('Corpus.open', async () => (await Corpus.open(whole, { readOnly: true })).close()),
    reading('corpus.getMany', () => opened.getMany(ids)),
    reading('corpus.count', () => opened.count({ where: { count: { gte: 9 } } })),
    reading('corpus.verify', () => opened.verify()),
    reading('bm25', () => evidence(bm25({ corpus: opened }))),
    reading('hybrid', () => evidence(hybrid({ corpus: opened }))),
    reading('tempralm', () => evidence(createSystem('tempralm', { corpus: opened }))),
    reading('timeline', () => timeline(opened, question)),
    reading('searchVectors', () => searchVectors(opened, vector, 5)),
    reading('tagTimes of texts', () => tagTimes(passages.map(({ text }) => text))),
    writing('corpus.add', (corpus) => corpus.add(added)),
    writing('corpus.delete', (corpus) => corpus.delete(['k5', 'k6'])),
    writing('corpus.compact', (corpus) => corpus.compact()),
  ];
}

/** A result without what no two calls share: handles, and objects of the addon's classes. */
export function comparable(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || isTypedArray(value)) return value;
  if (isExternal(value)) return 'a handle';
  if (Array.isArray(value)) return value.map(comparable);
  const entries = Object.entries(value).map(([name, each]) => [name, comparable(each)] as const);
  return Object.fromEntries(entries);
}
