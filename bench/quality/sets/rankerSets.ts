// Training and test collections of hybrid's ranker: the evaluation sets, the same facts in wordings
// of our own, and perturbed dated questions, with their groups for grouped cross-validation.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseQuestion } from '../../../lib/time/index.js';
import { perturbQuestion, type DatedQuestion } from '../../../lib/eval/index.js';
import type { AnswerTimes } from '../../../lib/eval/perturbation/perturbQuestion.js';
import type { JudgedQuestion } from '../../../lib/train/ranker/examples.js';
import {
  csv,
  data,
  jsonl,
  passagesOf,
  plain,
  some,
  type Grouping,
  type RankerQuestion,
  type RankerSet,
} from './rankerFiles.js';
import { states } from './rankerStates.js';
import { makeSet } from './sets.js';

/**
 * Other sentences for the facts of the generated sets: all train but `second`, which measures what
 * a wording not seen costs.
 */
export const wordings = JSON.parse(
  readFileSync(new URL('rankerWordings.json', import.meta.url), 'utf8'),
) as Record<string, Record<string, string[]>>;

/**
 * Sentences that nothing is made with, here or elsewhere (`queryExpansion.ts` measures them whole).
 */
const unseen = JSON.parse(
  readFileSync(new URL('bridgeWordings.json', import.meta.url), 'utf8'),
) as Record<string, Record<string, string[]>>;
wordings['unseen'] = Object.assign({}, unseen['tennis-c'], unseen['nws-c'], unseen['covid-c']);

/** Makes every set below `work`; questions are taken at even steps down to the caps. */
export function makeRankerSets(work: string): RankerSet[] {
  mkdirSync(work, { recursive: true });
  const sets = [
    ...timeqa(makeSet(work, 'timeqa')),
    ...['', '-born'].map((kind) => ({
      ...plain(
        makeSet(work, 'nobel'),
        `nobel${kind}`,
        `queries${kind}`,
        400,
        ({ right }) => right[0]!,
      ),
      partsOfDecade: [3, 7] as const,
    })),
    plain(makeSet(work, 'hoh'), 'hoh', 'queries', 400, titleOf),
  ];
  for (const [wording, trains] of [
    [undefined, true],
    ['first', true],
    ['third', true],
    ['fourth', true],
    ['second', false],
    ['unseen', false],
  ] as const) {
    const at = (task: string): string =>
      wording ? makeSet(join(work, wording), task, wordings[wording]) : makeSet(work, task);
    const few = wording ? 0.6 : 1;
    const some = [
      plain(at('tennis'), 'tennis-anytime', 'queries-anytime', 200 * few, dateOf),
      plain(at('tennis'), 'tennis-same', 'queries-same-year', 64 * few, dateOf),
      plain(at('tennis'), 'tennis-next', 'queries-next-year', 64 * few, dateOf),
      tennisPerturbed(at('tennis'), 400 * few),
      plain(at('nws'), 'nws', 'queries', 200 * few, nameIn(cities())),
      plain(at('nws'), 'nws-pairs', 'queries-pairs', 100 * few, nameIn(cities())),
      plain(at('covid'), 'covid', 'queries', 200 * few, nameIn(countries())),
    ];
    // The same facts four times over: each wording counts half.
    const half = (set: RankerSet): RankerQuestion[] =>
      set.questions.map((each) => ({ ...each, weight: 0.5 * (each.weight ?? 1) }));
    sets.push(
      ...some.map((set) => ({
        ...set,
        name: wording ? `${set.name}~${wording}` : set.name,
        trains,
        questions: half(set),
      })),
    );
  }
  return [...sets, states(join(work, 'states')), cranfield(makeSet(work, 'cranfield'))];
}

const titleOf: Grouping = ({ right }, passages) => passages.get(right[0]!)?.title ?? right[0]!;
const dateOf: Grouping = ({ right }, passages) => String(passages.get(right[0]!)?.published_at);
const nameIn =
  (names: readonly string[]): Grouping =>
  ({ text }) =>
    names.find((name) => text.includes(name)) ?? text;

function column(file: string, name: string): string[] {
  return [...new Set(csv(join(data, file)).map((row) => row[name]!))];
}
const longestFirst = (names: string[]): string[] => names.sort((a, b) => b.length - a.length);
const titled = (city: string): string =>
  city
    .toLowerCase()
    .replace(/ [a-z]{2}$/, '')
    .replace(/\b\w/g, (letter) => letter.toUpperCase());
const cities = (): string[] =>
  longestFirst(column('nws_selected_cities/forecasts.csv', 'city').map(titled));
const countries = (): string[] =>
  longestFirst(
    column('covid_revisions/revisions.csv', 'country').map((country) =>
      country === 'US' ? 'United States' : country,
    ),
  );

/**
 * Human questions, easy and hard and perturbed: a page is held out with all its
 * questions. Unjudged passages of the page with the answer are skipped.
 */
function timeqa(folder: string): RankerSet[] {
  const passages = passagesOf(folder);
  const lenient = (set: RankerSet, weight: number): RankerSet => ({
    ...set,
    questions: set.questions.map((question) => {
      const answers = question.answers.map(plainWords).filter((answer) => answer !== '');
      const title = passages.get(question.right[0]!)?.title;
      const unjudged: JudgedQuestion['unjudged'] = (passage) =>
        passage.title === title &&
        answers.some((answer) =>
          ` ${plainWords(`${passage.title ?? ''} ${passage.text}`)} `.includes(` ${answer} `),
        );
      return { ...question, weight, unjudged };
    }),
  });
  const easy = plain(folder, 'timeqa-easy', 'queries-easy', Infinity, titleOf);
  const perturbed = {
    ...easy,
    name: 'timeqa-perturbed',
    questions: some(easy.questions.flatMap(timeqaForms()), 700),
  };
  return [
    lenient(plain(folder, 'timeqa-hard', 'queries-hard', Infinity, titleOf), 1),
    lenient({ ...easy, questions: some(easy.questions, 450) }, 1),
    lenient(perturbed, 1),
  ];
}

/**
 * A question's perturbed forms; other answers of its subject and relation compete with its own.
 */
function timeqaForms(): (question: RankerQuestion) => RankerQuestion[] {
  // how make_eval_sets.py makes its ids
  const opaque = (id: string): string => createHash('sha1').update(id).digest('hex').slice(0, 12);
  const groups = new Map<string, { answers: string; times: AnswerTimes }[]>();
  const groupOf = new Map<string, string>();
  for (const { id, page, relation, question_easy, answers } of jsonl(
    join(data, 'timeqa_human', 'queries.jsonl'),
  )) {
    const { interval } = parseQuestion({ text: String(question_easy) }).constraint;
    const group = `${String(page)} ${String(relation)}`;
    groupOf.set(opaque(String(id)), group);
    if (interval) {
      groups.set(group, [
        ...(groups.get(group) ?? []),
        {
          answers: JSON.stringify(answers),
          times: { validFrom: new Date(interval.start), validTo: new Date(interval.end) },
        },
      ]);
    }
  }
  return (question) => {
    const { relation } = parseQuestion({ text: question.text }).constraint;
    if (relation !== 'from-to' && relation !== 'between') return [];
    const others = (groups.get(groupOf.get(question.id)!) ?? [])
      .filter(({ answers }) => answers !== JSON.stringify(question.answers))
      .map(({ times }) => times);
    const dated: DatedQuestion = {
      id: question.id,
      text: question.text,
      answers: question.answers,
      others,
    };
    return perturbQuestion(dated, { seed: 7, perQuestion: 3 }).map(({ id, text }) => ({
      ...question,
      id,
      text,
    }));
  };
}

const day = 86_400_000;

/**
 * Finals on record by their year and perturbed, in several wordings; the finals of other years
 * compete with them.
 */
function tennisPerturbed(folder: string, most: number): RankerSet {
  const finals = csv(join(data, 'tennis_grand_slam', 'matches_1978_2018.csv')).filter(
    ({ round }) => round === 'F',
  );
  const timesOf = ({ tourney_start: start }: Record<string, string>): AnswerTimes => ({
    validFrom: start!,
    validTo: new Date(Date.parse(start!) + 14 * day),
  });
  const forms = [
    'Who won the {t} {e} Singles final in {y}?',
    'Which player won the {e} singles title at the {t} in {y}?',
    'Who lost the {t} {e} singles final in {y}?',
    'What was the score in the {t} {e} Singles final in {y}?',
  ];
  const questions = finals.flatMap((final, number): RankerQuestion[] => {
    const { tourney_id, tournament, event, match_num, tourney_start, winner } = final;
    const passage = createHash('sha1')
      .update(`${tourney_id}-${event!.slice(0, 1)}-${match_num}`)
      .digest('hex')
      .slice(0, 12);
    const others = finals
      .filter(
        (other) =>
          other !== final && other['tournament'] === tournament && other['event'] === event,
      )
      .map(timesOf);
    const text = forms[number % forms.length]!.replace('{t}', tournament!)
      .replace('{e}', event!.startsWith('men') ? "Men's" : "Women's")
      .replace('{y}', tourney_start!.slice(0, 4));
    const dated: DatedQuestion = {
      id: `${tourney_id}-${event!.slice(0, 1)}`,
      text,
      answers: [winner!],
      ...timesOf(final),
      others,
    };
    return [dated, ...perturbQuestion(dated, { seed: 7, perQuestion: 4 })].map(
      ({ id, text: words }) => ({
        id,
        text: words,
        answers: [winner!],
        right: [passage],
        group: tourney_start!,
        weight: 0.5,
      }),
    );
  });
  return {
    name: 'tennis-perturbed',
    family: 'tennis',
    folder,
    trains: true,
    questions: some(questions, most),
  };
}

/** No time in it: measured and never trained on. */
const cranfield = (folder: string): RankerSet => ({
  ...plain(folder, 'cranfield', 'queries', Infinity, ({ right }) => right[0]!),
  trains: false,
});

/** Words without case, marks and articles, as answers are compared. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b(?:a|an|the)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
