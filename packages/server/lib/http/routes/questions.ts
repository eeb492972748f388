// Routes that ask: evidence alone, evidence and answer, timelines.
import { evidenceJson, resultJson, timelineJson, maxQuestionLength, Newest } from 'asof/kit';
import {
  type Evidence,
  type Where,
  type AskOptions,
  type System,
  type SystemResult,
  timeline,
} from 'asof';
import { badRequest } from '../errors.js';
import { json, ref, type Reply, type Route, type RouteContext } from '../route.js';
import {
  asRecorded,
  askedAt,
  flag,
  listOf,
  object,
  text,
  timeZone,
  where,
  whole,
} from '../schemas/common.js';

/** Most passages of an answer: each is sent with its text. */
const mostPassages = 1000;
/** Texts of an answer, those of neighbours included. */
const mostChunks = 10_000;
const less = 'Ask for fewer passages: k, neighbours.';

const question: Readonly<Record<string, unknown>> = {
  type: 'string',
  description: 'In words.',
  minLength: 1,
  maxLength: maxQuestionLength,
};

const askBody = object({
  question,
  'asked_at?': askedAt,
  'time_zone?': timeZone,
  'system?': text('Retrieval system. Default: that of the server, hybrid.'),
  'k?': whole('Passages to return. Default 10.', 1, mostPassages),
  'where?': where,
  'as_recorded?': asRecorded,
  'per_document?': flag('One passage per document: the best of its chunks. Default false.'),
  'neighbours?': whole('Chunks before and after each passage. Default 0.', 0, 100),
  'candidate_ids?': listOf(
    { type: 'string' },
    { description: 'Only these passages.', maxItems: 100_000 },
  ),
});

interface AskBody {
  question: string;
  asked_at?: string;
  time_zone?: string;
  system?: string;
  k?: number;
  where?: Where;
  as_recorded?: string;
  per_document?: boolean;
  neighbours?: number;
  candidate_ids?: string[];
}

interface Ask {
  system: System;
  run(options: AskOptions): Promise<SystemResult>;
}

function askOf({ served, metrics, params, body, scope, options }: RouteContext): Ask {
  const given = body as unknown as AskBody;
  const { k = 10, neighbours = 0 } = given;
  if (k * (1 + 2 * neighbours) > mostChunks)
    throw badRequest(
      `Expected k and neighbours that ask for at most ${mostChunks} texts, received ${k} and ${neighbours}.`,
    );
  const corpus = served.named(params['corpus']!);
  const system = served.systemOf(corpus, given.system);
  metrics.question(corpus.name);
  const asked = { text: given.question, askedAt: given.asked_at, timeZone: given.time_zone };
  return {
    system,
    run: (more) =>
      system.run(asked, {
        k: given.k,
        where: given.where,
        asRecorded: given.as_recorded,
        perDocument: given.per_document,
        neighbours: given.neighbours,
        mostUnits: options.limits.answerBytes,
        candidateIds: given.candidate_ids,
        signal: scope.signal,
        ...more,
      }),
  };
}

const search: Route = {
  method: 'POST',
  path: '/v1/corpora/{corpus}/search',
  id: 'search',
  summary: 'The passages that answer a question, without an answer read from them.',
  body: askBody,
  responses: { 200: json('Evidence, the best first.', ref('Result')) },
  less,
  async handle(context) {
    const { system, run } = askOf(context);
    return { json: resultJson(await run({ read: false }), system.name) };
  },
};

const ask: Route = {
  method: 'POST',
  path: '/v1/corpora/{corpus}/ask',
  id: 'ask',
  summary:
    'Evidence and answer. With Accept: application/x-ndjson a line for each passage as soon as ' +
    'they are found, lines with the answer as far as it is written, then one with the rest.',
  body: askBody,
  responses: {
    200: {
      description: 'As asof ask --json prints it.',
      content: { 'application/json': ref('Result'), 'application/x-ndjson': ref('AnswerLine') },
    },
  },
  less,
  async handle(context) {
    const asked = askOf(context);
    const accepted = context.request.headers.get('accept') ?? '';
    if (/\bapplication\/(?:x-ndjson|jsonl)\b/.test(accepted)) return streamed(asked, context);
    return { json: resultJson(await asked.run({}), asked.system.name) };
  },
};

/** Fails as any answer does until there is evidence; afterwards its last line is the error. */
async function streamed({ system, run }: Ask, { scope }: RouteContext): Promise<Reply> {
  let result: Promise<SystemResult>;
  const written = new Newest<string>();
  const evidence = await new Promise<Evidence[]>((resolve, reject) => {
    result = run({ onEvidence: resolve, onAnswer: (text) => written.push(text) });
    result.catch(reject).finally(() => written.end());
  });
  scope.hold(evidence.reduce((units, { text }) => units + text.length, 0));
  async function* lines(): AsyncGenerator<Record<string, unknown>> {
    for (const each of evidence) yield { type: 'evidence', ...evidenceJson(each) };
    for await (const text of written) yield { type: 'writing', text };
    const { evidence: _, ...others } = resultJson(await result, system.name);
    yield { type: 'result', ...others };
  }
  return {
    lines: lines(),
    headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
  };
}

const ofTimeline: Route = {
  method: 'POST',
  path: '/v1/corpora/{corpus}/timeline',
  id: 'timeline',
  summary: 'What changed with time: the facts of one series, each with its validity.',
  body: object({
    question,
    'asked_at?': askedAt,
    'time_zone?': timeZone,
    'passages?': whole('Passages that are read, the nearest first. Default 400.', 1, 10_000),
    'where?': where,
    'as_recorded?': asRecorded,
  }),
  responses: { 200: json('In the order of time.', ref('Timeline')) },
  less: 'Read fewer passages: passages, where.',
  async handle({ served, metrics, params, body, scope }) {
    const given = body as unknown as AskBody & { passages?: number };
    const { name, corpus } = served.named(params['corpus']!);
    metrics.question(name);
    const asked = { text: given.question, askedAt: given.asked_at, timeZone: given.time_zone };
    const entries = await timeline(corpus, asked, {
      passages: given.passages,
      where: given.where,
      asRecorded: given.as_recorded,
      signal: scope.signal,
    });
    return { json: timelineJson(given.question, entries, corpus.timeZone) };
  },
};

export const questionRoutes: readonly Route[] = [search, ask, ofTimeline];
