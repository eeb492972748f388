// `asof bench-data beir`: export of passages, queries and judgements as a BEIR folder.
import { type Command, option, requiredOption, type Invocation, counted } from 'asof/command';
import { writeBeir } from '../files/beir.js';
import { readQrels } from '../files/trec.js';
import type { Passage } from 'asof';
import { readJsonLines, passageOfRecord } from 'asof/kit';
import { readQueries } from '../files/queries.js';

export const command: Command = {
  name: 'bench-data beir',
  summary: 'Writes passages, queries and judgements as a BEIR folder for other tools.',
  positionals: [],
  options: {
    passages: { value: 'P.jsonl', required: true, help: 'passages, as for asof index' },
    queries: {
      value: 'Q.jsonl',
      required: true,
      help: '{id, text, asked_at?, answers?, gold_evidence?} a line',
    },
    qrels: { value: 'R', required: true, help: "relevance judgements, TREC form or BEIR's tsv" },
    to: {
      value: 'FOLDER',
      required: true,
      help: 'output; replaces corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv',
    },
    split: { value: 'S', help: 'name of the qrels, default test' },
  },
  details: 'asof index, asof eval and asof metrics read BEIR folders. Times go into the metadata.',
  example: 'asof bench-data beir --passages p.jsonl --queries q.jsonl --qrels r.tsv --to beir',
};

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const [passagesFile, queriesFile, qrelsFile, folder] = ['passages', 'queries', 'qrels', 'to'].map(
    (name) => requiredOption(invocation, name),
  ) as [string, string, string, string];
  const split = option(invocation, 'split') ?? 'test';
  const queries = await readQueries(queriesFile, { signal });
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
