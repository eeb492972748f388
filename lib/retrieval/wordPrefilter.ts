// Which of the rows that were found may have some plain words in their text, by their terms alone:
// the texts of the others need not be read. What it lets through may have none of the words still:
// "reading" has the term of "reads". It scores nothing.
import type { Segment } from '../../binding.js';
import { mayContainWord, wordTerm } from '../text/wordTerms.js';
import type { Candidate } from './candidate.js';
import type { QueryContext } from './queryContext.js';
import { countTerms } from './termCounts.js';

/** Terms that are looked up for one question; more would take longer than reading. */
const maxTerms = 64;

/** The terms of a segment with an apostrophe, which are few. Segments never change. */
const joinedTerms = new WeakMap<Segment, readonly string[]>();

/**
 * For each of the rows whether it may have all words of one of the spellings. Undefined where terms
 * do not tell: for another analyzer than the English one, or where a spelling has no word that they
 * tell of.
 * @param spellings words, composed and in lower case, that stand in a text as tokens of their own
 * (`answerTokens`)
 */
export async function prefilterByWords(
  { snapshot, analyzer }: Pick<QueryContext, 'snapshot' | 'analyzer'>,
  rows: readonly Pick<Candidate, 'segment' | 'row'>[],
  spellings: readonly (readonly string[])[],
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (analyzer.id !== 'english-porter-1') return undefined;
  const joined = snapshot.segments.flatMap(({ segment }) => termsWithApostrophe(segment));
  const numbers = new Map<string, number>();
  const numberOf = (term: string): number =>
    numbers.get(term) ?? (numbers.set(term, numbers.size), numbers.size - 1);
  const termsOf = (word: string): number[] => {
    const term = wordTerm(analyzer, word);
    return term === undefined
      ? []
      : [term, ...joined.filter((each) => mayContainWord(each, word))].map(numberOf);
  };
  // each word by one of its terms
  const wanted = spellings.map((words) => words.map(termsOf).filter((terms) => terms.length > 0));
  if (numbers.size > maxTerms || wanted.some((words) => words.length === 0)) return undefined;
  const width = numbers.size;
  const { counts } = await countTerms(snapshot, rows, [...numbers.keys()], signal);
  const may = new Uint8Array(rows.length);
  let row = 0;
  const held = (term: number): boolean => counts[row * width + term]! > 0;
  const hasWord = (terms: readonly number[]): boolean => terms.some(held);
  const hasWords = (words: readonly (readonly number[])[]): boolean => words.every(hasWord);
  for (; row < rows.length; row += 1) if (wanted.some(hasWords)) may[row] = 1;
  return may;
}

function termsWithApostrophe(segment: Segment): readonly string[] {
  let terms = joinedTerms.get(segment);
  if (!terms) joinedTerms.set(segment, (terms = readTermsWithApostrophe(segment)));
  return terms;
}

/**
 * From the dictionary as it lies (native/index/lexical/postings_writer.hpp): a look for apostrophes
 * over all of it.
 */
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
