// Content clock of passages: the times that their sentences state, of mentions that a caller has;
// what segments store is read in the addon (native/statements/indexing.hpp).
// Publication and validity times are input and never derived here.
import { binding } from '../binding.js';
import { mustBe } from '../errors.js';
import type { Interval } from './interval.js';
import type { Mention } from './mention.js';

/** Lowest confidence of a mention that counts as a time. */
const leastConfidence = 0.5;

/**
 * Content clock of a text: the literal intervals of its mentions, distinct, in order of appearance.
 *
 * A relation does not extend its interval: "since 2010" is the year 2010, "until 2005" the year
 * 2005, "before 1945" the year 1945. With an open end, a sentence about a founding year would match
 * every later date. The issue date of a report is publication, not content, unless it is the only
 * date.
 * @param publishedAt publication time in milliseconds; the date that only states it is excluded too
 */
export function contentIntervals(
  mentions: readonly Mention[],
  text: string,
  publishedAt?: number,
): Interval[] {
  mustBe('a string', { text });
  return contentOfSentences(text, [{ start: 0, end: text.length }], mentions, publishedAt)[0]!;
}

/**
 * Content clock of each sentence of a passage from the mentions of the whole passage, so that a
 * date without its year ("On 7 August") takes it from the sentence before. A sentence whose only
 * date is the passage's own publication day as a heading ("Outlook of 3 May.") has none if the
 * passage mentions another day; neither has one whose only date is that of an earlier report ("what
 * was said on 3 May").
 * @param sentences half-open spans of `text`, in order; a mention belongs to the sentence that it
 * starts in
 * @param publishedAt publication time in milliseconds
 */
export function contentOfSentences(
  text: string,
  sentences: readonly { start: number; end: number }[],
  mentions: readonly Mention[],
  publishedAt = NaN,
): Interval[][] {
  mustBe('a string', { text });
  mustBe('an array', { sentences, mentions });
  const dated: Interval[] = [];
  const numbers: number[] = [];
  for (const { start, end, interval, confidence } of mentions) {
    if (!interval || confidence < leastConfidence) continue;
    dated.push(interval);
    const { granularity, ...bounds } = interval;
    numbers.push(start, end, bounds.start, bounds.end, Number(granularity === 'day'));
  }
  const spans = Uint32Array.from(sentences.flatMap(({ start, end }) => [start, end]));
  const indexes = binding.contentMentions(text, spans, Float64Array.from(numbers), publishedAt);
  const contents: Interval[][] = [];
  for (let at = 0; at < indexes.length; at += 1 + indexes[at]!) {
    const own = indexes.subarray(at + 1, at + 1 + indexes[at]!);
    contents.push(Array.from(own, (index) => dated[index]!));
  }
  return contents;
}
