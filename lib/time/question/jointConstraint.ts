// Several constraints of a question taken together, for the stages that act on one: dates that
// serve as well as each other ("on May 7, and how warm on May 8"), dates that narrow one another
// ("after 1990 and before 2000"), and what is left to search by when the words of all of them are
// gone. Dates that only describe take no part.
import type { Constraint, ParsedQuestion, Relation, Window } from '../constraint.js';
import type { Granularity, Instant, Interval } from '../interval.js';
import { mainContentOf } from './mainContent.js';

/** `alternatives` are here those of several constraints too. */
export type JointConstraint = Constraint;

const within: readonly (Relation | 'none')[] = ['in', 'on'];

/**
 * The constraint of a question with the others that bind on the same clock: an interval that both
 * hold, where they meet; the two of them as alternatives, where both are days or stretches apart.
 * Where neither makes sense the question's own constraint stands.
 */
export function jointConstraint({ constraint, constraints }: ParsedQuestion): JointConstraint {
  let joint: JointConstraint = constraint;
  for (const other of constraints) {
    if (
      other === constraint ||
      !other.binds ||
      other.clock !== constraint.clock ||
      !other.window ||
      !other.interval ||
      !joint.window
    )
      continue;
    joint = both(joint, other, other.window, other.interval);
  }
  return joint;
}

function both(
  joint: JointConstraint,
  other: Constraint,
  window: Window,
  interval: Interval,
): JointConstraint {
  const mine = joint.window!;
  const [start, end] = [Math.max(mine.start, window.start), Math.min(mine.end, window.end)];
  if (start < end && !joint.alternatives) {
    if (start === mine.start && end === mine.end) return joint; // the narrower of the two already
    if (start === window.start && end === window.end)
      return { ...joint, relation: other.relation, interval, window };
    const met = { start, end };
    if (Number.isFinite(start) && Number.isFinite(end)) {
      return {
        ...joint,
        relation: 'between',
        interval: { ...met, granularity: joint.interval!.granularity },
        window: met,
      };
    }
    return joint;
  }
  const listed = joint.alternatives ?? [joint.interval!];
  if (start < end && listed.some((each) => each.start < window.end && window.start < each.end))
    return joint;
  if (!within.includes(joint.relation) || !within.includes(other.relation)) return joint;
  const alternatives = [...listed, ...(other.alternatives ?? [interval])].sort(
    (a, b) => a.start - b.start,
  );
  const hull = {
    start: alternatives[0]!.start,
    end: Math.max(...alternatives.map((each) => each.end)),
  };
  return {
    ...joint,
    alternatives,
    interval: { ...hull, granularity: coarser(joint.interval!.granularity, interval.granularity) },
    window: hull,
  };
}

const coarser = (one: Granularity, other: Granularity): Granularity =>
  one === 'day' ? other : one;

/**
 * The last instant at which what the question asks for was published, where it says so beside a
 * constraint on what is told ("the forecast for May 8 issued on May 6"): the end of the window.
 * Undefined where it does not.
 */
export function publicationCutoff({
  constraint,
  constraints,
}: ParsedQuestion): Instant | undefined {
  const ends = constraints
    .filter(
      (each) => each !== constraint && each.binds && each.clock === 'published' && each.window,
    )
    .map(({ window }) => window!.end);
  const end = Math.min(...ends);
  return Number.isFinite(end) ? end - 1 : undefined;
}

/**
 * The question without the words of any constraint that binds on the clock of its own: what its
 * answer is about.
 */
export function contentOutsideConstraints({
  mainContent,
  constraint,
  constraints,
}: ParsedQuestion): string {
  let content = mainContent;
  for (const { binds, text, clock } of constraints) {
    if (!binds || text === undefined || text === constraint.text || clock !== constraint.clock)
      continue;
    const start = content.indexOf(text);
    if (start >= 0) content = mainContentOf(content, { start, end: start + text.length });
  }
  return content;
}

/**
 * Whether a question asks for the state at the time of asking: it names no time, or only "now",
 * "currently", "as of today".
 */
export const isCurrentQuery = ({ constraint: { relation, text = '' } }: ParsedQuestion): boolean =>
  relation === 'none' || (relation === 'as of' && !/\d/.test(text));
