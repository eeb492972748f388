// `asof fields`: the fields of a corpus, and their changes.
import type { Fields } from '../../store/fields/types.js';
import { type Command, type Invocation, listOption, pairsOption } from '../command.js';
import { openFolder } from '../inputs/storedCorpus.js';

export const command: Command = {
  name: 'fields',
  summary:
    'Adds, renames and drops fields of a corpus in one commit, or prints them. Nothing is ' +
    'encoded again.',
  positionals: ['DIR'],
  options: {
    add: {
      multiple: true,
      value: 'NAME=TYPE',
      help:
        'declare an entry of the metadata that filters can name, which passages may have ' +
        'already: keyword, keyword[], number, boolean or time; may be repeated',
    },
    rename: {
      multiple: true,
      value: 'NAME=NEW',
      help: 'rename a field, and the entries in the metadata of all passages; may be repeated',
    },
    drop: {
      multiple: true,
      value: 'NAME',
      help: 'declare a field no longer; entries of the metadata stay; may be repeated',
    },
  },
  details:
    'All segments are written anew, which needs free space of the size of the corpus. Programs ' +
    'that have it open go on.\n' +
    'out with --json: {corpus, fields}',
  example: 'asof fields wiki.asof --add price=number --drop draft',
};

export async function run(invocation: Invocation): Promise<void> {
  const { terminal, signal, positionals } = invocation;
  const [folder] = positionals as [string];
  const changes = {
    add: pairsOption(invocation, 'add') as Fields | undefined,
    rename: pairsOption(invocation, 'rename'),
    drop: listOption(invocation, 'drop'),
  };
  const isChange = Object.values(changes).some((each) => each !== undefined);
  await using corpus = await openFolder(
    folder,
    invocation,
    isChange ? { create: false, signal } : { readOnly: true, signal },
  );
  const fields = isChange ? await corpus.alterFields(changes, { signal }) : corpus.info().fields;
  if (terminal.json) return terminal.printJson({ corpus: folder, fields });
  const entries = Object.entries(fields).map(([name, type]) => `${name} (${type})`);
  await terminal.print(`${folder}: ${entries.length > 0 ? entries.join(', ') : 'no fields'}\n`);
}
