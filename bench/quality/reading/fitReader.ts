// Fits the weights of the extractive reader (lib/reading/weights.ts): a listwise logistic model
// over the candidate spans of each question, and a logistic model of whether the best one is right,
// fitted on spans that were chosen with their collection held out. Prints for each collection, held
// out, how many spans are shown alone, how many of those are right, and how many answers hold the
// right string. `node --import tsx bench/quality/reading/fitReader.ts --folder DIR,... --work DIR
// [--set timeqa-easy,...] [--sample N] [--penalty P] [--confidence P] [--without rank,near]
// [--write]`. --folder as in bench/quality/families/measure.ts; --work keeps what was retrieved.
import '../../../test/selectAddon.js';
import { writeFileSync } from 'node:fs';
import { parseArgs } from '../../options.js';
import { defaultConfidence } from '../../../lib/reading/answer.js';
import { statementOf } from '../../../lib/reading/extract.js';
import { workFolder } from '../sets/sets.js';
import { accuracy } from './accuracy.js';
import {
  bestSpan,
  exampleOf,
  FeatureNames,
  type Example,
  type SpanExample,
} from './readerExamples.js';
import { fit, scoreOfRow, thinned } from './readerFit.js';
import { weightsSource } from './readerWeights.js';
import { ofFamily, ofSet, type RetrievedQuestion } from './retrieved.js';

const { values } = parseArgs({
  options: {
    work: { type: 'string' },
    folder: { type: 'string', default: '' },
    set: {
      type: 'string',
      default: 'timeqa-easy,timeqa-hard,hoh,covid,nws,tennis,nobel,nobel-born',
    },
    sample: { type: 'string', default: '300' },
    penalty: { type: 'string', default: '0.001' },
    confidence: { type: 'string', default: String(defaultConfidence) },
    without: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
/** In how many parts the collections are held out. */
const folds = 8;
const penalty = Number(values.penalty);
const least = Number(values.confidence);
const work = workFolder('reader', values.work);
const some = (list: string): string[] => list.split(',').filter((each) => each !== '');

/** What a collection's answers come to; those that are no span are sentences. */
const groups = new Map<string, { count: number; statements: number }>();
const names = new FeatureNames(new Set(values.without.split(',')));
const examples: SpanExample[] = [];
for (const folder of some(values.folder)) {
  const { name, questions } = ofFamily(folder, work);
  await add(name, name, await questions);
}
for (const name of some(values.set))
  await add(name, name.split('-')[0]!, await ofSet(name, Number(values.sample), work));

async function add(
  group: string,
  family: string,
  questions: readonly RetrievedQuestion[],
): Promise<void> {
  // A large collection counts for more than a small one, but not in proportion.
  const weight = 1 / Math.sqrt(questions.length);
  const counts = { count: 0, statements: 0 };
  groups.set(group, counts);
  for (const each of questions) {
    const { passages, judged = [] } = each;
    const contexts = { retrieved: passages, first: passages.slice(0, 1), judged };
    counts.count += 1;
    for (const context of ['retrieved', 'first', 'judged'] as const) {
      const given = contexts[context];
      const [first] = given;
      if (!first) continue;
      const statement =
        accuracy.of({ answer: statementOf(first).text, answers: each.answers }) ?? 0;
      const example = await exampleOf(each, given, names);
      if (!example) {
        if (context === 'retrieved') counts.statements += statement;
        continue;
      }
      const of = { group, family, context, statement };
      examples.push({ ...example, ...of, weight: context === 'retrieved' ? weight : weight / 2 });
    }
  }
}

/** The span that weights choose for a question, as an example of what is right. */
interface Choice {
  of: SpanExample;
  example: Example;
  isRight: number;
}

const answerNames = new FeatureNames();

function choiceOf(of: SpanExample, weights: Float64Array): Choice {
  const scores = of.rows.map((row) => scoreOfRow(row, weights));
  const { candidate, features } = bestSpan(of.candidates, scores);
  const right = of.accuracy[candidate]!;
  const rows = [answerNames.rowOf(features), answerNames.rowOf({})];
  return { of, isRight: right, example: { weight: of.weight, rows, good: [right, 1 - right] } };
}

const thin = new Map(examples.map((each) => [each, thinned(each)] as const));
const fitSpans = (of: readonly SpanExample[]): Float64Array =>
  fit(
    of.filter(({ context }) => context !== 'first').map((each) => thin.get(each)!),
    names.names.length,
    penalty,
  );
const fitAnswers = (of: readonly Choice[]): Float64Array =>
  fit(
    of.map(({ example }) => example),
    answerNames.names.length,
    1e-4,
    500,
  );

const families = [...new Set(examples.map(({ family }) => family))];
const foldOf = new Map(families.map((family, at) => [family, at % folds]));
const isIn = (fold: number, { family }: SpanExample): boolean => foldOf.get(family) === fold;
const choices = Array.from({ length: folds }, (_, fold) => {
  const weights = fitSpans(examples.filter((each) => !isIn(fold, each)));
  return examples
    .filter((each) => isIn(fold, each) && each.context !== 'judged')
    .map((each) => choiceOf(each, weights));
}).flat();

const [shown, right, answered] = [0, 1, 2].map(() => new Map<string, number>()) as [
  Map<string, number>,
  Map<string, number>,
  Map<string, number>,
];
const increase = (counts: Map<string, number>, group: string, by: number): void =>
  void counts.set(group, (counts.get(group) ?? 0) + by);
const alone = { count: 0, shown: 0, right: 0 };
for (let fold = 0; fold < folds; fold += 1) {
  const weights = fitAnswers(choices.filter(({ of }) => !isIn(fold, of)));
  for (const { of, example, isRight: isSpanRight } of choices.filter((each) =>
    isIn(fold, each.of),
  )) {
    const isShown = 1 / (1 + Math.exp(-scoreOfRow(example.rows[0]!, weights))) >= least;
    if (of.context === 'first') {
      alone.count += 1;
      if (isShown) alone.shown += 1;
      if (isShown) alone.right += isSpanRight;
      continue;
    }
    increase(answered, of.group, isShown ? isSpanRight : of.statement);
    if (!isShown) continue;
    increase(shown, of.group, 1);
    increase(right, of.group, isSpanRight);
  }
}

console.log(`${examples.length} examples, ${names.names.length} weights; confidence ${least}`);
console.log('held out        questions  shown  right  answers');
let [sumShown, sumSpans, sumRight, sumAnswers] = [0, 0, 0, 0];
const counted = [...groups].filter(([, { count }]) => count > 0);
for (const [group, { count, statements }] of counted) {
  const spans = shown.get(group) ?? 0;
  const answers = ((answered.get(group) ?? 0) + statements) / count;
  sumShown += spans / count;
  sumSpans += spans;
  sumRight += right.get(group) ?? 0;
  sumAnswers += answers;
  const share = spans > 0 ? ((right.get(group) ?? 0) / spans).toFixed(2) : '-';
  console.log(
    `${group.padEnd(16)}${String(count).padStart(9)}${(spans / count).toFixed(2).padStart(7)}` +
      `${share.padStart(7)}${answers.toFixed(2).padStart(9)}`,
  );
}
console.log(
  `mean of ${counted.length}: shown ${(sumShown / counted.length).toFixed(3)}, right ` +
    `${(sumRight / sumSpans).toFixed(3)}, answers ${(sumAnswers / counted.length).toFixed(3)}`,
);

console.log(
  `of the first passage alone: shown ${(alone.shown / alone.count).toFixed(3)}, right ` +
    (alone.right / alone.shown).toFixed(3),
);

if (values.write) {
  const weights = fitAnswers(choices);
  const answer = Object.fromEntries(answerNames.names.map((name, at) => [name, weights[at]!]));
  writeFileSync(
    new URL('../../../lib/reading/weights.ts', import.meta.url),
    weightsSource(names.names, fitSpans(examples), answer),
  );
}
