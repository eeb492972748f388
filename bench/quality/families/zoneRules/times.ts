// Times of questions about clocks, each with the days that it means.
import { addDays, american, anyDate, british, monthEnd, monthYear, quarterOf } from '../dates.js';
import type { Random } from '../family.js';

export interface Point {
  day: string;
  time: string;
}

export interface Window {
  from: string;
  to: string;
  time: string;
}

const ordinals = ['first', 'second', 'third', 'fourth'];
const two = (value: number): string => String(value).padStart(2, '0');

/** A day, or the end of its month, quarter or year. */
export function standing(day: string, random: Random): Point {
  const year = day.slice(0, 4);
  const quarter = quarterOf(day);
  const quarterEnd = monthEnd(`${year}-${two(quarter * 3)}-01`);
  return random.pick<() => Point>([
    () => ({ day, time: `on ${anyDate(day, random)}` }),
    () => ({ day, time: `as of ${british(day)}` }),
    () => ({ day, time: `as things stood when ${british(day)} dawned` }),
    () => ({ day: monthEnd(day), time: `by the close of ${monthYear(day)}` }),
    () => ({ day: `${year}-12-31`, time: `by the close of ${year}` }),
    () => ({ day: `${year}-12-31`, time: `as the year ${year} ran out` }),
    () => ({ day: `${year}-01-01`, time: `as things stood when ${year} began` }),
    () => ({ day: quarterEnd, time: `at the end of Q${quarter} ${year}` }),
    () => ({ day: `${year}-07-01`, time: `halfway through ${year}` }),
  ])();
}

/** Up to a limit, which is itself excluded. */
export function upTo(day: string, random: Random): Point {
  const year = day.slice(0, 4);
  const quarter = quarterOf(day);
  return random.pick<() => Point>([
    () => ({ day, time: `before ${anyDate(day, random)}` }),
    () => ({ day, time: `immediately before ${british(day)}` }),
    () => ({ day, time: `in the time leading up to ${american(day)}` }),
    () => ({ day: `${day.slice(0, 7)}-01`, time: `before ${monthYear(day)} came round` }),
    () => ({ day: `${year}-01-01`, time: `before the year ${year}` }),
    () => ({
      day: `${year}-${two(quarter * 3 - 2)}-01`,
      time: `ahead of the ${ordinals[quarter - 1]} quarter of ${year}`,
    }),
  ])();
}

/** From a limit on, which is itself excluded. */
export function past(day: string, random: Random): Point {
  const year = day.slice(0, 4);
  return random.pick<() => Point>([
    () => ({ day, time: `after ${anyDate(day, random)}` }),
    () => ({ day, time: `later than ${british(day)}` }),
    () => ({ day: monthEnd(day), time: `once ${monthYear(day)} had passed` }),
    () => ({ day: `${year}-12-31`, time: `after the end of ${year}` }),
    () => ({ day: `${year}-12-31`, time: `past the turn of the year ${year}/${Number(year) + 1}` }),
  ])();
}

export function during(day: string, random: Random): Window {
  const year = day.slice(0, 4);
  const quarter = quarterOf(day);
  const start = `${year}-${two(quarter * 3 - 2)}-01`;
  const quarterly = { from: start, to: monthEnd(`${year}-${two(quarter * 3)}-01`) };
  const monthly = { from: `${day.slice(0, 7)}-01`, to: monthEnd(day) };
  const yearly = { from: `${year}-01-01`, to: `${year}-12-31` };
  return random.pick<Window>([
    { ...yearly, time: `in ${year}` },
    { ...yearly, time: `in the course of ${year}` },
    { ...monthly, time: `in ${monthYear(day)}` },
    { ...monthly, time: `some time in ${monthYear(day)}` },
    { ...quarterly, time: `in Q${quarter} of ${year}` },
    { ...quarterly, time: `in the ${ordinals[quarter - 1]} quarter of ${year}` },
    { ...quarterly, time: `in ${year}-Q${quarter}` },
  ]);
}

export function range(day: string, random: Random): Window {
  const [from, to] = [addDays(day, -20 - random.below(400)), addDays(day, 20 + random.below(400))];
  const [first, last] = [`${from.slice(0, 4)}-01-01`, `${to.slice(0, 4)}-12-31`];
  const wholeMonths = { from: `${from.slice(0, 7)}-01`, to: monthEnd(to) };
  return random.pick<Window>([
    { from, to, time: `between ${british(from)} and ${british(to)}` },
    { from, to, time: `from ${american(from)} through ${american(to)}` },
    { ...wholeMonths, time: `from ${monthYear(from)} to ${monthYear(to)} inclusive` },
    { from: first, to: last, time: `in the years ${first.slice(0, 4)} to ${last.slice(0, 4)}` },
  ]);
}

/** From a day on, the day included. */
export function onward(day: string, random: Random): Point {
  const year = day.slice(0, 4);
  return random.pick<() => Point>([
    () => ({ day, time: `since ${anyDate(day, random)}` }),
    () => ({ day: `${day.slice(0, 7)}-01`, time: `since ${monthYear(day)}` }),
    () => ({ day: `${year}-01-01`, time: `from ${year} onwards` }),
    () => ({ day: `${year}-01-01`, time: `since the start of ${year}` }),
  ])();
}
