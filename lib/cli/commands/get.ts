// `asof get`: passages of a corpus as JSON lines.
import type { Command, Invocation } from '../command.js';
import { askOptions, askValues } from '../options/ask.js';
import { idDetails, readIds } from '../inputs/ids.js';
import { schemaOption, openNamed } from '../inputs/storedCorpus.js';
import { shownCorpus } from '../credentials.js';
import { toJson } from '../../systems/json.js';

export const command: Command = {
  name: 'get',
  summary: 'Prints passages of a corpus as JSON lines, as asof index reads them.',
  positionals: ['DIR', 'ID...'],
  options: {
    ...askOptions({ asRecorded: {} }),
    versions: {
      help: 'every version that is kept, the oldest first, of a corpus indexed with --history',
    },
    schema: schemaOption,
  },
  details:
    `${idDetails}\n` +
    'out: {id, text, title?, published_at?, valid_from?, valid_to?, metadata?, chunk?} a line, ' +
    'in the order of the ids; times are ISO 8601, a date alone is that whole day; with ' +
    '--versions also recorded_at and, of versions that were replaced or deleted, ended_at and ' +
    'ended_by',
  example: 'asof get wiki.asof may johnson',
  failure: '1 failure or an id that is not there',
};

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, positionals, flags } = invocation;
  const folder = positionals[0]!;
  await using corpus = await openNamed(folder, invocation, { readOnly: true });
  const asRecorded = askValues(invocation, ['asRecorded']);
  let code = 0;
  for await (const id of readIds(invocation)) {
    const found = flags.has('versions')
      ? (await corpus.versions(id)).map((version) => toJson.version(version, corpus.timeZone))
      : (await corpus.getMany([id], asRecorded)).flatMap((passage) =>
          passage ? [toJson.passage(passage, corpus.timeZone)] : [],
        );
    for (const each of found) await terminal.print(`${JSON.stringify(each)}\n`);
    if (found.length > 0) continue;
    terminal.say(
      `asof: Expected a passage ${JSON.stringify(id)} in ${shownCorpus(folder)}, found none.`,
    );
    code = 1;
  }
  return code;
}
