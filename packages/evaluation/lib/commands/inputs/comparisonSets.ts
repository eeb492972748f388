// Test collections of `asof compare`: folders whose corpora are indexed once.
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { AsOfError } from 'asof';
import { sampleQueries } from '../../comparison/summaries.js';
import type { CollectionQuery, TestCollection } from '../../comparison/testCollection.js';
import { beirPassage } from '@asof/documents';
import { beirQrels, readBeir } from '../../files/beir.js';
import { readJudgements } from '../../files/judgements.js';
import { readQrels } from '../../files/trec.js';
import type { AuxiliaryJudgements } from '../../measures/metricInput.js';
import { readFacts } from '../../measures/versions.js';
import { setForm } from '../options/collectionForm.js';
import { digestOf, indexed, type KeepOptions } from './indexedCorpus.js';
import { readQueries } from '../../files/queries.js';
import { namesTempo, tempoSets } from './tempoSets.js';

export interface SetOptions extends KeepOptions {
  /** Fields of questions that results are grouped by, in addition to `groupFields`. */
  groupBy: readonly string[];
  /** Number of questions sampled from each set. */
  sample: number | undefined;
  seed: number;
}

/**
 * The test collections in folders.
 * @throws AsOfError ERR_NOT_FOUND, ERR_INVALID_INPUT for a missing file and for invalid lines.
 */
export async function openSets(
  folders: readonly string[],
  options: SetOptions,
): Promise<TestCollection[]> {
  const sets: TestCollection[] = [];
  for (const named of folders) sets.push(...(await setsOf(named, options)));
  return sets;
}

async function setsOf(named: string, options: SetOptions): Promise<TestCollection[]> {
  const [, folder, only] = /^(.*?)(?::(queries[\w.-]*?)(?:\.jsonl)?)?$/s.exec(named) as unknown as [
    string,
    string,
    string | undefined,
  ];
  if (await namesTempo(named)) return tempoSets(named, options);
  const files = await readdir(folder).catch((cause: unknown) => {
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a folder of a set at ${folder}, found none. Expected there: ${setForm}.`,
      { cause, details: { folder } },
    );
  });
  if (files.includes('corpus.jsonl') && !files.includes('passages.jsonl'))
    return [await beirSet(folder, options)];
  for (const needed of ['passages.jsonl', 'qrels.tsv']) {
    if (!files.includes(needed))
      throw lacks(
        folder,
        needed,
        needed === 'qrels.tsv' ? 'A comparison needs relevance judgements. ' : '',
      );
  }
  const all = files.filter((file) => /^queries[\w-]*\.jsonl$/.test(file)).sort();
  const chosen = all.filter((file) => only === undefined || file === `${only}.jsonl`);
  const others = only === undefined ? '' : `It has ${all.join(', ') || 'no questions'}. `;
  if (chosen.length === 0) throw lacks(folder, `${only ?? 'queries'}.jsonl`, others);
  return Promise.all(chosen.map((file) => setOf(folder, file, files, options)));
}

function lacks(folder: string, file: string, why: string): AsOfError {
  const message = `Expected ${file} in the set ${folder}, found none. ${why}A set's folder has ${setForm}.`;
  return new AsOfError('ERR_NOT_FOUND', message, { details: { folder, file } });
}

async function setOf(
  folder: string,
  file: string,
  files: readonly string[],
  options: SetOptions,
): Promise<TestCollection> {
  const { signal, sample, seed } = options;
  const title = basename(resolve(folder));
  const part = file.slice('queries'.length, -'.jsonl'.length).replace(/^-/, '');
  const name = part === '' ? title : `${title} ${part}`;
  const facts = part === '' ? 'facts.tsv' : `facts-${part}.tsv`;
  const read = [
    'passages.jsonl',
    file,
    'qrels.tsv',
    'outdated.tsv',
    'future.tsv',
    facts,
    'judgements.jsonl',
  ].filter((each) => files.includes(each));
  const queries = withGroups(
    await readQueries(join(folder, file), { signal }),
    await groupsOf(join(folder, file), options.groupBy),
  );
  const passages = await digestOf([join(folder, 'passages.jsonl')]);
  return {
    name,
    queries: sample === undefined ? queries : sampleQueries(queries, sample, seed, name),
    queriesInSet: queries.length,
    qrels: await readQrels(join(folder, 'qrels.tsv'), { signal }),
    judgements: await judgementsOf(folder, read, facts, signal),
    sha256: await digestOf(read.map((each) => join(folder, each))),
    corpus: passages,
    open: () =>
      indexed(join(folder, 'passages.jsonl'), `${title}-${passages.slice(0, 12)}`, options),
  };
}

/** The test split of a BEIR folder: its judged questions. */
async function beirSet(folder: string, options: SetOptions): Promise<TestCollection> {
  const { signal, sample, seed } = options;
  const name = basename(resolve(folder));
  const { queries: all, qrels } = await readBeir(folder, { signal });
  const queries = withGroups(
    all.filter(({ id }) => qrels.has(id)),
    await groupsOf(join(folder, 'queries.jsonl'), options.groupBy),
  );
  const corpus = join(folder, 'corpus.jsonl');
  const passages = await digestOf([corpus]);
  return {
    name,
    queries: sample === undefined ? queries : sampleQueries(queries, sample, seed, name),
    queriesInSet: queries.length,
    qrels,
    sha256: await digestOf([corpus, join(folder, 'queries.jsonl'), await beirQrels(folder)]),
    corpus: passages,
    open: () => indexed(corpus, `${name}-${passages.slice(0, 12)}`, options, beirPassage),
  };
}

/** Judgements of versions and of time in the folder, if any. */
async function judgementsOf(
  folder: string,
  files: readonly string[],
  facts: string,
  signal: AbortSignal,
): Promise<AuxiliaryJudgements> {
  const has = (file: string): boolean => files.includes(file);
  const versions = has('outdated.tsv') && {
    outdated: await readQrels(join(folder, 'outdated.tsv'), { signal }),
    ...(has('future.tsv')
      ? { future: await readQrels(join(folder, 'future.tsv'), { signal }) }
      : {}),
    ...(has(facts) ? { facts: await readFacts(join(folder, facts), { signal }) } : {}),
  };
  return {
    ...(versions ? { versions } : {}),
    ...(has('judgements.jsonl')
      ? { temporal: await readJudgements(join(folder, 'judgements.jsonl'), { signal }) }
      : {}),
  };
}

/** Fields of a question or its metadata, of one value or several, that results are grouped by. */
const groupFields = ['class', 'domain'];

async function groupsOf(
  path: string,
  more: readonly string[],
): Promise<Map<string, Record<string, string[]>>> {
  const lines = (await readFile(path, 'utf8'))
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return new Map(
    lines.map((line) => {
      // readQueries() has checked every line.
      const record = JSON.parse(line) as Record<string, unknown>;
      const metadata = (record['metadata'] ?? {}) as Record<string, unknown>;
      const values = [...groupFields, ...more].flatMap((by): [string, string[]][] => {
        const texts = [record[by] ?? metadata[by]]
          .flat()
          .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
          .map(String);
        return texts.length === 0 ? [] : [[by, texts]];
      });
      return [String(record['id'] ?? record['_id']), Object.fromEntries(values)];
    }),
  );
}

function withGroups(
  queries: Awaited<ReturnType<typeof readQueries>>,
  groups: Awaited<ReturnType<typeof groupsOf>>,
): CollectionQuery[] {
  return queries.map((query) => ({ ...query, groups: groups.get(query.id) ?? {} }));
}
