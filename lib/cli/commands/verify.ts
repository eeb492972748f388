// `asof verify`: integrity of a corpus.
import type { Command, Invocation } from '../command.js';
import { schemaOption, openNamed } from '../inputs/storedCorpus.js';
import { isPostgres, isServer, shownCorpus } from '../credentials.js';
import { counted } from '../tables/layout.js';
import { duration, timed } from '../terminal.js';

export const command: Command = {
  name: 'verify',
  summary: 'Reads every byte of a corpus and compares all checksums, records and ids.',
  positionals: ['DIR'],
  options: { schema: schemaOption },
  details: 'The first damaged part is named. asof repair keeps all readable passages.',
  example: 'asof verify wiki.asof',
  failure: '1 failure or a damaged corpus',
};

export async function run(invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation;
  const named = invocation.positionals[0]!;
  const shown = shownCorpus(named);
  await using corpus = await openNamed(named, invocation, { readOnly: true, signal });
  const [, milliseconds] = await timed(terminal.progress('checking', 'parts'), (onProgress) =>
    corpus.verify({ signal, onProgress }),
  );
  const { passages } = await corpus.info();
  if (terminal.json) {
    const seconds = milliseconds / 1000;
    return terminal.printJson({ corpus: shown, integrity: 'intact', passages, seconds });
  }
  const what = counted(passages, 'passage', 'passages');
  await terminal.print(
    `${shown}: intact, ${what} (every ${partOf(named)} checked in ` +
      `${duration(milliseconds)})\n`,
  );
}

/** What is checked, one by one. */
const partOf = (corpus: string): string =>
  isPostgres(corpus) ? 'table' : isServer(corpus) ? 'document' : 'byte';
