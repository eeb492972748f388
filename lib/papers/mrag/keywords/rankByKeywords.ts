// MRAG's keyword ranking (appendix F): passages by the weights of the question's keywords in them.
import type { Candidate, Candidates } from '../../../retrieval/candidate.js';
import type { QueryContext } from '../../../retrieval/queryContext.js';
import { passageTexts } from '../../../retrieval/passageTexts.js';
import { throwIfAborted } from '../../../errors.js';
import type { StoredPassage } from '../../../records.js';
import { stage, type Stage } from '../../../pipeline.js';
import { plainTexts } from '../../../store/passages/passages.js';
import { keywordScorer, type KeywordQuery, type KeywordScorer } from './keyword.js';
import { yieldToEventLoop } from '../../../runtime/eventLoop.js';
import type { Segment } from '../../../../binding.js';
import type { CacheSpec } from '../../../runtime/cacheRegistry.js';
import { countTerms } from '../../../retrieval/termCounts.js';
import type { Analyzer } from '../../../text/analyzer.js';

const titled = ({ title, text }: Pick<StoredPassage, 'title' | 'text'>): string =>
  title === undefined ? text : `${title} ${text}`;

/**
 * Keeps the n passages with the highest sums of keyword weights, in that order; ties keep the order
 * of retrieval. The sum is the column `keywords`; `score` stays that of retrieval, since the sum is
 * no relevance. Without keywords all tie.
 */
export function rankByKeywords(n: number): Stage<Candidates, Candidates> {
  return stage(
    `rankByKeywords(${n})`,
    async ({ query, hits }, { note, signal }) => {
      const { keywords = [] }: KeywordQuery = query;
      note(
        'keywords',
        keywords.map(({ text }) => text),
      );
      if (keywords.length === 0) return { query, hits: hits.slice(0, n) };
      const scores = await sumKeywords(query, hits, keywordScorer(keywords), signal);
      const kept = Array.from(scoreOrder(scores).subarray(0, n), (at) => hits[at]!);
      note('kept', kept.length);
      return { query, hits: kept };
    },
    'MRAG appendix F, keyword ranking',
  );
}

/** Indices of scores in descending order, stable: for a thousand of which few are used. */
function scoreOrder(scores: Float64Array): Uint32Array {
  const places = new Uint32Array(scores.length);
  for (let at = 0; at < places.length; at += 1) places[at] = at;
  return places.sort((a, b) => scores[b]! - scores[a]! || a - b);
}

/** Most passages have no keyword: a prefilter by terms or raw records saves reading them. */
async function sumKeywords(
  query: QueryContext,
  hits: readonly Candidate[],
  scorer: KeywordScorer,
  signal?: AbortSignal,
): Promise<Float64Array> {
  const { snapshot } = query;
  const whole = hits.every(({ segment, row }) => row < snapshot.segments[segment]!.passages);
  const mayScore = whole
    ? await prefilterByWords(query, hits, scorer.spellings, signal)
    : undefined;
  const texts = passageTexts(query);
  const scores = new Float64Array(hits.length);
  for (const segment of new Set(hits.map((each) => each.segment))) {
    const read = [...hits.keys()].filter(
      (at) => hits[at]!.segment === segment && mayScore?.[at] !== 0,
    );
    const passages = read.map((at) => hits[at]!.passage);
    let next = 0;
    for (const record of snapshot.recordBytes(segment, passages)) {
      const at = read[next++]!;
      const turn = yieldToEventLoop();
      if (turn) await turn;
      throwIfAborted(signal);
      if (mayScore || scorer.mayScore(record))
        scores[at] = scorer.score(titled(plainTexts(record) ?? texts.passage(hits[at]!)));
    }
  }
  hits.forEach((each, at) => void (each.scores['keywords'] = scores[at]!));
  return scores;
}

/** More terms than this take longer to look up than the texts to read. */
const maxTerms = 64;

/**
 * 1 for each row that may contain all words of one of the spellings, else 0. Undefined if terms do
 * not tell: for an analyzer other than the English one, or a spelling without an indexed word.
 * @param spellings words, composed and in lower case, that are tokens of their own in a text
 * (`answerTokens`)
 */
export async function prefilterByWords(
  { snapshot, analyzer }: Pick<QueryContext, 'snapshot' | 'analyzer'>,
  rows: readonly Pick<Candidate, 'segment' | 'row'>[],
  spellings: readonly (readonly string[])[],
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (analyzer.id !== 'english-porter-1') return undefined;
  const compounds = snapshot.segments.flatMap(({ caches }) => caches.get(termsWithApostrophe));
  const numbers = new Map<string, number>();
  const numberOf = (term: string): number =>
    numbers.get(term) ?? (numbers.set(term, numbers.size), numbers.size - 1);
  const termsOf = (word: string): number[] => {
    const term = wordTerm(analyzer, word);
    return term === undefined
      ? []
      : [term, ...compounds.filter((each) => mayContainWord(each, word))].map(numberOf);
  };
  // A word is in a row if one of its terms is.
  const alternatives = spellings.map((words) =>
    words.map(termsOf).filter((terms) => terms.length > 0),
  );
  if (numbers.size > maxTerms || alternatives.some((words) => words.length === 0)) return undefined;
  const width = numbers.size;
  const { counts } = await countTerms(snapshot, rows, [...numbers.keys()], signal);
  const mayContain = new Uint8Array(rows.length);
  let row = 0;
  const occurs = (term: number): boolean => counts[row * width + term]! > 0;
  const hasWord = (terms: readonly number[]): boolean => terms.some(occurs);
  const hasWords = (words: readonly (readonly number[])[]): boolean => words.every(hasWord);
  for (; row < rows.length; row += 1) if (alternatives.some(hasWords)) mayContain[row] = 1;
  return mayContain;
}

/** The terms of a segment with an apostrophe, which are few. */
const termsWithApostrophe: CacheSpec<readonly string[], Segment> = {
  name: 'terms with apostrophe',
  create: readTermsWithApostrophe,
};

/** A scan of the dictionary for apostrophes (native/index/lexical/postings_writer.hpp). */
function readTermsWithApostrophe(segment: Segment): string[] {
  const offsets = segment.read('lexical.term_offset') as Uint32Array;
  const all = segment.read('lexical.term_bytes') as Uint8Array;
  const bytes = Buffer.from(all.buffer, all.byteOffset, all.length);
  const terms: string[] = [];
  for (
    let at = bytes.indexOf(apostrophe), term = 0;
    at >= 0;
    at = bytes.indexOf(apostrophe, offsets[term + 1])
  ) {
    while (offsets[term + 1]! <= at) term += 1;
    terms.push(bytes.toString('utf8', offsets[term], offsets[term + 1]));
  }
  return terms;
}

const apostrophe = 0x27;

/** Words that only an apostrophe can join to their neighbours. */
const plainWord = /^[a-z\u00df-\u00f6\u00f8-\u017e][a-z0-9\u00df-\u00f6\u00f8-\u017e]+$/;

/** The term of a word in lower case; undefined for stop words and words of another form. */
export function wordTerm(analyzer: Analyzer, word: string): string | undefined {
  const terms = plainWord.test(word) ? analyzer.analyze(word) : [];
  return terms.length === 1 ? terms[0] : undefined;
}

/** Final letters that stemming may change: "-bility" becomes "-ble". */
const maxChangedLetters = 3;

/**
 * Whether a term with apostrophes may contain `word` among its joined words. Stemming changes only
 * the last of them, and of its first letter only y to i; it may remove it entirely, or leave an e.
 */
export function mayContainWord(term: string, word: string): boolean {
  const parts = term.split("'");
  const last = parts.pop()!;
  if (parts.includes(word) || last === '' || last === 'e') return true;
  if (last[0] !== word[0] && !(last === 'i' && word[0] === 'y')) return false;
  return word.startsWith(last.slice(0, Math.max(0, last.length - maxChangedLetters)));
}
