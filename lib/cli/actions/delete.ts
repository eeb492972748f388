// `asof delete`: passages out of a corpus.
import { Corpus } from '../../store/corpus.js';
import { UsageError, type Invocation } from '../command.js';
import { command } from '../commands/delete.js';
import { readIds } from '../inputs/ids.js';
import { whereOf } from '../inputs/where.js';
import { counted } from '../tables/layout.js';

export async function run(invocation: Invocation): Promise<void> {
  const { terminal, signal, positionals } = invocation;
  const folder = positionals[0]!;
  const where = whereOf(invocation, command);
  if ((where === undefined) === (positionals.length === 1))
    throw new UsageError('asof delete needs ids or --where, not both.', command.name);
  if (where) {
    await using corpus = await Corpus.open(folder, { create: false, signal });
    const deleted = await corpus.delete({ where }, { signal });
    if (terminal.json) return terminal.printJson({ corpus: folder, deleted });
    return terminal.print(`${folder}: ${counted(deleted, 'passage', 'passages')} deleted\n`);
  }
  const ids = new Set<string>();
  for await (const id of readIds(invocation)) ids.add(id);
  await using corpus = await Corpus.open(folder, { create: false, signal });
  const deleted = await corpus.delete(ids, { signal });
  const unknown = ids.size - deleted;
  if (terminal.json) return terminal.printJson({ corpus: folder, deleted, unknown });
  const rest = unknown > 0 ? `, ${counted(unknown, 'id', 'ids')} unknown` : '';
  await terminal.print(`${folder}: ${counted(deleted, 'passage', 'passages')} deleted${rest}\n`);
}
