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
import type { Call } from './calls.js';

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

/** A good call of each export. */
export function goodFactsCalls(segment: Segment): Record<string, Call> {
  const { lexicon, passages, pool } = opened();
  const matches = matched();
  const ofMatch: Pick<Call, 'args' | 'kinds'> = {
    args: () => [matches, 0],
    kinds: ['handle', 'count'],
  };
  return {
    openLexicon: { args: () => [encoder], kinds: ['handle'] },
    readWords: { args: () => ['Ida 7.1rc'], kinds: ['string'] },
    joinsName: { args: () => [' of '], kinds: ['string'] },
    readPassages: {
      args: () => [newLexicon(), passageTexts(), sameInstants],
      kinds: ['handle', 'object', 'optional class'],
    },
    isComparison: { args: () => ['than in '], kinds: ['string'] },
    unpackPassages: {
      args: () => [lexicon, segment, Uint32Array.of(0), noClocks()],
      kinds: ['handle', 'object', 'array', 'object'],
    },
    lexiconBytes: { args: () => [lexicon], kinds: ['handle'] },
    wordOf: { args: () => [lexicon, 0], kinds: ['handle', 'count'] },
    textsOf: { args: () => [lexicon, Uint32Array.of(0)], kinds: ['handle', 'array'] },
    numberOf: { args: () => [lexicon, 'ida'], kinds: ['handle', 'string'] },
    withValidity: {
      args: () => [passages[0], 0, 10],
      kinds: ['handle', 'number', 'number'],
    },
    withTimes: { args: () => [passages[0], Float64Array.of(...time)], kinds: ['handle', 'array'] },
    passageColumns: { args: () => [passages[0]], kinds: ['handle'] },
    vocabularyOf: { args: () => [lexicon, [...passages]], kinds: ['handle', 'object'] },
    namesOfInitials: {
      args: () => [lexicon, [...passages], ['ib']],
      kinds: ['handle', 'object', 'object'],
    },
    openPool: {
      args: () => [lexicon, [...passages], plainQuestion()],
      kinds: ['handle', 'object', 'object'],
    },
    poolTexts: { args: () => [pool, Uint32Array.of(1, 2)], kinds: ['handle', 'array'] },
    poolWords: {
      args: () => [pool, Uint32Array.of(1, 2), Uint32Array.of(1, 2)],
      kinds: ['handle', 'array', 'array'],
    },
    coverageOf: {
      args: () => [pool, Float64Array.of(1, 2), cosinesOfWords(pool)],
      kinds: ['handle', 'array', 'array'],
    },
    matchStatements: {
      args: () => [pool, ...matchInputs(pool)],
      kinds: ['handle', 'array', 'array', 'array', 'array'],
    },
    compareMatches: { args: () => [matched(), new Uint8Array()], kinds: ['handle', 'array'] },
    featuresOf: ofMatch,
    heldShares: {
      args: () => [matches, ['ida', 'ib'], Uint32Array.of(1, 2), Float64Array.of(1, 2)],
      kinds: ['handle', 'object', 'array', 'array'],
    },
    varyingOf: ofMatch,
    hasSubject: ofMatch,
    compareStatements: {
      args: () => [matches, 0, 1],
      kinds: ['handle', 'count', 'count'],
    },
    membersOf: {
      args: () => [matches, plainOrder(), new Uint8Array()],
      kinds: ['handle', 'object', 'array'],
    },
    holdingIn: {
      args: () => [Float64Array.of(0, 10, NaN, 0), Float64Array.of(0, 20), false, 0],
      kinds: ['array', 'array', 'boolean', 'number'],
    },
  };
}
