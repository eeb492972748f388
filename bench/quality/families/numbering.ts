// Dates in words, months apart, facts on a time line, and the numbering of questions: shared by
// the families of this folder.
import type { FamilyQuestion, Random } from './family.js';

const monthNames =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

export const monthName = (date: string): string => monthNames[Number(date.slice(5, 7)) - 1]!;

const dayForms: ((date: string) => string)[] = [
  (date) => `${Number(date.slice(8))} ${monthName(date)} ${date.slice(0, 4)}`,
  (date) => `${monthName(date)} ${Number(date.slice(8))}, ${date.slice(0, 4)}`,
  (date) => date,
  (date) => `${Number(date.slice(8))} ${monthName(date).slice(0, 3)} ${date.slice(0, 4)}`,
];

export const sayDay = (date: string, random: Random): string => random.pick(dayForms)(date);

/** The forms in which an answer may state a day. */
export const dayAnswers = (date: string): string[] => dayForms.map((form) => form(date));

export const sayMonth = (date: string): string => `${monthName(date)} ${date.slice(0, 4)}`;

/** The date some months later, or earlier where negative; days past a month's end overflow. */
export function addMonths(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1 + months, day)).toISOString().slice(0, 10);
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

/** A day in words, or the end of its month or year in place of it: the text and the day meant. */
export function sayPoint(date: string, random: Random): { day: string; text: string } {
  const roll = random.next();
  if (roll < 0.6) return { day: date, text: sayDay(date, random) };
  if (roll < 0.8) {
    const first = `${date.slice(0, 7)}-01`;
    const end = addDays(addMonths(first, 1), -1);
    return { day: end, text: `the end of ${sayMonth(date)}` };
  }
  return { day: `${date.slice(0, 4)}-12-31`, text: `the end of ${date.slice(0, 4)}` };
}

export type Judged = Omit<FamilyQuestion, 'id'>;

/** Numbers questions, leaving out repeated texts. */
export function numbered(questions: Judged[]): FamilyQuestion[] {
  const texts = new Set<string>();
  return questions
    .filter(({ text }) => !texts.has(text) && texts.add(text))
    .map((question, index) => ({ id: `q-${index + 1}`, ...question }));
}

/** Grade 2 for each passage. */
export const graded = (passages: string[]): Record<string, 2> =>
  Object.fromEntries(passages.map((id) => [id, 2 as const]));

/** Calls `attempt` until it has returned `count` questions. @throws Error where it never does. */
export function collect(count: number, attempt: () => Judged | undefined): Judged[] {
  const found: Judged[] = [];
  const texts = new Set<string>();
  for (let tries = 0; found.length < count; tries++) {
    if (tries > 5000) throw new Error(`only ${found.length} of ${count} questions`);
    const question = attempt();
    if (question === undefined || texts.has(question.text)) continue;
    texts.add(question.text);
    found.push(question);
  }
  return found;
}
