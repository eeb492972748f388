// Types that all styles share: a statement of values, and a style's grammars and slots.
import type { Random } from 'asof/kit';
import type { Sentences, Slots } from '../grammar.js';

/** One value of a statement, as text. */
export interface AttributeValue {
  role: string | undefined;
  /** "confirmed cases" */
  name: string;
  /** "1,234" or "48°F": with its unit. */
  value: string;
  cumulative: boolean;
}

/** The values of a passage, or of a question's target. */
export interface Statement {
  entity: string;
  /** Label of the fact within the entity, if any. */
  label: string | undefined;
  values: readonly AttributeValue[];
}

export interface Wording {
  /** Roles that attributes must have; none where there are no roles. */
  roles: readonly string[];
  latest: 'published' | 'date';
  /** Rule `document`. */
  documents: Sentences;
  /**
   * Rules `question`, which names a date, `latest`, which names none, and `pair`, which names two:
   * {on} and {when} both of them, {first} and {second} one each.
   */
  questions: Sentences;
  /** Style-specific slots of a statement; for questions, the caller removes the values. */
  slots(statement: Statement): Slots;
  /** The target of a question: an index of `values`, and the slots of its wording. */
  target(statement: Statement, random: Random): { index: number; slots: Slots };
}
