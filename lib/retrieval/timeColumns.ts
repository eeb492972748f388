// Validated masks and temporal forms as the numeric columns of the addon's searches.
import { describe, invalidArgument } from '../errors.js';
import type { RecencyMoments } from '../store/scorePlan.js';
import type { Clock } from '../time/constraint.js';
import {
  decayShapes,
  maxSplineLines,
  type DecayForm,
  type Mask,
  type TemporalForm,
} from '../time/temporalForms.js';

const clocks: readonly Clock[] = ['content', 'published', 'validity'];
const relations = ['overlaps', 'within', 'contains'] as const;
/** Masks and temporal forms of queries, in the codes of FlatRequest. */
export interface QueryTimeColumns {
  publishedUntil: Float64Array;
  windowKind: Uint8Array | Float64Array;
  window: Float64Array;
  formKind: Uint8Array | Float64Array;
  form: Float64Array;
}

/** Writes query q's mask into the columns that every search of the addon shares. */
export function packMask(
  columns: Pick<QueryTimeColumns, 'publishedUntil' | 'windowKind' | 'window'>,
  mask: Mask,
  q: number,
): void {
  const { publishedUntil = Infinity, window } = mask;
  columns.publishedUntil[q] = instant('publishedUntil', publishedUntil);
  if (window === undefined) return;
  const relation = relations.indexOf(window.relation);
  if (relation < 0)
    throw invalidArgument('window.relation', `one of ${relations.join(', ')}`, window.relation);
  columns.windowKind[q] = 1 + 3 * clockCode(window.clock) + relation;
  columns.window.set(checkedWindow(window), 2 * q);
}

/** Numbers per form: see FlatRequest. */
export const formNumbers = 2 + 5 * maxSplineLines;

export function packForm(
  request: Pick<QueryTimeColumns, 'formKind' | 'form'>,
  form: TemporalForm,
  q: number,
  moments?: RecencyMoments,
): void {
  if (form.combine === 'none') return;
  if (form.combine !== 'product' && form.combine !== 'sum') {
    throw invalidArgument(
      'form.combine',
      "'none', 'product' or 'sum'",
      (form as { combine: unknown }).combine,
    );
  }
  if (form.kind === 'decay') {
    packDecay(request, form, q);
  } else if (form.combine === 'product') {
    const { lines, outside } = form;
    // Annotated, since Array.isArray would narrow the lines to any[].
    const isArray: boolean = Array.isArray(lines);
    if (!isArray || lines.length < 1 || lines.length > maxSplineLines) {
      throw invalidArgument("a spline's lines", `an array of 1 to ${maxSplineLines}`, lines);
    }
    const orElse =
      form.clock === 'validity or content'
        ? 0
        : form.clock === 'validity or published'
          ? 1
          : undefined;
    request.formKind[q] = orElse === undefined ? 1 + clockCode(form.clock as Clock) : 7 + orElse;
    const numbers = lines.flatMap(({ window, atStart, atEnd, longestMs = Infinity }) => {
      if (!(longestMs >= 0))
        throw invalidArgument('longestMs', 'a number of milliseconds from 0', longestMs);
      return [
        ...checkedWindow(window),
        checkSplineValue(atStart),
        checkSplineValue(atEnd),
        longestMs,
      ];
    });
    request.form.set([checkSplineValue(outside), lines.length, ...numbers], formNumbers * q);
  } else {
    if (!(form.floorDays > 0 && form.floorDays < Infinity))
      throw invalidArgument('floorDays', 'a finite number above 0', form.floorDays);
    request.formKind[q] = 4 + clockCode(form.clock);
    request.form.set(
      [finite('at', form.at), form.floorDays, finite('weight', form.weight), ...given(moments)],
      formNumbers * q,
    );
  }
}

/** 1 and the moments, where there are any. */
const given = (moments: RecencyMoments | undefined): number[] =>
  moments
    ? [
        1,
        finite('relevanceMean', moments.relevanceMean),
        finite('relevanceDeviation', moments.relevanceDeviation),
        finite('recencyMean', moments.recencyMean),
        finite('recencyDeviation', moments.recencyDeviation),
      ]
    : [];

function packDecay(
  request: Pick<QueryTimeColumns, 'formKind' | 'form'>,
  form: TemporalForm & DecayForm,
  q: number,
): void {
  const { combine, shape, at, halfLifeMs, offsetMs, floor, outside } = form;
  const shapeCode = decayShapes.indexOf(shape);
  if (shapeCode < 0) throw invalidArgument('shape', `one of ${decayShapes.join(', ')}`, shape);
  if (!(halfLifeMs > 0 && halfLifeMs < Infinity))
    throw invalidArgument('halfLifeMs', 'a finite number above 0', halfLifeMs);
  if (!(offsetMs >= 0 && offsetMs < Infinity))
    throw invalidArgument('offsetMs', 'a finite number from 0', offsetMs);
  if (!(floor >= 0 && floor < 1))
    throw invalidArgument('floor', 'a number from 0 to less than 1', floor);
  if (!(outside >= floor && outside <= 1))
    throw invalidArgument('outside', 'a number from the floor to 1', outside);
  request.formKind[q] = (combine === 'product' ? 9 : 12) + clockCode(form.clock);
  const weight = combine === 'sum' ? finite('weight', form.weight) : 0;
  request.form.set(
    [shapeCode, finite('at', at), halfLifeMs, offsetMs, floor, outside, weight],
    formNumbers * q,
  );
}

function checkSplineValue(value: number): number {
  if (value >= 0 && value <= 2) return value;
  throw invalidArgument(
    "a spline's values",
    'numbers from 0 to 2',
    value,
    'Above 2 a better time would lower a negative score.',
  );
}

function clockCode(clock: Clock): number {
  const code = clocks.indexOf(clock);
  if (code < 0) throw invalidArgument('clock', `one of ${clocks.join(', ')}`, clock);
  return code;
}

function checkedWindow({ start, end }: { start: number; end: number }): [number, number] {
  if (
    !(instant('window.start', start) <= instant('window.end', end)) ||
    start === Infinity ||
    end === -Infinity
  ) {
    throw invalidArgument(
      'window',
      'a start that is not after its end',
      `${describe(start)} to ${describe(end)}`,
    );
  }
  return [start, end];
}

/** Epoch milliseconds or an open end. */
function instant(name: string, value: number): number {
  if (typeof value !== 'number' || Number.isNaN(value))
    throw invalidArgument(name, 'UTC epoch milliseconds or an infinity', value);
  return value;
}

export function finite(name: string, value: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw invalidArgument(name, 'a finite number', value);
  return value;
}
