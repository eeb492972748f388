// `asof delete`: passages out of a corpus.
import { type Command, UsageError, type Invocation } from '../command.js';
import { askOptions, askValues } from '../options/ask.js';
import { idDetails, readIds } from '../inputs/ids.js';
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
  const open = () => openNamed(positionals[0]!, invocation, { create: false, signal });
  const { where } = askValues(invocation, ['where']);
  if ((where === undefined) === (positionals.length === 1))
    throw new UsageError(
      where
        ? 'asof delete takes ids or --where, received both.'
        : "asof delete needs ids, - or --where; --where '{}' deletes all passages.",
    );
  if (where) {
    await using corpus = await open();
    const deleted = await corpus.delete({ where }, { signal });
    if (terminal.json) return terminal.printJson({ corpus: shown, deleted });
    return terminal.print(`${shown}: ${counted(deleted, 'passage', 'passages')} deleted\n`);
  }
  const ids = new Set<string>();
  for await (const id of readIds(invocation)) ids.add(id);
  await using corpus = await open();
  const deleted = await corpus.delete(ids, { signal });
  const unknown = ids.size - deleted;
  if (terminal.json) return terminal.printJson({ corpus: shown, deleted, unknown });
  const rest = unknown > 0 ? `, ${counted(unknown, 'id', 'ids')} unknown` : '';
  await terminal.print(`${shown}: ${counted(deleted, 'passage', 'passages')} deleted${rest}\n`);
}
