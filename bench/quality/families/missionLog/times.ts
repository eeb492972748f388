// Times of questions within the days of the flight: hours, parts of days, days and events.
import { american, anyDate, british, two } from '../dates.js';
import type { Random } from '../family.js';

export interface Limit {
  at: string;
  time: string;
}

export interface Span {
  from: string;
  to: string;
  time: string;
}

const events: [at: string, words: string][] = [
  ['1969-07-16T16:22', 'Apollo 11 set out for the Moon at 16:22 UTC on 16 July 1969'],
  ['1969-07-19T17:21', 'Apollo 11 braked into lunar orbit at 17:21 UTC on 19 July 1969'],
  ['1969-07-20T17:44', 'Eagle left Columbia at 17:44 UTC on 20 July 1969'],
  ['1969-07-20T20:17', 'Eagle touched down at 20:17 UTC on 20 July 1969'],
  ['1969-07-21T02:56', 'Armstrong stepped onto the Moon at 02:56 UTC on 21 July 1969'],
  ['1969-07-21T17:54', 'Eagle lifted off from the Moon at 17:54 UTC on 21 July 1969'],
  ['1969-07-22T04:55', 'the crew headed for home at 04:55 UTC on 22 July 1969'],
];

const dayOf = (at: string): string => at.slice(0, 10);
export const shift = (at: string, minutes: number): string =>
  new Date(Date.parse(`${at}Z`) + minutes * 60_000).toISOString().slice(0, 16);

/** "14:00 UTC on 18 July 1969" */
function clock(at: string, random: Random): string {
  const hour = Number(at.slice(11, 13));
  const spoken = at.endsWith(':00') && hour > 0 && hour !== 12;
  return random.pick([
    `${at.slice(11)} UTC on ${british(dayOf(at))}`,
    `${at.slice(11)} UTC on ${american(dayOf(at))}`,
    spoken
      ? `${hour % 12} ${hour < 12 ? 'a.m.' : 'p.m.'} (UTC) on ${british(dayOf(at))}`
      : `${dayOf(at)} ${at.slice(11)} UTC`,
  ]);
}

const roundHour = (at: string): string => `${shift(at, 45).slice(0, 13)}:00`;

/** An hour, the end of a day or an event, at or after a time. */
export function standing(at: string, random: Random): Limit {
  const hour = roundHour(at);
  const day = dayOf(at);
  const event = events.find(([when]) => when > at);
  return random.pick<() => Limit>([
    () => ({ at: hour, time: `as of ${clock(hour, random)}` }),
    () => ({ at: hour, time: `at ${clock(hour, random)}` }),
    () => ({ at: `${day}T23:59`, time: `by the close of ${british(day)}` }),
    () => ({ at: `${day}T23:59`, time: `at the end of ${anyDate(day, random)} (UTC)` }),
    () => ({ at: `${day}T12:00`, time: `at noon UTC on ${british(day)}` }),
    () =>
      event === undefined
        ? { at: hour, time: `as things stood at ${clock(hour, random)}` }
        : { at: event[0], time: `as things stood when ${event[1]}` },
  ])();
}

export function upTo(at: string, random: Random): Limit {
  const hour = roundHour(shift(at, 30 + random.below(600)));
  const next = dayOf(shift(at, 24 * 60));
  const event = events.find(([when]) => when > at);
  return random.pick<() => Limit>([
    () => ({ at: hour, time: `before ${clock(hour, random)}` }),
    () => ({ at: hour, time: `immediately before ${clock(hour, random)}` }),
    () => ({ at: hour, time: `in the hours leading up to ${clock(hour, random)}` }),
    () => ({ at: `${next}T00:00`, time: `before ${anyDate(next, random)}` }),
    () => ({ at: `${next}T00:00`, time: `ahead of ${british(next)}` }),
    () =>
      event === undefined
        ? { at: hour, time: `prior to ${clock(hour, random)}` }
        : { at: event[0], time: `before ${event[1]}` },
  ])();
}

export function past(at: string, random: Random): Limit {
  const hour = `${shift(at, -60 - random.below(400)).slice(0, 13)}:00`;
  const last = dayOf(shift(at, -24 * 60));
  const event = events.filter(([when]) => when < at).at(-1);
  return random.pick<() => Limit>([
    () => ({ at: hour, time: `after ${clock(hour, random)}` }),
    () => ({ at: hour, time: `later than ${clock(hour, random)}` }),
    () => ({ at: `${last}T23:59`, time: `after ${anyDate(last, random)}` }),
    () => ({ at: `${last}T23:59`, time: `once ${british(last)} was over` }),
    () =>
      event === undefined
        ? { at: hour, time: `from ${clock(hour, random)} on` }
        : { at: event[0], time: `after ${event[1]}` },
  ])();
}

export function during(at: string, random: Random): Span {
  const day = dayOf(at);
  const part = Math.floor(Number(at.slice(11, 13)) / 6);
  const names = ['night', 'morning', 'afternoon', 'evening'];
  const [start, end] = [two(part * 6), part === 3 ? '23:59' : `${two(part * 6 + 6)}:00`];
  const quarter = { from: `${day}T${start}:00`, to: `${day}T${end}` };
  const whole = { from: `${day}T00:00`, to: `${day}T23:59` };
  return random.pick<() => Span>([
    () => ({ ...whole, time: `on ${anyDate(day, random)}` }),
    () => ({ ...whole, time: `in the course of ${british(day)}` }),
    () => ({
      ...quarter,
      time: `in the ${names[part]} of ${british(day)} (${start}:00 to ${end} UTC)`,
    }),
    () => ({ ...quarter, time: `on ${british(day)} from ${start}:00 to ${end} UTC` }),
  ])();
}

export function range(at: string, random: Random): Span {
  const from = `${shift(at, -30 - random.below(400)).slice(0, 13)}:00`;
  const to = roundHour(shift(at, 60 + random.below(400)));
  const [first, last] = [dayOf(shift(at, -20 * 60)), dayOf(shift(at, 20 * 60))];
  const days = { from: `${first}T00:00`, to: `${last}T23:59` };
  return random.pick<() => Span>([
    () => ({ from, to, time: `between ${clock(from, random)} and ${clock(to, random)}` }),
    () => ({ from, to, time: `from ${clock(from, random)} to ${clock(to, random)}` }),
    () => ({ ...days, time: `from ${british(first)} to ${british(last)}` }),
    () => ({ ...days, time: `between ${american(first)} and ${american(last)}, both included` }),
  ])();
}

export function onward(at: string, random: Random): Limit {
  const hour = `${shift(at, -60 - random.below(300)).slice(0, 13)}:00`;
  const day = dayOf(at);
  return random.pick<() => Limit>([
    () => ({ at: hour, time: `since ${clock(hour, random)}` }),
    () => ({ at: `${day}T00:00`, time: `since ${anyDate(day, random)}` }),
    () => ({ at: `${day}T00:00`, time: `from ${british(day)} onwards` }),
  ])();
}

/** The whole flight, in words of coarse periods. */
export const wholes = ['in July 1969', 'in the third quarter of 1969', 'in 1969', 'on the flight'];
