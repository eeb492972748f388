// JSONL inputs of the command line: queries and pools. Errors name file and line.
import { stat } from 'node:fs/promises';
import type { EvaluationQuery } from '../evaluate.js';
import { readBeirQueries } from './beir.js';
import type { DatedQuestion } from '../perturbation/perturbQuestion.js';
import {
  listField,
  withLocation,
  invalidLine,
  readJsonLines,
  stringField,
  type LineLocation,
  mustBe,
} from 'asof/kit';
import { parseQuestion } from 'asof/time';
import { readQueryRecords } from './queryRecords.js';

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
 * others?}`, the CSV of TempRAGEval or a BEIR folder. `limit`: at most so many, from the first.
 * Default: all.
 * @throws AsOfError ERR_INVALID_INPUT for an invalid line, as averages over the rest would be
 * misleading; ERR_NOT_FOUND; ERR_ABORTED
 */
export async function readQueries(
  path: string,
  options: { limit?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<DatedQuestion[]> {
  mustBe('an object', { options });
  const { limit = Infinity, signal } = options;
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
  signal: AbortSignal | undefined,
): Promise<EvaluationQuery[]> {
  const queries = (await readBeirQueries(folder, { signal })).slice(0, limit);
  for (const query of queries) parseQuestion(query);
  return queries.map((query) => ({ ...query, answers: query.answers ?? [] }));
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
