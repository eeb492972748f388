// The words that a question asks by, each weighted by how few of the sentences read have it, and
// the sentences of passages with these words and their times. The title is a sentence too.
import { expandAbbreviations } from '../text/abbreviations.js';
import { englishAnalyzer } from '../text/analyzer.js';
import { inflections, isIrregular } from '../text/inflections.js';
import type { Steps } from '../runtime/eventLoop.js';
import { splitSentences, type Span } from '../text/sentences.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { tagText } from '../time/tagger.js';
import type { ReadablePassage } from './answer.js';
import { PassageDates } from './dating.js';

// One for the process: it caches stems.
const analyzer = englishAnalyzer();

/** A passage with its title before its text, in one string that all offsets are of. */
export interface ReadPassage {
  passage: ReadablePassage;
  rank: number;
  text: string;
  dates: PassageDates;
  titleStems: ReadonlySet<string>;
  /** The title first, where there is one. */
  sentences: readonly ReadSentence[];
}

export interface ReadSentence {
  span: Span;
  text: string;
  isTitle: boolean;
  /** The question's words in it, by the place of the word among the question's, in order. */
  said: readonly (Span & { asked: number })[];
}

/** The words of a question, as stems. */
export interface AskedWords {
  all: ReadonlySet<string>;
  /** Those of its content, by their place, and the share that each counts for. */
  stems: readonly string[];
  shares: Float64Array;
}

export const stemsOf = (words: string): string[] => analyzer.analyze(words);

// Words of questions that say nothing of what is asked about.
const filler = new Set(
  (
    'who whom whose what which where when how did do doe name were has had from period time ' +
    'person he she hi her'
  ).split(' '),
);

/** A word with signs inside is a word of its own, besides its parts: "4.2.1", "mime-types". */
const word = /[\p{L}\p{M}\p{N}]+(?:[._/-][\p{L}\p{N}]+)*/gu;

/** The passages in sentences, with the words that the question asks by. */
export function* readSentences(
  question: ParsedQuestion,
  passages: readonly ReadablePassage[],
): Steps<{ read: ReadPassage[]; asked: AskedWords }> {
  const stems = [
    ...new Set([
      ...stemsOf(question.mainContent).filter((stem) => !filler.has(stem)),
      ...(question.mainContent.toLowerCase().match(word) ?? []).filter((each) => /\W/.test(each)),
    ]),
  ];
  const places = new Map(stems.map((stem, at) => [stem, at]));
  // "Sold" answers "When did they sell it?".
  for (const verb of (question.mainContent.match(/[a-z]{2,}/g) ?? []).filter(isIrregular)) {
    const place = places.get(stemsOf(verb)[0] ?? '');
    if (place === undefined) continue;
    for (const stem of inflections(verb).flatMap(stemsOf))
      if (!places.has(stem)) places.set(stem, place);
  }
  const read: ReadPassage[] = [];
  for (const [rank, passage] of passages.entries()) {
    yield;
    read.push(passageOf(passage, rank, places));
  }
  const sentences = read.flatMap(({ sentences: of }) => of).filter(({ isTitle }) => !isTitle);
  const holding = new Uint32Array(stems.length);
  for (const { said } of sentences)
    for (const at of new Set(said.map(({ asked }) => asked))) holding[at]! += 1;
  const shares = Float64Array.from(stems, (_, at) =>
    Math.log(1 + (sentences.length + 1) / (holding[at]! + 0.5)),
  );
  const total = shares.reduce((sum, share) => sum + share, 0) || 1;
  return {
    read,
    asked: {
      all: new Set([question.text, expandAbbreviations(question.text)].flatMap(stemsOf)),
      stems,
      shares: shares.map((share) => share / total),
    },
  };
}

function passageOf(
  passage: ReadablePassage,
  rank: number,
  places: ReadonlyMap<string, number>,
): ReadPassage {
  const { title = '', publishedAt, timeZone } = passage;
  const before = title === '' ? 0 : title.length + 1;
  const text = title === '' ? passage.text : `${title}\n${passage.text}`;
  const { mentions } = tagText(text, { reference: publishedAt, timeZone });
  const spans = splitSentences(passage.text).map(({ start, end }) => ({
    start: start + before,
    end: end + before,
  }));
  if (title !== '') spans.unshift({ start: 0, end: title.length });
  const sentences = spans.map((span, at) => {
    const words = text.slice(span.start, span.end);
    return { span, text: words, isTitle: at === 0 && title !== '', said: saidIn(words, places) };
  });
  const dates = new PassageDates(text, mentions, publishedAt, timeZone);
  return { passage, rank, text, dates, titleStems: new Set(stemsOf(title)), sentences };
}

function saidIn(text: string, places: ReadonlyMap<string, number>): ReadSentence['said'] {
  const said: (Span & { asked: number })[] = [];
  for (const { 0: whole, index } of text.matchAll(word)) {
    const asked = [whole.toLowerCase(), ...stemsOf(whole)].flatMap(
      (stem) => places.get(stem) ?? [],
    );
    for (const each of new Set(asked))
      said.push({ start: index, end: index + whole.length, asked: each });
  }
  return said;
}
