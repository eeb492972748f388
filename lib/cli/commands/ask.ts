// `asof ask`: answer to one question, with its evidence and dates.
import { createSystem } from '../../papers/registry.js';
import { maxPassages } from '../../systems/system.js';
import { countOption, option, type Command } from '../command.js';
import { openCorpus } from '../options/corpus.js';
import { deviceOf, deviceOption } from '../options/device.js';
import { encoderOptions, openReranker, rerankerOption } from '../options/encoders.js';
import { exactnessOf, exactnessOption } from '../options/exactness.js';
import { modelOptions, namesModel, openModel } from '../options/model.js';
import { readingOf, readingOptions } from '../options/reading.js';
import { settingsFor, settingsOf, settingsOption, systemsWith } from '../options/settings.js';
import { usersOf } from '../options/unused.js';

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
        'a date alone is its end (UTC); default now',
    },
    system: {
      type: 'string',
      short: 's',
      value: 'S',
      help: 'retrieval system, default hybrid; an unknown name lists all',
    },
    k: { type: 'string', value: 'K', help: 'number of passages, default 5' },
    explain: {
      type: 'boolean',
      help: 'print the time constraint, every score, and the stages with their times',
    },
    settings: settingsOption,
    ...modelOptions,
    ...readingOptions,
    ...encoderOptions,
    reranker: rerankerOption,
    exactness: exactnessOption,
    device: deviceOption,
  },
  example: 'asof ask wiki.asof "Who was UK prime minister in May 2021?" --explain',
  async run(invocation) {
    const { renderResult, resultJson } = await import('../tables/results.js');
    const { terminal, signal } = invocation;
    const [folder, text] = invocation.positionals as [string, string];
    const askedAt = option(invocation, 'asked-at');
    const k = countOption(invocation, command, 'k', { most: maxPassages }) ?? 5;
    const exactness = await exactnessOf(invocation, command);
    const device = await deviceOf(invocation, command);
    const file = await settingsOf(invocation);
    const named = option(invocation, 'system');
    const [name] = systemsWith(named === undefined ? undefined : [named], file, command);
    const read = await readingOf(invocation, command, namesModel(invocation));
    await usersOf([name!], read, file, invocation, command);
    await using opened = await openModel(invocation, command);
    const reranker = await openReranker(invocation);
    const corpus = await openCorpus(folder, invocation, {
      create: false,
      ...(device ? { device } : {}),
    });
    try {
      const system = createSystem(name!, {
        corpus,
        read,
        ...opened.options,
        ...(reranker ? { reranker } : {}),
        ...settingsFor(name!, file),
      });
      const started = performance.now();
      const result = await system.run(askedAt === undefined ? { text } : { text, askedAt }, {
        signal,
        k,
        ...(exactness ? { exactness } : {}),
      });
      const milliseconds = performance.now() - started;
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
  },
};
