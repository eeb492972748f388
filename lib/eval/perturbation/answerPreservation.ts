// Answer preservation under a time constraint (MRAG appendix C: "ensure that the answers remain
// unchanged"): the answer is right, and the only right one, given when answers hold.
import type { Condition, Relation, Window } from '../../time/constraint.js';
import type { Instant, Interval } from '../../time/interval.js';
import { windowOf } from '../../time/window.js';

/** [start, end) in which an answer holds; either end may be infinite. */
export interface Span {
  start: Instant;
  end: Instant;
}

/** When an answer holds, and how surely: its ends lie somewhere in the units they were given in. */
export interface Validity extends Span {
  /** "1916" to "1920" may have begun and ended on any day of those years. */
  vague: readonly Span[];
}

const overlap = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/**
 * The stretch that decides: the relation's window; "as of" without an order word asks for the state
 * at its date; "around" reaches one length of its date to either side, as its tolerance is the
 * library's choice.
 */
function decidingSpan(
  condition: Condition,
  relation: Relation,
  { start, end }: Pick<Interval, 'start' | 'end'>,
): Span {
  if (relation === 'around') return { start: start - (end - start), end: end + (end - start) };
  if (relation === 'as of' && condition === 'none') return { start, end };
  return windowOf(relation, { start, end }) as Window;
}

/**
 * Without an order word the answer must hold in the deciding stretch and no other may; "as of", it
 * must hold throughout the date; "around", it must hold in the date itself, and an order word lets
 * no other in. "last" and "latest" want it to begin after all others there and to hold longer;
 * "first" and "earliest" the mirror of it. `others` unknown: any other may hold whenever the answer
 * does not. A date whose edge falls inside a vague end is refused, as the answer may hold on one
 * side of it only.
 */
export function preservesAnswer(
  condition: Condition,
  relation: Relation,
  interval: Pick<Interval, 'start' | 'end'>,
  answer: Validity,
  others?: readonly Span[],
): boolean {
  const stretch = decidingSpan(condition, relation, interval);
  const edges = [stretch.start, stretch.end, interval.start, interval.end];
  if (answer.vague.some(({ start, end }) => edges.some((edge) => start < edge && edge < end)))
    return false;
  if (!overlap(answer, stretch)) return false;
  if (
    relation === 'as of' &&
    condition === 'none' &&
    !(answer.start <= interval.start && interval.end <= answer.end)
  )
    return false;
  if (relation === 'around' && !overlap(answer, interval)) return false;
  const rivals = (others ?? complement(answer)).filter((other) => overlap(other, stretch));
  if (rivals.length === 0) return true;
  if (relation === 'around') return false;
  switch (condition) {
    case 'none':
      return false;
    case 'last':
    case 'latest':
      return rivals.every(
        (other) =>
          other.start < answer.start &&
          Math.min(other.end, stretch.end) < Math.min(answer.end, stretch.end),
      );
    case 'first':
    case 'earliest':
      return rivals.every(
        (other) =>
          other.end > answer.end &&
          Math.max(other.start, stretch.start) > Math.max(answer.start, stretch.start),
      );
  }
}

function complement({ start, end }: Span): Span[] {
  const all: Span[] = [
    { start: -Infinity, end: start },
    { start: end, end: Infinity },
  ];
  return all.filter((stretch) => stretch.start < stretch.end);
}
