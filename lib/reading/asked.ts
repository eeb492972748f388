// What a question asks of passages, as plain data for the native reader: its words as stems, and
// its time.
import type { PassagesToRead } from '../../binding.js';
import { expandAbbreviations } from '../text/abbreviations.js';
import { englishAnalyzer } from '../text/analyzer.js';
import { inflections, isIrregular } from '../text/inflections.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { jointConstraint } from '../time/question/jointConstraint.js';
import { queryDay } from '../time/question/question.js';

// One for the process: it caches stems.
const analyzer = englishAnalyzer();
const stemsOf = (words: string): string[] => analyzer.analyze(words);

// Words of questions that say nothing of what is asked about.
const filler = new Set(
  (
    'who whom whose what which where when how did do doe name were has had from period time ' +
    'person he she hi her'
  ).split(' '),
);

/** A word with signs inside is a word of its own, besides its parts: "4.2.1", "mime-types". */
const word = /[\p{L}\p{M}\p{N}]+(?:[._/-][\p{L}\p{N}]+)*/gu;

export function askedWords(
  question: ParsedQuestion,
): Pick<PassagesToRead, 'words' | 'places' | 'stems' | 'said'> {
  const { mainContent, text } = question;
  const stems = [
    ...new Set([
      ...stemsOf(mainContent).filter((stem) => !filler.has(stem)),
      ...(mainContent.toLowerCase().match(word) ?? []).filter((each) => /\W/.test(each)),
    ]),
  ];
  const places = new Map(stems.map((stem, at) => [stem, at]));
  // "Sold" answers "When did they sell it?".
  for (const verb of (mainContent.match(/[a-z]{2,}/g) ?? []).filter(isIrregular)) {
    const place = places.get(stemsOf(verb)[0] ?? '');
    if (place === undefined) continue;
    for (const stem of inflections(verb).flatMap(stemsOf))
      if (!places.has(stem)) places.set(stem, place);
  }
  return {
    words: [...places.keys()],
    places: Uint32Array.from(places.values()),
    stems: stems.length,
    said: [...new Set([text, expandAbbreviations(text)].flatMap(stemsOf))],
  };
}

/** One in the present that names no time asks of the day it is asked on. */
export function askedTime(question: ParsedQuestion): Pick<PassagesToRead, 'time' | 'implied'> {
  const { relation, condition, interval, window } = jointConstraint(question);
  if (relation === 'none' && condition === 'none' && inPresent.test(question.text)) {
    const { start, end } = queryDay(question.askedAt, question.timeZone);
    return { time: Float64Array.of(start, end, start, end), implied: true };
  }
  // "As of 2020" asks for what held then, not for all that had been till then.
  const asked = relation === 'as of' ? (interval ?? window) : (window ?? interval);
  const named = interval ?? asked;
  return {
    time:
      asked && named
        ? Float64Array.of(asked.start, asked.end, named.start, named.end)
        : new Float64Array(0),
    implied: false,
  };
}

const inPresent =
  /\b(?:is|are|does|do|has|have)\b(?![^?]*\b(?:was|were|did|had|been)\b)|\bwho\s(?!was\b)\p{Ll}+[^s\s]s\b/iu;
