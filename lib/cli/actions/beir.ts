// `asof bench-data beir`: export of passages, queries and judgements as a BEIR folder.
import { writeBeir } from '../../eval/files/beir.js';
import { readQrels } from '../../eval/files/trec.js';
import type { Passage } from '../../records.js';
import { readJsonLines } from '../../text/lines.js';
import { option, requiredOption, type Invocation } from '../command.js';
import { command } from '../commands/beir.js';
import { passageOfRecord } from '../../json/passageRecord.js';
import { readQueries } from '../inputs/jsonLines.js';
import { counted } from '../tables/layout.js';

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const [passagesFile, queriesFile, qrelsFile, folder] = ['passages', 'queries', 'qrels', 'to'].map(
    (name) => requiredOption(invocation, command, name),
  ) as [string, string, string, string];
  const split = option(invocation, 'split') ?? 'test';
  const queries = await readQueries(queriesFile, Infinity, signal);
  const qrels = await readQrels(qrelsFile, { signal });
  let written = 0;
  async function* passages(): AsyncGenerator<Passage> {
    for await (const passage of readJsonLines(passagesFile, passageOfRecord, {
      signal,
    })) {
      written += 1;
      yield passage;
    }
  }
  await writeBeir(folder, { queries, passages: passages(), qrels: { [split]: qrels } }, { signal });
  const counts = `${counted(written, 'passage', 'passages')}, ${counted(queries.length, 'query', 'queries')}`;
  if (terminal.json)
    await terminal.printJson({
      folder,
      passages: written,
      queries: queries.length,
      judged: qrels.size,
      split,
    });
  else
    await terminal.print(
      `${folder}: ${counts}, judgements of ${counted(qrels.size, 'query', 'queries')} as ${split}\n`,
    );
  return 0;
}
