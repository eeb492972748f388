// Content clock of passages: the times that their sentences state, as segments store them.
// Publication and validity times are input and never derived here.
import { mustBe } from '../errors.js';
import { atOnce, type Steps } from '../runtime/eventLoop.js';
import type { Interval } from './interval.js';
import type { Mention } from './mention.js';
import {
  daysAmong,
  isEarlierReportDate,
  isIssueDate,
  isHeadingDate,
  publicationDateTest,
} from './publicationDates.js';

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
  mustBe('an array', { mentions });
  mustBe('a string', { text });
  const dated = mentions.filter(
    (mention) => mention.interval !== undefined && mention.confidence >= leastConfidence,
  );
  const isPublication = publicationDateTest(text);
  const all = dated.map(({ interval }) => interval!);
  const isIssue = ({ start, end, interval }: Mention): boolean =>
    publishedAt !== undefined &&
    all.length > 1 &&
    isIssueDate(text, { start, end, interval: interval! }, publishedAt, all);
  const content = dated.filter((mention) => !isPublication(mention.start) && !isIssue(mention));
  const intervals = new Map<string, Interval>();
  for (const { interval } of content.length > 0 ? content : dated) {
    const key = `${interval!.start} ${interval!.end}`;
    if (!intervals.has(key)) intervals.set(key, interval!);
  }
  return [...intervals.values()];
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
export function contentOfSentences(...passage: Parameters<typeof contentSteps>): Interval[][] {
  return atOnce(contentSteps(...passage));
}

/** `contentOfSentences` in steps, for long passages. */
export function* contentSteps(
  text: string,
  sentences: readonly { start: number; end: number }[],
  mentions: readonly Mention[],
  publishedAt?: number,
): Steps<Interval[][]> {
  mustBe('a string', { text });
  mustBe('an array', { sentences, mentions });
  let next = 0;
  const own: Mention[][] = [];
  const clocks: Interval[][] = [];
  for (const { start, end } of sentences) {
    const inside: Mention[] = [];
    for (; next < mentions.length && mentions[next]!.start < end; next++) {
      const mention = mentions[next]!;
      if (mention.start >= start)
        inside.push({ ...mention, start: mention.start - start, end: mention.end - start });
    }
    own.push(inside);
    clocks.push(contentIntervals(inside, text.slice(start, end), publishedAt));
    yield;
  }
  if (publishedAt === undefined || clocks.filter((clock) => clock.length > 0).length < 2)
    return clocks;
  const days = daysAmong(clocks.flat());
  const content: Interval[][] = [];
  for (const [at, clock] of clocks.entries()) {
    yield;
    content.push(clock);
    const date =
      clock.length === 1
        ? own[at]!.find(({ interval }) => interval?.start === clock[0]!.start)
        : undefined;
    if (!date) continue;
    const { start, end } = sentences[at]!;
    const sentence = text.slice(start, end);
    const only = { ...date, interval: clock[0]! };
    if (
      isHeadingDate(sentence, only, publishedAt, days) ||
      isEarlierReportDate(sentence, only, publishedAt)
    )
      content[at] = [];
  }
  return content;
}
