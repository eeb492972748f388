// Masks and temporal forms (lib/time/temporalForms.ts) as SQL expressions over a row's columns, in
// the order of operations of native/kernels and native/temporal. A row has its first content
// time in columns of its own and further ones in arrays. Expressions, since a function with a
// subquery is not inlined and costs ten times as much.
import type { Clock, Window, RecencyForm, SplineForm, SplineLine, TemporalForm } from 'asof/time';
import type { PlanQuery } from './remoteTypes.js';
import { float4, float8 } from './sql.js';

/** An expression of an interval, by the expressions of its ends. */
type Of = (start: string, end: string) => string;

type ScoredForm = Exclude<TemporalForm, { combine: 'none' }>;
type DecayForm = Extract<ScoredForm, { halfLifeMs: number }>;
type Mask = NonNullable<PlanQuery['mask']>;

interface FormSql<Form> {
  value: (form: Form) => string;
  /** Whether SQL computes the bits of the native scan. */
  exact?: boolean;
  /** Whether it is standardised over the rows that are not masked. */
  normalizes?: boolean;
}

const kinds = {
  spline: { value: splineSql, exact: true },
  recency: { value: recencySql, exact: true, normalizes: true },
  exponential: { value: decaySql(halved) },
  gaussian: { value: decaySql((u) => halved(`(${u} * ${u})`)) },
  linear: { value: decaySql((u) => `1 - ${u} / 2`), exact: true },
} satisfies Readonly<Record<ScoredForm['kind'], FormSql<never>>>;

const sqlOf = (form: ScoredForm): FormSql<ScoredForm> =>
  kinds[form.kind] as FormSql<never> as FormSql<ScoredForm>;

/** The value of a form, as results report it before a recency is standardised. */
export const temporalSql = (form: ScoredForm): string => sqlOf(form).value(form);

export const isExact = (form: TemporalForm): boolean =>
  form.combine === 'none' || sqlOf(form).exact === true;

export const normalizes = (form: TemporalForm | undefined): form is ScoredForm =>
  form !== undefined && form.combine !== 'none' && sqlOf(form).normalizes === true;

/** s c for s >= 0, s (2 - c) below. */
export const productSql = (s: string, c: string): string =>
  `case when ${s} >= 0 then ${s} * (${c}) else ${s} * (2 - (${c})) end`;

/** The greatest of an expression over a clock's times; null without any. */
function greatestOver(clock: Clock, of: Of): string {
  if (clock === 'published')
    return `case when published is not null then ${of('published', 'published')} end`;
  if (clock === 'validity')
    return `case when valid_start is not null then ${of('valid_start', 'valid_end')} end`;
  const first = of('first_start', 'first_end');
  const more = `(select max(${of('s', 'e')}) from unnest(more_start, more_end) t(s, e))`;
  return `case when first_start is not null then
    case when more_start is null then ${first} else greatest(${first}, ${more}) end end`;
}

const opened = ({ start, end }: Window): Window =>
  start === end ? { start, end: end + 1 } : { start, end };

const nextUp = (value: number): number => {
  const bits = new BigUint64Array(Float64Array.of(value).buffer);
  bits[0]! += 1n;
  return new Float64Array(bits.buffer)[0]!;
};

/** As spline::inverse_of (native/kernels/spline). */
function inverseOf(span: number): number {
  const inverse = 1 / span;
  return inverse * span < 1 ? nextUp(inverse) : inverse;
}

/** Null where the interval does not meet the line. */
function lineSql(line: SplineLine, s: string, e: string): string {
  const { start, end } = opened(line.window);
  const { longestMs = Infinity } = line;
  const meets = [
    ...(end === Infinity ? [] : [`${s} < ${float8(end)}`]),
    ...(start === -Infinity
      ? []
      : [`(${e} > ${float8(start)} or (${s} = ${float8(start)} and ${e} = ${s}))`]),
    ...(longestMs === Infinity ? [] : [`${e} - ${s} <= ${float8(longestMs)}`]),
  ];
  const value = lineValue({ ...line, window: { start, end } }, s, e);
  return `case when ${meets.join(' and ') || 'true'} then ${value} end`;
}

function lineValue({ window, atStart, atEnd }: SplineLine, s: string, e: string): string {
  const { start, end } = window;
  if (start === -Infinity) return float4(atEnd);
  if (end === Infinity || atStart === atEnd) return float4(atStart);
  const from = `greatest(${s}, ${float8(start)})`;
  const t = atEnd > atStart ? `greatest(${from}, least(${e}, ${float8(end)}))` : from;
  const p = `least((${t} - ${float8(start)}) * ${float8(inverseOf(end - start))}, 1)`;
  return `((1 - ${p}) * ${float8(atStart)} + ${p} * ${float8(atEnd)})::float4::float8`;
}

function splineSql({ lines, outside, clock }: SplineForm): string {
  const of: Of = (s, e) => {
    const values = lines.map((line) => lineSql(line, s, e));
    const best = values.length > 1 ? `greatest(${values.join(', ')})` : values[0]!;
    return `coalesce(${best}, ${float4(outside)})`;
  };
  const [first, second] = clock.split(' or ') as [Clock, Clock?];
  const value =
    second === undefined
      ? greatestOver(first, of)
      : `case when valid_start is not null then ${greatestOver(first, of)}
         else ${greatestOver(second, of)} end`;
  return `coalesce(${value}, ${float8(outside)})`;
}

/** Null where the row has no such time. The latest end has the greatest recency. */
function recencySql({ clock, at, floorDays }: RecencyForm): string {
  const days = (e: string): string => `(${float8(at)} - ${e}) / 86400000::float8`;
  return greatestOver(clock, (_, e) => `1 / greatest(${days(e)}, ${float8(floorDays)})`);
}

/** A decay by the expression of its value at u half-lives beyond the offset. */
function decaySql(curve: (u: string) => string) {
  return ({ clock, at, halfLifeMs, offsetMs, floor, outside }: DecayForm): string => {
    const value: Of = (s, e) => {
      const distance = `greatest(${s} - ${float8(at)}, ${float8(at)} - ${e}, 0)`;
      const beyond = offsetMs === 0 ? distance : `greatest(${distance} - ${float8(offsetMs)}, 0)`;
      return `greatest(${curve(`(${beyond} / ${float8(halfLifeMs)})`)}, ${float8(floor)})`;
    };
    return `coalesce(${greatestOver(clock, value)}, ${float8(outside)})`;
  };
}

/** 2^-x by `power`, which refuses results that underflow; within 2^-49 of the native polynomial. */
function halved(x: string): string {
  return `power(2::float8, greatest(-${x}, -1000))`;
}

function windowSql({ start, end, clock, relation }: NonNullable<Mask['window']>): string {
  const window = opened({ start, end });
  const [from, to, last] = [window.start, window.end, window.end - 1].map(float8) as [
    string,
    string,
    string,
  ];
  const instant: Of = (s) =>
    relation === 'contains'
      ? `(${s} <= ${from} and ${s} >= ${last})`
      : `(${s} >= ${from} and ${s} < ${to})`;
  const interval: Of = {
    overlaps: ((s, e) => `${s} < ${to} and ${e} > ${from}`) as Of,
    within: ((s, e) => `${s} >= ${from} and ${e} <= ${to}`) as Of,
    contains: ((s, e) => `${s} <= ${from} and ${e} >= ${to}`) as Of,
  }[relation];
  const of: Of = (s, e) =>
    `(case when ${s} = ${e} then ${instant(s, e)} else ${interval(s, e)} end)`;
  if (clock === 'published')
    return `(published is not null and ${instant('published', 'published')})`;
  if (clock === 'validity')
    return `(valid_start is not null and ${of('valid_start', 'valid_end')})`;
  return `(first_start is not null and (${of('first_start', 'first_end')} or
    (more_start is not null and
     exists (select 1 from unnest(more_start, more_end) t(s, e) where ${of('s', 'e')}))))`;
}

export function maskSql({ publishedUntil = Infinity, window }: Mask): string {
  const parts = [
    ...(publishedUntil === Infinity
      ? []
      : [`(published is null or published <= ${float8(publishedUntil)})`]),
    ...(window ? [windowSql(window)] : []),
  ];
  return parts.join(' and ') || 'true';
}
