// `asof delete`: passages out of a corpus.
import type { Command, Invocation } from '../command.js';
import { askOptions } from '../options/ask.js';
import { chosenPassages, idDetails } from '../inputs/ids.js';
import { schemaOption, openNamed } from '../inputs/storedCorpus.js';
import { shownCorpus } from '../credentials.js';
import { counted } from '../tables/layout.js';

export const command: Command = {
  name: 'delete',
  summary:
    'Deletes passages from a corpus in one commit: by id, of which unknown ones are ignored, or ' +
    'all that pass a filter.',
  positionals: ['DIR', '[ID...]'],
  options: { ...askOptions({ where: {} }), schema: schemaOption },
  details:
    `${idDetails}\n` +
    'Deletions take effect at once; the files shrink with a later merge, or by asof compact.',
  example: 'asof delete wiki.asof may johnson',
};

export async function run(invocation: Invocation): Promise<void> {
  const { terminal, signal, positionals } = invocation;
  const shown = shownCorpus(positionals[0]!);
  const chosen = await chosenPassages(invocation, 'deletes');
  await using corpus = await openNamed(positionals[0]!, invocation, { create: false, signal });
  const deleted = await corpus.delete(chosen, { signal });
  const unknown = chosen instanceof Set ? chosen.size - deleted : undefined;
  if (terminal.json) return terminal.printJson({ corpus: shown, deleted, unknown });
  const rest = unknown ? `, ${counted(unknown, 'id', 'ids')} unknown` : '';
  await terminal.print(`${shown}: ${counted(deleted, 'passage', 'passages')} deleted${rest}\n`);
}
