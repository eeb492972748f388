import type { Clock, Window } from './constraint.js';
import type { Interval } from './interval.js';
/** A straight line over a window; constant if the window has an open end. Values from 0 to 2. */
export interface SplineLine {
    window: Window;
    atStart: number;
    atEnd: number;
    /**
     * Longest interval on the line, in milliseconds: a span that ended does not bear on later times.
     * Default: unlimited.
     */
    longestMs?: number | undefined;
}
/** Most lines of a form. */
export declare const maxSplineLines = 8;
/**
 * A spline: 1 to 8 lines, `outside` elsewhere and for rows without the clock. MRAG's six splines
 * (section 4, appendix G) are one line each. A row scores the maximum over its intervals and the
 * lines.
 */
export interface SplineForm {
    kind: 'spline';
    /**
     * 'validity or content' (or published): the validity of rows that have one, else the other clock.
     */
    clock: Clock | 'validity or content' | 'validity or published';
    lines: readonly SplineLine[];
    outside: number;
}
/** A row's value, before it is standardised, and which of its times decided it; -1: none. */
export interface FormValue {
    value: number;
    interval: number;
}
/** The highest value and its interval (-1: `outside`, also without intervals). */
export declare function splineValue({ lines, outside }: Pick<SplineForm, 'lines' | 'outside'>, intervals: readonly Pick<Interval, 'start' | 'end'>[]): FormValue;
