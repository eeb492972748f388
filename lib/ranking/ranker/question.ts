// What the ranker compares candidates with: the question's words and how rare they are, its names,
// the kind of its answer, and what it asks of time. Computed once a question; it looks at no
// candidate.
import type { QueryContext } from '../../retrieval/queryContext.js';
import { idfWeights } from '../../retrieval/documentFrequency.js';
import { answerType, type AnswerType } from '../../text/answerType.js';
import type { Condition, Window } from '../../time/constraint.js';
import type { Instant } from '../../time/interval.js';
import { adjacentWords } from '../../time/question/anchor.js';
import {
  isCurrentQuery,
  jointConstraint,
  type JointConstraint,
} from '../../time/question/jointConstraint.js';
import type { WordVectors } from '../../vectors/wordVectors.js';

/** A question's terms as a bag: each once, with its weight. */
export interface Words {
  /** Place of each term in `weights`. */
  places: ReadonlyMap<string, number>;
  weights: Float64Array;
  /** Places of terms that follow one another in the question. */
  pairs: readonly (readonly [number, number])[];
}

/** What of time the question asks for, as the ranker reads it. */
export interface QuestionTime {
  /** Absent where it asks of now, or names no time that binds. */
  joint?: JointConstraint;
  /** Stretches that serve as well as each other: the literal times named. */
  named: readonly Window[];
  /** The times that satisfy the relation; `named` where there is no window (around). */
  window?: Window;
  /**
   * -1 where the earliest is asked for, 1 where the latest is or the state of now, 0 without an
   * order.
   */
  order: -1 | 0 | 1;
  condition: Condition;
  /** Whether dates of publication are asked about rather than what is told. */
  ofPublication: boolean;
  askedAt: Instant;
}

export interface QuestionFeatures {
  words: Words;
  /** Places of the terms that are written with a capital, but of the first word of all. */
  names: readonly number[];
  /**
   * Places of the last terms before the words of the constraint: what is said to have been then
   * ("born in the 1930s").
   */
  besideTime: readonly number[];
  /** The kind of its answer; undefined where no rule knows. */
  wanted: AnswerType | undefined;
  /** Places of common words, that other words may stand for: no names. */
  common: readonly number[];
  time: QuestionTime;
}

const termsBesideTime = 2;

export function questionFeatures(query: QueryContext, vectors: WordVectors): QuestionFeatures {
  const { parsed, searchText, analyzer, snapshot } = query;
  const terms = analyzer.analyze(searchText);
  const distinct = [...new Set(terms)];
  const places = new Map(distinct.map((term, at) => [term, at]));
  const placesOf = (list: readonly string[]): number[] =>
    [...new Set(list)].flatMap((term) => places.get(term) ?? []);
  const capitals = [...searchText.matchAll(/(?<=\S\s+["“'(]*)\p{Lu}[\p{L}\p{N}'’.-]*/gu)].flatMap(
    ([word]) => analyzer.analyze(word),
  );
  const named = placesOf(capitals);
  const common = [...distinct.keys()].filter(
    (place) => !named.includes(place) && vectors.has(distinct[place]!),
  );
  return {
    common,
    words: {
      places,
      weights: idfWeights(snapshot, distinct),
      pairs: terms
        .slice(1)
        .map((term, at) => [places.get(terms[at]!)!, places.get(term)!] as const),
    },
    names: named,
    besideTime: placesOf(
      adjacentWords(parsed)
        .flatMap((word) => analyzer.analyze(word))
        .slice(0, termsBesideTime),
    ),
    wanted: answerType(parsed.text),
    time: timeAsked(query),
  };
}

function timeAsked({ parsed }: QueryContext): QuestionTime {
  const joint = jointConstraint(parsed);
  const { condition, interval, window, alternatives, clock } = joint;
  const common = { condition, ofPublication: clock === 'published', askedAt: parsed.askedAt };
  const order =
    condition === 'first' || condition === 'earliest' ? -1 : condition === 'none' ? 0 : 1;
  if (!interval && order !== 0) {
    return {
      ...common,
      named: [{ start: parsed.askedAt, end: parsed.askedAt + 1 }],
      window: { start: -Infinity, end: parsed.askedAt + 1 },
      order,
    };
  }
  if (isCurrentQuery(parsed) || !interval) return { ...common, named: [], order: 1 };
  return { ...common, joint, named: alternatives ?? [interval], window: window ?? interval, order };
}
