// What a passage's sentences say of time, as the content clock that segments store. Publication and
// validity are given by the passage's author and are never derived here.
import { mustBe } from '../errors.js';
import type { Interval } from './interval.js';
import type { Mention } from './mention.js';
import {
  isEarlierReportDate,
  isIssueDate,
  isHeadingDate,
  publicationDateTest,
} from './publicationDates.js';

/** Below this a mention is more likely no time at all. */
const leastConfidence = 0.5;

/**
 * The content clock of a text: the literal intervals of its mentions, without repetitions, in order
 * of appearance.
 *
 * A relation does not stretch its interval: "since 2010" is the year 2010, "until 2005" the year
 * 2005, "before 1945" the year 1945. An open end would make a sentence about one founding year
 * match every later date; the sentence's words vouch for the unit they name, and for a whole
 * stretch only where they name both of its ends. The date on which a report says that it was issued
 * is publication, not content, unless it is the only date.
 * @param publishedAt when the text was published, in milliseconds; a day that only says so is no
 * content either
 */
export function contentIntervals(
  mentions: readonly Mention[],
  text: string,
  publishedAt?: number,
): Interval[] {
  mustBe('an array', { mentions });
  mustBe('a string', { text });
  const dated = mentions.filter(
    (mention) => mention.interval !== undefined && mention.confidence >= leastConfidence,
  );
  const publishes = publicationDateTest(text);
  const all = dated.map(({ interval }) => interval!);
  const issues = ({ start, end, interval }: Mention): boolean =>
    publishedAt !== undefined &&
    all.length > 1 &&
    isIssueDate(text, { start, end, interval: interval! }, publishedAt, all);
  const told = dated.filter((mention) => !publishes(mention.start) && !issues(mention));
  const intervals = new Map<string, Interval>();
  for (const { interval } of told.length > 0 ? told : dated) {
    const key = `${interval!.start} ${interval!.end}`;
    if (!intervals.has(key)) intervals.set(key, interval!);
  }
  return [...intervals.values()];
}

/**
 * The content clock of each sentence of a passage from the mentions of the whole passage: tagged as
 * one text, a date without its year ("On 7 August") finds it in the sentence before. A sentence
 * whose only date is the passage's own day of publication, which it heads ("Outlook of 3 May."),
 * has none where the passage tells of another day; nor has one whose only date is that of a report
 * before it ("what was said on 3 May").
 * @param sentences half-open spans of `text`, in order; a mention belongs to the one it starts in
 * @param publishedAt when the passage was published, in milliseconds
 */
export function contentOfSentences(
  text: string,
  sentences: readonly { start: number; end: number }[],
  mentions: readonly Mention[],
  publishedAt?: number,
): Interval[][] {
  mustBe('a string', { text });
  mustBe('an array', { sentences, mentions });
  let next = 0;
  const own = sentences.map(({ start, end }) => {
    const inside: Mention[] = [];
    for (; next < mentions.length && mentions[next]!.start < end; next++) {
      const mention = mentions[next]!;
      if (mention.start >= start)
        inside.push({ ...mention, start: mention.start - start, end: mention.end - start });
    }
    return inside;
  });
  const clocks = sentences.map(({ start, end }, at) =>
    contentIntervals(own[at]!, text.slice(start, end), publishedAt),
  );
  if (publishedAt === undefined || clocks.filter((clock) => clock.length > 0).length < 2)
    return clocks;
  return clocks.map((clock, at) => {
    const date =
      clock.length === 1
        ? own[at]!.find(({ interval }) => interval?.start === clock[0]!.start)
        : undefined;
    if (!date) return clock;
    const { start, end } = sentences[at]!;
    const sentence = text.slice(start, end),
      only = { ...date, interval: clock[0]! };
    return isHeadingDate(sentence, only, publishedAt, clocks.flat()) ||
      isEarlierReportDate(sentence, only, publishedAt)
      ? []
      : clock;
  });
}
