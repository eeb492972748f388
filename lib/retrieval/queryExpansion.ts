// Query expansion by pseudo-relevance feedback: a query word that no passage contains is replaced
// by the most similar word of the top passages. Names and numbers are never chosen.
import { invalidArgument, mustBeWhole } from '../errors.js';
import { stage, type Stage } from '../pipeline.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import { passageText } from '../store/writing/rows.js';
import type { Analyzer } from '../text/analyzer.js';
import { textPieces, lowercaseWords, surnames } from '../text/pieces.js';
import { questionEnd } from '../time/question/questionText.js';
import { wordVectors, type WordVectors } from '../vectors/wordVectors.js';
import { type Candidate, type Candidates, passageKey } from './candidate.js';
import { passageTexts } from './passageTexts.js';
import type { QueryContext } from './queryContext.js';
import { search, type Ranking, lexicalMaxima, lexicalOnly, searchRows } from './search.js';
import { containedTerms } from './termCounts.js';
import { publishedOf } from '../store/views/rowTimes.js';

export interface ExpansionOptions {
  /**
   * Passages that score at least this share of the best one's score are similar, 0 to 1. Default
   * 0.85.
   */
  alike?: number | undefined;
  /** Similar passages needed for an expansion, from 2. Default 10. */
  fewest?: number | undefined;
}

/** A word is missing if none of this many top passages contains it. */
const missingDepth = 50;
/** Analyzed before the postings are consulted: usually these contain every word. */
const analyzedFirst = 12;
const analyzedUnits = 65_536;
/** Feedback passages, from which the replacement is chosen. */
const feedbackDepth = 200;

export interface Expansion {
  /** Query terms that no passage contains. */
  missing: string[];
  /** The feedback term that replaces them. */
  term: string;
  /** Mean cosine of the term and the missing ones, -1 to 1. */
  similarity: number;
}

/**
 * Repeats the retrieval with a feedback term in place of the missing ones; without missing terms,
 * or where something else separates the passages, the candidates pass unchanged. Later stages see
 * the expanded terms; the query vector stays. Notes: expansion.
 * @param retrieval the stage that produced the candidates
 * @param ranking the search whose passages are compared; one with a temporal form finds passages
 * that are similar in all but the missing terms
 * @param depth how many of the candidates, from the first, `ranking` produced; 0 if another search
 * did
 */
export function expandQuery(
  retrieval: Stage<QueryContext, Candidates>,
  ranking: Ranking,
  options: ExpansionOptions = {},
  depth = 0,
): Stage<Candidates, Candidates> {
  const { alike = 0.85, fewest = 10 } = options;
  if (!(alike >= 0 && alike <= 1))
    throw invalidArgument('expansion.alike', 'a share from 0 to 1', alike);
  mustBeWhole({ 'expansion.fewest': fewest }, 2);
  return stage('expandQuery', async (candidates, context) => {
    const { query, hits } = candidates;
    const { signal } = context;
    const words = await wordVectors(query.snapshot.caches);
    const { passage } = passageTexts(query);
    const textOf = (each: Candidate): string => passageText(passage(each));
    const absent = await missingTerms(query, hits.slice(0, missingDepth), textOf, words, signal);
    if (absent.length === 0) return candidates;
    const reduced = withoutTerms(query, absent);
    if (depth >= fewest && hits.length >= depth) {
      const best = hits.slice(0, depth);
      const threshold = { alike, fewest };
      if (!(await expansionNeeded({ query, reduced, best, ranking, threshold, signal })))
        return candidates;
    }
    const feedback = await search(reduced, { ...ranking, n: feedbackDepth }, signal);
    if (
      feedback.length === 0 ||
      feedback.filter(similarTo(feedback[0]!, query, ranking, alike)).length < fewest
    )
      return candidates;
    const missing = rareTerms(
      await containedTerms(query.snapshot, feedback, absent, signal),
      absent,
    );
    if (missing.length === 0) return candidates;
    const occurrences = await commonTerms(query, feedback.map(textOf), signal);
    const queryTerms = new Set(query.terms());
    const expansion = chooseExpansion(missing, occurrences, feedback.length, queryTerms, words);
    if (!expansion) return candidates;
    context.note('expansion', expansion);
    const { surfaceForm } = occurrences.get(expansion.term)!;
    return retrieval.run(withExpansion(query, expansion, surfaceForm), context);
  });
}

/** The query with the expansion term, in the texts' first spelling, for the missing ones. */
function withExpansion(
  query: QueryContext,
  { missing, term }: Expansion,
  surfaceForm: string,
): QueryContext {
  const { analyzer, searchText } = query;
  const isMissing = (word: string): boolean =>
    analyzer.analyze(word).some((each) => missing.includes(each));
  const rest = searchText.replace(/[\p{L}\p{N}'’]+/gu, (word) => (isMissing(word) ? '' : word));
  const terms = [...withoutTerms(query, missing).terms(), term];
  return { ...query, searchText: `${rest} ${surfaceForm}`, terms: () => terms };
}

/** As relevant as the best, apart from time, and published with it. */
function similarTo(
  best: Candidate,
  query: QueryContext,
  { relevance }: Ranking,
  share: number,
): (each: Candidate) => boolean {
  const published = (each: Candidate): number => publicationTime(query, each);
  const relevant = ({ scores }: Candidate): number =>
    relevance.semantic * (scores['similarity'] ?? 0) + relevance.lexical * (scores['lexical'] ?? 0);
  const [at, score, match] = [
    published(best),
    similarityFloor(best.score, share),
    similarityFloor(relevant(best), share),
  ];
  return (each) => each.score >= score && relevant(each) >= match && Object.is(published(each), at);
}

/** The query without some of its terms. */
function withoutTerms(query: QueryContext, missing: readonly string[]): QueryContext {
  const rest = query.terms().filter((term) => !missing.includes(term));
  return { ...query, terms: () => rest };
}

/** Terms of common words that no candidate contains, but for surnames. */
async function missingTerms(
  query: QueryContext,
  hits: readonly Candidate[],
  textOf: (each: Candidate) => string,
  words: WordVectors,
  signal?: AbortSignal,
): Promise<string[]> {
  const { analyzer, parsed } = query;
  const searched = new Set(query.terms());
  const text = questionEnd(parsed.text);
  const first = text.match(/\p{L}+/u)?.[0].toLowerCase() ?? '';
  const missing = new Set(
    analyzer
      .analyze(`${first} ${lowercaseWords(text).join(' ')}`)
      .filter((term) => words.has(term) && searched.has(term)),
  );
  if (missing.size === 0) return [];
  let contained: Map<Candidate, string[]> | undefined;
  let units = 0;
  for (const [at, each] of hits.entries()) {
    if (missing.size === 0) break;
    if (!contained && (at === analyzedFirst || units > analyzedUnits)) {
      const rest = hits.slice(at);
      const terms = await containedTerms(query.snapshot, rest, [...missing], signal);
      contained = new Map(rest.map((hit, nth) => [hit, terms[nth]!]));
    }
    if (contained && !contained.get(each)!.some((term) => missing.has(term))) continue;
    const text = textOf(each);
    units += text.length;
    await deleteContained(missing, text, analyzer, signal);
  }
  return [...missing];
}

/** Deletes the terms that a text has elsewhere than in a surname. */
async function deleteContained(
  terms: Set<string>,
  text: string,
  analyzer: Analyzer,
  signal?: AbortSignal,
): Promise<void> {
  for (const piece of textPieces(text)) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const occurrences = new Map<string, number>();
    const count = (term: string, by: number): void =>
      void (terms.has(term) && occurrences.set(term, (occurrences.get(term) ?? 0) + by));
    for (const term of analyzer.analyze(piece)) count(term, 1);
    if (occurrences.size === 0) continue;
    for (const name of analyzer.analyze(surnames(piece).join(' '))) count(name, -1);
    for (const [term, remaining] of occurrences) if (remaining > 0) terms.delete(term);
    if (terms.size === 0) return;
  }
}

/**
 * Terms that at most a fifth of the passages contain in any spelling: a word that is capitalised in
 * most of them is no name. `contained`: the terms of each passage.
 */
function rareTerms(contained: readonly (readonly string[])[], terms: readonly string[]): string[] {
  return terms.filter(
    (term) => contained.filter((each) => each.includes(term)).length <= contained.length / 5,
  );
}

/** A term of common words in a list of texts. */
export interface TermOccurrence {
  /** Number of texts that contain it. */
  texts: number;
  /** Its word in the first of them. */
  surfaceForm: string;
}

/**
 * The terms of the common words of texts. Similar passages share most of their words: each word is
 * analyzed once, and no text has a set of its own.
 */
export async function commonTerms(
  { analyzer }: Pick<QueryContext, 'analyzer'>,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, TermOccurrence>> {
  type Counter = TermOccurrence & { last: number };
  const occurrences = new Map<string, Counter>();
  const termsOf = new Map<string, Counter[]>();
  const count = (word: string, at: number): void => {
    let terms = termsOf.get(word);
    if (!terms) {
      terms = analyzer.analyze(word).map((term) => {
        let counter = occurrences.get(term);
        if (!counter) occurrences.set(term, (counter = { texts: 0, surfaceForm: word, last: -1 }));
        return counter;
      });
      termsOf.set(word, terms);
    }
    for (const term of terms) {
      if (term.last === at) continue;
      term.last = at;
      term.texts += 1;
    }
  };
  for (const [at, text] of texts.entries()) {
    for (const piece of textPieces(text)) {
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
      for (const word of lowercaseWords(piece)) count(word, at);
    }
  }
  return occurrences;
}

/**
 * The term with the greatest product of mean similarity to the missing ones and ln(texts / texts
 * with it), an inverse document frequency over the feedback. Undefined where every product is 0 or
 * less.
 */
export function chooseExpansion(
  missing: readonly string[],
  occurrences: ReadonlyMap<string, Pick<TermOccurrence, 'texts'>>,
  texts: number,
  queryTerms: ReadonlySet<string>,
  words: Pick<WordVectors, 'similarity'>,
): Expansion | undefined {
  let best: { term: string; gain: number; similarity: number } | undefined;
  for (const [term, { texts: frequency }] of occurrences) {
    if (queryTerms.has(term)) continue;
    const similarity =
      missing.reduce((sum, each) => sum + (words.similarity(each, term) ?? 0), 0) / missing.length;
    const gain = similarity * Math.log(texts / frequency);
    if (gain > (best?.gain ?? 0) || (gain === best?.gain && term < best.term))
      best = { term, gain, similarity };
  }
  return best && { missing: [...missing], term: best.term, similarity: best.similarity };
}

/** When passages are similar (scores of at least `alike` times the best), and how many suffice. */
interface SimilarityThreshold {
  alike: number;
  fewest: number;
}

/** Smallest value that counts as similar to `best`. */
export const similarityFloor = (best: number, share: number): number =>
  best - (1 - share) * Math.abs(best);

/** Publication time of the candidate's passage; NaN if unknown. */
export const publicationTime = ({ snapshot }: QueryContext, { segment, row }: Candidate): number =>
  publishedOf(snapshot.segments[segment]!, row);

/** Bound on the rounding of scores by the scan, which is in single precision. */
const roundingError = 1e-5;

interface ExpansionCheck {
  query: QueryContext;
  /** The query without its missing terms. */
  reduced: QueryContext;
  /** The first results of `ranking` for all terms, at least `threshold.fewest`. */
  best: readonly Candidate[];
  ranking: Ranking;
  threshold: SimilarityThreshold;
  signal?: AbortSignal | undefined;
}

/**
 * False only if a search for `reduced` is certain to find fewer than `fewest` similar passages.
 * With fewer terms BM25 is no greater, and its maximum smaller by the share d: relevance grows by d
 * times the weight of BM25 at most, and scores, which time at most doubles, by twice that. If the
 * last of `best` stays below the floor then, so does every passage after it, and only `best` has to
 * be counted.
 */
export async function expansionNeeded({
  query,
  reduced,
  best,
  ranking,
  threshold: { alike, fewest },
  signal,
}: ExpansionCheck): Promise<boolean> {
  const {
    scope,
    mask,
    relevance: { semantic, lexical },
  } = ranking;
  if (scope !== 'passages' || ranking.form?.(query).combine === 'sum') return true;
  // The last is similar with all terms; with fewer it hardly differs, and the check costs a search.
  if (best.at(-1)!.score >= similarityFloor(best[0]!.score, alike)) return true;
  const [[maxFull, maxReduced], matches] = await Promise.all([
    lexicalMaxima([query, reduced], ranking, signal) as Promise<[number, number]>,
    searchRows(
      reduced,
      { scope, relevance: { ...ranking.relevance, ...lexicalOnly }, ...(mask && { mask }) },
      signal,
      best,
    ),
  ]);
  const score = (
    { scores: { similarity = 0, temporal = 1 } }: Candidate,
    bm25: number,
    maximum: number,
  ): number => {
    const relevance = semantic * similarity + (maximum > 0 ? (lexical * bm25) / maximum : 0);
    return relevance * (relevance >= 0 ? temporal : 2 - temporal);
  };
  const reproduced = (each: Candidate): boolean =>
    Math.abs(score(each, each.scores['lexical'] ?? 0, maxFull) - each.score) < roundingError;
  if (!best.every((each) => reproduced(each) && (each.scores['temporal'] ?? 1) <= 2)) return true;
  const { segment, passage } = matches;
  const bm25Of = new Map(
    Array.from(matches.score, (value, hit) => [
      passageKey({ segment: segment[hit]!, passage: passage[hit]! }),
      value,
    ]),
  );
  const rescored = best.map((each) => {
    const bm25 = bm25Of.get(passageKey(each)) ?? 0;
    const relevant = semantic * (each.scores['similarity'] ?? 0) + lexical * bm25;
    return {
      score: score(each, bm25, maxReduced),
      relevant,
      published: publicationTime(query, each),
    };
  });
  const top = rescored.reduce((most, each) => Math.max(most, each.score), -Infinity);
  const floor = similarityFloor(top, alike) - roundingError;
  const growth = maxFull > 0 ? 2 * lexical * (1 - maxReduced / maxFull) : 0;
  if (best.at(-1)!.score + growth + roundingError >= floor) return true;
  const close = rescored.filter((each) => each.score >= floor);
  // Of candidates within the rounding error of the best, any may be the reference of the
  // comparison.
  const first = close.filter((each) => each.score >= top - roundingError);
  return !first.every(({ relevant, published }) => {
    const enough = similarityFloor(relevant, alike) - 1e-4;
    return (
      close.filter((each) => each.relevant >= enough && Object.is(each.published, published))
        .length < fewest
    );
  });
}
