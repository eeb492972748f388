// Answer preservation under a time constraint (MRAG appendix C: "ensure that the answers remain
// unchanged"): by the validity of answers, the answer is the only correct one.
import type { Condition, Relation, Window, Instant, Interval } from 'asof/time';
import { windowOf } from 'asof/kit';

/** [start, end) in which an answer holds; either end may be infinite. */
export interface Span {
  start: Instant;
  end: Instant;
}

/** Validity of an answer, with the uncertainty of its ends. */
export interface Validity extends Span {
  /** Uncertain ends: "1916" to "1920" may begin and end on any day of those years. */
  vague: readonly Span[];
}

const overlap = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/**
 * The deciding window: the relation's; "as of" without an order word means the state at its date;
 * "around" extends its date by its length to either side, since its tolerance is the library's
 * choice.
 */
function decidingWindow(
  condition: Condition,
  relation: Relation,
  { start, end }: Pick<Interval, 'start' | 'end'>,
): Span {
  if (relation === 'around') return { start: start - (end - start), end: end + (end - start) };
  if (relation === 'as of' && condition === 'none') return { start, end };
  return windowOf(relation, { start, end }) as Window;
}

/**
 * Without an order word the answer must hold in the deciding window and no other may; with "as of"
 * it must hold throughout the date; with "around" it must hold in the date itself, and no other may
 * whatever the order word. "last" and "latest" require it to begin after all others in the window
 * and to hold longer; "first" and "earliest" conversely. Without `others`, another answer may hold
 * whenever the answer does not. A date with an edge inside an uncertain end is rejected, as the
 * answer may hold on one side only.
 */
export function preservesAnswer(
  condition: Condition,
  relation: Relation,
  interval: Pick<Interval, 'start' | 'end'>,
  answer: Validity,
  others?: readonly Span[],
): boolean {
  const window = decidingWindow(condition, relation, interval);
  const edges = [window.start, window.end, interval.start, interval.end];
  if (answer.vague.some(({ start, end }) => edges.some((edge) => start < edge && edge < end)))
    return false;
  if (!overlap(answer, window)) return false;
  if (
    relation === 'as of' &&
    condition === 'none' &&
    !(answer.start <= interval.start && interval.end <= answer.end)
  )
    return false;
  if (relation === 'around' && !overlap(answer, interval)) return false;
  const competing = (others ?? complement(answer)).filter((other) => overlap(other, window));
  if (competing.length === 0) return true;
  if (relation === 'around') return false;
  switch (condition) {
    case 'none':
      return false;
    case 'last':
    case 'latest':
      return competing.every(
        (other) =>
          other.start < answer.start &&
          Math.min(other.end, window.end) < Math.min(answer.end, window.end),
      );
    case 'first':
    case 'earliest':
      return competing.every(
        (other) =>
          other.end > answer.end &&
          Math.max(other.start, window.start) > Math.max(answer.start, window.start),
      );
  }
}

function complement({ start, end }: Span): Span[] {
  const all: Span[] = [
    { start: -Infinity, end: start },
    { start: end, end: Infinity },
  ];
  return all.filter((window) => window.start < window.end);
}
