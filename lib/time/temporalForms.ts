// Masks and temporal score forms of the fused scan, as plain data, and the table of the kinds of
// forms. They are made of a question; the native scan (native/temporal/forms.hpp) and SQL
// evaluate them.
import { describe, invalidArgument } from '../errors.js';
import type { Clock, Window } from './constraint.js';
import type { Instant, Interval } from './interval.js';
import { maxSplineLines, splineValue, type FormValue, type SplineForm } from './splineValue.js';

export { maxSplineLines, type FormValue, type SplineForm, type SplineLine } from './splineValue.js';

/** Filter of rows. Rows without the clock pass `publishedUntil` and fail `window`. */
export interface Mask {
  /** Rows published after this instant are excluded (inclusive bound). */
  publishedUntil?: Instant;
  window?: Window & { clock: Clock; relation: 'overlaps' | 'within' | 'contains' };
}

/**
 * TempRALM's recency (equations 2 to 4): 1 / days between `at` and the row's publication, floored
 * at `floorDays`, standardised over the unmasked rows scanned to the mean and deviation of the
 * relevance scores, times `weight`. A row without the clock, and every row where the deviation is
 * zero, gets the mean.
 */
export interface RecencyForm {
  kind: 'recency';
  clock: Clock;
  at: Instant;
  floorDays: number;
  weight: number;
}

/**
 * A decay (lib/time/decay.ts): the value at the distance in milliseconds between `at` and the
 * nearest of the row's times, not below `floor`; `outside` for rows without the clock.
 */
export interface DecayForm {
  kind: 'exponential' | 'gaussian' | 'linear';
  clock: Clock;
  at: Instant;
  halfLifeMs: number;
  offsetMs: number;
  floor: number;
  outside: number;
}

/** No form, or a spline that multiplies. */
export type SplineFactor = { combine: 'none' } | ({ combine: 'product' } & SplineForm);

/**
 * Combination of relevance s and temporal value c: `product` is s c for s >= 0 and s (2 - c) below;
 * `sum` adds weight times the value.
 */
export type TemporalForm =
  | SplineFactor
  | ({ combine: 'product' } & DecayForm)
  | ({ combine: 'sum'; weight: number } & (RecencyForm | DecayForm));

/** A form that is one. */
export type ScoredForm = Exclude<TemporalForm, { combine: 'none' }>;
export type FormKind = ScoredForm['kind'];

type Times = readonly Pick<Interval, 'start' | 'end'>[];

interface FormDefinition<Form> {
  /** In what a system prints of itself. */
  words: string;
  combines: readonly ScoredForm['combine'][];
  clocks: readonly SplineForm['clock'][];
  /** Whether values are standardised over the rows of a scan, which then needs all their times. */
  normalizes?: boolean;
  /** Whether rows without a word of the question are no results where words alone are searched. */
  needsMatch?: boolean;
  value: (form: Form, times: Times) => FormValue;
  /** The numbers of the addon, checked. */
  numbers: (form: Form) => number[];
}

export const clocks: readonly Clock[] = ['content', 'published', 'validity'];
/** In the order of the addon's codes. */
export const formClocks = [...clocks, 'validity or content', 'validity or published'] as const;

/** A decay by its value at u half-lives beyond the offset. */
const decay = (
  kind: DecayForm['kind'],
  curve: (u: number) => number,
): FormDefinition<DecayForm> => ({
  words: `decay(${kind})`,
  combines: ['product', 'sum'],
  clocks,
  // Age alone makes no passage an answer to words that it lacks.
  needsMatch: true,
  value({ at, halfLifeMs, offsetMs, floor, outside }, times) {
    const distances = times.map(({ start, end }) => Math.max(start - at, at - end, 0));
    const nearest = Math.min(...distances);
    if (distances.length === 0) return { value: outside, interval: -1 };
    const value = curve(Math.max(0, nearest - offsetMs) / halfLifeMs);
    return { value: Math.max(floor, value), interval: distances.indexOf(nearest) };
  },
  numbers({ at, halfLifeMs, offsetMs, floor, outside }) {
    if (!(halfLifeMs > 0 && halfLifeMs < Infinity))
      throw invalidArgument('halfLifeMs', 'a finite number above 0', halfLifeMs);
    if (!(offsetMs >= 0 && offsetMs < Infinity))
      throw invalidArgument('offsetMs', 'a finite number from 0', offsetMs);
    if (!(floor >= 0 && floor < 1))
      throw invalidArgument('floor', 'a number from 0 to less than 1', floor);
    if (!(outside >= floor && outside <= 1))
      throw invalidArgument('outside', 'a number from the floor to 1', outside);
    return [finite('at', at), halfLifeMs, offsetMs, floor, outside];
  },
});

const decays: Readonly<Record<DecayForm['kind'], FormDefinition<DecayForm>>> = {
  exponential: decay('exponential', (u) => 2 ** -u),
  gaussian: decay('gaussian', (u) => 2 ** -(u * u)),
  linear: decay('linear', (u) => 1 - u / 2),
};

/**
 * The kinds of forms, in the order of the addon's codes from 1 on (temporal::Kind).
 * CONTRIBUTING.md lists the files of a new one.
 */
export const forms: {
  spline: FormDefinition<SplineForm>;
  recency: FormDefinition<RecencyForm>;
} & typeof decays = {
  spline: {
    words: 'spline',
    combines: ['product'],
    clocks: formClocks,
    value: splineValue,
    numbers({ lines, outside }) {
      // Annotated, since Array.isArray would narrow the lines to any[].
      const isArray: boolean = Array.isArray(lines);
      if (!isArray || lines.length < 1 || lines.length > maxSplineLines)
        throw invalidArgument("a spline's lines", `an array of 1 to ${maxSplineLines}`, lines);
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
      return [checkSplineValue(outside), lines.length, ...numbers];
    },
  },
  recency: {
    words: 'recency',
    combines: ['sum'],
    clocks,
    normalizes: true,
    value({ at, floorDays }, times) {
      const ends = times.map(({ end }) => end);
      const latest = Math.max(...ends);
      const value = 1 / Math.max((at - latest) / 86_400_000, floorDays);
      return ends.length === 0
        ? { value: NaN, interval: -1 }
        : { value, interval: ends.indexOf(latest) };
    },
    numbers({ at, floorDays }) {
      if (!(floorDays > 0 && floorDays < Infinity))
        throw invalidArgument('floorDays', 'a finite number above 0', floorDays);
      return [finite('at', at), floorDays];
    },
  },
  ...decays,
};

export const formKinds = Object.keys(forms) as FormKind[];
export const decayKinds = Object.keys(decays) as DecayForm['kind'][];

/** Numbers of a kind at most: of a spline. */
export const kindNumbers = 2 + 5 * maxSplineLines;

/** @throws AsOfError ERR_INVALID_ARGUMENT */
export function definitionOf<Form extends ScoredForm>(form: Form): FormDefinition<Form> {
  if (!Object.hasOwn(forms, form.kind))
    throw invalidArgument('form.kind', `one of ${formKinds.join(', ')}`, form.kind);
  return forms[form.kind] as FormDefinition<never> as FormDefinition<Form>;
}

const isScored = (form: TemporalForm | undefined): form is ScoredForm =>
  (form?.combine ?? 'none') !== 'none';

export const normalizes = (form: TemporalForm | undefined): form is ScoredForm =>
  isScored(form) && definitionOf(form).normalizes === true;

export const needsMatch = (form: TemporalForm | undefined): boolean =>
  isScored(form) && definitionOf(form).needsMatch === true;

function checkSplineValue(value: number): number {
  if (value >= 0 && value <= 2) return value;
  throw invalidArgument(
    "a spline's values",
    'numbers from 0 to 2',
    value,
    'Above 2 a better time would lower a negative score.',
  );
}

export function checkedWindow({ start, end }: Window): [number, number] {
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
export function instant(name: string, value: number): number {
  if (typeof value !== 'number' || Number.isNaN(value))
    throw invalidArgument(name, 'UTC epoch milliseconds or an infinity', value);
  return value;
}

export function finite(name: string, value: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw invalidArgument(name, 'a finite number', value);
  return value;
}
