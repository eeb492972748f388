// JSONL inputs of the command line: queries, passages, pools. Errors name file and line.
import { stat } from 'node:fs/promises';
import { AsOfError } from '../../errors.js';
import type { EvaluationQuery } from '../../eval/evaluate.js';
import { readBeirQueries } from '../../eval/files/beir.js';
import type { DatedQuestion } from '../../eval/perturbation/perturbQuestion.js';
import type { Passage } from '../../records.js';
import { invalidLine, readJsonLines, stringField, type LineLocation } from '../../text/lines.js';
import { parseInstant } from '../../time/instant.js';
import { parseQuestion } from '../../time/question/question.js';
/** Faulty lines after which a file is taken for something else. */
const faultsMax = 100;

/**
 * Collects the faults of lines: says the first ones, and gives up where there is no end of them.
 */
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
      if (faults.length >= faultsMax) {
        throw new AsOfError(
          'ERR_INVALID_INPUT',
          `Expected JSON lines, received ${faultsMax} faulty ones; reading stopped there. Is it the right file?`,
          { cause: fault },
        );
      }
    },
  };
}

/** Gives a fault of the library's the place of the line that caused it. */
export function located<T>(work: () => T, where: LineLocation): T {
  try {
    return work();
  } catch (fault) {
    if (!AsOfError.is(fault) || 'line' in fault.details) throw fault;
    throw atLine(fault, where);
  }
}

/** The same fault, said with its file and line. */
export function atLine(fault: AsOfError, where: LineLocation): AsOfError {
  // the library counts passages, a file has lines
  const message = fault.message.replace(/^Passage \d+(?: \(id "(?:[^"\\]|\\.)*"\))?: /, '');
  return new AsOfError('ERR_INVALID_INPUT', `${where.file}:${where.line}: ${message}`, {
    cause: fault,
    details: { ...fault.details, ...where },
  });
}

/** A field that is a list, where it is there. */
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

/**
 * When a question's answer and its rivals hold: `valid_from`, `valid_to` and `others` of its line,
 * where they are there.
 */
export function answerTimes(
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

/**
 * Reads `{id,text,asked_at?,answers?,gold_evidence?,valid_from?,valid_to?,others?}` lines; all or
 * nothing, as an average over some of the queries would mislead.
 */
export async function readQueries(
  path: string,
  limit: number,
  signal: AbortSignal,
): Promise<DatedQuestion[]> {
  if (await isFolder(path)) return beirQueries(path, limit, signal);
  const queries = new Map<string, DatedQuestion>();
  const shape = (record: Record<string, unknown>, where: LineLocation): DatedQuestion => {
    const id = stringField(record, 'id', where);
    const text = stringField(record, 'text', where);
    const askedAt = stringField(record, 'asked_at', where, 'allowed');
    const texts = { of: 'strings', is: (each: unknown) => typeof each === 'string' };
    const [answers = [], goldEvidence = []] = ['answers', 'gold_evidence'].map((name) =>
      listField<string>(record, name, where, texts),
    );
    if (queries.has(id))
      throw invalidLine(where, 'each query id once', `${JSON.stringify(id)} again`);
    located(() => parseQuestion(askedAt === undefined ? { text } : { text, askedAt }), where);
    const gold = goldEvidence.length > 0 ? { goldEvidence } : {};
    return {
      id,
      text,
      ...(askedAt === undefined ? {} : { askedAt }),
      answers,
      ...gold,
      ...answerTimes(record, where),
    };
  };
  for await (const query of readJsonLines(path, shape, { signal })) {
    queries.set(query.id, query);
    if (queries.size >= limit) break;
  }
  return [...queries.values()];
}

/** Whether a path names a folder: one of BEIR's, where a file of records is wanted. */
export async function isFolder(path: string): Promise<boolean> {
  return path !== '-' && ((await stat(path).catch(() => undefined))?.isDirectory() ?? false);
}

async function beirQueries(
  folder: string,
  limit: number,
  signal: AbortSignal,
): Promise<EvaluationQuery[]> {
  const queries = (await readBeirQueries(folder, { signal })).slice(0, limit);
  for (const { text, askedAt } of queries)
    parseQuestion(askedAt === undefined ? { text } : { text, askedAt });
  return queries.map((query) => ({ ...query, answers: query.answers ?? [] }));
}

/**
 * A passage line `{id,text,title?,published_at?,valid_from?,valid_to?,metadata?}` as the library
 * takes it.
 */
export function passageShape(): (record: Record<string, unknown>, where: LineLocation) => Passage {
  const optional = (
    record: Record<string, unknown>,
    name: string,
    where: LineLocation,
  ): string | number | undefined => {
    const value = record[name];
    if (typeof value !== 'number') return stringField(record, name, where, 'allowed');
    // 2021, 20210506 and seconds since 1970 are all in January 1970 as milliseconds: a corpus so
    // dated would hide nothing and rank by nothing.
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
    const title = stringField(record, 'title', where, 'allowed');
    const publishedAt = optional(record, 'published_at', where);
    const validFrom = optional(record, 'valid_from', where);
    const validTo = optional(record, 'valid_to', where);
    const given = record['metadata'] ?? undefined;
    if (given !== undefined && (typeof given !== 'object' || Array.isArray(given))) {
      throw invalidLine(where, '"metadata" to be an object', JSON.stringify(given).slice(0, 60));
    }
    // Dates that no clock reads by itself: kept with the rest, for systems that derive validity
    // from them.
    const dates = ['updated_at', 'crawled_at'].flatMap((name) => {
      const value = optional(record, name, where);
      if (value !== undefined) located(() => parseInstant(value, 'start', name), where);
      return value === undefined ? [] : [[name, value] as const];
    });
    const metadata = dates.length > 0 ? { ...given, ...Object.fromEntries(dates) } : given;
    return {
      id: stringField(record, 'id', where),
      text: stringField(record, 'text', where),
      ...(title === undefined ? {} : { title }),
      ...(publishedAt === undefined ? {} : { publishedAt }),
      ...(validFrom === undefined ? {} : { validFrom }),
      ...(validTo === undefined ? {} : { validTo }),
      ...(metadata === undefined ? {} : { metadata: metadata as Record<string, unknown> }),
    };
  };
}

/**
 * Reads a pool of candidates: lines `{id}` are passages for every question, `{id,query}` for one;
 * other fields are ignored.
 */
export async function readPool(
  path: string,
  signal: AbortSignal,
): Promise<{ pool: (query: string) => readonly string[]; ids: ReadonlySet<string> }> {
  const shared = new Set<string>();
  const own = new Map<string, Set<string>>();
  const shape = (record: Record<string, unknown>, where: LineLocation) => ({
    id: stringField(record, 'id', where),
    query: stringField(record, 'query', where, 'allowed'),
    where,
  });
  for await (const { id, query } of readJsonLines(path, shape, { signal })) {
    if (query === undefined) shared.add(id);
    else own.set(query, (own.get(query) ?? new Set<string>()).add(id));
  }
  const ids = new Set([...shared, ...[...own.values()].flatMap((each) => [...each])]);
  if (ids.size === 0)
    throw invalidLine(
      { file: path, line: 1 },
      'a pool of passages, {id} or {id,query} a line',
      'none',
    );
  const everyone = [...shared]; // one array for all questions: what it names is looked up once
  const lists = new Map(
    [...own].map(([query, mine]) => [query, [...new Set([...shared, ...mine])]]),
  );
  return { pool: (query) => lists.get(query) ?? everyone, ids };
}
