// `asof ask`: answer to one question, with its evidence and dates.
import { basename, resolve } from 'node:path';
import { createSystem } from '../../papers/registry.js';
import { questionMoments, type MomentQuestion } from '../../server/questionMoments.js';
import { questionPage } from '../../server/questionPage.js';
import { maxPassages } from '../../systems/system.js';
import { countOption, option, type Invocation } from '../command.js';
import { isPostgres } from '../credentials.js';
import { checkOutput, writeOutput } from '../outputs.js';
import { command } from '../commands/ask.js';
import { resultJson } from '../../json/result.js';
import { renderResult } from '../tables/results.js';
import { asRecordedOf } from '../options/asRecorded.js';
import { openCorpus } from '../inputs/corpus.js';
import { openReranker } from '../inputs/encoders.js';
import { openModel } from '../inputs/model.js';
import { openExtractor } from '../inputs/timeExtractor.js';
import { readingOf } from '../inputs/reading.js';
import { decayOf, deviceOf, exactnessOf } from '../inputs/searchOptions.js';
import { whereOf } from '../inputs/where.js';
import { timeZoneOf } from '../inputs/timeZone.js';
import { namesModel } from '../options/model.js';
import { settingsFor, settingsOf, systemsWith } from '../options/settings.js';
import { modelUsersOf } from '../inputs/modelUsers.js';

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
  asked: MomentQuestion,
  { terminal, signal }: Invocation,
): Promise<void> {
  const bar = terminal.progress('asking', 'times');
  try {
    const data = await questionMoments(asked, { onProgress: bar.update });
    await writeOutput(file, questionPage(data), signal);
  } finally {
    bar.end();
  }
}
