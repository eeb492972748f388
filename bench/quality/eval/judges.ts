// How right judges of time are on control cases, and how far two agree: `node --import tsx
// bench/quality/eval/judges.ts [--model gguf:FILE |
// --model NAME --base-url URL] [--documents 30] [--cache FILE] [--task nobel,timeqa --sample 20
// --keep DIR]`. Cases are judgeCases.json's; of a task, the verdicts by rules on the first ten of
// bm25 are compared with the relevance judgements. It changes nothing, and a model may be poor.
import { readFileSync } from 'node:fs';
import { parseArgs } from '../../options.js';
import {
  budgetedModel,
  judgeRun,
  modelJudge,
  ruleJudge,
  type JudgeDocument,
  type RelevanceJudge,
  type JudgeQuestion,
  type Run,
} from '../../../packages/evaluation/lib/index.js';
import { agreement, type Agreement } from '../../../packages/evaluation/lib/judges/agreement.js';
import { isCrossPeriod, periodsOf } from '../../../packages/evaluation/lib/judges/periods.js';
import { createSystem } from '../../../lib/papers/index.js';
import { recordReplay } from '../../../lib/models/index.js';
import { describeMachine, machine } from '../../machine.js';
import { openModel } from '../openModel.js';
import { spread } from '../train/re3Tables.js';
import { dataIsHere, evaluationSets, openSet, queriesOf, workFolder } from '../sets/sets.js';

interface Cases {
  questions: {
    id: string;
    text: string;
    asked_at?: string;
    focus: string;
    cross_period: boolean;
  }[];
  documents: {
    query: string;
    text: string;
    published_at?: string;
    verdict: 0 | 1;
    covers?: number[];
  }[];
}

const { values } = parseArgs({
  options: {
    documents: { type: 'string' },
    sample: { type: 'string', default: '20' },
    task: { type: 'string' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    keep: { type: 'string' },
    cache: { type: 'string' },
  },
});
const cases = JSON.parse(
  readFileSync(new URL('judgeCases.json', import.meta.url), 'utf8'),
) as Cases;
const documents = spread(cases.documents, Number(values.documents ?? cases.documents.length));
const questions = cases.questions.filter(
  ({ id }) => values.documents === undefined || documents.some(({ query }) => query === id),
);

console.log(describeMachine(machine()));
const rules = await labelsBy(ruleJudge());
const truth = trueLabels();
print('rules', 'the cases', truth, rules);
if (values.model !== undefined) {
  const inner = budgetedModel((await openModel(values.model, values['base-url']))!);
  const model = values.cache
    ? await recordReplay({ path: values.cache, mode: 'replayOrRecord', model: inner })
    : inner;
  let unusable = 0;
  const started = performance.now();
  const labels = await labelsBy(modelJudge(model, { onUnusable: () => (unusable += 1) }));
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `\n${model.id}: ${inner.calls} calls in ${seconds.toFixed(1)} s, ${unusable} judgements without a usable answer`,
  );
  print(model.id, 'the cases', truth, labels);
  print(model.id, 'rules', rules, labels);
}
if (values.task !== undefined) await compareWithQrels(values.task.split(','));
process.exit(0);

type Labels = Record<'focus' | 'several periods' | 'verdict' | 'period covered', string[]>;

function trueLabels(): Labels {
  return {
    focus: questions.map(({ focus }) => focus),
    'several periods': questions.map((each) => String(each.cross_period)),
    verdict: documents.map(({ verdict }) => String(verdict)),
    'period covered': documents.flatMap(({ query, covers }) =>
      covers ? periodsOf(questionOf(query)).map((_, at) => String(covers.includes(at + 1))) : [],
    ),
  };
}

function questionOf(wanted: string): JudgeQuestion {
  const { id, text, asked_at: askedAt } = cases.questions.find((each) => each.id === wanted)!;
  return askedAt === undefined ? { id, text } : { id, text, askedAt };
}

/**
 * What a judge says of every case; documents are judged with the question's true intent, so that
 * one fault counts once.
 */
async function labelsBy(judge: RelevanceJudge): Promise<Labels> {
  const labels: Labels = { focus: [], 'several periods': [], verdict: [], 'period covered': [] };
  for (const { id } of questions) {
    const { focus } = await judge.intent(questionOf(id));
    labels.focus.push(focus);
    labels['several periods'].push(String(isCrossPeriod(questionOf(id), focus)));
  }
  for (const [at, { query, text, published_at: publishedAt, covers }] of documents.entries()) {
    const question = questionOf(query);
    const focus = cases.questions.find((each) => each.id === query)!.focus as Awaited<
      ReturnType<RelevanceJudge['intent']>
    >['focus'];
    const intent = { temporal: focus !== 'none', focus, keywords: [] };
    const document: JudgeDocument = {
      id: `d${at}`,
      text,
      ...(publishedAt === undefined ? {} : { publishedAt }),
    };
    if (covers) {
      const periods = periodsOf(question);
      const judged = await judge.evidence(question, intent, periods, document);
      labels.verdict.push(String(judged.verdict));
      labels['period covered'].push(
        ...periods.map((period) => String(judged.periods.includes(period))),
      );
    } else labels.verdict.push(String((await judge.relevance(question, intent, document)).verdict));
  }
  return labels;
}

function print(name: string, other: string, expected: Labels, given: Labels): void {
  console.log(
    `\n${name} against ${other}\n| judged | pairs | percent | kappa | counts |\n| --- | --- | --- | --- | --- |`,
  );
  for (const field of Object.keys(expected) as (keyof Labels)[])
    row(field, agreement(expected[field], given[field]));
}

function row(field: string, { pairs, agreed, kappa, labels, confusion }: Agreement): void {
  const counts =
    labels.length === 2
      ? ` ${labels.map((label, at) => `${label}: ${confusion[at]!.join(' / ')}`).join(', ')} |`
      : ' |';
  const figures = [
    agreed === undefined ? '-' : (100 * agreed).toFixed(1),
    kappa === undefined ? '-' : kappa.toFixed(3),
  ];
  console.log(`| ${field} | ${pairs} | ${figures.join(' | ')} |${counts}`);
}

/**
 * Verdicts by rules against relevance judgements: not the same thing, but what answers must speak
 * of the requested time.
 */
async function compareWithQrels(tasks: readonly string[]): Promise<void> {
  if (!dataIsHere)
    return console.log('\nnot run: the evaluation data (../shared) is not on this machine');
  const work = workFolder('judges', values.keep);
  console.log(
    '\n| set | questions | temporal | documents | relevant judged 1 | others judged 1 |\n| ' +
      '--- | --- | --- | --- | --- | --- |',
  );
  for (const set of evaluationSets.filter(({ task }) => tasks.includes(task))) {
    const { corpus, qrels, folder } = await openSet(work, set.task);
    const all = queriesOf(folder, set.queries).filter(({ id }) => qrels.has(id));
    const asked = spread(all, Math.min(all.length, Number(values.sample)));
    const system = createSystem('bm25+mask', { corpus });
    const run: Run = new Map();
    for (const query of asked) {
      const { evidence } = await system.run(query);
      run.set(
        query.id,
        evidence.slice(0, 10).map(({ id, score }) => ({ id, score })),
      );
    }
    const { queries } = await judgeRun(ruleJudge(), asked, run, (id) => corpus.get(id));
    const judged = queries.flatMap(({ id, documents: of }) =>
      of.map((each) => ({ ...each, relevant: (qrels.get(id)!.get(each.id) ?? 0) > 0 })),
    );
    const share = (relevant: boolean): string => {
      const of = judged.filter((each) => each.relevant === relevant);
      return of.length === 0
        ? '-'
        : `${((100 * of.filter(({ verdict }) => verdict === 1).length) / of.length).toFixed(1)}% of ${of.length}`;
    };
    const temporal = queries.filter((each) => each.temporal).length;
    console.log(
      `| ${set.name} | ${queries.length} | ${temporal} | ${judged.length} | ${share(true)} | ${share(false)} |`,
    );
    await corpus.close();
  }
}
