import type { Clock, Window } from './constraint.js';
import type { Instant, Interval } from './interval.js';
import { type FormValue, type SplineForm } from './splineValue.js';
export { maxSplineLines, type FormValue, type SplineForm, type SplineLine } from './splineValue.js';
/** Filter of rows. Rows without the clock pass `publishedUntil` and fail `window`. */
export interface Mask {
    /** Rows published after this instant are excluded (inclusive bound). */
    publishedUntil?: Instant;
    window?: Window & {
        clock: Clock;
        relation: 'overlaps' | 'within' | 'contains';
    };
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
export type SplineFactor = {
    combine: 'none';
} | ({
    combine: 'product';
} & SplineForm);
/**
 * Combination of relevance s and temporal value c: `product` is s c for s >= 0 and s (2 - c) below;
 * `sum` adds weight times the value.
 */
export type TemporalForm = SplineFactor | ({
    combine: 'product';
} & DecayForm) | ({
    combine: 'sum';
    weight: number;
} & (RecencyForm | DecayForm));
/** A form that is one. */
export type ScoredForm = Exclude<TemporalForm, {
    combine: 'none';
}>;
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
export declare const clocks: readonly Clock[];
/** In the order of the addon's codes. */
export declare const formClocks: readonly [...Clock[], "validity or content", "validity or published"];
declare const decays: Readonly<Record<DecayForm['kind'], FormDefinition<DecayForm>>>;
/**
 * The kinds of forms, in the order of the addon's codes from 1 on (temporal::Kind).
 * CONTRIBUTING.md lists the files of a new one.
 */
export declare const forms: {
    spline: FormDefinition<SplineForm>;
    recency: FormDefinition<RecencyForm>;
} & typeof decays;
export declare const formKinds: FormKind[];
export declare const decayKinds: DecayForm['kind'][];
/** Numbers of a kind at most: of a spline. */
export declare const kindNumbers: number;
/** @throws AsOfError ERR_INVALID_ARGUMENT */
export declare function definitionOf<Form extends ScoredForm>(form: Form): FormDefinition<Form>;
export declare const normalizes: (form: TemporalForm | undefined) => form is ScoredForm;
export declare const needsMatch: (form: TemporalForm | undefined) => boolean;
export declare function checkedWindow({ start, end }: Window): [number, number];
/** Epoch milliseconds or an open end. */
export declare function instant(name: string, value: number): number;
export declare function finite(name: string, value: number): number;
