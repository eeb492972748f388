// Validated masks and temporal forms as the numeric columns of the addon's searches.
import { invalidArgument } from '../errors.js';
import type { RecencyMoments } from '../store/scorePlan.js';
import {
  checkedWindow,
  clocks,
  definitionOf,
  finite,
  formClocks,
  formKinds,
  instant,
  kindNumbers,
  normalizes,
  type Mask,
  type TemporalForm,
} from '../time/temporalForms.js';

const relations = ['overlaps', 'within', 'contains'] as const;
const combinations = ['product', 'sum'] as const;

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
  const relation = relations.indexOf(oneOf('window.relation', relations, window.relation));
  columns.windowKind[q] = 1 + 3 * clocks.indexOf(oneOf('clock', clocks, window.clock)) + relation;
  columns.window.set(checkedWindow(window), 2 * q);
}

/** Of every form, before those of its kind: see FlatRequest. */
const sharedNumbers = 8;
/** Numbers per form. */
export const formNumbers = sharedNumbers + kindNumbers;

export function packForm(
  request: Pick<QueryTimeColumns, 'formKind' | 'form'>,
  form: TemporalForm,
  q: number,
  moments?: RecencyMoments,
): void {
  if (form.combine === 'none') return;
  const { combines, clocks, numbers } = definitionOf(form);
  request.formKind[q] = 1 + formKinds.indexOf(form.kind);
  const shared = [
    combinations.indexOf(oneOf('form.combine', combines, form.combine)),
    formClocks.indexOf(oneOf('clock', clocks, form.clock)),
    form.combine === 'sum' ? finite('weight', form.weight) : 0,
    ...given(normalizes(form) ? moments : undefined),
  ];
  request.form.set([...shared, ...numbers(form)], formNumbers * q);
}

/** 1 and the moments, where there are any, else zeros. */
const given = (moments: RecencyMoments | undefined): number[] =>
  moments
    ? [
        1,
        finite('relevanceMean', moments.relevanceMean),
        finite('relevanceDeviation', moments.relevanceDeviation),
        finite('recencyMean', moments.recencyMean),
        finite('recencyDeviation', moments.recencyDeviation),
      ]
    : [0, 0, 0, 0, 0];

function oneOf<Value extends string>(name: string, values: readonly Value[], value: Value): Value {
  if (!values.includes(value)) throw invalidArgument(name, `one of ${values.join(', ')}`, value);
  return value;
}
