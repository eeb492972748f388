// `asof restore`: the content of a backup as the next commit of a corpus.
import { Corpus } from '../../store/corpus.js';
import type { Invocation } from '../command.js';
import { checkFolder } from '../inputs/storedCorpus.js';
import { counted } from '../tables/layout.js';
import { duration } from '../terminal.js';

export async function run({ terminal, signal, positionals }: Invocation): Promise<void> {
  const [corpus, restored] = positionals as [string, string];
  for (const each of [corpus, restored]) checkFolder(each);
  const started = performance.now();
  const bar = terminal.progress('restoring', 'steps');
  const counts = await Corpus.restore(corpus, restored, {
    signal,
    onProgress: bar.update,
  }).finally(() => bar.end());
  const milliseconds = performance.now() - started;
  if (terminal.json)
    return terminal.printJson({ corpus, restored, ...counts, seconds: milliseconds / 1000 });
  await terminal.print(
    `${corpus}: ${counted(counts.passages, 'passage', 'passages')} of ${restored} in ` +
      `${duration(milliseconds)}\n`,
  );
}
