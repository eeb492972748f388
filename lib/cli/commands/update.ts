// `asof update`: times, metadata and series of stored passages.
import { AsOfError, mustBe } from '../../errors.js';
import type { PassagePatch } from '../../store/passages/patch.js';
import { patchOfRecord } from '../../store/passages/passageRecord.js';
import { type Command, UsageError, type Invocation, option } from '../command.js';
import { askOptions, parsed } from '../options/ask.js';
import { chosenPassages, idDetails } from '../inputs/ids.js';
import { schemaOption, openNamed } from '../inputs/storedCorpus.js';
import { shownCorpus } from '../credentials.js';
import { counted } from '../tables/layout.js';

export const command: Command = {
  name: 'update',
  summary:
    'Changes times, metadata and series of passages in one commit, or none of them: by id, all ' +
    'of which have to be there, or all that pass a filter. Texts are not encoded again.',
  positionals: ['DIR', '[ID...]'],
  options: {
    ...askOptions({ where: {} }),
    patch: {
      value: 'JSON',
      required: true,
      help:
        'what changes: some of published_at, valid_from, valid_to, metadata, series and ' +
        'supersedes; null removes one, in metadata an entry, and the other entries stay',
    },
    schema: schemaOption,
  },
  details:
    `${idDetails}\n` +
    'Another text or title needs another vector: index the passage again.\n' +
    'out with --json: {corpus, updated, unchanged}',
  example: `asof update wiki.asof may --patch '{"valid_to": "2019-07-24"}'`,
};

export async function run(invocation: Invocation): Promise<void> {
  const { terminal, signal, positionals } = invocation;
  const shown = shownCorpus(positionals[0]!);
  const chosen = await chosenPassages(invocation, 'updates');
  const patch = patchOf(option(invocation, 'patch')!);
  await using corpus = await openNamed(positionals[0]!, invocation, { create: false, signal });
  const counts = await corpus.update(chosen, patch, { signal });
  if (terminal.json) return terminal.printJson({ corpus: shown, ...counts });
  const { updated, unchanged } = counts;
  const rest = unchanged > 0 ? `, ${unchanged} unchanged` : '';
  await terminal.print(`${shown}: ${counted(updated, 'passage', 'passages')} updated${rest}\n`);
}

function patchOf(text: string): PassagePatch {
  try {
    const record = parsed(text, 'patch');
    mustBe('an object', { '--patch': record });
    return patchOfRecord(record as Record<string, unknown>, { file: '--patch', line: 1 });
  } catch (error) {
    throw AsOfError.is(error) ? new UsageError(error.message) : error;
  }
}
