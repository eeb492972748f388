// `asof list`: the passages that pass a filter, in an order, or their number.
import { type Command, countOption, option, type Invocation } from '../command.js';
import { askOptions, askValues } from '../options/ask.js';
import { schemaOption, openNamed } from '../inputs/storedCorpus.js';
import { shownCorpus } from '../credentials.js';
import { toJson } from '../../systems/json.js';

export const command: Command = {
  name: 'list',
  summary: 'Prints the passages of a corpus that pass a filter as JSON lines, or counts them.',
  positionals: ['DIR'],
  options: {
    ...askOptions({ where: {}, asRecorded: {} }),
    'order-by': {
      value: 'FIELD',
      help: 'id (default), published_at, valid_from, valid_to or a field of numbers or times',
    },
    descending: { help: 'the greatest first' },
    limit: { value: 'N', help: 'passages to print, default all' },
    count: { help: 'print their number alone' },
    schema: schemaOption,
  },
  details:
    'out: {id, text, title?, published_at?, valid_from?, valid_to?, metadata?} a line, as asof ' +
    'index reads them',
  example: 'asof list news.asof --where \'{"tenant": "a"}\' --order-by published_at --limit 10',
};

/** Passages read at once. */
const pagePassages = 1000;

const times: Readonly<Record<string, string>> = {
  published_at: 'publishedAt',
  valid_from: 'validFrom',
  valid_to: 'validTo',
};

export async function run(invocation: Invocation): Promise<void> {
  const { terminal, signal, positionals, flags } = invocation;
  const folder = positionals[0]!;
  const named = option(invocation, 'order-by') ?? 'id';
  const field = times[named] ?? named;
  const names = ['where', 'asRecorded'] as const;
  const { where = {}, asRecorded } = askValues(invocation, names);
  let left = countOption(invocation, 'limit', {}) ?? Infinity;
  await using corpus = await openNamed(folder, invocation, { readOnly: true });
  if (flags.has('count')) {
    const passages = await corpus.count({ where, asRecorded, signal });
    if (terminal.json) return terminal.printJson({ corpus: shownCorpus(folder), passages });
    return terminal.print(`${passages}\n`);
  }
  const orderBy = { field, direction: flags.has('descending') ? 'desc' : 'asc' } as const;
  for (let after: string | undefined; left > 0; ) {
    const page = await corpus.list({
      where,
      asRecorded,
      orderBy,
      limit: Math.min(left, pagePassages),
      after,
      signal,
    });
    for (const passage of page.passages)
      await terminal.print(`${JSON.stringify(toJson.passage(passage))}\n`);
    left -= page.passages.length;
    if ((after = page.next) === undefined) return;
  }
}
