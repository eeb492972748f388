// Robustness to perturbed time constraints (MRAG section 3.2, figure 2): hit@1, hit@5 and answer
// recall of questions with the dates their passages show, and of the same questions perturbed:
// `node --import tsx bench/quality/perturbation.ts [--set timeqa,tennis] [--system S,...] [--seed
// N] [--forms N]`. The sets are made from ../shared/data. It tunes nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from '../options.js';
import { createSystem } from '../../lib/papers/index.js';
import {
  evaluate,
  parseMetrics,
  perturbationRobustness,
  perturbQuestion,
  type DatedQuestion,
  type PerturbedQuestion,
  type Qrels,
} from '../../packages/evaluation/lib/index.js';
import type { AnswerTimes } from '../../packages/evaluation/lib/perturbation/perturbQuestion.js';
import { relations } from '../../lib/time/constraint.js';
import { parseQuestion } from '../../lib/time/index.js';
import type { Corpus } from '../../lib/index.js';
import { describeMachine, machine } from '../machine.js';
import { csvRecords, opaque, openSet, records, requireData, shared } from './sets/sets.js';

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', default: 'timeqa,tennis' },
    system: { type: 'string', default: 'bm25,dense,mrag,hybrid' },
    seed: { type: 'string', default: '1' },
    forms: { type: 'string', default: '4' },
  },
});
requireData();

interface QuestionSet {
  questions: DatedQuestion[];
  qrels: Qrels;
}

const day = 86_400_000;
const sets: Record<string, (folder: string, qrels: Qrels) => QuestionSet> = { timeqa, tennis };
const metrics = parseMetrics(['hit@1', 'hit@5', 'answer_recall@1']);
console.log(describeMachine(machine()));
console.log(
  'MRAG figure 2 (TempRAGEval, Contriever then Gemma over Wikipedia), SituatedQA, original ' +
    '-> perturbed: answer recall@1 0.858 -> 0.547,',
);
console.log(
  'evidence recall@1 0.450 -> 0.203 (section 3.2); TimeQA is a plot without figures ' +
    '(appendix E). Here hit@1 is evidence recall@1.',
);

for (const name of options.set.split(',')) {
  const make = sets[name];
  if (!make)
    throw new Error(
      `Expected --set to name some of ${Object.keys(sets).join(', ')}, received ${name}.`,
    );
  const work = mkdtempSync(join(tmpdir(), 'asof-perturbation-'));
  const { corpus, folder, qrels: judged } = await openSet(work, name);
  const { questions, qrels } = make(folder, judged);
  const forms = questions.flatMap((question) =>
    perturbQuestion(question, { seed: Number(options.seed), perQuestion: Number(options.forms) }),
  );
  const originalOf = new Map(forms.map(({ id, originalId }) => [id, originalId]));
  const perturbedOf = new Set(originalOf.values());
  for (const { id, originalId } of forms) qrels.set(id, qrels.get(originalId)!);
  console.log(
    `\n## ${name}: ${perturbedOf.size} of ${questions.length} questions perturbed, ${forms.length} forms`,
  );
  for (const { originalId, text } of forms.filter(
    (_, at) => at % Math.ceil(forms.length / 6) === 0,
  )) {
    console.log(`   ${questions.find(({ id }) => id === originalId)!.text}  ->  ${text}`);
  }
  const compared = { questions: questions.filter(({ id }) => perturbedOf.has(id)), qrels };
  for (const system of options.system.split(','))
    await measure(system, corpus, compared, forms, originalOf);
  await corpus.close();
  rmSync(work, { recursive: true, force: true });
}

async function measure(
  name: string,
  corpus: Corpus,
  { questions, qrels }: QuestionSet,
  forms: readonly PerturbedQuestion[],
  originalOf: ReadonlyMap<string, string>,
): Promise<void> {
  const system = createSystem(name, { corpus });
  const before = await evaluate(system, questions, { metrics, qrels });
  const after = await evaluate(system, forms, { metrics, qrels });
  const figures = metrics.map(({ name: metric }) => {
    const { original, perturbed, change } = perturbationRobustness(
      metric,
      before.queries,
      after.queries,
      (id) => originalOf.get(id),
    );
    return `${metric} ${original.toFixed(3)} -> ${perturbed.toFixed(3)} (${change.toFixed(3)})`;
  });
  console.log(`${name.padEnd(9)} ${figures.join('   ')}`);
  const byRelation = relations.flatMap((relation) => {
    const of = new Set(forms.filter((form) => form.relation === relation).map(({ id }) => id));
    const scores = after.queries.filter(({ id }) => of.has(id));
    return scores.length === 0
      ? []
      : [
          `${relation} ${(scores.reduce((sum, { values }) => sum + values['hit@1']!, 0) / scores.length).toFixed(2)}`,
        ];
  });
  console.log(`          hit@1 by relation: ${byRelation.join(', ')}`);
}

/**
 * The human questions with their key dates; the other answers of the same subject and relation
 * compete with its own.
 */
function timeqa(folder: string, qrels: Qrels): QuestionSet {
  const source = records(join(shared, 'data', 'timeqa_human', 'queries.jsonl'));
  const groups = new Map<string, { answers: string; times: AnswerTimes }[]>();
  const groupOf = new Map<string, string>();
  for (const { id, page, relation, question_easy, answers } of source) {
    const { interval } = parseQuestion({ text: String(question_easy) }).constraint;
    const group = `${String(page)} ${String(relation)}`;
    groupOf.set(opaque(String(id)), group);
    if (!interval) continue;
    const times = { validFrom: new Date(interval.start), validTo: new Date(interval.end) };
    groups.set(group, [...(groups.get(group) ?? []), { answers: JSON.stringify(answers), times }]);
  }
  const questions = records(join(folder, 'queries-easy.jsonl')).flatMap(
    ({ id, text, answers }): DatedQuestion[] => {
      const { relation } = parseQuestion({ text: String(text) }).constraint;
      if (relation !== 'from-to' && relation !== 'between') return [];
      const rivals = groups
        .get(groupOf.get(String(id))!)!
        .filter((other) => other.answers !== JSON.stringify(answers));
      return [
        {
          id: String(id),
          text: String(text),
          answers: answers as string[],
          others: rivals.map(({ times }) => times),
        },
      ];
    },
  );
  return { questions, qrels };
}

/**
 * Who won each final on record, asked with its year; the finals of other years compete with it. A
 * final is an event of two weeks.
 */
function tennis(): QuestionSet {
  const finals = csvRecords('tennis_grand_slam/matches_1978_2018.csv').filter(
    ({ round }) => round === 'F',
  );
  const qrels: Qrels = new Map();
  const timesOf = ({ tourney_start: start }: Record<string, string>): AnswerTimes => ({
    validFrom: start!,
    validTo: new Date(Date.parse(start!) + 14 * day),
  });
  const questions = finals.map((final): DatedQuestion => {
    const { tourney_id, tournament, event, match_num, tourney_start, winner } = final;
    const id = `${tourney_id}-${event!.slice(0, 1)}`;
    qrels.set(id, new Map([[opaque(`${id}-${match_num}`), 1]]));
    const others = finals
      .filter(
        (other) =>
          other !== final && other['tournament'] === tournament && other['event'] === event,
      )
      .map(timesOf);
    const text = `Who won the ${tournament} ${event!.startsWith('men') ? "Men's" : "Women's"} Singles final in ${tourney_start!.slice(0, 4)}?`;
    return { id, text, answers: [winner!], ...timesOf(final), others };
  });
  return { questions, qrels };
}
