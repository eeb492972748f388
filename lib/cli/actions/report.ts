// `asof report`: HTML page of a comparison.
import { resolve } from 'node:path';
import { readComparison } from '../../eval/comparison/result.js';
import { comparisonReport, type ReportOptions } from '../../eval/report/report.js';
import { UsageError, countOption, option, requiredOption, type Invocation } from '../command.js';
import { command } from '../commands/report.js';
import { checkOutput, writeOutput } from '../outputs.js';
import { counted } from '../tables/layout.js';

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal, positionals } = invocation;
  const [source] = positionals as [string];
  const out = requiredOption(invocation, command, 'out');
  const questions = countOption(invocation, command, 'questions', { least: 0 });
  if (resolve(out) === resolve(source))
    throw new UsageError(
      `--out would write over ${source}, which it reads: name another file.`,
      command.name,
    );
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
