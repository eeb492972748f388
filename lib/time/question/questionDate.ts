// A date of a question as the parser's modules exchange it: span, relation and interval. Plain
// data.
import type { Relation } from '../constraint.js';
import type { Interval } from '../interval.js';

export interface QuestionDate {
  /** UTF-16 offsets of the question, half-open, the preposition included. */
  start: number;
  end: number;
  text: string;
  relation: Relation | 'none';
  interval: Interval;
  /** Of a list with gaps ("on May 7 and on May 12"); `interval` is then their hull. */
  alternatives?: Interval[];
  /** Part of a name or noun phrase, as in "the 2014 final". */
  attributive?: boolean;
  /** At an offset from a date, whose words the span includes. */
  shifted?: boolean;
}
