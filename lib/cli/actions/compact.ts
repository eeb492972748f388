// `asof compact`: one segment out of all.
import { Corpus } from '../../store/corpus.js';
import type { Invocation } from '../command.js';
import { counted } from '../tables/layout.js';
import { duration } from '../terminal.js';

export async function run({ terminal, signal, positionals }: Invocation): Promise<void> {
  const folder = positionals[0]!;
  await using corpus = await Corpus.open(folder, { create: false, signal });
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
