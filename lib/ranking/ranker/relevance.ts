// Features of relevance: how much of the question a sentence, its title and its passage say, in its
// words and in its meaning. All are between 0 and 1, or logarithms of counts; none reads a clock.
import type { TextOffsets, TextTable } from '../../retrieval/textTable.js';
import type { PassageFeatures } from './passages.js';
import type { QuestionFeatures } from './question.js';
import type { SentenceFeatures } from './sentenceFeatures.js';

/** What is told of a sentence, in a row of that many numbers: in this order. */
const relevanceColumns = [
  'covers',
  'coversWithTitle',
  'coversBeyondTitle',
  'names',
  'pairs',
  'coversEqually',
  'besideTime',
  'newNames',
  'answers',
  'means',
] as const;
export const relevanceWidth = relevanceColumns.length;

/**
 * Places in such a row. coversEqually is like coversBeyondTitle, every term counting alike: rare or
 * not, it tells one sentence of a passage from another. means is how much of the question's common
 * words that the title lacks the sentence says in these or in like words, 0 to 1.
 */
export const relevanceColumn = Object.fromEntries(
  relevanceColumns.map((name, at) => [name, at]),
) as Record<(typeof relevanceColumns)[number], number>;

/** What the sentences of a passage have in common. */
export interface PassageRelevance {
  /** Which of the question's terms it or its title has, by place. */
  holds: Uint8Array;
  titleCovers: number;
  titleNamed: number;
  passageCovers: number;
  passageNames: number;
  /** The greatest coversEqually of its sentences; 0 where there is none. */
  bestEqually: number;
  /** The greatest `means` of its sentences; NaN where the question has no such words. */
  bestMeans: number;
}

/** Where the relevance of a passage is written. */
export interface RelevanceOutput {
  /** 1 for each query term in the passage. */
  holds: Uint8Array;
  /** `relevanceWidth` numbers for each sentence of the question's candidates. */
  columns: Float64Array;
  /** The index of the passage's first sentence among them. */
  from: number;
}

/** Relevance of a passage, and of its sentences into the columns of `output`. */
export function passageRelevance(
  question: QuestionFeatures,
  {
    reading: {
      title: { distinct },
    },
    sentences,
  }: PassageFeatures,
  table: TextTable,
  places: TextOffsets,
  { holds, columns, from }: RelevanceOutput,
): PassageRelevance {
  const {
    words: { weights, places: terms },
    names,
    common,
  } = question;
  const { present, width } = table;
  const title = places.title * width;
  for (let place = 0; place < width; place += 1) holds[place] = present[title + place]!;
  for (let i = 0, own = places.first * width; i < sentences.length; i += 1) {
    for (let place = 0; place < width; place += 1, own += 1) holds[place]! |= present[own]!;
  }
  const titled: Titled = {
    table,
    columns,
    distinct,
    title,
    sought: common.filter((place) => present[title + place] === 0),
    beyond: 0,
    beyondWeight: 0,
    weight: 0,
  };
  for (let place = 0; place < width; place += 1) {
    titled.weight += weights[place]!;
    if (present[title + place] === 1) continue;
    titled.beyond += 1;
    titled.beyondWeight += weights[place]!;
  }
  let bestEqually = 0;
  let bestMeans = NaN;
  for (let i = 0; i < sentences.length; i += 1) {
    const row = (from + i) * relevanceWidth;
    sentenceRelevance(question, sentences[i]!.reading, titled, places.first + i, row);
    bestEqually = Math.max(bestEqually, columns[row + relevanceColumn.coversEqually]!);
    const means = columns[row + relevanceColumn.means]!;
    bestMeans = bestMeans > means ? bestMeans : means;
  }
  return {
    holds,
    bestEqually,
    bestMeans,
    titleCovers: distinct.size > 0 ? coverage(weights, present, title) : NaN,
    titleNamed: distinct.size > 0 ? shareNamed(distinct, terms) : NaN,
    passageCovers: coverage(weights, holds, 0),
    passageNames: shareHeld(names, holds, 0, 0),
  };
}

/**
 * A title's terms and where the table says which of the question's it holds; of the others how many
 * there are, their weight, which are common.
 */
interface Titled {
  table: TextTable;
  columns: Float64Array;
  distinct: ReadonlySet<string>;
  title: number;
  sought: readonly number[];
  beyond: number;
  beyondWeight: number;
  /** Of all terms. */
  weight: number;
}

function sentenceRelevance(
  question: QuestionFeatures,
  sentence: SentenceFeatures,
  { table, columns, distinct, title, sought, beyond, beyondWeight, weight }: Titled,
  text: number,
  row: number,
): void {
  const {
    words: { places, weights },
    names,
    besideTime,
  } = question;
  const { present, width } = table;
  const own = text * width;
  let [has, hasWithTitle, hasBeyond, equally] = [0, 0, 0, 0];
  for (let place = 0; place < width; place += 1) {
    const [inText, inTitle] = [present[own + place]!, present[title + place]!];
    if ((inText | inTitle) === 0) continue;
    const each = weights[place]!;
    hasWithTitle += each;
    if (inText === 0) continue;
    has += each;
    if (inTitle === 1) continue;
    hasBeyond += each;
    equally += 1;
  }
  let newNames = 0;
  for (const word of sentence.names) if (isNew(word, places, distinct)) newNames += 1;
  columns[row] = weight > 0 ? has / weight : 0;
  columns[row + 1] = weight > 0 ? hasWithTitle / weight : 0;
  columns[row + 2] = beyond === 0 ? NaN : beyondWeight > 0 ? hasBeyond / beyondWeight : 0;
  columns[row + 3] = shareHeld(names, present, own, title);
  columns[row + 4] = table.pairs[text]!;
  columns[row + 5] = beyond === 0 ? NaN : equally / beyond;
  columns[row + 6] = shareHeld(besideTime, present, own, title);
  columns[row + 7] = Math.log1p(newNames);
  columns[row + 8] = answers(question, sentence, newNames, distinct);
  columns[row + 9] = meansOf(weights, table, own, sought);
}

/** Whether neither the question nor the title has the word. */
const isNew = (
  word: string,
  asked: ReadonlyMap<string, number>,
  title: ReadonlySet<string>,
): boolean => !asked.has(word) && !title.has(word);

function anyNew(
  words: readonly string[],
  asked: ReadonlyMap<string, number>,
  title: ReadonlySet<string>,
): boolean {
  for (const word of words) if (isNew(word, asked, title)) return true;
  return false;
}

/**
 * Whether the sentence has what could be an answer of the kind: 1 in its form, 0.5 a name that may
 * be one, 0 none; NaN for no known kind.
 */
function answers(
  { wanted, words: { places } }: QuestionFeatures,
  sentence: SentenceFeatures,
  newNames: number,
  title: ReadonlySet<string>,
): number {
  if (wanted === undefined) return NaN;
  if (wanted === 'date') return Number(sentence.times.length > 0);
  if (wanted === 'number' || wanted === 'score') return Number(sentence.hasDigit);
  const inForm =
    wanted === 'person'
      ? newNames > 0 && sentence.namesPerson
      : wanted === 'role'
        ? anyNew(sentence.offices, places, title)
        : wanted === 'place'
          ? anyNew(sentence.places, places, title)
          : newNames > 0;
  return inForm ? 1 : newNames > 0 ? 0.5 : 0;
}

/**
 * The weighted mean, over the question's common words that the title lacks, of the likeness of the
 * nearest word; NaN where it has none.
 */
function meansOf(
  weights: Float64Array,
  { present, nearest }: TextTable,
  own: number,
  sought: readonly number[],
): number {
  if (sought.length === 0) return NaN;
  let [sum, all] = [0, 0];
  for (const place of sought) {
    all += weights[place]!;
    sum += weights[place]! * (present[own + place] === 1 ? 1 : nearest[own + place]!);
  }
  return all > 0 ? sum / all : NaN;
}

/** The share of the terms' weight that is present from `own` on; 0 where they weigh nothing. */
function coverage(weights: Float64Array, present: Uint8Array, own: number): number {
  let has = 0;
  let all = 0;
  for (let place = 0; place < weights.length; place += 1) {
    all += weights[place]!;
    if (present[own + place] === 1) has += weights[place]!;
  }
  return all > 0 ? has / all : 0;
}

/** The share of the places that a text or `other` holds; NaN of none. */
function shareHeld(
  places: readonly number[],
  present: Uint8Array,
  own: number,
  other: number,
): number {
  if (places.length === 0) return NaN;
  let count = 0;
  for (const place of places) count += present[own + place]! | present[other + place]!;
  return count / places.length;
}

/** The share of a title's terms that the question has. */
function shareNamed(distinct: ReadonlySet<string>, asked: ReadonlyMap<string, number>): number {
  let count = 0;
  for (const term of distinct) if (asked.has(term)) count += 1;
  return count / distinct.size;
}
