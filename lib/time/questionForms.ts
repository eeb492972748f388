// The temporal forms of a question as plain data, for who shows or judges by them.
import type { ParsedQuestion } from './constraint.js';
import {
  contentOutsideConstraints,
  jointConstraint,
  type JointConstraint,
} from './question/jointConstraint.js';
import type { SplineFactor } from './temporalForms.js';
import { splineForm } from './spline.js';
import { stateDecayForm } from './stateDecay.js';

/** The joint constraint of a question, its words besides, its decay of states, and MRAG's line. */
export function questionForms(parsed: ParsedQuestion): {
  constraint: JointConstraint;
  content: string;
  states: SplineFactor;
  line: SplineFactor;
} {
  const constraint = jointConstraint(parsed);
  const { askedAt } = parsed;
  return {
    constraint,
    content: contentOutsideConstraints(parsed),
    states: stateDecayForm(constraint, askedAt),
    line: splineForm(constraint, askedAt),
  };
}
