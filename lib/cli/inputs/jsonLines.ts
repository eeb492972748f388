// JSONL inputs of the command line: queries, passages, pools. Errors name file and line.
import { stat } from 'node:fs/promises';
import { AsOfError } from '../../errors.js';
import type { EvaluationQuery } from '../../eval/evaluate.js';
import { readBeirQueries } from '../../eval/files/beir.js';
import type { DatedQuestion } from '../../eval/perturbation/perturbQuestion.js';
import type { Passage } from '../../records.js';
import { invalidLine, readJsonLines, stringField, type LineLocation } from '../../text/lines.js';
import { parseInstant } from '../../time/instant.js';
import { fileFieldName, passageFields } from '../../store/passages/passages.js';
import { suggestion } from '../../runtime/nearestName.js';
import { parseQuestion } from '../../time/question/question.js';
import { readQueryRecords } from './queryRecords.js';

/** Reading stops after this number of invalid lines. */
const maxInvalidLines = 100;

/** Reports and collects invalid lines and files, up to `maxInvalidLines`. */
export function faultCollector(say: (text: string) => void): {
  faults: AsOfError[];
  onFault: (fault: AsOfError) => void;
} {
  const faults: AsOfError[] = [];
  return {
    faults,
    onFault(fault) {
      faults.push(fault);
      say(`asof: ${fault.message}`);
      if (faults.length >= maxInvalidLines) {
        throw new AsOfError(
          'ERR_INVALID_INPUT',
          `Expected valid lines, received ${maxInvalidLines} invalid ones; reading stopped there. Is it the right file?`,
          { cause: fault },
        );
      }
    },
  };
}

/** Adds the location of a line to an error of the library. */
export function withLocation<T>(work: () => T, where: LineLocation): T {
  try {
    return work();
  } catch (fault) {
    if (!AsOfError.is(fault) || 'line' in fault.details) throw fault;
    throw errorAtLine(fault, where);
  }
}

/** The same error with file and line in its message. */
export function errorAtLine(fault: AsOfError, where: LineLocation): AsOfError {
  // The line replaces the library's passage number.
  const message = fault.message.replace(/^Passage \d+(?: \(id "(?:[^"\\]|\\.)*"\))?: /, '');
  return new AsOfError('ERR_INVALID_INPUT', `${where.file}:${where.line}: ${message}`, {
    cause: fault,
    details: { ...fault.details, ...where },
  });
}

/** An optional field that is a list. */
export function listField<T>(
  record: Record<string, unknown>,
  name: string,
  where: LineLocation,
  { of, is }: { of: string; is(each: unknown): boolean },
): T[] | undefined {
  const value = record[name] ?? undefined;
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every(is))
    throw invalidLine(where, `"${name}" to be a list of ${of}`, JSON.stringify(value).slice(0, 60));
  return value as T[];
}

/** Optional validity of an answer and of other answers: `valid_from`, `valid_to` and `others`. */
function answerTimes(
  record: Record<string, unknown>,
  where: LineLocation,
): Pick<DatedQuestion, 'validFrom' | 'validTo' | 'others'> {
  const times = (of: Record<string, unknown>): Pick<DatedQuestion, 'validFrom' | 'validTo'> => {
    const [validFrom, validTo] = ['valid_from', 'valid_to'].map((name) =>
      stringField(of, name, where, 'allowed'),
    );
    return {
      ...(validFrom === undefined ? {} : { validFrom }),
      ...(validTo === undefined ? {} : { validTo }),
    };
  };
  const isObject = (each: unknown): boolean => typeof each === 'object' && each !== null;
  const others = listField<Record<string, unknown>>(record, 'others', where, {
    of: 'objects {valid_from?,valid_to?}',
    is: isObject,
  });
  return { ...times(record), ...(others ? { others: others.map(times) } : {}) };
}

/** The query of a line. */
export function queryShape(record: Record<string, unknown>, where: LineLocation): DatedQuestion {
  const askedAt = stringField(record, 'asked_at', where, 'allowed');
  const asRecorded = stringField(record, 'as_recorded', where, 'allowed');
  const texts = { of: 'strings', is: (each: unknown) => typeof each === 'string' };
  const [answers, goldEvidence] = ['answers', 'gold_evidence'].map((name) =>
    listField<string>(record, name, where, texts),
  );
  return {
    id: stringField(record, 'id', where),
    text: stringField(record, 'text', where),
    ...(askedAt === undefined ? {} : { askedAt }),
    ...(asRecorded === undefined ? {} : { asRecorded }),
    ...(answers ? { answers } : {}),
    ...(goldEvidence && goldEvidence.length > 0 ? { goldEvidence } : {}),
    ...answerTimes(record, where),
  };
}

/**
 * Reads lines `{id,text,asked_at?,as_recorded?,answers?,gold_evidence?,valid_from?,valid_to?,
 * others?}`, the CSV of TempRAGEval or a BEIR folder. An invalid line is an error, as averages over
 * the rest would be misleading.
 */
export async function readQueries(
  path: string,
  limit: number,
  signal: AbortSignal,
): Promise<DatedQuestion[]> {
  if (await isFolder(path)) return beirQueries(path, limit, signal);
  const queries = new Map<string, DatedQuestion>();
  const shape = (record: Record<string, unknown>, where: LineLocation): DatedQuestion => {
    const query = queryShape(record, where);
    if (queries.has(query.id))
      throw invalidLine(where, 'each query id once', `${JSON.stringify(query.id)} again`);
    withLocation(() => parseQuestion(query), where);
    return { ...query, answers: query.answers ?? [] };
  };
  for await (const query of readQueryRecords(path, shape, { signal })) {
    queries.set(query.id, query);
    if (queries.size >= limit) break;
  }
  return [...queries.values()];
}

/** Whether a path is a folder, such as one of BEIR. */
export async function isFolder(path: string): Promise<boolean> {
  return path !== '-' && ((await stat(path).catch(() => undefined))?.isDirectory() ?? false);
}

async function beirQueries(
  folder: string,
  limit: number,
  signal: AbortSignal,
): Promise<EvaluationQuery[]> {
  const queries = (await readBeirQueries(folder, { signal })).slice(0, limit);
  for (const query of queries) parseQuestion(query);
  return queries.map((query) => ({ ...query, answers: query.answers ?? [] }));
}

/** Dates of no clock, which go into the metadata. */
const datesOfNoClock = ['updated_at', 'crawled_at'];
const knownFields = [...passageFields.map(fileFieldName), ...datesOfNoClock];

function checkFieldNames(record: Record<string, unknown>, where: LineLocation): void {
  const unknown = Object.keys(record).find((name) => !knownFields.includes(name));
  if (unknown === undefined) return;
  const inCode = passageFields.includes(unknown) ? ` Did you mean ${fileFieldName(unknown)}?` : '';
  throw invalidLine(
    where,
    `a passage to have no fields but ${knownFields.join(', ')}`,
    JSON.stringify(unknown.slice(0, 60)),
    `${inCode || suggestion(unknown, knownFields)} What else there is goes into metadata.`.trim(),
  );
}

/**
 * Reader of `{id,text,title?,published_at?,valid_from?,valid_to?,metadata?,chunk?,vector?,
 * sentence_vectors?,series?,supersedes?,superseded_by?}` lines.
 */
export function passageShape(): (record: Record<string, unknown>, where: LineLocation) => Passage {
  const optional = (
    record: Record<string, unknown>,
    name: string,
    where: LineLocation,
  ): string | number | undefined => {
    const value = record[name];
    if (typeof value !== 'number') return stringField(record, name, where, 'allowed');
    // Years, 20210506 and epoch seconds, read as milliseconds, would all be in January 1970.
    if (Number.isInteger(value) && value >= 1000 && value < 2 ** 31) {
      throw invalidLine(
        where,
        `"${name}" to be ISO 8601 or epoch milliseconds`,
        String(value),
        'Write "2021-05-06", or seconds times 1000.',
      );
    }
    return value;
  };
  return (record, where) => {
    checkFieldNames(record, where);
    const title = stringField(record, 'title', where, 'allowed');
    const publishedAt = optional(record, 'published_at', where);
    const validFrom = optional(record, 'valid_from', where);
    const validTo = optional(record, 'valid_to', where);
    const fields = record['metadata'] ?? undefined;
    if (fields !== undefined && (typeof fields !== 'object' || Array.isArray(fields))) {
      throw invalidLine(where, '"metadata" to be an object', JSON.stringify(fields).slice(0, 60));
    }
    // For systems that derive validity from them.
    const dates = datesOfNoClock.flatMap((name) => {
      const value = optional(record, name, where);
      if (value !== undefined) withLocation(() => parseInstant(value, 'start', name), where);
      return value === undefined ? [] : [[name, value] as const];
    });
    const chunk = record['chunk'] ?? undefined; // checked with the passage
    const metadata = dates.length > 0 ? { ...fields, ...Object.fromEntries(dates) } : fields;
    return {
      id: stringField(record, 'id', where),
      text: stringField(record, 'text', where),
      ...(title === undefined ? {} : { title }),
      ...(publishedAt === undefined ? {} : { publishedAt }),
      ...(validFrom === undefined ? {} : { validFrom }),
      ...(validTo === undefined ? {} : { validTo }),
      ...(metadata === undefined ? {} : { metadata: metadata as Record<string, unknown> }),
      ...vectorFields(record, where),
      ...seriesFields(record, where),
      ...(chunk === undefined ? {} : { chunk: chunk as NonNullable<Passage['chunk']> }),
    };
  };
}

/** Its series, and how it was closed there, checked with the passage. */
function seriesFields(
  record: Record<string, unknown>,
  where: LineLocation,
): Pick<Passage, 'series' | 'supersedes' | 'supersededBy'> {
  const series = stringField(record, 'series', where, 'allowed');
  const supersedes = stringField(record, 'supersedes', where, 'allowed');
  const closing = record['superseded_by'] as Record<string, never> | null | undefined;
  return {
    ...(series === undefined ? {} : { series }),
    ...(supersedes === undefined ? {} : { supersedes }),
    ...(closing ? { supersededBy: { ...closing, validTo: closing['valid_to'] } as never } : {}),
  };
}

/** Vectors of a line; the corpus that they are for checks their lengths. */
function vectorFields(
  record: Record<string, unknown>,
  where: LineLocation,
): Pick<Passage, 'vector' | 'sentenceVectors'> {
  const isVector = (each: unknown): boolean =>
    Array.isArray(each) && each.every((component) => typeof component === 'number');
  const numbers = { of: 'numbers', is: (each: unknown) => typeof each === 'number' };
  const vectors = { of: 'lists of numbers', is: isVector };
  const vector = listField<number>(record, 'vector', where, numbers);
  const sentenceVectors = listField<number[]>(record, 'sentence_vectors', where, vectors);
  return {
    ...(vector ? { vector } : {}),
    ...(sentenceVectors ? { sentenceVectors } : {}),
  };
}

/**
 * Reads a candidate pool: `{id}` lines are passages for all queries, `{id,query}` for one; other
 * fields are ignored.
 */
export async function readPool(
  path: string,
  signal: AbortSignal,
): Promise<{ pool: (query: string) => readonly string[]; ids: ReadonlySet<string> }> {
  const shared = new Set<string>();
  const perQuery = new Map<string, Set<string>>();
  const shape = (record: Record<string, unknown>, where: LineLocation) => ({
    id: stringField(record, 'id', where),
    query: stringField(record, 'query', where, 'allowed'),
    where,
  });
  for await (const { id, query } of readJsonLines(path, shape, { signal })) {
    if (query === undefined) shared.add(id);
    else perQuery.set(query, (perQuery.get(query) ?? new Set<string>()).add(id));
  }
  const ids = new Set([...shared, ...[...perQuery.values()].flatMap((each) => [...each])]);
  if (ids.size === 0)
    throw invalidLine(
      { file: path, line: 1 },
      'a pool of passages, {id} or {id,query} a line',
      'none',
    );
  const forAll = [...shared]; // one array for all queries, whose ids are looked up once
  const lists = new Map(
    [...perQuery].map(([query, some]) => [query, [...new Set([...shared, ...some])]]),
  );
  return { pool: (query) => lists.get(query) ?? forAll, ids };
}
