// What the ranker compares candidates with: the question's words and how rare they are, its names, the kind of its answer, and
// what it asks of time. Computed once a question; it looks at no candidate.
import type { Asked } from '../../candidates/candidate.js';
import { termWeights } from '../../candidates/termWeights.js';
import type { Condition, Window } from '../../time/constraint.js';
import type { Instant } from '../../time/interval.js';
import { asksOfNow, jointConstraint, type JointConstraint } from '../../time/question/joint.js';

/** A question's terms as a bag: each once, with its weight. */
export interface Words {
  /** Place of each term in `weights`. */
  places: ReadonlyMap<string, number>;
  weights: Float64Array;
  /** Pairs of terms that follow one another in the question. */
  pairs: readonly (readonly [string, string])[];
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
  /** Terms of the words written with a capital, but the first word of all. */
  names: ReadonlySet<string>;
  wanted: AnswerWanted;
  time: TimeAsked;
}

export function viewQuestion(asked: Asked): QuestionView {
  const { parsed, searchText, analyser, snapshot } = asked;
  const terms = analyser.analyse(searchText);
  const distinct = [...new Set(terms)];
  const capitals = [...searchText.matchAll(/(?<=\S\s+["“'(]*)\p{Lu}[\p{L}\p{N}'’.-]*/gu)].map(([word]) => word);
  return {
    words: {
      places: new Map(distinct.map((term, at) => [term, at])),
      weights: termWeights(snapshot, distinct),
      pairs: terms.slice(1).map((term, at) => [terms[at]!, term] as const),
    },
    names: new Set(capitals.flatMap((word) => analyser.analyse(word))),
    wanted: answerWanted(parsed.text),
    time: timeAsked(asked),
  };
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
