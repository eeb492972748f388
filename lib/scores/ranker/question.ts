// What the ranker compares candidates with: the question's words and how rare they are, its names, the kind of its answer, and
// what it asks of time. Computed once a question; it looks at no candidate.
import type { Asked } from '../../candidates/candidate.js';
import { termWeights } from '../../candidates/termWeights.js';
import type { Analyser } from '../../text/analyser.js';
import type { Condition, Window } from '../../time/constraint.js';
import type { Instant } from '../../time/interval.js';
import { asksOfNow, jointConstraint, type JointConstraint } from '../../time/question/joint.js';

/** A question's terms as a bag: each once, with its weight. */
export interface Words {
  /** Place of each term in `weights`. */
  places: ReadonlyMap<string, number>;
  weights: Float64Array;
  /** Places of terms that follow one another in the question. */
  pairs: readonly (readonly [number, number])[];
}

export type AnswerWanted = 'name' | 'number' | 'date' | 'unknown';

/** What of time the question asks for, as the ranker reads it. */
export interface TimeAsked {
  /** Absent where it asks of now, or names no time that binds. */
  joint?: JointConstraint;
  /** Stretches that serve as well as each other: the literal times named. */
  named: readonly Window[];
  /** The times that satisfy the relation; `named` where there is no window (around). */
  window?: Window;
  /** -1 where the earliest is asked for, 1 where the latest is or the state of now, 0 without an order. */
  order: -1 | 0 | 1;
  condition: Condition;
  /** Whether dates of publication are asked about rather than what is told. */
  ofPublication: boolean;
  askedAt: Instant;
}

export interface QuestionView {
  words: Words;
  /** Places of the terms that are written with a capital, but of the first word of all. */
  names: readonly number[];
  /** Places of the last terms before the words of the constraint: what is said to have been then ("born in the 1930s"). */
  besideTime: readonly number[];
  wanted: AnswerWanted;
  time: TimeAsked;
}

const termsBesideTime = 2;

export function viewQuestion(asked: Asked): QuestionView {
  const { parsed, searchText, analyser, snapshot } = asked;
  const terms = analyser.analyse(searchText);
  const distinct = [...new Set(terms)];
  const places = new Map(distinct.map((term, at) => [term, at]));
  const placesOf = (list: readonly string[]): number[] => [...new Set(list)].flatMap((term) => places.get(term) ?? []);
  const capitals = [...searchText.matchAll(/(?<=\S\s+["“'(]*)\p{Lu}[\p{L}\p{N}'’.-]*/gu)].flatMap(([word]) => analyser.analyse(word));
  return {
    words: { places, weights: termWeights(snapshot, distinct), pairs: terms.slice(1).map((term, at) => [places.get(terms[at]!)!, places.get(term)!] as const) },
    names: placesOf(capitals),
    besideTime: placesOf(besideTime(parsed.text, parsed.constraint.text, analyser)),
    wanted: answerWanted(parsed.text),
    time: timeAsked(asked),
  };
}

function besideTime(question: string, constraint: string | undefined, analyser: Analyser): string[] {
  const at = constraint === undefined ? -1 : question.indexOf(constraint);
  return at <= 0 ? [] : analyser.analyse(question.slice(0, at)).slice(-termsBesideTime);
}

function timeAsked({ parsed }: Asked): TimeAsked {
  const joint = jointConstraint(parsed);
  const { condition, interval, window, alternatives, clock } = joint;
  const common = { condition, ofPublication: clock === 'published', askedAt: parsed.askedAt };
  const order = condition === 'first' || condition === 'earliest' ? -1 : condition === 'none' ? 0 : 1;
  if (!interval && order !== 0) return { ...common, named: [{ start: parsed.askedAt, end: parsed.askedAt + 1 }], window: { start: -Infinity, end: parsed.askedAt + 1 }, order };
  if (asksOfNow(parsed) || !interval) return { ...common, named: [], order: 1 };
  return { ...common, joint, named: alternatives ?? [interval], window: window ?? interval, order };
}

/** The kind of answer by the question's wh-word. */
function answerWanted(question: string): AnswerWanted {
  const text = question.toLowerCase();
  if (/\b(?:when|(?:what|which) (?:year|date|day|month|decade|century))\b/.test(text)) return 'date';
  if (/\b(?:how (?:many|much|old|tall|high|long|fast|far|big|large|warm|cold)|(?:number|population|price|cost|count|total|score|height|temperature|percentage|rate) of|score)\b/.test(text)) return 'number';
  if (/\b(?:who|whom|whose|which|what|where|winner|champion|runner-up)\b/.test(text)) return 'name';
  return 'unknown';
}
