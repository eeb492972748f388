// `asof restore`: the content of a backup as the next commit of a corpus.
import type { Command, Invocation } from '../command.js';
import { Corpus } from '../../store/corpus.js';
import { checkFolder } from '../inputs/storedCorpus.js';
import { counted } from '../tables/layout.js';
import { duration, timed } from '../terminal.js';

export const command: Command = {
  name: 'restore',
  summary: 'Makes a corpus hold what a backup, or any other corpus, holds.',
  positionals: ['DIR', 'FOLDER'],
  options: {},
  details:
    'DIR is a corpus, damaged or not, or a new or empty folder; FOLDER is read, verified first ' +
    'and left as it is. It is one commit: programs that have DIR open answer from its former ' +
    'content until then, and from the restored content from then on. Where encoder, ' +
    'time zone, rows of sentences or history differ, they are told to open it again.\n' +
    'out with --json: {corpus, restored, passages, continued, seconds}',
  example: 'asof restore wiki.asof wiki-monday.asof',
};

export async function run({ terminal, signal, positionals }: Invocation): Promise<void> {
  const [corpus, restored] = positionals as [string, string];
  for (const each of [corpus, restored]) checkFolder(each);
  const [counts, milliseconds] = await timed(
    terminal.progress('restoring', 'steps'),
    (onProgress) => Corpus.restore(corpus, restored, { signal, onProgress }),
  );
  if (terminal.json)
    return terminal.printJson({ corpus, restored, ...counts, seconds: milliseconds / 1000 });
  await terminal.print(
    `${corpus}: ${counted(counts.passages, 'passage', 'passages')} of ${restored} in ` +
      `${duration(milliseconds)}\n`,
  );
}
