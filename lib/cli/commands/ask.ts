// `asof ask`: answer to one question, with its evidence and dates.
import { type Command, countOption, option, type Invocation } from '../command.js';
import { asRecordedOption, asRecordedOf } from '../options/asRecorded.js';
import { decayOption } from '../options/decay.js';
import { deviceOption } from '../options/device.js';
import { encoderOptions, rerankerOption } from '../options/encoders.js';
import { exactnessOption } from '../options/exactness.js';
import { extractorOption } from '../options/extractor.js';
import { modelOptions, namesModel } from '../options/model.js';
import { schemaOption } from '../options/postgres.js';
import { readingOptions } from '../options/reading.js';
import { settingsOption, settingsFor, settingsOf, systemsWith } from '../options/settings.js';
import { whereOption } from '../options/where.js';
import { timeZoneOption } from '../options/timeZone.js';
import { basename, resolve } from 'node:path';
import { createSystem } from '../../papers/registry.js';
import { maxPassages } from '../../systems/system.js';
import { isPostgres } from '../credentials.js';
import { loadPackage } from '../packages.js';
import { checkOutput, writeOutput } from '../outputs.js';
import { resultJson } from '../../json/result.js';
import { renderResult } from '../tables/results.js';
import { openCorpus } from '../inputs/corpus.js';
import { openReranker } from '../inputs/encoders.js';
import { openModel } from '../inputs/model.js';
import { openExtractor } from '../inputs/timeExtractor.js';
import { readingOf } from '../inputs/reading.js';
import { decayOf, deviceOf, exactnessOf } from '../inputs/searchOptions.js';
import { whereOf } from '../inputs/where.js';
import { timeZoneOf } from '../inputs/timeZone.js';
import { modelUsersOf } from '../inputs/modelUsers.js';

export const command: Command = {
  name: 'ask',
  summary: 'Answers a question from a corpus, as of a time.',
  positionals: ['DIR', '"QUESTION"'],
  options: {
    'asked-at': {
      type: 'string',
      value: 'T',
      help:
        'time of the question (ISO 8601): the meaning of "now"; later publications are hidden; ' +
        'a date alone is its end; default now',
    },
    'time-zone': timeZoneOption('days of the question and of T; default that of the corpus'),
    system: {
      type: 'string',
      short: 's',
      value: 'S',
      help: 'retrieval system, default hybrid; an unknown name lists all',
    },
    k: { type: 'string', value: 'K', help: 'number of passages, default 5' },
    where: whereOption,
    'as-recorded': asRecordedOption,
    'per-document': {
      type: 'boolean',
      help: 'one passage per document: the best of its chunks; -k counts documents',
    },
    neighbours: {
      type: 'string',
      value: 'N',
      help: 'with --json, also the N chunks before and after each passage',
    },
    explain: {
      type: 'boolean',
      help: 'print the time constraint, every score, and the stages with their times',
    },
    html: {
      type: 'string',
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
    exactness: exactnessOption,
    device: deviceOption,
    schema: schemaOption,
  },
  example: 'asof ask wiki.asof "Who was UK prime minister in May 2021?" --explain',
};

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const [folder, text] = invocation.positionals as [string, string];
  const askedAt = option(invocation, 'asked-at');
  const timeZone = timeZoneOf(invocation, command);
  const k = countOption(invocation, command, 'k', { most: maxPassages }) ?? 5;
  const neighbours = countOption(invocation, command, 'neighbours', { least: 0, most: 100 });
  const exactness = exactnessOf(invocation, command);
  const device = deviceOf(invocation, command);
  const where = whereOf(invocation, command);
  const decay = decayOf(invocation, command);
  const html = option(invocation, 'html');
  await checkOutput(html, 'html');
  const file = await settingsOf(invocation);
  const named = option(invocation, 'system');
  const [name] = systemsWith(named === undefined ? undefined : [named], file, command);
  const read = await readingOf(invocation, command, namesModel(invocation));
  modelUsersOf([name!], read, file, invocation, command);
  await using opened = await openModel(invocation, command);
  await using times = await openExtractor(invocation, command, [name!]);
  const reranker = await openReranker(invocation);
  const corpus = await openCorpus(folder, invocation, { create: false, device });
  try {
    const system = createSystem(name!, {
      corpus,
      read,
      ...opened.options,
      ...times.options,
      reranker,
      ...(decay
        ? { settings: { ...settingsFor(name!, file).settings, decay } }
        : settingsFor(name!, file)),
    });
    const started = performance.now();
    const question = { text, timeZone, askedAt };
    const options = {
      signal,
      k,
      exactness,
      where,
      ...asRecordedOf(invocation),
      neighbours,
      perDocument: invocation.flags.has('per-document'),
    };
    const onAnswer = read.mode === undefined ? undefined : terminal.status;
    const result = await system.run(question, { ...options, onAnswer });
    const milliseconds = performance.now() - started;
    terminal.status?.('');
    if (html !== undefined) {
      const name = isPostgres(folder) ? corpus.questions.name : basename(resolve(folder));
      await writePage(html, { corpus, name, system, question, options, result }, invocation);
    }
    if (terminal.json) await terminal.printJson(resultJson(result, system.name));
    else {
      const explain = invocation.flags.has('explain');
      await terminal.print(
        renderResult(result, {
          system: String(system),
          name: system.name,
          milliseconds,
          explain,
          terminal,
        }),
      );
    }
    return 0;
  } finally {
    await corpus.close();
  }
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
  const bar = terminal.progress('asking', 'times');
  try {
    const data = await questionMoments(asked, { onProgress: bar.update });
    await writeOutput(file, questionPage(data), signal);
  } finally {
    bar.end();
  }
}
