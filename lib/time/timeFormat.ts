// Human-readable intervals, timestamps and constraints.
import type { Constraint } from './constraint.js';
import { formatDay, formatInstant } from './instant.js';
import type { Interval } from './interval.js';
import { intervalIso } from './records.js';
import { boundsOnWallClock } from './timeZone.js';
import type { ReadValidity } from './validity.js';

/**
 * `2021`, `2021-05-06`, `2016-07-13 to 2019-07-24` or `until 2021-05-06`; both ends inclusive, days
 * of a time zone.
 */
export function formatInterval(interval: Interval, timeZone?: string): string {
  const { start_iso: start, end_iso: end } = intervalIso(interval, timeZone);
  if (start === null && end === null) return 'any time';
  if (start === null) return `until ${end}`;
  if (end === null) return `from ${start}`;
  if (start === end) return start;
  const from = start.replace(/-01-01$/, '');
  const to = end.replace(/-12-31$/, '');
  if (from !== start && to !== end) return from === to ? from : `${from} to ${to}`;
  const month = start.replace(/-01$/, '');
  if (
    month !== start &&
    end.startsWith(month) &&
    isMonthEnd(boundsOnWallClock(interval, timeZone).end)
  )
    return month;
  return `${start} to ${end}`;
}

/** An instant in UTC: the day alone at midnight of a time zone. */
export const formatTimestamp = (instant: number, timeZone?: string): string =>
  isMidnight(instant, timeZone) ? formatDay(instant, timeZone) : formatInstant(instant);

/** The end of a validity: the last day if it ends at midnight. */
export const formatLast = (end: number, timeZone?: string): string =>
  isMidnight(end, timeZone) ? formatDay(end - 1, timeZone) : formatInstant(end);

/** "ended 2013-02-28", "holds from 2003-05-01", "from 2003-05-01, end unknown". */
export function formatValidity({ window, state }: ReadValidity, timeZone?: string): string {
  const { start, end } = window ?? { start: -Infinity, end: Infinity };
  const from = Number.isFinite(start) ? `from ${formatTimestamp(start, timeZone)}` : '';
  const last = Number.isFinite(end) ? formatLast(end, timeZone) : '';
  const period = [from, last === '' ? '' : `${from === '' ? 'until' : 'to'} ${last}`]
    .filter((part) => part !== '')
    .join(' ');
  switch (state) {
    case 'ended':
      return `ended ${last}`;
    case 'not yet':
      return `begins ${from.replace('from ', '')}`;
    case 'holds':
      return `holds ${period}`.trim();
    case 'unknown':
      return last === '' ? `${from}, end unknown` : `${period}, beginning unknown`;
    case undefined:
      return period;
  }
}

/** Whether a day begins, at whatever time: the clock may be put forward then. */
const isMidnight = (instant: number, timeZone: string | undefined): boolean =>
  formatDay(instant, timeZone) !== formatDay(instant - 1, timeZone);

/** Condition, relation and interval of a constraint, with its clock unless that is the content. */
export function formatConstraint(
  { condition, relation, interval, clock }: Constraint,
  timeZone?: string,
): string {
  const parts: string[] = [];
  if (condition !== 'none') parts.push(condition);
  if (interval && relation !== 'none')
    parts.push(`${relation} ${formatInterval(interval, timeZone)}`);
  if (parts.length === 0) return 'none';
  return clock === 'content' ? parts.join(', ') : `${parts.join(', ')} (${clock})`;
}

function isMonthEnd(exclusiveEnd: number): boolean {
  return exclusiveEnd % 86_400_000 === 0 && new Date(exclusiveEnd).getUTCDate() === 1;
}
