// Features of a statement at one of its times, for the window of a question's operator.
import { dayMilliseconds as day, yearMilliseconds as year } from '../../time/civil.js';
import { featurePlaces, width, type FeatureName, type StatementMatch } from './features.js';
import { mayHold, type Order } from './order.js';
import type { StatedTime } from './statements.js';

/** A length of time on a logarithmic scale of months. */
const scaled = (milliseconds: number): number =>
  Math.log1p((12 * Math.abs(milliseconds)) / year) / 3;

/** Writes the features of a statement at one of its times, for a window of time, from `from` on. */
export function putTimedFeatures(
  output: Float32Array,
  from: number,
  { features, passage }: StatementMatch,
  time: StatedTime | undefined,
  { order, window, alternatives }: Order,
): void {
  for (let f = 0; f < width; f += 1) output[from + f] = features[f]!;
  const put = (name: FeatureName, value: number): void =>
    void (output[from + featurePlaces[name]] = value);
  const source = time?.source;
  if (source === 'later' || source === 'compared' || source === 'previous') put(source, 1);
  if (source === 'title') put('ofTitle', 1);
  if (time === undefined) put('undated', 1);
  const hasEnd = Number.isFinite(window.end);
  const isBounded = hasEnd && Number.isFinite(window.start);
  let isOutside = false;
  if (time && (hasEnd || Number.isFinite(window.start))) {
    const length = time.end - time.start;
    const shared = Math.min(time.end, window.end) - Math.max(time.start, window.start);
    isOutside =
      shared <= 0 ||
      alternatives?.some((each) => time.start < each.end && time.end > each.start) === false;
    if (isOutside) {
      put(order === 'any' && mayHold(time, window.start) ? 'before' : 'outside', 1);
      const isLater = time.start >= window.end;
      put('gap', finite(scaled(isLater ? time.start - window.end : window.start - time.end)));
    } else {
      if (!time.range) put('overhang', finite(1 - shared / length));
      if (isBounded) {
        const ratio = length / (window.end - window.start);
        if (!time.range) put('coarse', finite(Math.max(0, Math.log(ratio)) / 5));
        const spans = time.start <= window.start && time.end >= window.end;
        if (time.range && spans) put('covers', 1);
        const startsAlike = Math.abs(time.start - window.start) < day;
        if (startsAlike && Math.abs(time.end - window.end) < day) put('equal', 1);
      }
    }
  }
  const { publishedAt } = passage.record;
  const isOwn = source === 'own' && !isOutside;
  if (publishedAt !== undefined && hasEnd && source !== 'published' && !isOwn) {
    put('publishedAfter', publishedAt >= window.end ? 1 : 0);
    put('publishedGap', scaled(publishedAt - window.end));
  }
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
