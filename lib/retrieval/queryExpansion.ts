// Query expansion by pseudo-relevance feedback: a query word that no passage contains is replaced
// by the most similar word of the top passages. Names and numbers are never chosen.
import { invalidArgument, mustBeWhole } from '../errors.js';
import { stage, type Stage } from '../pipeline.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import { passageText } from '../store/writing/rows.js';
import type { Analyzer } from '../text/analyzer.js';
import { textPieces, lowercaseWords, surnames } from '../text/pieces.js';
import { questionEnd } from '../time/question/question.js';
import { wordVectors, type WordVectors } from '../vectors/wordVectors.js';
import type { Candidate, Candidates } from './candidate.js';
import { passageTexts } from './passageTexts.js';
import type { QueryContext } from './queryContext.js';
import { search, type Ranking } from './search.js';
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
 */
export function expandQuery(
  retrieval: Stage<QueryContext, Candidates>,
  ranking: Ranking,
  options: ExpansionOptions = {},
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
  { snapshot }: QueryContext,
  { relevance }: Ranking,
  share: number,
): (each: Candidate) => boolean {
  const published = ({ segment, row }: Candidate): number =>
    publishedOf(snapshot.segments[segment]!, row);
  const relevant = ({ scores }: Candidate): number =>
    relevance.semantic * (scores['similarity'] ?? 0) + relevance.lexical * (scores['lexical'] ?? 0);
  const floor = (greatest: number): number => greatest - (1 - share) * Math.abs(greatest);
  const [at, score, match] = [published(best), floor(best.score), floor(relevant(best))];
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
  words: Pick<WordVectors, 'has' | 'similarity'>,
): Expansion | undefined {
  let best: { term: string; gain: number; similarity: number } | undefined;
  for (const [term, { texts: frequency }] of occurrences) {
    if (queryTerms.has(term) || !words.has(term)) continue;
    const similarity =
      missing.reduce((sum, each) => sum + (words.similarity(each, term) ?? 0), 0) / missing.length;
    const gain = similarity * Math.log(texts / frequency);
    if (gain > (best?.gain ?? 0) || (gain === best?.gain && term < best.term))
      best = { term, gain, similarity };
  }
  return best && { missing: [...missing], term: best.term, similarity: best.similarity };
}
