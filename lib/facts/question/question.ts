// What a question asks of series: its operator on time, and its content words with their weights,
// whole names, values and adjacent pairs.
import { binding } from '../../binding.js';
import type { Question } from '../../records.js';
import { answerType, type AnswerType } from '../../text/answerType.js';
import { questionClock } from '../../time/question/questionClock.js';
import { operatorOf, type TimeOperator } from '../../time/question/operator.js';
import { blanked, datedNeighbour, readOnClock, type Span } from '../../time/question/reading.js';
import { wordsOf, type PlacedWord, type Word } from '../../statements/words.js';

export interface QuestionTerm {
  term: string;
  low: string;
  /** 0 to about 9: rarity in the corpus, at most half that of the word in English; 8 of a value. */
  weight: number;
  name: boolean;
  value: boolean;
  /** Whether it is the noun of "which", of which the answer is an instance. */
  kind: boolean;
}

export interface SeriesQuestion {
  text: string;
  /** The question without its dates. */
  content: string;
  askedAt: number;
  operator: TimeOperator;
  terms: QuestionTerm[];
  /** Whole names, as places of their terms. */
  names: number[][];
  /** Places of terms that follow one another. */
  pairs: [number, number][];
  wanted: AnswerType | undefined;
  /** Whether it asks for an event rather than for a state that lasts. */
  isEvent: boolean;
  /** Whether it asks in the past tense. */
  isPast: boolean;
  /** The word before its date, its role: "born" of "born in 1853". */
  role: string | undefined;
  /** Terms of the member or event by whose time the answer is bounded. */
  anchor: { forms: string[]; weight: number }[];
}

/** What the reading of a question knows of the corpus and its candidates. */
export interface QuestionVocabulary {
  /** Inverse document frequencies of index terms. */
  idf(terms: readonly string[]): Float64Array;
  /** How rare a word is in English. */
  rarity(low: string): number;
  /** Whether a candidate has the compound. */
  hasCompound(compound: string): boolean;
  /** Whether a word is the name that short titles of candidates begin with. */
  opensTitle(low: string): boolean;
  /** Whether candidates mostly write a word with a capital within sentences. */
  isCapitalised(low: string): boolean;
  /** Whether a word is no common one of English, nor a slip of one or of a word of candidates. */
  isUncommon(low: string, term: string): boolean;
}

const listOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words of asking and of kinds of answers, which an answer need not say. */
const asking = listOf(
  'who whom whose which what when where why how did does do has have had was were is are be been ' +
    'being time moment date day days month months year years then many much tell me give show ' +
    'name i you we should would could can will shall please just exactly as of by on in at the a ' +
    'an and or not than that this these those there it its his her their they he she any all ' +
    'some one ones only so far up to version release edition number figure value amount person',
);
/** Words of order and relation, where the reading leaves them. */
const ordering = listOf(
  'first last latest newest recent recently most current currently now earliest finally ' +
    'immediately previous previously next today before after since until still yet already ago ' +
    'ever',
);

const mostIdf = 8;

/**
 * A question's content without words of asking, and of order as far as the reading takes them out;
 * names keep theirs. Which passages happen to have them says nothing of their relevance. Unchanged
 * where nothing would be left and no order is asked for, as of the query "release".
 */
export function withoutAsking(content: string, question: Question): string {
  const { text } = question;
  const { order, removed } = readOnClock(text, questionClock(question));
  const lowsOf = ({ start, end }: Span): string[] =>
    wordsOf(text.slice(start, end)).map(({ low }) => low);
  const read = new Set(removed.flatMap(lowsOf));
  const words = wordsOf(content).filter(({ term }) => term !== '');
  const asked = words.filter(
    ({ low, capital, opens }) => (asking.has(low) || read.has(low)) && (!capital || opens),
  );
  return order === 'none' && asked.length === words.length ? content : blanked(content, asked);
}

export function seriesQuestion(
  { text, askedAt, timeZone }: { text: string; askedAt: number; timeZone?: string | undefined },
  given: QuestionVocabulary,
): SeriesQuestion {
  const vocabulary = hasCapitals(text) ? { ...given, isCapitalised: () => false } : given;
  const clock = questionClock({ askedAt, timeZone });
  const reading = readOnClock(text, clock);
  const operator = operatorOf(reading, clock);
  const anchorText = operator.neighbour?.anchor ?? '';
  const { anchor, dates, removed } = reading;
  const bounds = dates.filter(({ binds }) => binds);
  const dated = datedNeighbour(reading);
  const taken = [...removed, ...bounds, ...(dated ? [dated] : [])];
  const withAnchor = blanked(text, taken);
  const neighbour = operator.neighbour ? anchor : undefined;
  let content = neighbour ? blanked(withAnchor, [neighbour]) : withAnchor;
  let words = contentWords(content, vocabulary);
  const wanted = answerType(text);
  // A quantity is named by what states it: "what population".
  const kinds = wanted === 'number' ? new Set<string>() : kindsIn(content);
  const isNamed = words.some(
    (each) => each.value || kinds.has(each.low) || isNameIn(content, each, vocabulary),
  );
  if (neighbour && !isNamed) {
    content = blanked(withAnchor, [memberOf(neighbour)]);
    words = contentWords(content, vocabulary);
  }
  const terms: QuestionTerm[] = [];
  const places = new Map<string, number>();
  const names: number[][] = [];
  const pairs: [number, number][] = [];
  let run: number[] | undefined;
  let last: PlacedWord | undefined;
  const weights = weightsOf(words, vocabulary);
  for (const [at, each] of words.entries()) {
    const name = isNameIn(content, each, vocabulary);
    let place = places.get(each.term);
    if (place === undefined) {
      places.set(each.term, (place = terms.length));
      const { term, low, value } = each;
      const kind = !name && !value && kinds.has(low);
      terms.push({ term, low, weight: weights[at]!, name, value, kind });
    } else terms[place]!.name ||= name;
    const between = last ? content.slice(last.end, each.start) : '';
    if (last && /^[\s'’s]*$/u.test(between)) pairs.push([places.get(last.term)!, place]);
    if (name) {
      if (run && binding.joinsName(between)) run.push(place);
      else names.push((run = [place]));
    } else if (!(each.value && run && /^\s*$/.test(between))) run = undefined;
    last = each;
  }
  return {
    text,
    content,
    askedAt,
    operator,
    terms,
    names,
    pairs,
    wanted,
    isEvent: !reading.predicate.state,
    isPast: reading.predicate.past,
    role: anchorText === '' ? roleBefore(bounds[0]?.start ?? -1, words, terms) : undefined,
    anchor: anchorTerms(anchorText, vocabulary),
  };
}

/**
 * What tells a neighbour from others of its series: its value, where words stand before it. Of
 * "What came before acorn 7.0?" the series is acorn.
 */
function memberOf({ start, end, text }: Span & { text: string }): Span {
  const value = wordsOf(text).find((each) => each.value);
  return { start: start + (value?.start ?? 0), end };
}

/** The terms of an anchor, an identifier by each of its ends. */
function anchorTerms(text: string, vocabulary: QuestionVocabulary): SeriesQuestion['anchor'] {
  const words = contentWords(text, vocabulary);
  const weights = weightsOf(words, vocabulary);
  return words.map(({ term, low }, at) => {
    const ends = /[-\d]/.test(low) ? knownEnds(low, vocabulary) : [];
    return { forms: ends.length > 0 ? ends : [term], weight: weights[at]! };
  });
}

/** An identifier and its ends, as far as candidates have them: "2015-8314" of a CVE. */
const knownEnds = (identifier: string, { hasCompound }: QuestionVocabulary): string[] =>
  [...identifier.matchAll(/^|-/g)]
    .map(({ 0: hyphen, index }) => identifier.slice(index + hyphen.length))
    .filter((end) => end.length > 3 && /\d/.test(end) && hasCompound(end));

const kindPhrase = /\b[Ww](?:hich|hat)\s+(\p{Ll}[\p{L}'’-]*)(?:\s+(\p{Ll}[\p{L}'’-]*))?/u;

/**
 * The noun of "which" and the word before it, in lower case: "which public holiday". A second word
 * that is inflected is rather the verb: "which holiday follows".
 */
function kindsIn(content: string): Set<string> {
  const [, first, second] = kindPhrase.exec(content) ?? [];
  const words = [first, second !== undefined && /(?:s|ed)$/.test(second) ? undefined : second];
  return new Set(words.filter((word) => word !== undefined));
}

/** Characters from a role to its date: "born at the end of". */
const roleReach = 20;

function roleBefore(
  date: number,
  words: readonly PlacedWord[],
  terms: readonly QuestionTerm[],
): string | undefined {
  const role = words.findLast(({ end }) => end <= date);
  if (!role || role.value || date - role.end > roleReach) return undefined;
  return terms.some(({ term, name }) => name && term === role.term) ? undefined : role.term;
}

/** Rarities in the corpus, at most half those in English. */
function weightsOf(words: readonly Word[], { idf, rarity }: QuestionVocabulary): number[] {
  const inCorpus = idf(words.map(({ term }) => term));
  return words.map(({ low, value }, at) =>
    Math.min(inCorpus[at]!, value ? mostIdf : rarity(low) / 2),
  );
}

/** An identifier that candidates have by its end alone is that. */
function contentWords(text: string, vocabulary: QuestionVocabulary): PlacedWord[] {
  const { hasCompound, opensTitle } = vocabulary;
  const endOf = (compound: string): string | undefined => knownEnds(compound, vocabulary)[0];
  const isTerm = (compound: string): boolean => hasCompound(compound) || !!endOf(compound);
  return wordsOf(text, isTerm)
    .filter(
      ({ low, term }) =>
        term !== '' && (!(asking.has(low) || ordering.has(low)) || opensTitle(low)),
    )
    .map((each) => {
      const end = hasCompound(each.low) ? undefined : endOf(each.low);
      if (end === undefined) return each;
      const { term, low, value } = wordsOf(end)[0]!;
      return { ...each, term, low, value };
    });
}

/** Whether a question has capitals that tell something; else candidates tell what is a name. */
const hasCapitals = (text: string): boolean =>
  wordsOf(text).some(({ opens, low, start, end }) => !opens && text.slice(start, end) !== low);

/**
 * Capitals within the question, or inside the word, the name of candidates' titles, or, in a
 * question without capitals, a word that candidates write with one.
 */
function isNameIn(
  text: string,
  { value, low, term, capital, opens, start, end }: PlacedWord,
  { opensTitle, isCapitalised, isUncommon }: QuestionVocabulary,
): boolean {
  if (value) return false;
  if (opensTitle(low) || isCapitalised(low) || isUncommon(low, term)) return true;
  return capital && (!opens || /^\p{Lu}{2}|\p{Ll}\p{Lu}|[._-]/u.test(text.slice(start, end)));
}
