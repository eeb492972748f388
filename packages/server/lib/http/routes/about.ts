// Routes about the server itself.
import type { StoredCorpus } from 'asof';
import { buildInfo, toJson } from 'asof/kit';
import { describeRoutes } from '../openApi.js';
import { questionPage } from '../questionPage.js';
import { json, ref, type Route } from '../route.js';
import { anything, flag, iso, listOf, number, object } from '../schemas/common.js';
import { limitNames, type Limit } from '../limits.js';

/** Read once. */
let livePage: string | undefined;

const page: Route = {
  method: 'GET',
  path: '/',
  id: 'page',
  summary: 'A page on which questions are asked.',
  open: true,
  responses: { 200: { description: 'The page.', content: { 'text/html': { type: 'string' } } } },
  handle: () => ({
    text: (livePage ??= questionPage()),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // The page itself has a policy, which cannot say this.
      'content-security-policy': "frame-ancestors 'none'",
    },
  }),
};

const health: Route = {
  method: 'GET',
  path: '/health',
  id: 'health',
  summary: 'Whether the server answers.',
  open: true,
  responses: { 200: json('It does.', object({ status: { const: 'ok' }, version: iso })) },
  handle: () => ({ json: { status: 'ok', version: buildInfo().version } }),
};

const metrics: Route = {
  method: 'GET',
  path: '/metrics',
  id: 'metrics',
  summary: "Counts of requests, durations and passages in Prometheus's text format.",
  always: true,
  responses: { 200: { description: 'Counts.', content: { 'text/plain': { type: 'string' } } } },
  handle: async ({ metrics: counts, served }) => ({
    text: await counts.text(served),
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
  }),
};

const about: Route = {
  method: 'GET',
  path: '/v1/info',
  id: 'serverInfo',
  summary: 'Version and limits of this server.',
  responses: {
    200: json(
      'Bytes, seconds and numbers, as the guide has them.',
      object({
        version: iso,
        write: flag('Whether passages can be added and deleted.'),
        limits: object(
          Object.fromEntries(Object.values(limitNames).map((name) => [name, number] as const)),
        ),
      }),
    ),
  },
  handle: ({ options: { write, limits } }) => ({
    json: {
      version: buildInfo().version,
      write,
      limits: Object.fromEntries(
        Object.entries(limitNames).map(([name, shown]) => [shown, limits[name as Limit]]),
      ),
    },
  }),
};

const corpora: Route = {
  method: 'GET',
  path: '/v1/corpora',
  id: 'listCorpora',
  summary: 'The corpora of this server.',
  responses: {
    200: json(
      'Their names; passages is null of several searched as one.',
      object({
        corpora: listOf(
          object({
            name: iso,
            passages: { type: ['integer', 'null'], minimum: 0 },
            time_zone: iso,
            'spans?': ref('Spans'),
            writable: flag('Whether passages can be added and deleted.'),
            'droppable?': flag('Whether it can be dropped: of the folder of the server.'),
            systems: listOf(iso, { description: 'That have their models, the default first.' }),
          }),
        ),
      }),
    ),
  },
  handle: async ({ served, options }) => ({
    json: {
      corpora: await Promise.all(
        served.all().map(async (each) => {
          const { name, corpus, stored, isOfFolder } = each;
          const info = await stored?.info();
          return {
            name,
            passages: info?.passages ?? null,
            time_zone: corpus.timeZone,
            ...(info ? { spans: toJson.spans(info) } : {}),
            writable: options.write && stored !== undefined && !stored.readOnly,
            ...(isOfFolder && options.write ? { droppable: true } : {}),
            systems: served.systemsOf(each),
          };
        }),
      ),
    },
  }),
};

const info: Route = {
  method: 'GET',
  path: '/v1/corpora/{corpus}',
  id: 'corpusInfo',
  summary: 'Counts, times and encoder of a corpus.',
  responses: { 200: json('As asof info prints them.', ref('CorpusInfo')) },
  async handle({ served, params }) {
    const name = params['corpus']!;
    return { json: await infoJson(name, served.storedNamed(name)) };
  },
};

/** Where a corpus lies is for those who run the server. */
export async function infoJson(name: string, corpus: StoredCorpus): Promise<object> {
  const { path: _, schema: __, shards: ___, ...shown } = toJson.info(await corpus.info());
  return { name, ...shown };
}

/** The description of all routes, itself included. */
export function aboutRoutes(others: readonly Route[]): Route[] {
  const routes: Route[] = [page, health, metrics, about, corpora, info];
  const description: Route = {
    method: 'GET',
    path: '/openapi.json',
    id: 'openApi',
    summary: 'This description (OpenAPI 3.1).',
    open: true,
    responses: { 200: json('The description.', anything) },
    handle: ({ options }) => ({ json: describeRoutes([...routes, ...others], options) }),
  };
  routes.push(description);
  return routes;
}
