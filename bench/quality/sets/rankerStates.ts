// Terms of office and prices of the ranker's training sets, generated with their perturbed forms.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { perturbQuestion, type DatedQuestion } from '../../../lib/eval/index.js';
import type { AnswerTimes } from '../../../lib/eval/perturbation/perturbQuestion.js';
import { some, type PassageLine, type RankerQuestion, type RankerSet } from './rankerFiles.js';

const placeNames = (
  'Aldra Breck Cawston Dunmere Elmet Fane Garth Holm Ilsley Jarrow Kelby Lorn Marrick ' +
  'Norwell Ostrey Pennick Quarne Rudding Selby Tarn'
).split(' ');
const roles = [
  'prime minister',
  'mayor',
  'head coach',
  'director',
  'owner',
  'archbishop',
  'chief executive',
  'harbour master',
];
const given =
  'Ada Bruno Clara Dario Edda Felix Greta Hugo Ines Jonas Karin Lukas Mira Nils Olga Pavel'.split(
    ' ',
  );
const families =
  'Rolfe Quist Marden Tove Sallow Wick Yarrow Zell Orme Pike Nash Lund Hale Crane Voss'.split(' ');

type StateQuestion = DatedQuestion & { right: string[]; group: string };

/** Subject of a series of states: the holder of an office of a place, or its ferry's price. */
interface Subject {
  place: string;
  /** Number of the place, and of the subject. */
  p: number;
  subject: number;
  price: boolean;
}

/**
 * Terms of office and prices of our own, one at a time and worded in several ways: a state holds
 * on days that no passage names.
 */
export function states(folder: string): RankerSet {
  const passages: PassageLine[] = [];
  const dated: StateQuestion[] = [];
  placeNames
    .flatMap((place, p) => [0, 1].map((half) => ({ place, p, price: half === 1 })))
    .forEach((of, subject) => addStates({ ...of, subject }, passages, dated));
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'passages.jsonl'),
      `${passages.map((passage) => JSON.stringify(passage)).join('\n')}\n`,
    );
  }
  const questions = dated.flatMap(({ right, group, ...question }): RankerQuestion[] =>
    perturbQuestion(question, {
      seed: 5,
      perQuestion: 2,
      conditions: ['none', 'last', 'first'],
    }).map(({ id, text }) => ({ id, text, answers: question.answers!, right, group })),
  );
  return {
    name: 'states',
    family: 'states',
    folder,
    trains: true,
    questions: some(questions, 400).map((each) => ({ ...each, weight: 0.5 })),
  };
}

/** Adds the passages and questions of one subject: six states, each until the next. */
function addStates(of: Subject, passages: PassageLine[], dated: StateQuestion[]): void {
  const { place, p, subject, price } = of;
  const { what, starts, holder, began, lasted, listed } = sentencesOf(of);
  const times = (n: number): AnswerTimes => ({
    validFrom: new Date(starts[n]!),
    validTo: new Date(starts[n + 1]!),
  });
  const title = price ? `${place} ferry` : what.replace('the ', '');
  const add = (id: string, text: string): string => (
    passages.push({ id, ...(subject % 3 === 0 ? {} : { title }), text }), id
  );
  for (let n = 0; n < 6; n += 1) {
    const id = `${place}-${String(price)}-${n}`;
    const forms = [
      `${began(n)} The county paper told it at length.`,
      lasted(n),
      listed(n),
      `${began(n)} Of those before, ${holder((n + 5) % 6)} is remembered best.`,
    ];
    const right = [add(id, forms[(n + subject) % 4]!)];
    if (n > 0 && n % 2 === 0) {
      const next = `Then came ${holder(n)}, until ${spoken(starts[n + 1]!)}.`;
      right.push(add(`${id}-after`, `${lasted(n - 1)} ${next}`));
    }
    dated.push({
      id,
      text: `${price ? `What did ${what} cost` : `Who was ${what}`} in ${yearOf(starts[n]!) + 2}?`,
      answers: [holder(n)],
      ...times(n),
      others: [0, 1, 2, 3, 4, 5].filter((other) => other !== n).map(times),
      right,
      group: place,
    });
  }
  const office = price ? 'a ferry' : `its ${roles[p % roles.length]!}`;
  add(
    `${place}-${String(price)}-0-lead`,
    `${place} has had ${office} since ${yearOf(starts[0]!)}. ${place} lies ` +
      `between two rivers and had ${3 + p} thousand people in ${1970 + p}.`,
  );
}

/** The starts of a subject's states, and sentences on the state of a number. */
function sentencesOf({ place, p, subject, price }: Subject) {
  const what = price
    ? `a ticket for the ${place} ferry`
    : `the ${roles[p % roles.length]!} of ${place}`;
  const starts = Array.from({ length: 7 }, (_, n) =>
    Date.UTC(
      1946 + (p % 9) + n * (price ? 6 : 9) + ((n * 5 + subject) % 4),
      (n * 7 + subject) % 12,
      1 + ((n * 11 + subject * 3) % 28),
    ),
  );
  const holder = (n: number): string =>
    price
      ? `${20 + 15 * n + (p % 7)} pence`
      : `${given[(subject * 5 + n * 3) % given.length]!} ${families[(subject * 7 + n * 4) % families.length]!}`;
  const [from, to] = [
    (n: number): string => spoken(starts[n]!),
    (n: number): string => spoken(starts[n + 1]!),
  ];
  return {
    what,
    starts,
    holder,
    began: (n: number): string =>
      price
        ? `Since ${from(n)} ${what} costs ${holder(n)}.`
        : `${holder(n)} became ${what} on ${from(n)}.`,
    lasted: (n: number): string =>
      price
        ? `From ${from(n)} to ${to(n)} ${what} cost ${holder(n)}.`
        : `${holder(n)} was ${what} from ${from(n)} to ${to(n)}.`,
    listed: (n: number): string =>
      `- ${holder(n)} (${yearOf(starts[n]!)}–${yearOf(starts[n + 1]!)})`,
  };
}

const yearOf = (instant: number): number => new Date(instant).getUTCFullYear();

const spoken = (instant: number): string =>
  new Date(instant).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
