// Routes that ask: evidence alone, evidence and answer, timelines.
import { askOf, askSchema, toJson } from 'asof/kit';
import { timeline, type AskOptions, type Evidence, type System, type SystemResult } from 'asof';
import { badRequest } from '../errors.js';
import { Newest } from '../newest.js';
import { json, ref, type Reply, type Route, type RouteContext } from '../route.js';

/** Most passages of an answer: each is sent with its text. */
const mostPassages = 1000;
/** Texts of an answer, those of neighbours included. */
const mostChunks = 10_000;
const less = 'Ask for fewer passages: k, neighbours.';

const askBody = askSchema({
  question: {},
  askedAt: {},
  timeZone: {},
  asOf: {},
  system: { default: 'that of the server, hybrid' },
  k: { maximum: mostPassages, default: 10 },
  offset: { default: 0 },
  minScore: {},
  highlights: {},
  facets: {},
  where: {},
  since: {},
  until: {},
  only: {},
  decay: {},
  relevance: {},
  asRecorded: {},
  perDocument: {},
  neighbours: { default: 0 },
  candidateIds: {},
});

interface Ask {
  system: System;
  run(options: AskOptions): Promise<SystemResult>;
}

function prepared({ served, metrics, params, body, scope, options }: RouteContext): Ask {
  const given = askOf(body);
  const { k = 10, neighbours = 0 } = given.options;
  if (k * (1 + 2 * neighbours) > mostChunks)
    throw badRequest(
      `Expected k and neighbours that ask for at most ${mostChunks} texts, received ${k} and ${neighbours}.`,
    );
  const corpus = served.named(params['corpus']!);
  const system = served.systemOf(corpus, given.system);
  metrics.question(corpus.name);
  const { answerBytes: mostUnits } = options.limits;
  return {
    system,
    run: (more) =>
      system.run(given.question, { ...given.options, mostUnits, signal: scope.signal, ...more }),
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
    const { system, run } = prepared(context);
    return { json: toJson.result(await run({ read: false }), system.name) };
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
    const asked = prepared(context);
    const accepted = context.request.headers.get('accept') ?? '';
    if (/\bapplication\/(?:x-ndjson|jsonl)\b/.test(accepted)) return streamed(asked, context);
    return { json: toJson.result(await asked.run({}), asked.system.name) };
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
    for (const each of evidence) yield { type: 'evidence', ...toJson.evidence(each) };
    for await (const text of written) yield { type: 'writing', text };
    const { evidence: _, ...others } = toJson.result(await result, system.name);
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
  body: askSchema({
    question: {},
    askedAt: {},
    timeZone: {},
    asOf: { description: 'only states that had begun by this time: ISO 8601, or words' },
    passages: { default: 400 },
    where: {},
    since: {},
    until: {},
    asRecorded: {},
  }),
  responses: { 200: json('In the order of time.', ref('Timeline')) },
  less: 'Read fewer passages: passages, where.',
  async handle({ served, metrics, params, body, scope }) {
    const { question, options } = askOf(body);
    const { name, corpus } = served.named(params['corpus']!);
    metrics.question(name);
    const entries = await timeline(corpus, question, { ...options, signal: scope.signal });
    return { json: toJson.timeline(question.text, entries, corpus.timeZone) };
  },
};

export const questionRoutes: readonly Route[] = [search, ask, ofTimeline];
