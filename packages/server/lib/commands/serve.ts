// `asof serve`: corpora over HTTP until a signal stops it.
import {
  type Command,
  UsageError,
  countOption,
  option,
  type Invocation,
  deviceChoice,
  encoderChoice,
  rerankerChoice,
  extractorChoice,
  modelChoice,
  corpusChoice,
  readingChoice,
  settingsChoice,
} from 'asof/command';
import { once } from 'node:events';
import { corpusServer, type CorpusServer } from '../index.js';
import { mostConditions } from 'asof/kit';
import { foldersOf, namesHelp, openCorpora } from './corpora.js';
import { limitOptions, limitsOf, tokensOfEnvironment } from './limits.js';

export const command: Command = {
  name: 'serve',
  summary: 'Serves corpora over HTTP with JSON: questions, timelines, passages, and a page.',
  positionals: ['[DIR...]'],
  options: {
    port: { value: 'PORT', help: 'default 8080; 0 is a free one' },
    host: { value: 'HOST', help: 'default 127.0.0.1; others that this machine has need a token' },
    folder: {
      value: 'DIR',
      help: 'serve all corpora NAME.asof in it; with --write requests create and drop some',
    },
    write: { help: 'allow passages to be added and deleted' },
    cors: {
      multiple: true,
      value: 'ORIGIN',
      help: 'allow pages of this site, https://app.example.com; may be repeated',
    },
    system: { short: 's', value: 'S', help: 'system of questions that name none, default hybrid' },
    concurrency: {
      value: 'N',
      help: 'questions that one corpus answers at a time, default 8; more for a slow model',
    },
    conditions: {
      value: 'N',
      help: 'conditions of a filter, default 16,384, which is the most',
      group: 'limit',
    },
    'corpora-limit': {
      value: 'N',
      help: 'corpora beyond which requests create none in --folder, default 100',
      group: 'limit',
    },
    ...limitOptions,
    settings: settingsChoice.option,
    ...modelChoice.options,
    ...readingChoice.options,
    ...encoderChoice.options,
    reranker: rerankerChoice.option,
    extractor: { ...extractorChoice.option, group: 'encoder' },
    weights: { ...extractorChoice.weights, group: 'encoder' },
    device: deviceChoice.option,
    schema: corpusChoice.schema,
  },
  details:
    `${namesHelp}\n` +
    'The variable ASOF_TOKEN is the bearer token that requests need, or several between commas.\n' +
    'GET /openapi.json describes the interface. Requests are logged to standard error as JSON, ' +
    'a line each, without their texts.\n' +
    'SIGINT and SIGTERM stop it: what runs has 10 seconds to end.',
  example: 'asof serve wiki.asof news=2024/news.asof --port 8080',
};

export async function run(given: Invocation): Promise<void> {
  const folders = foldersOf(given);
  const folder = option(given, 'folder');
  if (folders.size === 0 && folder === undefined)
    throw new UsageError('asof serve needs DIR or --folder.');
  const stopping = stopSignal(given.signal);
  // An interrupt ends the opening of models, but not their work for requests that still run.
  const opening = new AbortController();
  const interrupt = (): void => opening.abort();
  given.signal.addEventListener('abort', interrupt);
  const invocation = { ...given, signal: opening.signal };
  const file = await settingsChoice.of(invocation);
  const named = option(invocation, 'system');
  const [system] = settingsChoice.systems(named === undefined ? undefined : [named], file);
  const read = await readingChoice.of(invocation, modelChoice.isGiven(invocation));
  modelChoice.users([system!], read, file, invocation);
  const conditions = countOption(invocation, 'conditions', { most: mostConditions });
  const corporaLimit = countOption(invocation, 'corpora-limit', { most: 100_000 });
  const limits = { ...limitsOf(invocation), conditions, corpora: corporaLimit };
  const opened = modelChoice.open(invocation);
  await using times = await extractorChoice.open(invocation, [system!]);
  const reranker = await rerankerChoice.open(invocation);
  const access = invocation.flags.has('write') ? { create: false } : { readOnly: true };
  const device = deviceChoice.of(invocation);
  const concurrency = countOption(invocation, 'concurrency', { most: 1000 });
  const encoder = await encoderChoice.open(invocation);
  await using corpora = await openCorpora(folders, invocation, {
    ...access,
    encoder,
    device,
    concurrency,
  });
  given.signal.removeEventListener('abort', interrupt);
  await using server = await corpusServer({
    ...(folders.size > 0 ? { corpora: corpora.byName } : {}),
    folder: folder === undefined ? undefined : { path: folder, encoder, device, concurrency },
    write: invocation.flags.has('write'),
    token: tokensOfEnvironment(),
    system,
    ...settingsChoice.for(system!, file),
    ...opened.options,
    ...times.options,
    read,
    reranker,
    cors: invocation.strings['cors'],
    limits,
    log: (record) => invocation.terminal.say(JSON.stringify(record)),
  });
  await serve(server, { corpora: [...folders.keys()], folder }, invocation, stopping);
}

async function serve(
  server: CorpusServer,
  served: { corpora: readonly string[]; folder: string | undefined },
  invocation: Invocation,
  stopping: AbortSignal,
): Promise<void> {
  const { terminal } = invocation;
  const host = option(invocation, 'host');
  const port = countOption(invocation, 'port', { least: 0, most: 65_535 });
  const { url } = await server.listen({ port, host });
  const { corpora, folder } = served;
  const what = folder === undefined ? corpora : [...corpora, `the corpora in ${folder}`];
  if (terminal.json) await terminal.printJson({ url, ...served });
  else await terminal.print(`${url} serves ${what.join(', ')}\n`);
  if (!stopping.aborted) await once(stopping, 'abort');
  await server.close();
}

/** Fires at the first signal; a second SIGINT or SIGTERM ends the process at once. */
function stopSignal(interrupt: AbortSignal): AbortSignal {
  const terminated = new AbortController();
  process.on('SIGTERM', () => {
    if (terminated.signal.aborted) process.exit(143);
    terminated.abort();
  });
  return AbortSignal.any([interrupt, terminated.signal]);
}
