// Dates in words and the collecting of questions, for the families of this folder.
import { readFileSync } from 'node:fs';
import type { FamilyQuestion, Random } from './family.js';

export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export const yearOf = (date: string): number => Number(date.slice(0, 4));
export const monthOf = (date: string): number => Number(date.slice(5, 7));
export const quarterOf = (date: string): number => Math.ceil(monthOf(date) / 3);

/** "6 May 2021" */
export const long = (date: string): string => `${Number(date.slice(8, 10))} ${monthYear(date)}`;
/** "May 6, 2021" */
export const american = (date: string): string =>
  `${months[monthOf(date) - 1]!} ${Number(date.slice(8, 10))}, ${date.slice(0, 4)}`;
/** "May 2021" */
export const monthYear = (date: string): string =>
  `${months[monthOf(date) - 1]!} ${date.slice(0, 4)}`;
/** "the spring of 2021"; December counts to the winter of its year. */
export const season = (date: string): string =>
  `the ${['winter', 'spring', 'summer', 'autumn'][Math.floor((monthOf(date) % 12) / 3)]!} of ` +
  date.slice(0, 4);

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date.slice(0, 10)) + days * 86_400_000).toISOString().slice(0, 10);
}

export const addYears = (date: string, years: number): string =>
  `${String(yearOf(date) + years).padStart(4, '0')}${date.slice(4)}`;

export const readJson = (...path: string[]): unknown =>
  JSON.parse(readFileSync(path.join('/'), 'utf8'));

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A question less its id; undefined where the draw does not allow one. */
export type Draft = Omit<FamilyQuestion, 'id' | 'text'> & { key: string };

/**
 * Questions of one kind: `draw` is tried until `count` different ones are found, the wordings are
 * taken in turn.
 */
export class Asker<Context> {
  readonly questions: FamilyQuestion[] = [];
  private readonly keys = new Set<string>();

  constructor(
    private readonly prefix: string,
    private readonly random: Random,
  ) {}

  ask(
    count: number,
    wordings: ((context: Context) => string)[],
    draw: (random: Random) => { draft: Draft; context: Context } | undefined,
  ): void {
    for (let tries = 0, asked = 0; asked < count && tries < 4000; tries += 1) {
      const drawn = draw(this.random);
      if (drawn === undefined || this.keys.has(drawn.draft.key)) continue;
      const { key, ...rest } = drawn.draft;
      const text = capital(wordings[asked % wordings.length]!(drawn.context));
      if (this.questions.some((question) => question.text === text)) continue;
      this.keys.add(key);
      this.questions.push({ id: `${this.prefix}-${this.questions.length + 1}`, text, ...rest });
      asked += 1;
    }
  }
}
