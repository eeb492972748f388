// Time expressions with their labels for training the learned temporal extractor: full, coarse and
// relative dates, and eras. None before the year 1000, whose numbers are not recognisable as years.
import { civilFromDays, daysFromCivil, daysInMonth } from '../../../lib/time/civil.js';
import type { Random } from '../../../lib/text/random.js';

/** Label of a text's time, as the extractor's heads represent it. */
export interface TimeLabel {
  /** Calendar components, 0 if unknown; `known` counts them from the year on. */
  year: number;
  month: number;
  day: number;
  known: 0 | 1 | 2 | 3;
  /**
   * `absolute`, `nearest` (a date without its year), or `day`, `month`, `year` with the offset from
   * the reference.
   */
  anchor: string;
}

export interface Expression extends TimeLabel {
  /** With its preposition: "on 5 May 2021", "next Friday". */
  on: string;
  /** As a noun. */
  when: string;
}

export const noLabel: TimeLabel = { year: 0, month: 0, day: 0, known: 0, anchor: 'absolute' };

const months = (
  'January February March April May June July August September October November ' + 'December'
).split(' ');
const shorter = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const numberNames = 'zero one two three four five six seven eight nine ten'.split(' ');
const centuries = (
  'eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth ' +
  'nineteenth twentieth'
).split(' ');

/** Years of the test split, absent from training texts: every thirteenth. */
export function isHeldOut(year: number): boolean {
  return year % 13 === 7;
}

/** A random year of the split, recent ones more often. */
function anyYear(random: Random, heldOut: boolean): number {
  for (;;) {
    const share = random.next();
    const year =
      share < 0.6
        ? 1950 + random.below(85)
        : share < 0.85
          ? 1700 + random.below(250)
          : 1000 + random.below(1150);
    if (isHeldOut(year) === heldOut) return year;
  }
}

export function anyDay(random: Random, heldOut: boolean): number {
  const year = anyYear(random, heldOut);
  const month = 1 + random.below(12);
  return daysFromCivil({ year, month, day: 1 + random.below(daysInMonth(year, month)) });
}

const two = (value: number): string => String(value).padStart(2, '0');
const weekday = (day: number): string => weekdays[(((day + 3) % 7) + 7) % 7]!;
const ordinal = (value: number): string =>
  `${value}${value >= 11 && value <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th')}`;

/** A day in one of the forms of a full date. */
export function wholeDay(at: number, random: Random): Expression {
  const { year, month, day } = civilFromDays(at);
  const name = random.pick([
    months[month - 1]!,
    months[month - 1]!,
    shorter[month - 1]!,
    `${shorter[month - 1]!}.`,
  ]);
  const long = months[month - 1]!;
  const iso = `${year}-${two(month)}-${two(day)}`;
  const forms = [
    iso,
    iso,
    `${iso}T${two(random.below(24))}:${two(random.below(60))}:00Z`,
    `${year}/${two(month)}/${two(day)}`,
    `${two(month)}/${two(day)}/${year}`,
    `${month}/${day}/${year}`,
    `${two(month)}-${two(day)}-${year}`,
    `${name} ${day}, ${year}`,
    `${name} ${day}, ${year}`,
    `${name} ${day} ${year}`,
    `${name} ${ordinal(day)}, ${year}`,
    `${name} ${ordinal(day)} ${year}`,
    `${day} ${name} ${year}`,
    `${day} ${name} ${year}`,
    `${two(day)} ${long} ${year}`,
    `${ordinal(day)} ${name} ${year}`,
    `the ${ordinal(day)} of ${long} ${year}`,
    `the ${ordinal(day)} of ${long}, ${year}`,
    `${day}-${shorter[month - 1]}-${year}`,
    `${day} ${shorter[month - 1]}, ${year}`,
    `${day}, ${shorter[month - 1]}, ${year}`,
    `${weekday(at)}, ${name} ${day}, ${year}`,
    `${weekday(at)} ${day} ${name} ${year}`,
    `${weekday(at)}, ${day} ${name} ${year}`,
    `${weekday(at)}, ${long} ${ordinal(day)}, ${year}`,
    `${weekday(at).slice(0, 3)}, ${two(day)} ${shorter[month - 1]} ${year}`,
    `${long.toUpperCase()} ${day}, ${year}`,
    `${year} ${long} ${day}`,
    `${year}${two(month)}${two(day)}`,
  ];
  // Day first only if it cannot be a month.
  if (day > 12)
    forms.push(
      `${two(day)}/${two(month)}/${year}`,
      `${day}.${month}.${year}`,
      `${two(day)}.${two(month)}.${year}`,
    );
  const when = random.pick(forms);
  return { on: `on ${when}`, when, year, month, day, known: 3, anchor: 'absolute' };
}

/** A month, or a part of one. */
function wholeMonth(at: number, random: Random): Expression {
  const { year, month } = civilFromDays(at);
  const name = months[month - 1]!;
  const part = random.pick([
    'early',
    'late',
    'mid',
    'the end of',
    'the beginning of',
    'the start of',
    'the middle of',
    'the first days of',
  ]);
  const when = random.pick([
    `${name} ${year}`,
    `${name} ${year}`,
    `${name} ${year}`,
    `${shorter[month - 1]} ${year}`,
    `${name}, ${year}`,
    `${name} of ${year}`,
    `${year}-${two(month)}`,
    `${two(month)}/${year}`,
    `the month of ${name} ${year}`,
    `${part}${part === 'mid' ? '-' : ' '}${name} ${year}`,
    `${part}${part === 'mid' ? '-' : ' '}${name} ${year}`,
  ]);
  return {
    on: `${when.startsWith('the end') || when.startsWith('the begin') ? 'at' : 'in'} ${when}`,
    when,
    year,
    month,
    day: 0,
    known: 2,
    anchor: 'absolute',
  };
}

/** A year, or a part of one. */
function wholeYear(at: number, random: Random): Expression {
  const { year } = civilFromDays(at);
  const part = random.pick([
    'Q1',
    'Q2',
    'Q3',
    'Q4',
    'the spring of',
    'the summer of',
    'the autumn of',
    'early',
    'late',
    'the first half of',
    'the second half of',
    'the second quarter of',
    'the last quarter of',
    'the end of',
    'the start of',
    'mid',
    'the year',
  ]);
  const parted = `${part}${part === 'mid' ? '-' : ' '}${year}`;
  const when = random.pick([String(year), String(year), String(year), parted]);
  return {
    on: `${/^the (?:end|start)/.test(when) ? 'at' : 'in'} ${when}`,
    when,
    year,
    month: 0,
    day: 0,
    known: 1,
    anchor: 'absolute',
  };
}

/** Decades, centuries and spans of years, labelled by their middle year. */
function era(random: Random, heldOut: boolean): Expression {
  const expression = (when: string, year: number, on = `in ${when}`): Expression => ({
    on,
    when,
    year,
    month: 0,
    day: 0,
    known: 1,
    anchor: 'absolute',
  });
  const share = random.next();
  const year = anyYear(random, heldOut);
  const decade = year - (year % 10);
  if (share < 0.35) return expression(`the ${decade}s`, decade + 5);
  if (share < 0.55) {
    const [part, from, to] = random.pick([
      ['early', 0, 3],
      ['mid', 4, 6],
      ['late', 7, 9],
    ] as const);
    return expression(
      `the ${part}${part === 'mid' ? '-' : ' '}${decade}s`,
      decade + Math.floor((from + to + 1) / 2),
    );
  }
  if (share < 0.7) {
    const century = random.below(centuries.length);
    const name = random.pick([centuries[century]!, ordinal(century + 11)]);
    return expression(`the ${name} century`, (century + 10) * 100 + 50);
  }
  const last = year + 2 + random.below(9);
  const when = random.pick([
    `from ${year} to ${last}`,
    `between ${year} and ${last}`,
    `from ${year} until ${last}`,
    `${year}-${last}`,
    `${year} to ${last}`,
  ]);
  return expression(
    when,
    Math.floor((year + last + 1) / 2),
    when.startsWith(String(year)) ? `in ${when}` : when,
  );
}

/** Deictic expressions with their offset in days. */
const deicticDays = [
  ['today', 0],
  ['yesterday', -1],
  ['tomorrow', 1],
  ['tonight', 0],
  ['this morning', 0],
  ['the day after tomorrow', 2],
  ['the day before yesterday', -2],
  ['tomorrow night', 1],
  ['yesterday evening', -1],
] as const;

/** A time relative to the day `reference`, or an incomplete date. */
export function relative(reference: number, random: Random): Expression {
  const expression = (when: string, anchor: string, known: 1 | 2 | 3, on = when): Expression => ({
    on,
    when,
    year: 0,
    month: 0,
    day: 0,
    known,
    anchor,
  });
  const today = (((reference + 3) % 7) + 7) % 7;
  const named = random.below(7);
  const share = random.next();
  if (share < 0.3) {
    const at = reference - 150 + random.below(301);
    const { month, day } = civilFromDays(at);
    const name = months[month - 1]!;
    const when = random.pick([
      `${name} ${day}`,
      `${name} ${ordinal(day)}`,
      `${day} ${name}`,
      `the ${ordinal(day)} of ${name}`,
      `${shorter[month - 1]} ${day}`,
      `${weekday(at)}, ${name} ${day}`,
    ]);
    return { ...expression(when, 'nearest', 3, `on ${when}`), month, day };
  }
  if (share < 0.36) {
    const month = 1 + random.below(12);
    return { ...expression(months[month - 1]!, 'nearest', 2, `in ${months[month - 1]!}`), month };
  }
  if (share < 0.7) return ofWeekday(expression, today, named, random);
  if (share < 0.82) {
    const [when, days] = random.pick(deicticDays);
    return expression(when, `day ${days}`, 3);
  }
  if (share < 0.88) {
    const days = 2 + random.below(9);
    const number = random.pick([numberNames[days]!, String(days)]);
    return random.next() < 0.6
      ? expression(`${number} days ago`, `day ${-days}`, 3)
      : expression(`in ${number} days`, `day ${days}`, 3);
  }
  if (share < 0.91) {
    const weeks = random.pick([-1, 0, 1]);
    return expression(
      `${['last', 'this', 'next'][weeks + 1]} week`,
      `day ${3 - today + 7 * weeks}`,
      2,
    );
  }
  const [unit, known] = random.pick([
    ['month', 2],
    ['year', 1],
    ['year', 1],
  ] as const);
  const near = random.pick([-1, 0, 1]);
  if (share < 0.96)
    return expression(`${['last', 'this', 'next'][near + 1]} ${unit}`, `${unit} ${near}`, known);
  const count = 2 + random.below(unit === 'month' ? 5 : 9);
  return expression(
    `${random.pick([numberNames[count]!, String(count)])} ${unit}s ago`,
    `${unit} ${-count}`,
    known,
  );
}

/** Weekdays; "next Friday" only if it is unambiguous, as in the benchmark builder. */
function ofWeekday(
  expression: (when: string, anchor: string, known: 3, on?: string) => Expression,
  today: number,
  named: number,
  random: Random,
): Expression {
  const name = weekdays[named]!;
  const choices: Expression[] = [];
  const add = (when: string, days: number, on = when): void =>
    void choices.push(expression(when, `day ${days}`, 3, on));
  if (named > today) add(random.pick([`this ${name}`, `this coming ${name}`]), named - today);
  if (named < today) add(`this past ${name}`, named - today);
  const next = named - today + 7;
  if (next >= 3 && next <= 7) add(random.pick([`next ${name}`, `${name} next`]), next);
  const last = named - today - 7;
  if (last >= -7) add(`last ${name}`, last);
  if (choices.length === 0) add('today', 0);
  return random.pick(choices);
}

/** A random expression of the split, with the frequencies of real texts. */
export function anyExpression(
  random: Random,
  heldOut: boolean,
  reference: number | undefined,
): Expression {
  const share = random.next();
  if (reference !== undefined && share < 0.28) return relative(reference, random);
  const at =
    reference !== undefined && random.next() < 0.5
      ? nearby(reference, random, heldOut)
      : anyDay(random, heldOut);
  if (share < 0.6) return wholeDay(at, random);
  if (share < 0.74) return wholeMonth(at, random);
  return share < 0.9 ? wholeYear(at, random) : era(random, heldOut);
}

/** A day of the split within months of the reference, as in forecasts and reports. */
function nearby(reference: number, random: Random, heldOut: boolean): number {
  const at = reference - 60 + random.below(90);
  return isHeldOut(civilFromDays(at).year) === heldOut ? at : anyDay(random, heldOut);
}
