// Made-up terms of office and prices, with questions in perturbed forms: states that hold on days
// which no passage names. For training; in the files of a family.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { perturbQuestion, type DatedQuestion } from '../../../packages/evaluation/lib/index.js';
import type { AnswerTimes } from '../../../packages/evaluation/lib/perturbation/perturbQuestion.js';
import type { Passage } from '../../../lib/index.js';

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

type StateQuestion = DatedQuestion & { right: string[] };

/** Subject of a series of states: the holder of an office of a place, or its ferry's price. */
interface Subject {
  place: string;
  /** Number of the place, and of the subject. */
  p: number;
  subject: number;
  price: boolean;
}

/** Writes the passages, questions and judgments where they are missing; returns the folder. */
export function writeStates(folder: string): string {
  if (existsSync(join(folder, 'qrels.tsv'))) return folder;
  const passages: Passage[] = [];
  const dated: StateQuestion[] = [];
  placeNames
    .flatMap((place, p) => [0, 1].map((half) => ({ place, p, price: half === 1 })))
    .forEach((of, subject) => addStates({ ...of, subject }, passages, dated));
  const questions = dated.flatMap(({ right, ...question }) =>
    perturbQuestion(question, {
      seed: 5,
      perQuestion: 2,
      conditions: ['none', 'last', 'first'],
    }).map(({ id, text }) => ({ id, text, right })),
  );
  const write = (file: string, lines: readonly string[]): void =>
    writeFileSync(join(folder, file), `${lines.join('\n')}\n`);
  mkdirSync(folder, { recursive: true });
  write(
    'passages.jsonl',
    passages.map((passage) => JSON.stringify(passage)),
  );
  write(
    'queries.jsonl',
    questions.map(({ id, text }) => JSON.stringify({ id, text })),
  );
  write(
    'qrels.tsv',
    questions.flatMap(({ id, right }) => right.map((passage) => `${id} 0 ${passage} 1`)),
  );
  return folder;
}

/** Adds the passages and questions of one subject: six states, each until the next. */
function addStates(of: Subject, passages: Passage[], dated: StateQuestion[]): void {
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
      const both = add(`${id}-after`, `${lasted(n - 1)} ${next}`);
      right.push(both);
      dated.at(-1)!.right.push(both);
    }
    dated.push({
      id,
      text: `${price ? `What did ${what} cost` : `Who was ${what}`} in ${yearOf(starts[n]!) + 2}?`,
      answers: [holder(n)],
      ...times(n),
      others: [0, 1, 2, 3, 4, 5].filter((other) => other !== n).map(times),
      right,
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
