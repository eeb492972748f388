// `asof bench-data pool`: candidate pool of relevant passages and hard negatives.
import { qrelsFromAnswers } from '../../eval/answerQrels.js';
import { readQrels } from '../../eval/files/trec.js';
import { buildCandidatePool } from '../../eval/poolBuilder.js';
import { createSystem } from '../../papers/registry.js';
import { UsageError, countOption, option, requiredOption, type Invocation } from '../command.js';
import { command } from '../commands/pool.js';
import { readQueries } from '../inputs/jsonLines.js';
import { openFolder } from '../inputs/corpus.js';
import { counted } from '../tables/layout.js';

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const queries = await readQueries(
    requiredOption(invocation, command, 'queries'),
    Infinity,
    signal,
  );
  if (queries.length === 0)
    throw new UsageError(`${option(invocation, 'queries')} has no queries.`, command.name);
  const judgements = option(invocation, 'qrels');
  if (judgements === undefined && !queries.some(({ answers }) => answers!.length > 0)) {
    throw new UsageError(
      'Nothing to know relevant passages by: the queries have no answers, and --qrels is ' +
        'not given.',
      command.name,
    );
  }
  const negatives = countOption(invocation, command, 'negatives') ?? 50;
  const corpus = await openFolder(invocation.positionals[0]!, invocation, { readOnly: true });
  const bar = terminal.progress('pool', 'queries');
  try {
    const qrels =
      judgements === undefined
        ? await qrelsFromAnswers(corpus, queries, { signal })
        : await readQrels(judgements, { signal });
    const written = new Set<string>();
    const perQuery = invocation.flags.has('per-query');
    for await (const line of buildCandidatePool(createSystem('bm25', { corpus }), queries, qrels, {
      negatives,
      signal,
      onProgress: bar.update,
    })) {
      if (!perQuery && written.has(line.id)) continue;
      written.add(line.id);
      await terminal.print(`${JSON.stringify(perQuery ? line : { id: line.id })}\n`);
    }
    bar.end();
    terminal.say(`asof: a pool of ${counted(written.size, 'passage', 'passages')}`);
    return 0;
  } finally {
    bar.end();
    await corpus.close();
  }
}
