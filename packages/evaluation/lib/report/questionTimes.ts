// Temporal score of a question as a function of time, by the state decay of `hybrid` and by MRAG's
// line, computed by the library's own score forms.
import { parseAskedAt, questionForms } from 'asof/kit';
import { type Window, type SplineLine, parseQuestion } from 'asof/time';
import type { QuestionDetail } from '../comparison/result.js';
import type { ReportQuestion, ReportShape, ReportShapeLine } from './reportData.js';

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
  const parsed = parseQuestion({ text, askedAt });
  const { constraint, ...forms } = questionForms(parsed);
  const { alternatives, window, interval } = constraint;
  const stretches: readonly Window[] =
    alternatives ?? (window ? [window] : interval ? [interval] : []);
  const shapes = (['states', 'line'] as const).flatMap((name): ReportShape[] => {
    const form = forms[name];
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
