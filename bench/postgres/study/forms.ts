// Masks and temporal forms (lib/time/temporalForms.ts) as SQL expressions over a row's columns, in
// the order of operations of native/kernels/spline, recency, decay and native/temporal.
import type { Clock, Window } from '../../../lib/time/constraint.js';
import type {
  DecayForm,
  Mask,
  RecencyForm,
  SplineForm,
  SplineLine,
} from '../../../lib/time/temporalForms.js';

/** How a table holds content times. */
export type Storage = 'arrays' | 'inline' | 'table';
type Of = (start: string, end: string) => string;

/** A number of the question, as PostgreSQL reads exactly this double. */
export const float8 = (value: number): string =>
  value === Infinity || value === -Infinity
    ? `'${value}'::float8`
    : `'${Object.is(value, -0) ? '-0' : value}'::float8`;
const float4 = (value: number): string => `'${Math.fround(value)}'::float8`;

const nextUp = (value: number): number => {
  const bits = new BigUint64Array(new Float64Array([value]).buffer);
  bits[0]! += 1n;
  return new Float64Array(bits.buffer)[0]!;
};

/** As spline::inverse_of. */
function inverseOf(span: number): number {
  const inverse = 1 / span;
  return inverse * span < 1 ? nextUp(inverse) : inverse;
}

const opened = ({ start, end }: Window): Window =>
  start === end ? { start, end: end + 1 } : { start, end };

/** Null where the interval does not meet the line. */
function lineSql(line: SplineLine, s: string, e: string): string {
  const { start, end } = opened(line.window);
  const { atStart, atEnd, longestMs = Infinity } = line;
  const meets = [
    ...(end === Infinity ? [] : [`${s} < ${float8(end)}`]),
    ...(start === -Infinity
      ? []
      : [`(${e} > ${float8(start)} or (${s} = ${float8(start)} and ${e} = ${s}))`]),
    ...(longestMs === Infinity ? [] : [`${e} - ${s} <= ${float8(longestMs)}`]),
  ];
  const value = (from: string, to: string): string => {
    if (start === -Infinity) return float4(atEnd);
    if (end === Infinity) return float4(atStart);
    const span = end - start;
    if (atStart === atEnd) return float4(atStart);
    const first = `greatest(${from}, ${float8(start)})`;
    const t = atEnd > atStart ? `greatest(${first}, least(${to}, ${float8(end)}))` : first;
    const p = `least((${t} - ${float8(start)}) * ${float8(inverseOf(span))}, 1)`;
    return `((1 - ${p}) * ${float8(atStart)} + ${p} * ${float8(atEnd)})::float4::float8`;
  };
  return `case when ${meets.join(' and ') || 'true'} then ${value(s, e)} end`;
}

/** The greatest or least of a function of a clock's intervals, null without any. */
function over(clock: Clock, storage: Storage, aggregate: 'max' | 'min', of: Of): string {
  if (clock === 'published')
    return `case when published is not null then ${of('published', 'published')} end`;
  if (clock === 'validity')
    return `case when valid_start is not null then ${of('valid_start', 'valid_end')} end`;
  const each = (arrays: string): string =>
    `(select ${aggregate}(${of('s', 'e')}) from unnest(${arrays}) t(s, e))`;
  if (storage === 'arrays')
    return `case when content_start is not null then ${each('content_start, content_end')} end`;
  if (storage === 'table')
    return `(select ${aggregate}(${of('s', 'e')}) from intervals i where i.row = r.row)`;
  const best = aggregate === 'max' ? 'greatest' : 'least';
  return `case when first_start is not null then
    case when more_start is null then ${of('first_start', 'first_end')}
    else ${best}(${of('first_start', 'first_end')}, ${each('more_start, more_end')}) end end`;
}

export function splineSql(form: SplineForm, storage: Storage): string {
  const { lines, outside } = form;
  const of: Of = (s, e) => {
    const values = lines.map((line) => lineSql(line, s, e));
    const best = values.length > 1 ? `greatest(${values.join(', ')})` : values[0]!;
    return `coalesce(${best}, ${float4(outside)})`;
  };
  const read = (clock: Clock): string => over(clock, storage, 'max', of);
  const [first, second] = form.clock.split(' or ') as [Clock, Clock?];
  const value =
    second === undefined
      ? read(first)
      : `case when valid_start is not null then ${read(first)} else ${read(second)} end`;
  return `coalesce(${value}, ${float8(outside)})`;
}

/** Null where the row has no such time. The latest end has the greatest recency. */
export function recencySql({ clock, at, floorDays }: RecencyForm, storage: Storage): string {
  return over(
    clock,
    storage,
    'max',
    (_, e) => `1 / greatest((${float8(at)} - ${e}) / 86400000::float8, ${float8(floorDays)})`,
  );
}

/**
 * The value at the nearest time, which is the greatest of all; 2^x by `power`, within 2^-49 of the
 * native polynomial.
 */
export function decaySql(form: DecayForm, storage: Storage): string {
  const { shape, clock, at, halfLifeMs, offsetMs, floor, outside } = form;
  const value: Of = (s, e) => {
    const distance = `greatest(${s} - ${float8(at)}, ${float8(at)} - ${e}, 0)`;
    const beyond = offsetMs === 0 ? distance : `greatest(${distance} - ${float8(offsetMs)}, 0)`;
    const u = `(${beyond} / ${float8(halfLifeMs)})`;
    if (shape === 'linear') return `greatest(1 - ${u} / 2, ${float8(floor)})`;
    // power refuses results that underflow.
    const x = `greatest(-${shape === 'gaussian' ? `(${u} * ${u})` : u}, -1000)`;
    return `greatest(power(2::float8, ${x}), ${float8(floor)})`;
  };
  return `coalesce(${over(clock, storage, 'max', value)}, ${float8(outside)})`;
}

export function windowSql(
  { window, clock, relation }: { window: Window; clock: Clock; relation: string },
  storage: Storage,
): string {
  const { start, end } = opened(window);
  const [from, to, last] = [float8(start), float8(end), float8(end - 1)];
  const of: Of = (s, e) => {
    const instant =
      relation === 'contains'
        ? `${s} <= ${from} and ${s} >= ${last}`
        : `${s} >= ${from} and ${s} < ${to}`;
    const interval = {
      overlaps: `${s} < ${to} and ${e} > ${from}`,
      within: `${s} >= ${from} and ${e} <= ${to}`,
      contains: `${s} <= ${from} and ${e} >= ${to}`,
    }[relation]!;
    return clock === 'published'
      ? `(${instant})`
      : `(case when ${s} = ${e} then ${instant} else ${interval} end)`;
  };
  if (clock === 'published') return `(published is not null and ${of('published', 'published')})`;
  if (clock === 'validity')
    return `(valid_start is not null and ${of('valid_start', 'valid_end')})`;
  const any = (arrays: string): string =>
    `exists (select 1 from unnest(${arrays}) t(s, e) where ${of('s', 'e')})`;
  if (storage === 'arrays')
    return `(content_start is not null and ${any('content_start, content_end')})`;
  if (storage === 'table')
    return `exists (select 1 from intervals i where i.row = r.row and ${of('s', 'e')})`;
  return `(first_start is not null and (${of('first_start', 'first_end')} or
    (more_start is not null and ${any('more_start, more_end')})))`;
}

export function maskSql({ publishedUntil, window }: Mask, storage: Storage): string {
  const parts = [
    ...(publishedUntil === undefined || publishedUntil === Infinity
      ? []
      : [`(published is null or published <= ${float8(publishedUntil)})`]),
    ...(window
      ? [windowSql({ window, clock: window.clock, relation: window.relation }, storage)]
      : []),
  ];
  return parts.join(' and ') || 'true';
}

/** s c for s >= 0, s (2 - c) below. */
export const productSql = (s: string, c: string): string =>
  `case when ${s} >= 0 then ${s} * (${c}) else ${s} * (2 - (${c})) end`;
