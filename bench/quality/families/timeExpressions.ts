// Time expressions of questions, each with the days that it means.
import { addMonths, american, anyDate, british, monthEnd, months, monthYear } from './dates.js';
import type { Random } from './family.js';

export interface Moment {
  day: string;
  time: string;
}

export interface Period {
  from: string;
  to: string;
  time: string;
}

/** A moment at or some days after a day, moved to the end of its month or year by chance. */
export function moment(day: string, random: Random): Moment {
  const year = day.slice(0, 4);
  return random.pick<() => Moment>([
    () => ({ day, time: `as of ${anyDate(day, random)}` }),
    () => ({ day, time: `on ${anyDate(day, random)}` }),
    () => ({ day, time: `as things stood on ${british(day)}` }),
    () => ({ day: monthEnd(day), time: `at the end of ${monthYear(day)}` }),
    () => ({ day: `${year}-12-31`, time: `when ${year} ended` }),
    () => ({ day: `${year}-12-31`, time: `at the close of ${year}` }),
  ])();
}

/** The last days before a day, its month or its year. */
export function before(day: string, random: Random): Moment {
  const month = `${day.slice(0, 7)}-01`;
  const year = day.slice(0, 4);
  return random.pick<() => Moment>([
    () => ({ day, time: `before ${anyDate(day, random)}` }),
    () => ({ day, time: `prior to ${american(day)}` }),
    () => ({ day: month, time: `before ${monthYear(month)}` }),
    () => ({ day: month, time: `ahead of ${monthYear(month)}` }),
    () => ({ day: `${year}-01-01`, time: `before ${year}` }),
  ])();
}

/** The first days after a day, its month or its year; `day` itself is excluded. */
export function after(day: string, random: Random): Moment {
  const year = day.slice(0, 4);
  return random.pick<() => Moment>([
    () => ({ day, time: `after ${anyDate(day, random)}` }),
    () => ({ day, time: `following ${american(day)}` }),
    () => ({ day, time: `later than ${british(day)}` }),
    () => ({ day: monthEnd(day), time: `after ${monthYear(day)}` }),
    () => ({ day: monthEnd(day), time: `once ${monthYear(day)} was over` }),
    () => ({ day: `${year}-12-31`, time: `after the end of ${year}` }),
  ])();
}

/** The month, quarter or year of a day. */
export function within(day: string, random: Random): Period {
  const [year, month] = [day.slice(0, 4), Number(day.slice(5, 7))];
  const from = `${day.slice(0, 7)}-01`;
  const quarter = Math.ceil(month / 3);
  const start = `${year}-${String(quarter * 3 - 2).padStart(2, '0')}-01`;
  const quarterly = { from: start, to: monthEnd(addMonths(start, 2)) };
  return random.pick<Period>([
    { from, to: monthEnd(day), time: `in ${monthYear(day)}` },
    { from, to: monthEnd(day), time: `during ${monthYear(day)}` },
    { from, to: monthEnd(day), time: `in the month of ${months[month - 1]}, ${year}` },
    { ...quarterly, time: `in Q${quarter} ${year}` },
    {
      ...quarterly,
      time: `in the ${['first', 'second', 'third', 'fourth'][quarter - 1]} quarter of ${year}`,
    },
    { from: `${year}-01-01`, to: `${year}-12-31`, time: `in ${year}` },
    { from: `${year}-01-01`, to: `${year}-12-31`, time: `back in ${year}` },
  ]);
}

export function span(from: string, to: string, random: Random): Period {
  return random.pick<() => Period>([
    () => ({ from, to, time: `between ${british(from)} and ${british(to)}` }),
    () => ({ from, to, time: `from ${american(from)} to ${american(to)}` }),
    () => ({ from, to, time: `from ${from} until ${to}` }),
    () => ({ from, to, time: `in the period ${british(from)} to ${british(to)}` }),
  ])();
}

/** A moment some months before a named day, unless that were after `end`. */
export function offset(day: string, end: string, random: Random): Moment | undefined {
  const [count, words] = random.pick([
    [1, 'a month'],
    [2, 'two months'],
    [3, 'three months'],
    [6, 'half a year'],
    [12, 'a year'],
  ] as const);
  const safe = `${day.slice(0, 8)}${day.slice(8) > '28' ? '15' : day.slice(8)}`;
  const named = addMonths(safe, count);
  if (named > end) return undefined;
  const order = random.pick(['before', 'prior to', 'earlier than']);
  return { day: safe, time: `${words} ${order} ${anyDate(named, random)}` };
}

export function since(day: string, random: Random): Moment {
  const month = `${day.slice(0, 7)}-01`;
  return random.pick<() => Moment>([
    () => ({ day, time: `since ${anyDate(day, random)}` }),
    () => ({ day, time: `from ${american(day)} on` }),
    () => ({ day: month, time: `since the beginning of ${monthYear(day)}` }),
    () => ({ day: month, time: `since ${monthYear(day)}` }),
  ])();
}
