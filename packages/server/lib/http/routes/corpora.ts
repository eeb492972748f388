// Routes that create and drop corpora, of servers with a folder for them.
import { askSchema } from 'asof/kit';
import type { NewCorpus } from '../corpusFolder.js';
import { fieldsSchema } from '../patches.js';
import { json, ref, type Route } from '../route.js';
import { flag, iso, object } from '../schemas/common.js';
import { infoJson } from './about.js';

const create: Route = {
  method: 'POST',
  path: '/v1/corpora',
  id: 'createCorpus',
  summary: 'Creates an empty corpus in the folder of the server, which encodes its texts.',
  writes: true,
  body: object({
    name: {
      type: 'string',
      // Of all systems alike, none of which has to tell cases apart.
      pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
      description: 'Lower-case letters, digits, _ and -, at most 64.',
    },
    'fields?': { ...fieldsSchema, description: 'Entries of metadata that filters can name.' },
    'time_zone?': askSchema({
      timeZone: { description: 'IANA name of the zone of its days; default UTC' },
    }).properties['time_zone']!,
    'history?': flag('Whether earlier versions of passages are kept. Default false.'),
    'sentences?': flag('Whether sentences have vectors of their own. Default true.'),
    'storage?': {
      enum: ['int4', 'int8', 'bf16', 'f32'] satisfies NewCorpus['storage'][],
      description: 'Type of the smaller copy of the vectors. Default int4.',
    },
  }),
  responses: { 201: json('As GET has it.', ref('CorpusInfo')) },
  async handle({ served, body, scope }) {
    const {
      name,
      time_zone: timeZone,
      ...options
    } = body as unknown as NewCorpus & {
      name: string;
      time_zone?: string;
    };
    const corpus = await served.create(name, { ...options, timeZone }, scope.signal);
    return { status: 201, json: await infoJson(name, corpus) };
  },
};

const drop: Route = {
  method: 'DELETE',
  path: '/v1/corpora/{corpus}',
  id: 'dropCorpus',
  summary:
    'Drops a corpus of the folder of the server with all its passages, for good. Requests that ' +
    'read it end with an error.',
  writes: true,
  responses: { 200: json('It was there.', object({ dropped: iso })) },
  async handle({ served, metrics, params }) {
    const name = params['corpus']!;
    await served.drop(name);
    metrics.forget(name);
    return { json: { dropped: name } };
  },
};

export const corpusRoutes: readonly Route[] = [create, drop];
