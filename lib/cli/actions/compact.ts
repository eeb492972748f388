// `asof compact`: one segment out of all.
import { Corpus } from '../../store/corpus.js';
import { countOption, type Invocation } from '../command.js';
import { command } from '../commands/compact.js';
import { counted } from '../tables/layout.js';
import { duration } from '../terminal.js';

export async function run(invocation: Invocation): Promise<void> {
  const { terminal, signal, positionals } = invocation;
  const folder = positionals[0]!;
  const keepDays = countOption(invocation, command, 'keep-days', { least: 0 });
  const history = keepDays === undefined ? {} : { history: { keepDays } };
  await using corpus = await Corpus.open(folder, { create: false, ...history, signal });
  const started = performance.now();
  const bar = terminal.progress('compacting', 'steps');
  const { merged, dropped } = await corpus
    .compact({ signal, onProgress: bar.update })
    .finally(() => bar.end());
  const milliseconds = performance.now() - started;
  if (terminal.json) {
    return terminal.printJson({ corpus: folder, merged, dropped, seconds: milliseconds / 1000 });
  }
  const outcome =
    merged === 0
      ? 'nothing to merge'
      : `${counted(merged, 'segment', 'segments')} merged, ` +
        `${counted(dropped, 'deleted passage', 'deleted passages')} dropped`;
  await terminal.print(`${folder}: ${outcome} in ${duration(milliseconds)}\n`);
}
