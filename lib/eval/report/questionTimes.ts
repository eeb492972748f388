// Temporal score of a question as a function of time, in MRAG's default and published forms,
// computed by the library's own score forms.
import { temporalForm, type TemporalOptions } from '../../ranking/temporal.js';
import type { Window } from '../../time/constraint.js';
import type { SplineLine } from '../../time/temporalForms.js';
import { parseAskedAt } from '../../time/instant.js';
import { jointConstraint } from '../../time/question/jointConstraint.js';
import { parseQuestion } from '../../time/question/question.js';
import type { QuestionDetail } from '../comparison/result.js';
import type { ReportQuestion, ReportShape, ReportShapeLine } from './reportData.js';

const shapeOptions: readonly { name: ReportShape['name']; options: TemporalOptions }[] = [
  { name: 'states', options: {} },
  { name: 'line', options: { shape: 'line', unordered: 'last' } },
];

/**
 * The constraint's windows, the asking time, and the temporal score as a function of time; no
 * shapes without a constraint.
 */
export function questionTimes({
  text,
  asked_at,
}: Pick<QuestionDetail, 'text' | 'asked_at'>): Pick<
  ReportQuestion,
  'askedAt' | 'windows' | 'shapes'
> {
  const askedAt = instantOf(asked_at);
  const parsed = parseQuestion({ text, ...(askedAt === undefined ? {} : { askedAt }) });
  const { alternatives, window, interval } = jointConstraint(parsed);
  const stretches: readonly Window[] =
    alternatives ?? (window ? [window] : interval ? [interval] : []);
  const shapes = shapeOptions.flatMap(({ name, options }): ReportShape[] => {
    const form = temporalForm({ parsed }, options);
    return form.combine === 'product'
      ? [{ name, lines: form.lines.map(shapeLine), outside: form.outside }]
      : [];
  });
  const windows = stretches.map(({ start, end }) => ({ from: finite(start), to: finite(end) }));
  return { ...(askedAt === undefined ? {} : { askedAt }), windows, shapes };
}

/** A line of a window with an open end has the value of its other end. */
function shapeLine({ window, atStart, atEnd, longestMs }: SplineLine): ReportShapeLine {
  return {
    from: finite(window.start),
    to: finite(window.end),
    atStart,
    atEnd,
    ...(longestMs === undefined || !Number.isFinite(longestMs) ? {} : { longestMs }),
  };
}

/** JSON has no infinity. */
const finite = (instant: number): number | null => (Number.isFinite(instant) ? instant : null);

/**
 * Undefined for an invalid date, since reports do not validate results.
 */
function instantOf(text: string | undefined): number | undefined {
  try {
    return text === undefined ? undefined : parseAskedAt(text);
  } catch {
    return undefined;
  }
}
