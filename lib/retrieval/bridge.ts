// Where the question's other words leave many passages alike, and none of them has the word that
// would decide, the word of theirs that stands in its place: asked for a "champion", a corpus of
// matches has only "final". Names and numbers are never chosen, since they paraphrase nothing;
// where nothing is missing, or something else decides, nothing changes.
import { invalidArgument } from '../errors.js';
import { stage, type Stage } from '../pipeline.js';
import { passageText } from '../store/rows.js';
import { lowercaseWords, surnames } from '../text/words.js';
import { wordVectors, type WordVectors } from '../vectors/wordVectors.js';
import type { Asked, Candidate, Candidates } from './candidate.js';
import { termsHeld } from './textTable.js';
import { fewAlike, leastAlike, publishedWhen } from './fewAlike.js';
import { search, type Ranking } from './search.js';
import { textsOf } from './texts.js';

export interface BridgeOptions {
  /** Passages are alike that score at least this share of the best, 0 to 1. Default 0.85. */
  alike?: number;
  /** As many passages must be alike. Default 10. */
  fewest?: number;
}

/** Of the best passages, those that must all lack a word for it to be missing. */
const lacking = 50;
/**
 * Passages whose texts are analyzed before the others are asked which words they have: mostly the
 * first have them all.
 */
const lookedAt = 12;
/** Passages looked at for the word in its place. */
const sampled = 200;

export interface Bridged {
  /** The question's words that no passage has. */
  missing: string[];
  /** The word of the passages that stands for them. */
  found: string;
  /** Their mean similarity. */
  similarity: number;
}

/**
 * Searches again with the word that stands for what no passage found has; passes on what was found
 * where nothing is missing. Stages that follow see the question with that word in it; its vector
 * stays.
 * @param again the stage that gave the candidates
 * @param among the search whose passages are compared; one that reads time finds those alike in all
 * but what is missing
 * @param ranked how many of the candidates, the first, are what `among` gives; 0 where another
 * search found them
 */
export function bridge(
  again: Stage<Asked, Candidates>,
  among: Ranking,
  options: BridgeOptions = {},
  ranked = 0,
): Stage<Candidates, Candidates> {
  const { alike = 0.85, fewest = 10 } = options;
  if (!(alike >= 0 && alike <= 1))
    throw invalidArgument('bridge.alike', 'a share from 0 to 1', alike);
  if (!Number.isInteger(fewest) || fewest < 2)
    throw invalidArgument('bridge.fewest', 'a whole number from 2', fewest);
  return stage('bridge', async (candidates, context) => {
    const { asked, found } = candidates;
    const words = await wordVectors();
    const { passage } = textsOf(asked);
    const textOf = (each: Candidate): string => passageText(passage(each));
    const absent = await absentTerms(asked, found.slice(0, lacking), textOf, words, context.signal);
    if (absent.length === 0) return candidates;
    const kept = without(asked, absent);
    const tell = ranked >= fewest && found.length >= ranked;
    if (
      tell &&
      (await fewAlike(
        asked,
        kept,
        found.slice(0, ranked),
        among,
        { alike, fewest },
        context.signal,
      ))
    )
      return candidates;
    const others = await search(kept, { ...among, n: sampled }, context.signal);
    if (
      others.length === 0 ||
      others.filter(alikeTo(others[0]!, asked, among, alike)).length < fewest
    )
      return candidates;
    const missing = rareIn(await termsHeld(asked, others, absent, context.signal), absent);
    if (missing.length === 0) return candidates;
    const said = commonTerms(asked, others.map(textOf));
    const bridged = bridging(missing, said, others.length, new Set(asked.terms()), words);
    if (!bridged) return candidates;
    context.note('bridged', bridged);
    return again.run(withWord(asked, bridged, said.get(bridged.found)!.written), context);
  });
}

/** The question with the word found, as the texts write it first, for those that were missing. */
function withWord(asked: Asked, { missing, found }: Bridged, written: string): Asked {
  const { analyzer, searchText } = asked;
  const isMissing = (word: string): boolean =>
    analyzer.analyze(word).some((term) => missing.includes(term));
  const kept = searchText.replace(/[\p{L}\p{N}'’]+/gu, (word) => (isMissing(word) ? '' : word));
  const terms = [...without(asked, missing).terms(), found];
  return { ...asked, searchText: `${kept} ${written}`, terms: () => terms };
}

/**
 * Whether a candidate scores, matches and was published as the best: relevance apart from the
 * score, which time may rule.
 */
function alikeTo(
  best: Candidate,
  asked: Asked,
  { relevance }: Ranking,
  share: number,
): (each: Candidate) => boolean {
  const published = (each: Candidate): number => publishedWhen(asked, each);
  const relevant = ({ scores }: Candidate): number =>
    relevance.semantic * (scores['similarity'] ?? 0) + relevance.lexical * (scores['lexical'] ?? 0);
  const [at, score, match] = [
    published(best),
    leastAlike(best.score, share),
    leastAlike(relevant(best), share),
  ];
  return (each) => each.score >= score && relevant(each) >= match && Object.is(published(each), at);
}

/** The question without some of its terms. */
function without(asked: Asked, missing: readonly string[]): Asked {
  const kept = asked.terms().filter((term) => !missing.includes(term));
  return { ...asked, terms: () => kept };
}

/**
 * Terms of the question's common words that no candidate has but as the last of its capitalised
 * ones, where surnames stand.
 */
async function absentTerms(
  asked: Asked,
  found: readonly Candidate[],
  textOf: (each: Candidate) => string,
  words: WordVectors,
  signal?: AbortSignal,
): Promise<string[]> {
  const { analyzer, parsed } = asked;
  const searched = new Set(asked.terms());
  const first = parsed.text.match(/\p{L}+/u)?.[0].toLowerCase() ?? '';
  const left = new Set(
    analyzer
      .analyze(`${first} ${lowercaseWords(parsed.text).join(' ')}`)
      .filter((term) => words.has(term) && searched.has(term)),
  );
  if (left.size === 0) return [];
  let held: string[][] | undefined;
  for (const [at, each] of found.entries()) {
    if (left.size === 0) break;
    if (at === lookedAt) held = await termsHeld(asked, found.slice(lookedAt), [...left], signal);
    if (held && !held[at - lookedAt]!.some((term) => left.has(term))) continue;
    const text = textOf(each);
    const terms = analyzer.analyze(text);
    for (const name of analyzer.analyze(surnames(text).join(' ')))
      terms.splice(terms.indexOf(name), 1);
    for (const term of terms) left.delete(term);
  }
  return [...left];
}

/**
 * Those that few of the passages have in any spelling: a word with a capital in most of them is no
 * name. `held`: which each has.
 */
function rareIn(held: readonly (readonly string[])[], terms: readonly string[]): string[] {
  return terms.filter((term) => held.filter((own) => own.includes(term)).length <= held.length / 5);
}

/** A term of common words. */
export interface SaidTerm {
  /** How many of the texts have it. */
  texts: number;
  /** The word that the first of them has for it. */
  written: string;
}

/**
 * The terms of the common words of texts. Passages alike share most of their words: each is
 * analyzed once, and no text has a set of its own.
 */
export function commonTerms(
  { analyzer }: Pick<Asked, 'analyzer'>,
  texts: readonly string[],
): Map<string, SaidTerm> {
  const said = new Map<string, SaidTerm & { last: number }>();
  const termsOf = new Map<string, (SaidTerm & { last: number })[]>();
  for (const [at, text] of texts.entries()) {
    for (const word of lowercaseWords(text)) {
      let terms = termsOf.get(word);
      if (!terms) {
        terms = analyzer.analyze(word).map((term) => {
          let known = said.get(term);
          if (!known) said.set(term, (known = { texts: 0, written: word, last: -1 }));
          return known;
        });
        termsOf.set(word, terms);
      }
      for (const term of terms) {
        if (term.last === at) continue;
        term.last = at;
        term.texts += 1;
      }
    }
  }
  return said;
}

/**
 * The term whose similarity to the missing ones, times the logarithm of how few of the texts have
 * it, is greatest. A term that every text has sets none apart; undefined where there is no other.
 */
export function bridging(
  missing: readonly string[],
  said: ReadonlyMap<string, Pick<SaidTerm, 'texts'>>,
  texts: number,
  asked: ReadonlySet<string>,
  words: Pick<WordVectors, 'has' | 'similarity'>,
): Bridged | undefined {
  let best: { term: string; gain: number; similarity: number } | undefined;
  for (const [term, { texts: having }] of said) {
    if (asked.has(term) || !words.has(term)) continue;
    const similarity =
      missing.reduce((sum, each) => sum + (words.similarity(each, term) ?? 0), 0) / missing.length;
    const gain = similarity * Math.log(texts / having);
    if (gain > (best?.gain ?? 0) || (gain === best?.gain && term < best.term))
      best = { term, gain, similarity };
  }
  return best && { missing: [...missing], found: best.term, similarity: best.similarity };
}
