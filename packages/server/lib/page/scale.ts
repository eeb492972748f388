// Axis of time: pixels of instants, and ticks of years, months, days or hours.
import { yearText } from '@asof/pages/format';
import { yearTicks, type Span } from '@asof/pages/times';

const [hour, day] = [3_600_000, 86_400_000];

/** Pixels between the edges of a figure and the ends of its axis. */
export const margin = 12;

export interface Scale extends Span {
  width: number;
  x(instant: number): number;
}

/** Instants outside the span lie beyond the margins. */
export function scaleOf({ from, to }: Span, width: number): Scale {
  const perPixel = (to - from) / Math.max(1, width - 2 * margin);
  return { from, to, width, x: (instant) => margin + (instant - from) / perPixel };
}

export interface Tick {
  at: number;
  label: string;
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** At most some `most` ticks in even steps, UTC. */
export function ticksOf(span: Span, most: number): Tick[] {
  const length = span.to - span.from;
  // Of some spans coarse steps have one tick only.
  const years = [most, most + 1, most + 2]
    .map((each) => yearTicks(span, each))
    .find((each) => each && each.length > 1);
  if (years && length > 2.5 * 366 * day)
    return years.map((each) => ({ at: each.getTime(), label: yearText(each.getUTCFullYear()) }));
  const monthStep = [1, 2, 3, 6, 12].find((step) => length / (step * 30.4 * day) <= most);
  if (length > 60 * day) return monthTicks(span, monthStep ?? 12);
  const step =
    [1, 3, 6, 12, 24, 48, 168, 336]
      .map((each) => each * hour)
      .find((each) => length / each <= most) ?? 672 * hour;
  const first = Math.ceil(span.from / step) * step;
  const count = Math.max(0, Math.floor((span.to - first) / step) + 1);
  return Array.from({ length: count }, (_, nth): Tick => {
    const at = new Date(first + nth * step);
    const date = `${at.getUTCDate()} ${months[at.getUTCMonth()]}`;
    return {
      at: at.getTime(),
      label: step < day && at.getUTCHours() > 0 ? `${at.toISOString().slice(11, 16)}` : date,
    };
  });
}

function monthTicks(span: Span, step: number): Tick[] {
  const start = new Date(span.from);
  const ticks: Tick[] = [];
  for (let nth = Math.ceil((start.getUTCMonth() + 1) / step) * step; ; nth += step) {
    const at = Date.UTC(start.getUTCFullYear(), nth);
    if (at > span.to) return ticks;
    const date = new Date(at);
    const [month, year] = [date.getUTCMonth(), date.getUTCFullYear()];
    const isFirst = ticks.length === 0 || month < step;
    ticks.push({ at, label: isFirst ? `${months[month]} ${year}` : months[month]! });
  }
}
