// `asof report`: HTML page of a comparison.
import {
  type Command,
  UsageError,
  countOption,
  option,
  requiredOption,
  type Invocation,
  checkOutput,
  writeOutput,
  counted,
} from 'asof/command';
import { resolve } from 'node:path';
import { readComparison } from '../comparison/result.js';
import { comparisonReport, type ReportOptions } from '../report/report.js';

export const command: Command = {
  name: 'report',
  summary: 'Writes the result of asof compare as one HTML page.',
  positionals: ['RESULT.json'],
  options: {
    out: {
      value: 'FILE.html',
      required: true,
      help: 'the HTML file; an existing one is overwritten',
    },
    questions: {
      value: 'N',
      help: 'questions of each set with their candidates, default 20, 0 for none',
    },
    title: { value: 'TEXT', help: 'heading; default: counts of systems and sets' },
  },
  details:
    'The page is self-contained: tables with significance and intervals, recall curves, ' +
    'scores by group, under perturbation and by date, and questions with a timeline of their ' +
    'candidates.',
  example: 'asof report result.json --out result.html',
};

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal, positionals } = invocation;
  const [source] = positionals as [string];
  const out = requiredOption(invocation, 'out');
  const questions = countOption(invocation, 'questions', { least: 0 });
  if (resolve(out) === resolve(source))
    throw new UsageError(`--out would write over ${source}, which it reads: name another file.`);
  await checkOutput(out, 'out');
  const title = option(invocation, 'title');
  const perSet = questions === undefined ? {} : { questions };
  const options: ReportOptions = { ...perSet, title };
  const result = await readComparison(source, { signal });
  const page = comparisonReport(result, options);
  await writeOutput(out, page, signal);
  const bytes = Buffer.byteLength(page);
  if (terminal.json)
    await terminal.printJson({
      out,
      bytes,
      sets: result.sets.length,
      systems: result.systems.length,
    });
  else {
    const of = `${counted(result.systems.length, 'system', 'systems')} on ${counted(result.sets.length, 'set', 'sets')}`;
    await terminal.print(`${out}: ${of}, ${(bytes / 1e6).toFixed(1)} MB; open it in a browser.\n`);
  }
  return 0;
}
