// `asof verify`: integrity of a corpus.
import { Corpus } from '../../store/corpus.js';
import type { Invocation } from '../command.js';
import { counted } from '../tables/layout.js';
import { duration } from '../terminal.js';

export async function run({ terminal, signal, positionals }: Invocation): Promise<void> {
  const folder = positionals[0]!;
  await using corpus = await Corpus.open(folder, { readOnly: true, signal });
  const started = performance.now();
  const bar = terminal.progress('checking', 'parts');
  await corpus.verify({ signal, onProgress: bar.update }).finally(() => bar.end());
  const milliseconds = performance.now() - started;
  const { passages } = corpus.info();
  if (terminal.json) {
    const seconds = milliseconds / 1000;
    return terminal.printJson({ corpus: folder, integrity: 'intact', passages, seconds });
  }
  const what = counted(passages, 'passage', 'passages');
  await terminal.print(
    `${folder}: intact, ${what} (every byte checked in ${duration(milliseconds)})\n`,
  );
}
