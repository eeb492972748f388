// Requests of the ranking by series that are good, for tests that spoil one thing at a time.
import { fileURLToPath } from 'node:url';
import { binding } from '../../lib/binding.js';
import type {
  LexiconHandle,
  MatchesHandle,
  PassageClocks,
  PassageHandle,
  PassageTexts,
  PlainOrder,
  PlainQuestion,
  PoolHandle,
  Segment,
} from '../../binding.js';
import type { GoodArguments } from './calls.js';

const model = fileURLToPath(new URL('../../models/default-encoder.bin', import.meta.url));
export const encoder = await binding.openStaticEncoder(model);

export const newLexicon = (): LexiconHandle => binding.openLexicon(encoder);
/** With the words of `passageTexts`. */
export function fullLexicon(): LexiconHandle {
  const lexicon = newLexicon();
  readPassages(lexicon);
  return lexicon;
}

const time = [0, 10, NaN, -1, 0];
/**
 * Two passages: of two sentences with a title and times, and of one without; "7.1rc" is read as a
 * value and the word behind it.
 */
export const passageTexts = (): PassageTexts => ({
  texts: ['Ida 1970; Ida 7.1rc', 'Ida'],
  titles: ['Ida 1970', ''],
  sentenceEnds: Uint32Array.of(2, 3),
  sentences: Uint32Array.of(0, 9, 10, 19, 0, 3),
  references: Float64Array.of(40, NaN),
  publishedAt: Float64Array.of(40, NaN),
  publishedUntil: Float64Array.of(50, NaN),
  validFrom: Float64Array.of(NaN, 0),
  validTo: Float64Array.of(NaN, 10),
});
/** Of a wall clock that shows what instants are. */
export const sameInstants = (stretches: Float64Array): Float64Array =>
  Float64Array.from({ length: 2 * stretches.length }, (_, at) => {
    return stretches[2 * Math.floor(at / 4) + (at % 2)]!;
  });
export const readPassages = (lexicon: LexiconHandle): PassageHandle[] =>
  binding.readPassages(lexicon, passageTexts());

export const plainQuestion = (): PlainQuestion => ({
  terms: ['ida', '7.1rc'],
  lows: ['ida', '7.1rc'],
  weights: Float64Array.of(3, 8),
  rarities: Float64Array.of(18, 8),
  flags: Uint8Array.of(1, 2),
  nameEnds: Uint32Array.of(1),
  names: Uint32Array.of(0),
  pairs: Uint32Array.of(0, 1),
  anchor: ['rc'],
  role: 'rc',
  wanted: 3,
  order: 0,
});

export interface Opened {
  lexicon: LexiconHandle;
  passages: PassageHandle[];
  pool: PoolHandle;
}
export function opened(): Opened {
  const lexicon = fullLexicon();
  const passages = readPassages(lexicon);
  return { lexicon, passages, pool: binding.openPool(lexicon, passages, plainQuestion()) };
}

/** Of the question's two terms with each word. */
export function cosinesOfWords(pool: PoolHandle): Float64Array {
  const { ends } = binding.poolWords(pool, new Uint32Array(), new Uint32Array());
  return new Float64Array(2 * ends.length).fill(0.5);
}

/** The arguments of `matchStatements` behind the pool: five statements of two passages. */
export function matchInputs(pool: PoolHandle): Float64Array[] {
  const { weighed, ends } = binding.poolTexts(pool, new Uint32Array());
  const lengths = [weighed.length, 2, 2, ends.length - 1];
  return lengths.map((length) => new Float64Array(length).fill(0.5));
}
export function matched(): MatchesHandle {
  const { pool } = opened();
  const [idf, termIdf, scores, cosines] = matchInputs(pool) as Four;
  return binding.matchStatements(pool, idf, termIdf, scores, cosines).handle;
}
export type Four = [Float64Array, Float64Array, Float64Array, Float64Array];

export const plainOrder = (): PlainOrder => ({
  hasOperator: true,
  operatorOrder: 0,
  operatorWindow: Float64Array.of(0, 20),
  isWhen: false,
  isPublished: false,
  isNow: true,
  isPast: false,
  askedAt: 60,
  order: 0,
  place: 1,
  window: Float64Array.of(0, 20),
  alternatives: Float64Array.of(0, 5, 10, 15),
  named: Float64Array.of(0, 5),
  held: Float64Array.of(10, 20),
  isEvent: false,
});

const noClocks = (): PassageClocks => ({
  ...{ publishedAt: Float64Array.of(NaN), publishedUntil: Float64Array.of(NaN) },
  ...{ validFrom: Float64Array.of(NaN), validTo: Float64Array.of(NaN) },
});

/** Good arguments of each export. */
export function goodFactsArguments(segment: Segment): GoodArguments {
  const { lexicon, passages, pool } = opened();
  const matches = matched();
  const ofMatch = () => [matches, 0];
  return {
    openLexicon: () => [encoder],
    readWords: () => ['Ida 7.1rc'],
    joinsName: () => [' of '],
    readPassages: () => [newLexicon(), passageTexts(), sameInstants],
    isComparison: () => ['than in '],
    unpackPassages: () => [lexicon, segment, Uint32Array.of(0), noClocks()],
    lexiconBytes: () => [lexicon],
    wordOf: () => [lexicon, 0],
    textsOf: () => [lexicon, Uint32Array.of(0)],
    numberOf: () => [lexicon, 'ida'],
    withValidity: () => [passages[0], 0.5, 10.5],
    withTimes: () => [passages[0], Float64Array.of(...time)],
    passageColumns: () => [passages[0]],
    vocabularyOf: () => [lexicon, [...passages]],
    namesOfInitials: () => [lexicon, [...passages], ['ib']],
    openPool: () => [lexicon, [...passages], plainQuestion()],
    poolTexts: () => [pool, Uint32Array.of(1, 2)],
    poolWords: () => [pool, Uint32Array.of(1, 2), Uint32Array.of(1, 2)],
    coverageOf: () => [pool, Float64Array.of(1, 2), cosinesOfWords(pool)],
    matchStatements: () => [pool, ...matchInputs(pool)],
    compareMatches: () => [matched(), new Uint8Array()],
    featuresOf: ofMatch,
    heldShares: () => [matches, ['ida', 'ib'], Uint32Array.of(1, 2), Float64Array.of(1, 2)],
    varyingOf: ofMatch,
    hasSubject: ofMatch,
    compareStatements: () => [matches, 0, 1],
    membersOf: () => [matches, plainOrder(), new Uint8Array()],
    holdingIn: () => [Float64Array.of(0, 10, NaN, 0), Float64Array.of(0, 20), false, 0.5],
  };
}
