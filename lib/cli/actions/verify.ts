// `asof verify`: integrity of a corpus.
import type { Invocation } from '../command.js';
import { isPostgres, shownCorpus } from '../credentials.js';
import { openNamed } from '../inputs/storedCorpus.js';
import { counted } from '../tables/layout.js';
import { duration } from '../terminal.js';

export async function run(invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation;
  const named = invocation.positionals[0]!;
  const shown = shownCorpus(named);
  await using corpus = await openNamed(named, invocation, { readOnly: true, signal });
  const started = performance.now();
  const bar = terminal.progress('checking', 'parts');
  await corpus.verify({ signal, onProgress: bar.update }).finally(() => bar.end());
  const milliseconds = performance.now() - started;
  const { passages } = await corpus.info();
  if (terminal.json) {
    const seconds = milliseconds / 1000;
    return terminal.printJson({ corpus: shown, integrity: 'intact', passages, seconds });
  }
  const what = counted(passages, 'passage', 'passages');
  await terminal.print(
    `${shown}: intact, ${what} (every ${isPostgres(named) ? 'table' : 'byte'} checked in ` +
      `${duration(milliseconds)})\n`,
  );
}
