// Combination of a question's constraints for stages that act on one: alternatives ("on May 7, and
// how warm on May 8"), intersections ("after 1990 and before 2000"), and the content without the
// words of all of them. Descriptive dates are excluded.
import type { Constraint, ParsedQuestion, Relation, Window } from '../constraint.js';
import type { Granularity, Instant, Interval } from '../interval.js';
import { mainContentOf } from './mainContent.js';
import { questionStart } from './questionText.js';

/** `alternatives` may stem from several constraints. */
export type JointConstraint = Constraint;

const within: readonly (Relation | 'none')[] = ['in', 'on'];

/**
 * The primary constraint combined with the others that bind on the same clock: their intersection
 * if they overlap, alternatives if both are separate days or intervals. Otherwise the primary
 * constraint alone.
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
    joint = combine(joint, other, other.window, other.interval);
  }
  return joint;
}

function combine(
  joint: JointConstraint,
  other: Constraint,
  window: Window,
  interval: Interval,
): JointConstraint {
  const mine = joint.window!;
  const [start, end] = [Math.max(mine.start, window.start), Math.min(mine.end, window.end)];
  if (start < end && !joint.alternatives) {
    if (start === mine.start && end === mine.end) return joint; // already the narrower of the two
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
 * Latest publication time of the answer, if the question states one in addition to a content
 * constraint ("the forecast for May 8 issued on May 6"): the end of that window.
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

/** Without the words of any constraint that binds on the primary constraint's clock. */
export function contentOutsideConstraints({
  mainContent,
  constraint,
  constraints,
}: ParsedQuestion): string {
  const from = questionStart(mainContent);
  let content = mainContent.slice(from);
  for (const { binds, text, clock } of constraints) {
    if (!binds || text === undefined || text === constraint.text || clock !== constraint.clock)
      continue;
    const start = content.indexOf(text);
    if (start >= 0) content = mainContentOf(content, { start, end: start + text.length });
  }
  return mainContent.slice(0, from) + content;
}

/** It names no time, or only "now", "currently", "as of today". */
export const isCurrentQuery = ({ constraint: { relation, text = '' } }: ParsedQuestion): boolean =>
  relation === 'none' || (relation === 'as of' && !/\d/.test(text));
