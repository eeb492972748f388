// How the statements of passages match a question that a test gives as plain data.
import { binding } from '../../lib/binding.js';
import type { PassageHandle, PlainOrder, PlainQuestion } from '../../binding.js';
import { featureNames, type FeatureName } from '../../lib/facts/features/features.js';
import type { Lexicon } from '../../lib/statements/lexicon.js';

export interface QuestionTerm {
  term: string;
  low: string;
  weight: number;
  rarity: number;
  name?: boolean;
  value?: boolean;
  kind?: boolean;
}

/** The places of whole names are those of `terms`. */
export interface TestQuestion {
  terms: readonly QuestionTerm[];
  names?: readonly (readonly number[])[];
  pairs?: readonly (readonly [number, number])[];
  anchor?: readonly string[];
  role?: string;
  /** Default 1: none. */
  wanted?: number;
  /** Default 2: any. */
  order?: number;
}

export function plain(question: TestQuestion): PlainQuestion {
  const { terms, names = [], pairs = [], anchor = [], role = '', wanted = 1, order = 2 } = question;
  let end = 0;
  return {
    terms: terms.map(({ term }) => term),
    lows: terms.map(({ low }) => low),
    weights: Float64Array.from(terms, ({ weight }) => weight),
    rarities: Float64Array.from(terms, (each) => each.rarity),
    flags: Uint8Array.from(
      terms,
      ({ name = false, value = false, kind = false }) =>
        Number(name) + 2 * Number(value) + 4 * Number(kind),
    ),
    nameEnds: Uint32Array.from(names, ({ length }) => (end += length)),
    names: Uint32Array.from(names.flat()),
    pairs: Uint32Array.from(pairs.flat()),
    anchor: [...anchor],
    role,
    wanted,
    order,
  };
}

export interface MatchInputs {
  idf?: (term: string) => number;
  /** By candidate and by statement; default 0. */
  scores?: readonly number[];
  cosine?: (statement: number) => number;
  measured?: Uint8Array;
}

type Found = ReturnType<typeof binding.matchStatements>;

/** The matches of all candidates, compared, with the features of each by name. */
export interface TestMatches extends Found {
  features(match: number): Record<FeatureName, number>;
}

export function matchesOf(
  lexicon: Lexicon,
  passages: readonly PassageHandle[],
  question: TestQuestion,
  { idf = () => 1, scores = [], cosine = () => 0, measured = new Uint8Array() }: MatchInputs = {},
): TestMatches {
  const pool = binding.openPool(lexicon.handle, [...passages], plain(question));
  const { weighed, ends } = binding.poolTexts(pool, new Uint32Array());
  const found = binding.matchStatements(
    pool,
    Float64Array.from(lexicon.texts(weighed), idf),
    Float64Array.from(question.terms, ({ term }) => idf(term)),
    Float64Array.from(passages, (_, at) => scores[at] ?? 0),
    Float64Array.from({ length: ends.length - 1 }, (_, nth) => cosine(nth)),
  );
  binding.compareMatches(found.handle, measured);
  return {
    ...found,
    features: (match) => named(binding.featuresOf(found.handle, match)),
  };
}

/** A row of features by name. */
export const named = (row: ArrayLike<number>): Record<FeatureName, number> =>
  Object.fromEntries(featureNames.map((name, at) => [name, row[at]!])) as Record<
    FeatureName,
    number
  >;

const none = Float64Array.of(NaN, NaN);
/** What is asked of time where nothing is. */
export const nothingAsked: PlainOrder = {
  hasOperator: false,
  operatorOrder: 2,
  operatorWindow: Float64Array.of(-Infinity, Infinity),
  isWhen: false,
  isPublished: false,
  isNow: false,
  isPast: false,
  askedAt: 0,
  order: 2,
  place: 1,
  window: Float64Array.of(-Infinity, Infinity),
  alternatives: new Float64Array(),
  named: none,
  held: none,
  isEvent: false,
};
