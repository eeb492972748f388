// Helpers of the families of folder b: passages and questions with running ids, spelled dates,
// rotating wordings.
import type { Family, FamilyPassage, FamilyQuestion, Random } from './family.js';

export type Judged = Record<string, 1 | 2>;
type Operator = FamilyQuestion['class'];

const months = [
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

const parts = (iso: string): { year: string; month: string; day: number } => ({
  year: iso.slice(0, 4),
  month: months[Number(iso.slice(5, 7)) - 1]!,
  day: Number(iso.slice(8, 10)),
});

const spellings: ((iso: string) => string)[] = [
  (iso) => `${parts(iso).day} ${parts(iso).month} ${parts(iso).year}`,
  (iso) => `${parts(iso).month} ${parts(iso).day}, ${parts(iso).year}`,
  (iso) => iso,
];

/** A year, month (2020-04) or day in one of its spellings; `style` picks that of days. */
export function spell(iso: string, style = 0): string {
  if (/^\d{3,4}$/.test(iso)) return iso;
  if (iso.length === 7) return `${parts(iso).month} ${parts(iso).year}`;
  return spellings[style % spellings.length]!(iso);
}

/** "on 6 May 2021", "in May 2021", "in 2021". */
export const at = (iso: string, style = 0): string =>
  `${iso.length === 10 ? 'on' : 'in'} ${spell(iso, style)}`;

export const spellMonth = (iso: string): string => spell(iso.slice(0, 7));

/** The day `days` later. */
export const shifted = (iso: string, days: number): string =>
  new Date(Date.parse(iso) + days * 86_400_000).toISOString().slice(0, 10);

/** The same day `months` later; days past the month's end become its last. */
export function monthsLater(iso: string, count: number): string {
  const index = Number(iso.slice(0, 4)) * 12 + Number(iso.slice(5, 7)) - 1 + count;
  const [year, month] = [Math.floor(index / 12), index % 12];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(Number(iso.slice(8, 10)), last);
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}

export const judged = (grade: 1 | 2, ids: Iterable<string>): Judged =>
  Object.fromEntries([...ids].map((id) => [id, grade]));

/** Collects a family; wordings of one class and topic are used in turn. */
export class Builder implements Family {
  readonly passages: FamilyPassage[] = [];
  readonly questions: FamilyQuestion[] = [];
  private readonly turns = new Map<string, number>();

  constructor(
    private readonly prefix: string,
    private readonly random: Random,
  ) {}

  say(text: string, more: Omit<FamilyPassage, 'id' | 'text'> = {}): string {
    const id = `${this.prefix}-${this.passages.length + 1}`;
    this.passages.push({ id, text, ...more });
    return id;
  }

  ask(
    operator: Operator,
    wordings: string[],
    entity: string,
    answers: string[],
    relevant: Judged,
    more: { asked_at?: string; outdated?: string[] } = {},
  ): void {
    const topic = `${operator} ${wordings.length} ${Object.keys(relevant).length > 0}`;
    const turn = this.turns.get(topic) ?? this.random.below(wordings.length);
    this.turns.set(topic, turn + 1);
    const text = wordings[turn % wordings.length]!;
    if (this.questions.some((question) => question.text === text)) return;
    const id = `${this.prefix}-q${this.questions.length + 1}`;
    this.questions.push({ id, text, class: operator, entity, answers, relevant, ...more });
  }
}
