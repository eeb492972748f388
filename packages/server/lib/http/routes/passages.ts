// Routes that list and get passages.
import { askOf, askSchema, toJson } from 'asof/kit';
import { badRequest, notFound } from '../errors.js';
import { json, ref, type Route } from '../route.js';
import { orderFields, orderOf, type OrderRequest } from '../schemas/listOrder.js';
import { flag, listOf, object, text, whole } from '../schemas/common.js';

const list: Route = {
  method: 'GET',
  path: '/v1/corpora/{corpus}/passages',
  id: 'listPassages',
  summary: 'A page of the passages that pass a filter, in an order.',
  query: askSchema(
    { where: {}, asRecorded: {} },
    {
      ...orderFields,
      limit: whole('Passages of a page. Default 100.', 1, 1000),
      after: text('next of the page before.'),
    },
  ),
  responses: {
    200: json(
      'next is absent on the last page.',
      object({ passages: listOf(ref('Passage')), 'next?': text('Pass it as after.') }),
    ),
  },
  bulk: true,
  less: 'Ask for a smaller limit, and for the rest by after.',
  async handle({ served, params, query, scope, options }) {
    const { where, asRecorded } = askOf(query).options;
    const given = query as OrderRequest & { limit?: number; after?: string };
    const corpus = served.storedNamed(params['corpus']!);
    const page = await corpus.list({
      where,
      asRecorded,
      orderBy: orderOf(given),
      limit: given.limit,
      mostUnits: options.limits.answerBytes,
      after: given.after,
      signal: scope.signal,
    });
    const passages = page.passages.map((each) => toJson.passage(each, corpus.timeZone));
    return { json: { passages, ...(page.next === undefined ? {} : { next: page.next }) } };
  },
};

const get: Route = {
  method: 'GET',
  path: '/v1/corpora/{corpus}/passages/{id}',
  id: 'getPassage',
  summary: 'A passage by its id, in which a slash is written as %2F.',
  query: askSchema(
    { asRecorded: {} },
    { versions: flag('All versions that are kept, the oldest first, of a corpus with history.') },
  ),
  responses: {
    200: json('The passage, or its versions.', {
      oneOf: [ref('Passage'), object({ versions: listOf(ref('PassageVersion')) })],
    }),
  },
  less: 'Ask for one version: as_recorded.',
  async handle({ served, params, query }) {
    const { asRecorded } = askOf(query).options;
    const corpus = served.storedNamed(params['corpus']!);
    const id = params['id']!;
    if (query['versions']) {
      if (asRecorded !== undefined)
        throw badRequest('Expected versions or as_recorded, received both.');
      const versions = await corpus.versions(id);
      if (versions.length === 0) throw unknownId(id);
      return { json: { versions: versions.map((each) => toJson.version(each, corpus.timeZone)) } };
    }
    const passage = await corpus.get(id, { asRecorded });
    if (!passage) throw unknownId(id);
    return { json: toJson.passage(passage, corpus.timeZone) };
  },
};

export const unknownId = (id: string): Error =>
  notFound(
    `Expected a passage of the corpus, found none with the id ${JSON.stringify(id.slice(0, 100))}.`,
  );

export const passageRoutes: readonly Route[] = [list, get];
