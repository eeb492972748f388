// `asof ask`: answer to one question, with its evidence and dates.
import { type Command, option, type Invocation } from '../command.js';
import { askOptions, askValues, questionText } from '../options/ask.js';
import { decayOption, deviceOption, decayOf, deviceOf } from '../inputs/searchOptions.js';
import { encoderOptions, rerankerOption, openReranker } from '../inputs/encoders.js';
import { extractorOption, openExtractor, weightsOption } from '../inputs/timeExtractor.js';
import { modelOptions, namesModel, openModel, modelUsersOf } from '../inputs/model.js';
import { schemaOption, openCorpus } from '../inputs/storedCorpus.js';
import { readingOptions, readingOf } from '../inputs/reading.js';
import { settingsOption, settingsFor, settingsOf, systemsWith } from '../options/settings.js';
import { basename, resolve } from 'node:path';
import { createSystem } from '../../papers/registry.js';
import { isServer } from '../credentials.js';
import { loadPackage } from '../packages.js';
import { checkOutput, writeOutput } from '../outputs.js';
import { toJson } from '../../systems/json.js';
import { timed } from '../terminal.js';
import { renderResult } from '../tables/results.js';

const asked = {
  askedAt: {},
  timeZone: {},
  asOf: {},
  system: { short: 's', help: 'retrieval system, default hybrid; an unknown name lists all' },
  k: { default: 5 },
  offset: {},
  minScore: {},
  where: {},
  since: {},
  until: {},
  only: {},
  relevance: {},
  asRecorded: {},
  perDocument: {},
  highlights: { help: 'mark words of the search and times that are asked for' },
  facets: {},
  neighbours: { help: 'with --json, also the N chunks before and after each passage' },
} as const;
const askNames = [...(Object.keys(asked) as (keyof typeof asked)[]), 'exactness'] as const;

export const command: Command = {
  name: 'ask',
  summary: 'Answers a question from a corpus, as of a time.',
  positionals: ['DIR', '"QUESTION"'],
  options: {
    ...askOptions(asked),
    explain: { help: 'print the time constraint, every score, and the stages with their times' },
    html: {
      value: 'FILE.html',
      help:
        'also write a page with the evidence as a timeline, as of up to 24 times at which ' +
        'something changes',
    },
    decay: decayOption,
    settings: settingsOption,
    ...modelOptions,
    ...readingOptions,
    ...encoderOptions,
    reranker: rerankerOption,
    extractor: { ...extractorOption, group: 'encoder' },
    weights: { ...weightsOption, group: 'encoder' },
    ...askOptions({ exactness: { group: 'encoder' } }),
    device: deviceOption,
    schema: schemaOption,
  },
  details: 'QUESTION - is read from standard input.',
  example: 'asof ask wiki.asof "Who was UK prime minister in May 2021?" --explain',
};

export async function run(invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation;
  const [folder, argument] = invocation.positionals as [string, string];
  const text = await questionText(argument);
  const { askedAt, timeZone, system: named, k = 5, ...given } = askValues(invocation, askNames);
  const device = deviceOf(invocation);
  const decay = decayOf(invocation);
  const html = option(invocation, 'html');
  await checkOutput(html, 'html');
  const file = await settingsOf(invocation);
  const [name] = systemsWith(named === undefined ? undefined : [named], file);
  const read = await readingOf(invocation, namesModel(invocation));
  modelUsersOf([name!], read, file, invocation);
  const opened = openModel(invocation);
  await using times = await openExtractor(invocation, [name!]);
  const reranker = await openReranker(invocation);
  await using corpus = await openCorpus(folder, invocation, { create: false, device });
  const { settings } = settingsFor(name!, file);
  const system = createSystem(name!, {
    corpus,
    read,
    ...opened.options,
    ...times.options,
    reranker,
    settings: decay ? { ...settings, decay } : settings,
  });
  const started = performance.now();
  const question = { text, timeZone, askedAt };
  const options = { ...given, k, signal };
  const onAnswer = read.mode === undefined ? undefined : terminal.status;
  const result = await system.run(question, { ...options, onAnswer });
  const milliseconds = performance.now() - started;
  terminal.status?.('');
  if (html !== undefined) {
    const name = isServer(folder) ? corpus.questions.name : basename(resolve(folder));
    await writePage(html, { corpus, name, system, question, options, result }, invocation);
  }
  if (terminal.json) return terminal.printJson(toJson.result(result, system.name));
  const explain = invocation.flags.has('explain');
  await terminal.print(renderResult(result, { system, milliseconds, explain, terminal }));
}

/** The static page of a result, which is asked again as of other times. */
async function writePage(
  file: string,
  asked: import('@asof/server/page').MomentQuestion,
  { terminal, signal }: Invocation,
): Promise<void> {
  const { questionMoments, questionPage } = await loadPackage<typeof import('@asof/server/page')>(
    '@asof/server/page',
    'for --html',
  );
  const [data] = await timed(terminal.progress('asking', 'times'), (onProgress) =>
    questionMoments(asked, { onProgress }),
  );
  await writeOutput(file, questionPage(data), signal);
}
