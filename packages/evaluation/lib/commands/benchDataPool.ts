// `asof bench-data pool`: candidate pool of relevant passages and hard negatives.
import {
  type Command,
  UsageError,
  countOption,
  option,
  requiredOption,
  type Invocation,
  counted,
  corpusChoice,
  encoderChoice,
} from 'asof/command';
import { qrelsFromAnswers } from '../answerQrels.js';
import { readQrels } from '../files/trec.js';
import { buildCandidatePool } from '../poolBuilder.js';
import { createSystem } from 'asof/papers';
import { readQueries } from '../files/queries.js';

export const command: Command = {
  name: 'bench-data pool',
  summary: 'Makes a candidate pool for queries: relevant passages and hard negatives of BM25.',
  positionals: ['DIR'],
  options: {
    queries: { value: 'Q.jsonl', required: true, help: '{id, text, asked_at?, answers?} a line' },
    qrels: { value: 'R', help: 'relevance judgements; default: passages that contain an answer' },
    negatives: { value: 'N', help: 'hard negatives of each query, default 50' },
    'per-query': {
      help: 'a pool for each query, {id, query, kind} a line; default one pool, {id} a line',
    },
    ...encoderChoice.options,
  },
  details: 'out: the pool for asof eval --pool. Queries without a relevant passage are skipped.',
  example: 'asof bench-data pool wiki.asof --queries q.jsonl --qrels r.tsv > pool.jsonl',
};

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const queries = await readQueries(requiredOption(invocation, 'queries'), { signal });
  if (queries.length === 0)
    throw new UsageError(`${option(invocation, 'queries')} has no queries.`);
  const judgements = option(invocation, 'qrels');
  if (judgements === undefined && !queries.some(({ answers }) => answers!.length > 0)) {
    throw new UsageError(
      'Nothing to know relevant passages by: the queries have no answers, and --qrels is ' +
        'not given.',
    );
  }
  const negatives = countOption(invocation, 'negatives') ?? 50;
  const corpus = await corpusChoice.openFolder(invocation.positionals[0]!, invocation, {
    readOnly: true,
  });
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
