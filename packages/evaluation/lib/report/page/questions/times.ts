// Time range of a figure, the best-scoring instants within it and the results beyond it.
import { splineValue } from '@asof/pages/asof';
import type { SplineForm } from 'asof/time';
import {
  endOf,
  furthest,
  instantOf,
  startOf,
  within,
  type Span,
  type Stretch,
} from '@asof/pages/times';
import type { ReportCandidate, ReportShape } from '../../reportData.js';

type Dates = ReportCandidate['dates'];

const day = 86_400_000;
/**
 * The dates as half-open intervals; invalid ones are skipped, since results are not validated.
 */
export function stretchesOf(dates: Dates): Stretch[] {
  return (dates ?? []).flatMap(({ start, end }) => {
    const [from, to] = [
      start === null ? null : instantOf(start, 'start'),
      end === null ? null : instantOf(end, 'end'),
    ];
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
}

function formOf({ lines, outside }: ReportShape): Pick<SplineForm, 'lines' | 'outside'> {
  return {
    outside,
    lines: lines.map(({ from, to, ...line }) => ({
      ...line,
      window: { start: startOf(from), end: endOf(to) },
    })),
  };
}

/**
 * The visible span: the constraint's windows and the candidates' dates, without the outer tenth of
 * dates if it would compress the others, and with a margin. Undefined without dates.
 */
export function shownSpan(
  candidates: readonly ReportCandidate[],
  asked: { windows: readonly Stretch[] },
): Span | undefined {
  const ends = (stretches: readonly Stretch[]): number[] =>
    stretches.flatMap(({ from, to }) => [from, to]).filter((each) => each !== null);
  const published = candidates.flatMap(({ published_at: text }) =>
    text === undefined ? [] : (instantOf(text) ?? []),
  );
  const said = [
    ...candidates.flatMap(({ dates }) => ends(stretchesOf(dates).slice(0, 1))),
    ...published,
  ];
  const named = ends(asked.windows);
  const others = candidates.flatMap(({ dates }) => ends(stretchesOf(dates).slice(1)));
  const core = [...said, ...named];
  if (core.length === 0 && others.length === 0) return undefined;
  const sorted = [...(core.length > 0 ? core : others)].sort((a, b) => a - b);
  const cut = sorted.length >= 10 ? Math.floor(sorted.length / 10) : 0;
  const inner: Span = { from: sorted[cut]!, to: sorted[sorted.length - 1 - cut]! };
  const reach = Math.max(2 * (inner.to - inner.from), 30 * day);
  const near = [...sorted, ...others].filter(
    (each) => each >= inner.from - reach && each <= inner.to + reach,
  );
  const whole = [...near, ...named];
  const [from, to] = [Math.min(...whole), Math.max(...whole)];
  const room = Math.max((to - from) * 0.04, day / 2);
  return { from: Math.max(-furthest, from - room), to: Math.min(furthest, to + room) };
}

/** The score of a shape over a span, at the ends of its lines and in between. */
export function drawnShape(
  shape: ReportShape,
  span: Span,
  points = 240,
): { at: number; value: number }[] {
  const form = formOf(shape);
  const turns = shape.lines.flatMap(({ from, to }) =>
    [from, to].flatMap((each) => (each === null ? [] : [each - 1, each])),
  );
  const evenly = Array.from(
    { length: points + 1 },
    (_, at) => span.from + ((span.to - span.from) * at) / points,
  );
  const ats = [...new Set([...evenly, ...turns])]
    .filter((at) => at >= span.from && at <= span.to)
    .sort((a, b) => a - b);
  return ats.map((at) => ({ at, value: splineValue(form, [{ start: at, end: at }]).value }));
}

/**
 * The best-scoring instant of a candidate's dates, the middle of several; undefined without dates.
 */
export function bestInstant(
  shape: ReportShape,
  dates: Dates,
  span: Span,
): { at: number; value: number } | undefined {
  const form = formOf(shape);
  const stretches = stretchesOf(dates);
  const intervals = stretches.map(({ from, to }) => ({ start: startOf(from), end: endOf(to) }));
  const { value, interval } = splineValue(form, intervals);
  const shown = stretches[Math.max(0, interval)];
  const visible = shown && within(shown, span);
  if (!visible) return undefined;
  const values = drawnShape(shape, visible, 24).filter((point) => point.value >= value - 1e-6);
  const [first, last] = [values[0]?.at ?? visible.from, values.at(-1)?.at ?? visible.to];
  return { at: (first + last) / 2, value };
}
