// `asof backup`: a copy of a corpus.
import type { Command, Invocation } from '../command.js';
import { Corpus } from '../../store/corpus.js';
import { checkFolder } from '../inputs/storedCorpus.js';
import { counted } from '../tables/layout.js';
import { bytes, duration, timed, whole } from '../terminal.js';

export const command: Command = {
  name: 'backup',
  summary: 'Copies a corpus into a new or empty folder, while others may write to it.',
  positionals: ['DIR', 'FOLDER'],
  options: {},
  details:
    'The copy is a corpus of its own, as of one commit. On the same file system its files are ' +
    'hard links: at once, without space, and with the faults of the same disk. Keep a backup on ' +
    'another disk, where bytes are copied. Nothing is verified: asof verify FOLDER does.',
  example: 'asof backup wiki.asof wiki-monday.asof',
};

export async function run({ terminal, signal, positionals }: Invocation): Promise<void> {
  const [folder, backup] = positionals as [string, string];
  for (const each of [folder, backup]) checkFolder(each);
  await using corpus = await Corpus.open(folder, { readOnly: true, signal });
  const [counts, milliseconds] = await timed(terminal.progress('copying', 'bytes'), (onProgress) =>
    corpus.backup(backup, { signal, onProgress }),
  );
  if (terminal.json) {
    const seconds = milliseconds / 1000;
    return terminal.printJson({ corpus: folder, backup, ...counts, seconds });
  }
  const { passages, files, linked } = counts;
  await terminal.print(
    `${backup}: ${counted(passages, 'passage', 'passages')} in ${whole(files)} files, ` +
      `${whole(linked)} of them links, ${bytes(counts.bytes)} in ${duration(milliseconds)}\n`,
  );
}
