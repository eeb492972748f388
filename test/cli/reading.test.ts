// Options of answer reading: help, values and errors.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readArguments, UsageError, type Command, type Invocation } from '../../lib/cli/command.js';
import { readingOf, readingOptions } from '../../lib/cli/inputs/reading.js';
import { fallbacks, readerModes } from '../../lib/reading/answer.js';
import { temporaryFolder } from '../store/fixtures.js';

const command: Command = {
  name: 'ask',
  summary: 'x',
  example: '',
  positionals: [],
  options: readingOptions,
};
const reading = (hasModel: boolean, ...args: string[]) =>
  readingOf(readArguments(command, args) as Invocation, hasModel);

describe('reading options', () => {
  const folder = temporaryFolder();
  const examplesFile = (...lines: unknown[]): string => {
    const path = folder.path('examples.jsonl');
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return path;
  };

  it('help names every mode and fallback', () => {
    for (const mode of readerModes) assert.ok(readingOptions['read']!.help.includes(mode), mode);
    for (const each of fallbacks) assert.ok(readingOptions['fallback']!.help.includes(each), each);
  });

  it('gives the values of the options that are present', async () => {
    assert.deepEqual(await reading(false), {});
    assert.deepEqual(await reading(false, '--read', 'extract', '--passages', '3'), {
      mode: 'extract',
      passages: 3,
    });
    assert.deepEqual(await reading(false, '--least-confidence', '0'), { leastConfidence: 0 });
    assert.deepEqual(await reading(true, '--read', 'selfMrag'), { mode: 'selfMrag' });
    const example = { question: 'Who led it in 2004?', answer: 'Ann' };
    const more = {
      asked_at: '2010',
      reasoning: 'Ann led it.',
      passages: [{ text: 'Ann led it.' }],
    };
    const file = examplesFile(example, { ...example, ...more });
    const { asked_at: askedAt, ...others } = more;
    const given = ['--temperature', '0.2', '--fallback', 'memory', '--examples', file];
    assert.deepEqual(await reading(true, '--read', 'concatenated', ...given), {
      mode: 'concatenated',
      temperature: 0.2,
      fallback: 'memory',
      examples: [example, { ...example, askedAt, ...others }],
    });
  });

  it('refuses unknown modes, modes without their model, and values out of range', async () => {
    const refuses = (pattern: RegExp, hasModel: boolean, ...args: string[]): Promise<void> =>
      assert.rejects(
        () => reading(hasModel, ...args),
        (error: unknown) => error instanceof UsageError && pattern.test(error.message),
      );
    await refuses(/one of extract, .*Did you mean selfMrag\?/, true, '--read', 'selfmarg');
    await refuses(/--model/, false, '--read', 'direct');
    await refuses(/whole number/, true, '--passages', '0');
    await refuses(/--temperature is of a reader that prompts/, true, '--temperature', '0.2');
    const direct = ['--read', 'direct'];
    for (const wrong of ['-1', '2.1', 'x', '1e9'])
      await refuses(/from 0 to 2, received/, true, ...direct, `--temperature=${wrong}`);
    for (const wrong of ['-1', '1.1', 'x'])
      await refuses(/from 0 to 1, received/, false, `--least-confidence=${wrong}`);
    await refuses(/is of --read extract/, true, ...direct, '--least-confidence', '0.5');
    await refuses(/--reader is of --read extract/, true, ...direct, '--reader', 'onnx:a');
    await refuses(/--reader must be onnx:FOLDER or onnx:OWNER/, false, '--reader', 'models/a');
    await refuses(/one of abstain, memory/, true, ...direct, '--fallback', 'guess');
    await refuses(/needs --read concatenated or self/, true, ...direct, '--fallback', 'memory');
  });

  it('names the line of an example that is none', async () => {
    const good = { question: 'Who led it in 2004?', answer: 'Ann' };
    const wrong: [object, RegExp][] = [
      [{ question: 'Who led it?' }, /examples\.jsonl:2: .*"answer"/],
      [{ ...good, asked_at: 'then' }, /examples\.jsonl:2: /],
      [{ ...good, passages: [{ title: 'Ann' }] }, /examples\.jsonl:2: .*\{ title\?, text \}/],
    ];
    for (const [line, message] of wrong)
      await assert.rejects(
        () => reading(true, '--read', 'direct', '--examples', examplesFile(good, line)),
        { code: 'ERR_INVALID_INPUT', message },
      );
  });
});
