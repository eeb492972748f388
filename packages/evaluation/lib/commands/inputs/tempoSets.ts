// TEMPO's domains as corpora and as test collections of `asof compare`.
import { readdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { sampleQueries } from '../../comparison/summaries.js';
import type { CollectionQuery, TestCollection } from '../../comparison/testCollection.js';
import type { TempoDomain } from '../../tempo/data.js';
import { breakdownClass } from '../../tempo/names.js';
import { readTempo } from '../../tempo/read.js';
import type { Corpus } from 'asof';
import { digestOf, indexedOf, type KeepOptions } from './indexedCorpus.js';

/** Whether an argument names a folder with TEMPO's data, or FOLDER:DOMAIN. */
export async function namesTempo(named: string): Promise<boolean> {
  const parts = async (folder: string): Promise<boolean> => {
    const entries: string[] = await readdir(folder).catch(() => []);
    return entries.includes('examples') && entries.includes('documents');
  };
  return (await parts(named)) || (/:[\w-]+$/.test(named) && parts(named.replace(/:[\w-]+$/, '')));
}

export interface TempoSetOptions extends KeepOptions {
  sample: number | undefined;
  seed: number;
}

/**
 * A test collection for each domain of a folder.
 * @throws the errors of `readTempo`.
 */
export async function tempoSets(
  named: string,
  options: TempoSetOptions,
): Promise<TestCollection[]> {
  const { signal, sample, seed } = options;
  const only = (await readdir(named).catch(() => undefined))
    ? undefined
    : /:([\w-]+)$/.exec(named)![1]!;
  const folder = only === undefined ? named : named.slice(0, -only.length - 1);
  const { domains } = await readTempo(folder, {
    signal,
    ...(only === undefined ? {} : { domains: [only] }),
  });
  return Promise.all(
    domains.map(async (domain): Promise<TestCollection> => {
      const name = `${basename(resolve(folder))} ${domain.name}`;
      const queries = domain.queries.map(
        ({ id, text, answers, excluded, annotation }): CollectionQuery => ({
          id,
          text,
          answers,
          excluded,
          groups: { class: [breakdownClass(annotation?.primaryClass)], domain: [domain.name] },
        }),
      );
      return {
        name,
        queries: sample === undefined ? queries : sampleQueries(queries, sample, seed, name),
        queriesInSet: queries.length,
        qrels: new Map(
          domain.queries.map(({ id, relevant }) => [
            id,
            new Map(relevant.map((each) => [each, 1])),
          ]),
        ),
        sha256: await digestOf(domain.files),
        open: () => tempoCorpus(domain, options),
      };
    }),
  );
}

/** The corpus of a domain. */
export async function tempoCorpus(domain: TempoDomain, options: KeepOptions): Promise<Corpus> {
  const digest = await digestOf(domain.files.filter((file) => /documents/.test(file)));
  return indexedOf(`tempo-${domain.name}-${digest.slice(0, 12)}`, options, () =>
    domain.documents({ signal: options.signal }),
  );
}
