// Reader of TEMPO's data from a folder: domains with queries, steps and annotations, checked for
// consistency; documents are streamed.
import { AsOfError, type Passage } from 'asof';
import {
  excerpt,
  invalidLine,
  mustBe,
  stringField,
  throwIfAborted,
  type LineLocation,
} from 'asof/kit';
import type { TempoData, TempoDomain, TempoQuery } from './data.js';
import { checkQuery, readExamples, readRewordedQueries } from './examples.js';
import {
  missingPart,
  tempoFolder,
  tempoParts,
  type TempoFolder,
  type TempoSplit,
} from './folder.js';
import { forEachRow, idField, readRows } from './rows.js';
import { readQueryRows, stepsByQuery } from './steps.js';

export interface ReadTempoOptions {
  /**
   * Domains to read, which may be your own. Default: all of the folder, which must be TEMPO's.
   */
  domains?: readonly string[] | undefined;
  /**
   * Split of a folder that has several, as RETECO's (`examples_dev.jsonl`). Queries of the split
   * test need no gold documents, and keep their steps without. Default: all splits.
   */
  split?: TempoSplit | undefined;
  /** Part of the folder with reworded queries, such as gpt4o_reason. Default: original queries. */
  reasoning?: string | undefined;
  /**
   * Reads the ids of all documents and rejects unknown gold ids. Default true; documents in JSON
   * lines are read completely.
   */
  checkDocuments?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Reads a folder of TEMPO's data, as published (parquet needs hyparquet) or in JSON lines. Errors:
 * ERR_NOT_FOUND for a missing folder, domain, split or part; ERR_NATIVE_UNAVAILABLE without
 * hyparquet; ERR_INVALID_INPUT by file and row for malformed files, missing columns, duplicate ids,
 * gold or excluded ids without a document, documents both gold and excluded, and steps without a
 * query; ERR_ABORTED.
 * @example const { domains } = await readTempo('Tempo', { domains: ['law', 'travel'] });
 */
export async function readTempo(path: string, options: ReadTempoOptions = {}): Promise<TempoData> {
  mustBe('an object', { options });
  throwIfAborted(options.signal);
  const folder = await tempoFolder(path, options.domains, options.split);
  const reasonings = folder.parts.filter(
    (part) => !(tempoParts as readonly string[]).includes(part),
  );
  if (options.reasoning !== undefined && !reasonings.includes(options.reasoning)) {
    const found = reasonings.length === 0 ? 'none' : reasonings.join(', ');
    const message = `Expected reworded queries ${JSON.stringify(options.reasoning)} in ${path}, found ${found}. Name an existing part.`;
    throw new AsOfError('ERR_NOT_FOUND', message, { details: { folder: path } });
  }
  const domains: TempoDomain[] = [];
  for (const name of folder.domains) domains.push(await readDomain(folder, name, options));
  return { folder: folder.path, domains, reasonings };
}

async function readDomain(
  folder: TempoFolder,
  name: string,
  options: ReadTempoOptions,
): Promise<TempoDomain> {
  const { reasoning, signal } = options;
  const test = options.split === 'test';
  const examples = await readExamples(folder, name, { signal, unjudged: test });
  const rowsByQuery = await readQueryRows(folder, name, signal);
  const reworded =
    reasoning === undefined
      ? undefined
      : await readRewordedQueries(folder, name, reasoning, examples, signal);
  const unjudged = test && [...examples.values()].every(({ query }) => query.relevant.length === 0);
  const { steps, without } = stepsByQuery(rowsByQuery, examples, unjudged);
  const queries = [...examples.values()].map(({ query }): TempoQuery => {
    const { annotation, passages = [], excluded = [] } = rowsByQuery.get(query.id) ?? {};
    return {
      ...query,
      text: reworded?.get(query.id) ?? query.text,
      excluded: [...new Set([...query.excluded, ...excluded])],
      ...(annotation ? { annotation } : {}),
      passageAnnotations: passages,
      steps: steps.get(query.id) ?? [],
    };
  });
  const corpus = folder.files('documents', name);
  if (corpus.length === 0) throw missingPart(folder, 'documents', name);
  const parts = ['examples', 'steps', 'guidance', ...(reasoning === undefined ? [] : [reasoning])];
  const files = [...corpus, ...parts.flatMap((part) => folder.files(part, name))];
  const ids = options.checkDocuments === false ? undefined : await documentIds(corpus, signal);
  for (const query of queries) checkQuery(query, examples.get(query.id)!.where, ids);
  return {
    name,
    queries,
    stepsWithoutGold: without,
    files,
    ...(ids ? { documentCount: ids.size } : {}),
    documents: (reading = {}) => streamDocuments(corpus, name, reading.signal),
  };
}

/** The ids of all documents; duplicates are rejected. */
async function documentIds(
  files: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const ids = new Set<string>();
  const read = (record: Record<string, unknown>, where: LineLocation): void =>
    void ids.add(newId(ids, record, where));
  for (const file of files) await forEachRow(file, read, { needed: ['id'], signal });
  return ids;
}

/** The documents as passages, streamed from the files. */
async function* streamDocuments(
  files: readonly string[],
  domain: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Passage> {
  const ids = new Set<string>();
  const read = (record: Record<string, unknown>, where: LineLocation): Passage => {
    const id = newId(ids, record, where);
    ids.add(id);
    return { id, text: stringField(record, 'content', where), metadata: { domain } };
  };
  for (const file of files) yield* readRows(file, read, { needed: ['id', 'content'], signal });
}

function newId(
  ids: ReadonlySet<string>,
  record: Record<string, unknown>,
  where: LineLocation,
): string {
  const id = idField(record, 'id', where);
  if (ids.has(id))
    throw invalidLine(
      where,
      'each document id once',
      `${excerpt(id)} again`,
      'Remove one of the two rows.',
    );
  return id;
}
