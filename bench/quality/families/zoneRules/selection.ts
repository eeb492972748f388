// The days that questions of an operator admit, and the members that they ask for.
import { addDays } from '../dates.js';
import type { FamilyQuestion, Random } from '../family.js';
import type { Statement } from './passages.js';
import { during, onward, past, range, upTo } from './times.js';

export type Operator = FamilyQuestion['class'];

export interface Selection {
  time: string;
  admits(day: string): boolean;
}

export const idsOf = (statements: readonly Statement[] = []): string[] =>
  statements.map(({ passage }) => passage);
export const known = (statements: readonly Statement[] = [], asked: string): Statement[] =>
  statements.filter(({ published }) => published === undefined || published <= asked);
/** The last day that questions are about; a newer package may hold later changes. */
export const today = '2026-11-10';
export const asking = (day: string): string => `${day}T08:15:00Z`;

/** The days that an operator admits around `day`, in words; none after the last of all. */
export function selection(operator: Operator, day: string, random: Random): Selection {
  const { time, admits } = around(operator, day, random);
  return { time, admits: (each) => each <= today && admits(each) };
}

function around(operator: Operator, day: string, random: Random): Selection {
  const within = ({ from, to, time }: { from: string; to: string; time: string }): Selection => ({
    time,
    admits: (each) => each >= from && each <= to,
  });
  if (operator === 'in') return within(during(day, random));
  if (operator === 'between') return within(range(day, random));
  if (operator === 'last_before' || operator === 'before_date') {
    const limit = upTo(addDays(day, 4 + random.below(500)), random);
    return { time: limit.time, admits: (each) => each < limit.day };
  }
  if (operator === 'first_after') {
    const limit = past(addDays(day, -4 - random.below(500)), random);
    return { time: limit.time, admits: (each) => each > limit.day };
  }
  if (operator === 'since') {
    const limit = onward(addDays(day, -4 - random.below(200)), random);
    return { time: limit.time, admits: (each) => each >= limit.day };
  }
  return { time: '', admits: () => true };
}

/** The time of asking of questions that reach up to it. */
export const askedToday = (operator: Operator): { asked_at?: string } =>
  operator === 'latest' || operator === 'since' ? { asked_at: asking(today) } : {};

/** The members that an operator asks for, of those admitted, in the order of time. */
export function chosen<Item>(operator: Operator, items: Item[]): Item[] {
  if (operator === 'last_before' || operator === 'latest') return items.slice(-1);
  return operator === 'first_after' || operator === 'first' ? items.slice(0, 1) : items;
}
