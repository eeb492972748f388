// TEMPO's data read from a folder: queries with their gold and excluded documents, steps and
// annotations, by domain, and documents as they are asked for. What does not hold together is
// refused here, before anything is measured by it. Nothing is downloaded.
import { AsOfError, mustBe, throwIfAborted } from '../../errors.js';
import type { Passage } from '../../records.js';
import { excerpt, invalidLine, stringField, type Where } from '../../text/lines.js';
import {
  guidanceField,
  passageAnnotations,
  stringList,
  type PassageAnnotation,
  type QueryAnnotation,
} from './annotation.js';
import { tempoFolder, tempoParts, type TempoFolder } from './folder.js';
import { readRows, type RowOptions } from './rows.js';

/** A step of a query with the documents that satisfy it. */
export interface TempoStep {
  id: string;
  text: string;
  /** At least one. */
  relevant: readonly string[];
}

/** A query of TEMPO's, with its gold documents and annotation. */
export interface TempoQuery {
  id: string;
  text: string;
  domain: string;
  /** `gold_ids`. */
  relevant: readonly string[];
  /** `gold_answers`. */
  answers: readonly string[];
  /** `excluded_ids`, which leave the ranking before it is scored; "N/A" is none. */
  excluded: readonly string[];
  /**
   * `negative_ids`: hard negatives, which are a part of the corpus. The published code takes them
   * out of the ranking as it does `excluded`.
   */
  negatives: readonly string[];
  annotation?: QueryAnnotation;
  passageAnnotations: readonly PassageAnnotation[];
  /** Those that have gold documents, in order. */
  steps: readonly TempoStep[];
}

/** One domain of TEMPO's data, a corpus of its own. */
export interface TempoDomain {
  name: string;
  queries: readonly TempoQuery[];
  /** How many, where their ids were read. */
  documentCount?: number;
  /** Steps left out, as nothing is gold for them. */
  stepsWithoutGold: number;
  /**
   * The corpus, read from the files as it is asked for. Errors: ERR_INVALID_INPUT by row for an id
   * that is there twice.
   */
  documents(options?: { signal?: AbortSignal }): AsyncGenerator<Passage>;
  /** The files that all of it is read from. */
  files: readonly string[];
}

/** A folder with TEMPO's data. */
export interface TempoData {
  folder: string;
  domains: readonly TempoDomain[];
  /**
   * Parts beside documents, examples, steps and guidance: queries reworded by a model, as
   * `reasoning` takes one.
   */
  reasonings: readonly string[];
}

export interface ReadTempoOptions {
  /**
   * Only these, which may be domains of your own. Default: all of the folder, which must be
   * TEMPO's.
   */
  domains?: readonly string[];
  /** Queries as this part of the folder words them, such as gpt4o_reason. Default: as they are. */
  reasoning?: string;
  /**
   * Reads the ids of all documents and refuses gold ids that none has. Default true; documents in
   * JSON lines are read whole for it.
   */
  checkDocuments?: boolean;
  signal?: AbortSignal;
}

/**
 * Reads a folder of TEMPO's data, as published (parquet needs hyparquet) or in JSON lines. Errors:
 * ERR_NOT_FOUND for a folder, domain or part that is not there; ERR_NATIVE_UNAVAILABLE without
 * hyparquet; ERR_INVALID_INPUT by file and row for a file that cannot be read, lacks a column, has
 * an id twice, a gold or excluded id that is no document, a document both gold and excluded, or a
 * step of no query; ERR_ABORTED.
 * @example const { domains } = await readTempo('Tempo', { domains: ['law', 'travel'] });
 */
export async function readTempo(path: string, options: ReadTempoOptions = {}): Promise<TempoData> {
  mustBe('an object', { options });
  throwIfAborted(options.signal);
  const folder = await tempoFolder(path, options.domains);
  const reasonings = folder.parts.filter(
    (part) => !(tempoParts as readonly string[]).includes(part),
  );
  if (options.reasoning !== undefined && !reasonings.includes(options.reasoning)) {
    const found = reasonings.length === 0 ? 'none' : reasonings.join(', ');
    const message = `Expected reworded queries ${JSON.stringify(options.reasoning)} in ${path}, found ${found}. Name a part of the folder.`;
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
  const examples = await examplesOf(folder, name, signal);
  const told = await annotationsOf(folder, name, signal);
  const reworded =
    reasoning === undefined
      ? undefined
      : await rewordedOf(folder, name, reasoning, examples, signal);
  const { steps, without } = stepsOf(told, examples);
  const queries = [...examples.values()].map(({ query }): TempoQuery => {
    const { annotation, passages = [], excluded = [] } = told.get(query.id) ?? {};
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
    documents: (reading = {}) => documentsOf(corpus, name, reading.signal),
  };
}

interface Example {
  query: TempoQuery;
  where: Where;
}

async function examplesOf(
  folder: TempoFolder,
  domain: string,
  signal: AbortSignal | undefined,
): Promise<Map<string, Example>> {
  const examples = new Map<string, Example>();
  const read = (record: Record<string, unknown>, where: Where): Example => {
    const id = idField(record, 'id', where);
    if (examples.has(id))
      throw invalidLine(
        where,
        'each query id once',
        `${excerpt(id)} again`,
        'Remove one of the two rows.',
      );
    const text = stringField(record, 'query', where);
    if (text.trim() === '') throw invalidLine(where, 'a query in words', 'an empty one');
    const list = (name: string): string[] => [...new Set(stringList(record, name, where))];
    const query = {
      id,
      text,
      domain,
      relevant: list('gold_ids'),
      answers: stringList(record, 'gold_answers', where),
      excluded: list('excluded_ids').filter((each) => each !== 'N/A'),
      negatives: list('negative_ids').filter((each) => each !== 'N/A'),
      passageAnnotations: [],
      steps: [],
    };
    return { query, where };
  };
  const options = {
    needed: ['id', 'query', 'gold_ids'],
    optional: ['gold_answers', 'excluded_ids', 'negative_ids'],
    signal,
  };
  for (const file of folder.files('examples', domain)) {
    for await (const example of readRows(file, read, options))
      examples.set(example.query.id, example);
  }
  return examples;
}

/** What rows of steps and guidance say of a query. */
interface QueryRows {
  where: Where;
  annotation?: QueryAnnotation;
  passages?: PassageAnnotation[];
  excluded?: string[];
  steps: { id: string; text: string; relevant: string[]; where: Where }[];
}

async function annotationsOf(
  folder: TempoFolder,
  domain: string,
  signal: AbortSignal | undefined,
): Promise<Map<string, QueryRows>> {
  const told = new Map<string, QueryRows>();
  const read = (record: Record<string, unknown>, where: Where): void => {
    const id = idField(
      record,
      record['q_id'] === undefined || record['q_id'] === null ? 'id' : 'q_id',
      where,
    );
    const known = told.get(id) ?? { where, steps: [] };
    told.set(id, known);
    const annotation = guidanceField(record, where);
    if (annotation) known.annotation = annotation;
    const passages = passageAnnotations(record, where);
    if (passages.length > 0) known.passages = passages;
    const excluded = stringList(record, 'excluded_ids', where).filter((each) => each !== 'N/A');
    if (excluded.length > 0) known.excluded = excluded;
    known.steps.push(...stepRows(record, id, where));
  };
  const optional = [
    'id',
    'q_id',
    'step_id',
    'step',
    'steps',
    'gold_ids',
    'excluded_ids',
    'query_guidance',
    'gold_passage_annotations',
    'negative_passage_annotations',
  ];
  for (const part of ['steps', 'guidance']) {
    for (const file of folder.files(part, domain))
      await readAll(file, read, { needed: [], optional, signal });
  }
  return told;
}

/**
 * The steps of a row: one a row with a step_id, as the published code reads them, or all in its
 * "steps".
 */
function stepRows(
  record: Record<string, unknown>,
  query: string,
  where: Where,
): QueryRows['steps'] {
  if (record['step_id'] !== undefined && record['step_id'] !== null) {
    const [id, text] = [idField(record, 'step_id', where), stringField(record, 'step', where)];
    return [{ id, text, relevant: stringList(record, 'gold_ids', where), where }];
  }
  const nested = record['steps'] ?? [];
  if (!Array.isArray(nested))
    throw invalidLine(where, '"steps" to be a list of objects', typeof nested);
  return (nested as Record<string, unknown>[]).map((step, at) => ({
    id: step['step_id'] === undefined ? `${query}_step${at + 1}` : idField(step, 'step_id', where),
    text:
      stringField(step, 'step_instruction', where, 'allowed') ?? stringField(step, 'step', where),
    relevant: stringList(step, 'gold_ids', where),
    where,
  }));
}

/**
 * The steps of every query: rows of their own, else those of its retrieval plan. Steps without gold
 * are left out, as the code does.
 */
function stepsOf(
  told: ReadonlyMap<string, QueryRows>,
  examples: ReadonlyMap<string, Example>,
): { steps: Map<string, TempoStep[]>; without: number } {
  const steps = new Map<string, TempoStep[]>();
  const seen = new Set<string>();
  let without = 0;
  for (const [query, { steps: rows, annotation, where }] of told) {
    if (!examples.has(query))
      throw invalidLine(
        where,
        'steps and guidance of a query among the examples',
        `those of ${excerpt(query)}`,
      );
    const plan = annotation?.plan ?? [];
    const planned = plan.map(({ step, action, relevant }) => ({
      id: `${query}_step${step}`,
      text: action,
      relevant,
      where,
    }));
    const all = rows.length > 0 ? rows : planned;
    const kept = all.filter(({ relevant }) => relevant.length > 0);
    for (const { id, where: place } of kept) {
      if (seen.has(id))
        throw invalidLine(
          place,
          'each step id once',
          `${excerpt(id)} again`,
          'Number the steps of a query.',
        );
      seen.add(id);
    }
    without += all.length - kept.length;
    steps.set(
      query,
      kept.map(({ id, text, relevant }) => ({ id, text, relevant: [...new Set(relevant)] })),
    );
  }
  return { steps, without };
}

async function rewordedOf(
  folder: TempoFolder,
  domain: string,
  reasoning: string,
  examples: ReadonlyMap<string, Example>,
  signal: AbortSignal | undefined,
): Promise<Map<string, string>> {
  const files = folder.files(reasoning, domain);
  if (files.length === 0) throw missingPart(folder, reasoning, domain);
  const reworded = new Map<string, string>();
  const read = (record: Record<string, unknown>, where: Where): void => {
    reworded.set(idField(record, 'id', where), stringField(record, 'query', where));
  };
  for (const file of files) await readAll(file, read, { needed: ['id', 'query'], signal });
  const missing = [...examples.keys()].find((id) => !reworded.has(id));
  if (missing === undefined) return reworded;
  const message = `${files[0]}: Expected every query reworded, received none for ${excerpt(missing)}. Fetch it again.`;
  throw new AsOfError('ERR_INVALID_INPUT', message, { details: { file: files[0] } });
}

function checkQuery(
  { id, relevant, excluded, steps }: TempoQuery,
  where: Where,
  ids: ReadonlySet<string> | undefined,
): void {
  // rows of steps and guidance exclude documents too
  const shared = relevant.find((each) => excluded.includes(each));
  if (shared !== undefined)
    throw invalidLine(
      where,
      'a document to be gold or excluded',
      `${excerpt(shared)} as both for ${excerpt(id)}`,
    );
  if (!ids) return;
  const lost = [...relevant, ...steps.flatMap((step) => step.relevant)].find(
    (each) => !ids.has(each),
  );
  const remedy = 'Take documents and examples of the same version of the data.';
  const other = excluded.find((each) => !ids.has(each));
  for (const [kind, missing] of [
    ['gold', lost],
    ['excluded', other],
  ] as const) {
    if (missing === undefined) continue;
    throw invalidLine(
      where,
      `the ${kind} documents of ${excerpt(id)} in the corpus`,
      `${excerpt(missing)}, which is not there`,
      remedy,
    );
  }
}

async function documentIds(
  files: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const ids = new Set<string>();
  const read = (record: Record<string, unknown>, where: Where): void =>
    void ids.add(newId(ids, record, where));
  for (const file of files) await readAll(file, read, { needed: ['id'], signal });
  return ids;
}

async function* documentsOf(
  files: readonly string[],
  domain: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Passage> {
  const ids = new Set<string>();
  const read = (record: Record<string, unknown>, where: Where): Passage => {
    const id = newId(ids, record, where);
    ids.add(id);
    return { id, text: stringField(record, 'content', where), metadata: { domain } };
  };
  for (const file of files) yield* readRows(file, read, { needed: ['id', 'content'], signal });
}

function newId(ids: ReadonlySet<string>, record: Record<string, unknown>, where: Where): string {
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

async function readAll(
  file: string,
  read: (record: Record<string, unknown>, where: Where) => void,
  options: RowOptions,
): Promise<void> {
  for await (const _ of readRows(file, read, options)) throwIfAborted(options.signal);
}

/** Ids are texts; those that a tool wrote as whole numbers are taken as their digits. */
function idField(record: Record<string, unknown>, name: string, where: Where): string {
  const value = record[name];
  const id =
    typeof value === 'number' && Number.isSafeInteger(value)
      ? String(value)
      : stringField(record, name, where);
  if (id === '') throw invalidLine(where, `"${name}" to be an id`, 'an empty text');
  return id;
}

function missingPart({ path }: TempoFolder, part: string, domain: string): AsOfError {
  const message = `Expected ${part} of the domain ${domain} in ${path}, found none. Fetch ${part}/${domain}.parquet too.`;
  return new AsOfError('ERR_NOT_FOUND', message, { details: { folder: path, part, domain } });
}
