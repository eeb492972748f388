// Features of a statement at one of its times, for the window of a question's operator.
import { dayMilliseconds as day, yearMilliseconds as year } from '../../time/civil.js';
import {
  featurePlaces,
  width,
  type FeatureName,
  type StatementMatch,
} from '../features/features.js';
import { isLaterReport, mayHold, type Order } from './order.js';
import type { StatedTime } from '../statements/statements.js';

/** A length of time on a logarithmic scale of months. */
const scaled = (milliseconds: number): number =>
  Math.log1p((12 * Math.abs(milliseconds)) / year) / 3;

/** Writes the features of a statement at one of its times, for a window of time, from `from` on. */
export function putTimedFeatures(
  output: Float32Array,
  from: number,
  { features, passage, roles, statement }: StatementMatch,
  time: StatedTime | undefined,
  { window, alternatives, time: named, isEvent }: Order,
): void {
  for (let f = 0; f < width; f += 1) output[from + f] = features[f]!;
  const put = (name: FeatureName, value: number): void =>
    void (output[from + featurePlaces[name]] = value);
  const isFigure = features[featurePlaces.beforeOfFigure] === 1;
  put('beforeOfFigure', 0);
  const source = time?.source;
  if (source === 'compared' || source === 'previous' || source === 'later') put(source, 1);
  if (source === 'title') put('ofTitle', 1);
  if (time && source !== 'previous' && isRoleOfOther(time, statement.times, roles))
    put('roleOfOther', 1);
  if (time?.range) put('span', finite(Math.log1p((time.end - time.start) / year) / 3));
  const hasEnd = Number.isFinite(window.end);
  const hasStart = Number.isFinite(window.start);
  if (time === undefined && (hasStart || hasEnd)) put('undated', 1);
  let isOutside = false;
  if (time && (hasStart || hasEnd)) {
    const length = time.end - time.start;
    const shared = Math.min(time.end, window.end) - Math.max(time.start, window.start);
    const holds = !isEvent && mayHold(time, window.start);
    isOutside =
      holds ||
      shared <= 0 ||
      alternatives?.some((each) => time.start < each.end && time.end > each.start) === false;
    if (isOutside) {
      // How long a state has lasted says nothing against it.
      if (holds) put(isFigure ? 'beforeOfFigure' : 'before', 1);
      else put('outside', 1);
      const early = isEvent ? window.start - time.end : 0;
      if (!holds) put('gap', finite(scaled(Math.max(0, time.start - window.end, early))));
    } else {
      if (!time.range) put('overhang', finite(1 - shared / length));
      if (hasStart && hasEnd) {
        const ratio = length / (window.end - window.start);
        if (!time.range) put('coarse', finite(Math.max(0, Math.log(ratio)) / 5));
        const startsAlike = Math.abs(time.start - window.start) < day;
        if (startsAlike && Math.abs(time.end - window.end) < day) put('equal', 1);
      } else if (hasStart && named?.start === window.start && time.start >= named.start) {
        if (time.start < named.end) put('equal', 1);
      }
    }
  }
  const { publishedAt } = passage.record;
  if (!isOutside && isLaterReport(time, { window }, publishedAt)) put('laterReport', 1);
  const isOwn = source === 'own' && !isOutside;
  if (publishedAt !== undefined && hasEnd && source !== 'published' && !isOwn) {
    put('publishedAfter', publishedAt >= window.end ? 1 : 0);
    put('publishedGap', scaled(publishedAt - window.end));
  }
}

/** Characters; words after a time are its role less often: "born 1853, died 1927". */
const distance = (role: number, at: number): number => (role < at ? at - role : 2 * (role - at));

/** Whether the word that tells what the question's date is of belongs to another time. */
function isRoleOfOther(
  { at }: StatedTime,
  times: readonly StatedTime[],
  roles: readonly number[],
): boolean {
  if (at === undefined || roles.length === 0) return false;
  return !roles.some((role) =>
    times.every(
      (other) => other.at === undefined || distance(role, at) <= distance(role, other.at),
    ),
  );
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
