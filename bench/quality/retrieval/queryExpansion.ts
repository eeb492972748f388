// What query expansion gains where questions use words that no passage has, and what it costs where
// they do not: hit@1 with and without it, how many questions it touched, and the words it found.
// Tennis in the generator's words and in three wordings of our own, made after the stage's rules
// were (those named -c after everything was trained); then sets that it should leave alone. A set
// that is absent is not run, and said to be. usage: node --import tsx
// bench/quality/retrieval/queryExpansion.ts [--task
// tennis,tennis-a,tennis-b,tennis-c,nws,nws-c,covid,covid-c,hoh,nobel,timeqa] [--system
// hybrid,tempralm]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from '../../options.js';
import { createSystem } from '../../../lib/papers/index.js';
import type { Corpus } from '../../../lib/index.js';
import { openSet, queriesOf, requireData, type SetQuery } from '../sets/sets.js';

interface Result {
  hits: number;
  expanded: number;
  words: Map<string, number>;
}

/**
 * Wordings of the generator's templates; 'tennis-b' has two of passages, one of which says "won"
 * whatever the round.
 */
const wordingsFile = new URL('../sets/bridgeWordings.json', import.meta.url);
const wordings = JSON.parse(readFileSync(wordingsFile, 'utf8')) as Record<
  string,
  Record<string, string[]>
>;
const questions: Record<string, string[]> = {
  tennis: ['queries-same-year', 'queries-next-year', 'queries-anytime'],
  nobel: ['queries', 'queries-born'],
  timeqa: ['queries-easy', 'queries-hard'],
  nws: ['queries', 'queries-pairs'],
  covid: ['queries'],
  hoh: ['queries'],
};

const { values } = parseArgs({
  options: {
    task: {
      type: 'string',
      default: 'tennis,tennis-a,tennis-b,tennis-c,nws,nws-c,covid,covid-c,hoh,nobel,timeqa',
    },
    system: { type: 'string', default: 'hybrid,tempralm' },
  },
});
requireData();
type Relevant = (id: string, passage: string) => boolean;

/** Asks one system; its default options, with others in their place. */
async function measure(
  name: string,
  corpus: Corpus,
  settings: Record<string, unknown>,
  queries: readonly SetQuery[],
  relevant: Relevant,
): Promise<Result> {
  const system = createSystem(name, { corpus, settings });
  const result: Result = { hits: 0, expanded: 0, words: new Map() };
  for (const { id, text, askedAt } of queries) {
    const { evidence, trace } = await system.run({
      text,
      ...(askedAt === undefined ? {} : { askedAt }),
    });
    if (evidence[0] && relevant(id, evidence[0].id)) result.hits += 1;
    const found = trace.find(({ stage }) => stage === 'expandQuery')?.notes?.['expansion'] as
      | { missing: string[]; term: string }
      | undefined;
    if (!found) continue;
    result.expanded += 1;
    const words = `${found.missing.join('+')} -> ${found.term}`;
    result.words.set(words, (result.words.get(words) ?? 0) + 1);
  }
  return result;
}

for (const task of values.task.split(',')) {
  const kind = task.split('-')[0]!;
  const folder = mkdtempSync(join(tmpdir(), 'asof-expansion-'));
  try {
    const wording = wordings[task];
    const { corpus, qrels, folder: set } = await openSet(folder, kind, wording ? { wording } : {});
    for (const file of questions[kind]!) {
      const queries = queriesOf(set, file);
      for (const name of values.system.split(',')) {
        const relevant: Relevant = (id, passage) => (qrels.get(id)?.get(passage) ?? 0) > 0;
        const without = await measure(name, corpus, { expansion: false }, queries, relevant);
        const expanded = await measure(name, corpus, {}, queries, relevant);
        const share = ({ hits }: Result): string => (hits / queries.length).toFixed(3);
        const words = [...expanded.words]
          .sort((a, b) => b[1] - a[1])
          .slice(0, 4)
          .map(([each, count]) => `${each} x${count}`);
        const gain = `hit@1 ${share(without)} -> ${share(expanded)}  expanded ${expanded.expanded} of ${queries.length}`;
        console.log(
          `${`${task}/${file}`.padEnd(28)}${name.padEnd(10)}${gain}  ${words.join('; ')}`.trimEnd(),
        );
      }
    }
    await corpus.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
