// Votes of Re3's recency filter (equation 14): which of a question's best passages it drops,
// against those that the set knows to be outdated, by series and by a language model: `node
// --import tsx bench/quality/facts/votes.ts [--task hoh,nws,covid] [--sample 20] [--depth 5]
// [--keep DIR] [--model gguf:FILE] [--show]`. Asked are a spread-out sample of the questions that
// have one among the best of `re3` without its filter, the candidates of all filters. A right vote
// drops an outdated passage or keeps another. A model's answer that does not fit twice is counted
// and drops nothing. It tunes nothing.
import { join } from 'node:path';
import { parseArgs } from '../../options.js';
import { readQrels, type Qrels } from '../../../packages/evaluation/lib/index.js';
import { AsOfError } from '../../../lib/index.js';
import { re3 } from '../../../lib/papers/index.js';
import type { System } from '../../../lib/index.js';
import { describeMachine, machine } from '../../machine.js';
import { openModel } from '../openModel.js';
import { openSet, queriesOf, requireData, workFolder, type SetQuery } from '../sets/sets.js';

const { values } = parseArgs({
  options: {
    task: { type: 'string', default: 'hoh,nws,covid' },
    sample: { type: 'string', default: '20' },
    depth: { type: 'string', default: '5' },
    keep: { type: 'string' },
    model: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
});
requireData();
const work = workFolder('votes', values.keep);
const [sample, depth] = [Number(values.sample), Number(values.depth)];
const model = await openModel(values.model);
console.log(describeMachine(machine()));
if (!model) console.log('by a model: not run, give --model gguf:FILE');

interface Judged extends SetQuery {
  /** The candidates, best first, and which of them a filter should drop. */
  candidates: string[];
  outdated: Set<string>;
}

for (const task of values.task.split(',')) {
  const { corpus, qrels, folder } = await openSet(work, task);
  const outdated = await readQrels(join(folder, 'outdated.tsv'));
  const own = { corpus, versions: false } as const;
  const questions = await judgedOf(re3(own), queriesOf(folder, 'queries'), outdated);
  const sum = (of: (each: Judged) => number): number =>
    questions.reduce((total, each) => total + of(each), 0);
  const [all, wrong] = [sum((each) => each.candidates.length), sum((each) => each.outdated.size)];
  console.log(
    `\n## ${task}: ${questions.length} questions with an outdated passage among their best ` +
      `${depth}, ${all} candidates, ${wrong} outdated\n`,
  );
  const columns = [
    'filter',
    'right votes',
    'outdated dropped',
    'of the dropped outdated',
    'relevant dropped',
    'unusable answers',
    's a question',
  ];
  console.log(`| ${columns.join(' | ')} |\n${'|---'.repeat(columns.length)}|`);
  report(
    'none',
    questions,
    qrels,
    questions.map(() => new Set<string>()),
  );
  const filters = ['series', ...(model ? (['model'] as const) : [])] as ('series' | 'model')[];
  for (const by of filters) {
    const filter = re3({ corpus, versions: { by, depth }, ...(model ? { model } : {}) });
    await measure(by === 'model' ? model!.id : 'series', filter, questions, qrels);
  }
  await corpus.close();
}
await model?.[Symbol.asyncDispose]?.();

/** Questions with something to drop, of a spread-out sample of them. */
async function judgedOf(
  unfiltered: System,
  queries: readonly SetQuery[],
  outdated: Qrels,
): Promise<Judged[]> {
  const found: Judged[] = [];
  for (const query of queries) {
    const old = outdated.get(query.id);
    if (!old) continue;
    const { evidence } = await unfiltered.run(query, { k: depth });
    const candidates = evidence.map(({ id }) => id);
    const wrong = new Set(candidates.filter((id) => (old.get(id) ?? 0) > 0));
    if (wrong.size > 0) found.push({ ...query, candidates, outdated: wrong });
  }
  const step = found.length / Math.min(sample, found.length);
  return found.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

async function measure(
  name: string,
  filter: System,
  questions: readonly Judged[],
  qrels: Qrels,
): Promise<void> {
  let unusable = 0;
  const drops: Set<string>[] = [];
  const started = performance.now();
  for (const question of questions) {
    const { id, text, askedAt } = question;
    const asked = { id, text, ...(askedAt === undefined ? {} : { askedAt }) };
    try {
      const { dropped = [] } = await filter.run(asked, { k: depth });
      drops.push(new Set(dropped.map((each) => each.id)));
      if (values.show) console.log(JSON.stringify({ id, text, dropped }));
    } catch (fault) {
      if (!AsOfError.is(fault) || fault.code !== 'ERR_MODEL_FAILED') throw fault;
      unusable += 1;
      drops.push(new Set());
    }
  }
  const seconds = (performance.now() - started) / 1000 / questions.length;
  report(name, questions, qrels, drops, [String(unusable), seconds.toFixed(2)]);
}

function report(
  name: string,
  questions: readonly Judged[],
  qrels: Qrels,
  drops: readonly ReadonlySet<string>[],
  more: readonly string[] = ['', ''],
): void {
  let [all, right, wrong, found, dropped, lost, relevant] = [0, 0, 0, 0, 0, 0, 0];
  for (const [at, { id: question, candidates, outdated }] of questions.entries())
    for (const id of candidates) {
      const [is, was] = [outdated.has(id), drops[at]!.has(id)];
      const needed = (qrels.get(question)?.get(id) ?? 0) > 0;
      all += 1;
      right += Number(is === was);
      wrong += Number(is);
      found += Number(is && was);
      dropped += Number(was);
      relevant += Number(needed);
      lost += Number(needed && was);
    }
  const share = (part: number, of: number): string => (of === 0 ? '' : (part / of).toFixed(3));
  const cells = [share(right, all), share(found, wrong), share(found, dropped)];
  console.log(`| ${[name, ...cells, share(lost, relevant), ...more].join(' | ')} |`);
}
