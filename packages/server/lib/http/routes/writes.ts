// Routes that write passages, for servers that allow it.
import { AsOfError, type Passage, type StoredCorpus } from 'asof';
import { askSchema, passageOfRecord, readJsonLines } from 'asof/kit';
import { bodyType, jsonBody, lineTypes, linesOfBody } from '../body.js';
import { badRequest, notFound, unsupported } from '../errors.js';
import {
  alterFields,
  choiceOf,
  fieldChanges,
  fieldsSchema,
  idsSchema,
  patchOf,
  patchSchema,
} from '../patches.js';
import { json, ref, type Route, type RouteContext } from '../route.js';
import { anything, count, iso, listOf, object } from '../schemas/common.js';
import { objectCheck } from '../validation.js';
import { unknownId } from './passages.js';

/** Reading stops after this number of invalid passages. */
const mostFaults = 100;
/** Passages of a JSON body; lines may be any number. */
const mostListed = 100_000;

const addBody = object({ passages: listOf(anything, { minItems: 1, maxItems: mostListed }) });
const checkAddBody = objectCheck('the body', addBody);

const addCounts = object({
  added: count,
  replaced: count,
  unchanged: count,
  rejected: count,
  faults: listOf(object({ line: count, message: iso })),
});

const add: Route = {
  method: 'POST',
  path: '/v1/corpora/{corpus}/passages',
  id: 'addPassages',
  summary:
    'Adds passages, each in place of one with the same id. Those that are invalid are reported ' +
    'and left out; the others are stored, also if the request breaks off after them.',
  writes: true,
  streamedBody: {
    json: object({ passages: listOf(ref('Passage'), { minItems: 1, maxItems: mostListed }) }),
    lines: ref('Passage'),
  },
  responses: {
    200: json('Numbers of passages by what became of them.', addCounts),
    422: json('The same: every passage was rejected.', addCounts),
  },
  async handle(context) {
    const { served, params, scope } = context;
    const corpus = served.writableNamed(params['corpus']!);
    const faults: AsOfError[] = [];
    const onFault = (fault: AsOfError): void => {
      faults.push(fault);
      if (faults.length >= mostFaults)
        throw badRequest(
          `Expected valid passages, received ${mostFaults} invalid ones and stopped there. The ` +
            `last: ${fault.message}`,
        );
    };
    const passages = await passagesOf(context, corpus.passageRules, onFault);
    const counts = await corpus.add(passages, { signal: scope.signal });
    const taken = counts.added + counts.replaced + counts.unchanged;
    return {
      status: taken === 0 && faults.length > 0 ? 422 : 200,
      json: {
        ...counts,
        rejected: faults.length,
        faults: faults.map(({ details, message }) => ({ line: details['line'], message })),
      },
    };
  },
};

type Read = typeof passageOfRecord;

async function passagesOf(
  { request, options, scope }: RouteContext,
  rules: StoredCorpus['passageRules'],
  onFault: (fault: AsOfError) => void,
): Promise<AsyncIterable<Passage>> {
  const { bodyBytes: mostBytes, seconds } = options.limits;
  const read: Read = (record, at) => passageOfRecord(record, at, rules);
  const type = bodyType(request);
  if (type !== null && lineTypes.includes(type)) {
    const { signal } = scope;
    return readJsonLines(linesOfBody(request, scope, seconds), read, {
      signal,
      onFault,
      mostBytes,
    });
  }
  if (type !== 'application/json') throw unsupported(`application/json or ${lineTypes[0]}`, type);
  const body = await jsonBody(request, options.limits, scope);
  checkAddBody(body);
  return fromList(body['passages'] as Record<string, unknown>[], read, onFault);
}

async function* fromList(
  records: readonly Record<string, unknown>[],
  read: Read,
  onFault: (fault: AsOfError) => void,
): AsyncGenerator<Passage> {
  for (const [index, record] of records.entries()) {
    let passage: Passage;
    try {
      passage = read(record, { file: 'passages', line: index + 1 });
    } catch (error) {
      if (!AsOfError.is(error)) throw error;
      onFault(error);
      continue;
    }
    yield passage;
  }
}

const remove: Route = {
  method: 'DELETE',
  path: '/v1/corpora/{corpus}/passages/{id}',
  id: 'deletePassage',
  summary: 'Deletes a passage by its id, in which a slash is written as %2F.',
  writes: true,
  responses: { 200: json('It was there.', object({ deleted: count })) },
  async handle({ served, params, scope }) {
    const corpus = served.writableNamed(params['corpus']!);
    const id = params['id']!;
    const deleted = await corpus.delete([id], { signal: scope.signal });
    if (deleted === 0) throw unknownId(id);
    return { json: { deleted } };
  },
};

const removeMany: Route = {
  method: 'POST',
  path: '/v1/corpora/{corpus}/delete',
  id: 'deletePassages',
  summary:
    'Deletes passages in one commit: by ids, of which unknown ones are ignored, or all that pass ' +
    'a filter ({} is all).',
  writes: true,
  body: askSchema({ where: {} }, { ids: idsSchema }),
  responses: {
    200: json(
      'unknown: ids of which there was no passage.',
      object({ deleted: count, 'unknown?': count }),
    ),
  },
  async handle({ served, params, body, scope }) {
    const choice = choiceOf(body);
    const corpus = served.writableNamed(params['corpus']!);
    const { signal } = scope;
    if (!choice)
      throw badRequest(`Expected ids or where, received ${body['ids'] ? 'both' : 'neither'}.`);
    if ('where' in choice) return { json: { deleted: await corpus.delete(choice, { signal }) } };
    const distinct = new Set(choice);
    const deleted = await corpus.delete(distinct, { signal });
    return { json: { deleted, unknown: distinct.size - deleted } };
  },
};

const updateCounts = object({ updated: count, unchanged: count });

const update: Route = {
  method: 'PATCH',
  path: '/v1/corpora/{corpus}/passages/{id}',
  id: 'updatePassage',
  summary:
    'Changes times, metadata and series of a passage by its id, in which a slash is written as ' +
    '%2F. Its text stays and is not encoded again.',
  writes: true,
  body: patchSchema,
  responses: { 200: json('updated is 0 if it was so before.', updateCounts) },
  handle: ({ served, params, body, scope }) =>
    updated(served.writableNamed(params['corpus']!), [params['id']!], body, scope.signal),
};

const updateMany: Route = {
  method: 'PATCH',
  path: '/v1/corpora/{corpus}/passages',
  id: 'updatePassages',
  summary:
    'Changes passages in one commit, or none: by ids, all of which have to be there, or all that ' +
    'pass a filter ({} is all).',
  writes: true,
  body: askSchema({ where: {} }, { ids: idsSchema, patch: patchSchema }),
  responses: { 200: json('unchanged: those that were so before.', updateCounts) },
  handle({ served, params, body, scope }) {
    const choice = choiceOf(body);
    const patch = body['patch'] as Record<string, unknown> | undefined;
    if (!choice || !patch)
      throw badRequest(
        'Expected a patch, and ids or where, received others. Send { "ids": [...], "patch": ' +
          '{ "valid_to": "2024-05-31" } }.',
      );
    return updated(served.writableNamed(params['corpus']!), choice, patch, scope.signal);
  },
};

async function updated(
  corpus: StoredCorpus,
  which: Parameters<StoredCorpus['update']>[0],
  patch: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<{ json: object }> {
  try {
    return { json: await corpus.update(which, patchOf(patch), { signal }) };
  } catch (error) {
    // Of ids; a missing file is no matter of the client.
    if (AsOfError.is(error) && error.details['ids']) throw notFound(error.message);
    throw error;
  }
}

const alter: Route = {
  method: 'PATCH',
  path: '/v1/corpora/{corpus}/fields',
  id: 'alterFields',
  summary:
    'Adds, renames and drops fields in one commit, which writes the whole corpus anew. What a ' +
    'field that is added has, passages may have already.',
  writes: true,
  body: fieldChanges,
  responses: { 200: json('All fields by now.', object({ fields: fieldsSchema })) },
  async handle({ served, params, body, scope }) {
    const name = params['corpus']!;
    const corpus = served.writableNamed(name);
    return { json: { fields: await alterFields(name, corpus, body, scope.signal) } };
  },
};

export const writeRoutes: readonly Route[] = [add, update, updateMany, remove, removeMany, alter];
