// Dates of spans, by position ("A (2001-03), B (2003-05)"), until when they hold, by the dates that
// follow, and how they stand to the time that a question asks for.
import { firstIndex } from '../runtime/firstIndex.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { yearMilliseconds } from '../time/civil.js';
import type { Instant, Interval } from '../time/interval.js';
import type { Mention } from '../time/mention.js';
import { jointConstraint, type JointConstraint } from '../time/question/jointConstraint.js';
import { queryDay } from '../time/question/question.js';
import type { Span } from '../text/sentences.js';

/** A date that speaks of a span. */
export interface SpanDate {
  interval: Interval;
  /** When the statement holds: to the next later date where the text gives no end of its own. */
  holds: { start: number; end: number };
  /** Clause boundaries between the span and its date; Infinity for one of a sentence before. */
  apart: number;
}

const boundary =
  /[,;:()]|[–—]|\.\s|\b(?:and|but|then|before|after|while|when|until|where|which|who)\b/gi;
/** Characters that a clause boundary counts for. */
const boundaryCost = 40;
/** In a table of a thousand dates each span looks at its own. */
const farthest = 500;
/** "The Prestons owned it until 1922" says nothing of 1346. */
const longest = 300 * yearMilliseconds;

type DatedMention = Mention & { interval: Interval };

/** The times of a passage in order; a span looks at those of its sentence. */
export class PassageDates {
  private readonly dated: readonly DatedMention[];
  /** When a passage that names no time was published: what it says held then. */
  private readonly published: SpanDate | undefined;

  constructor(
    private readonly text: string,
    private readonly mentions: readonly Mention[],
    publishedAt?: Instant,
    timeZone?: string,
  ) {
    this.dated = mentions.filter((each): each is DatedMention => each.interval !== undefined);
    if (publishedAt === undefined || this.dated.length > 0) return;
    const interval = queryDay(publishedAt, timeZone);
    this.published = { interval, holds: { start: interval.start, end: Infinity }, apart: 0 };
  }

  /** The mentions that begin in a sentence, by its offsets. */
  within({ start, end }: Span): Mention[] {
    const from = firstIndex(this.mentions, (mention) => mention.start >= start);
    const to = firstIndex(this.mentions, (mention) => mention.start >= end);
    return this.mentions.slice(from, to).map((mention) => ({
      ...mention,
      start: mention.start - start,
      end: mention.end - start,
      timexes: mention.timexes.map((timex) => ({
        ...timex,
        start: timex.start - start,
        end: timex.end - start,
      })),
    }));
  }

  /**
   * The date of a span: of its sentence's dates the one with the fewest boundaries between, the
   * nearer of equals; else the last one before the sentence, else the publication.
   */
  dateOf(span: Span, sentence: Span): SpanDate | undefined {
    const { text, dated } = this;
    let best: { at: number; cost: number; apart: number } | undefined;
    const first = firstIndex(dated, ({ start }) => start >= sentence.start);
    const isWhole = span.start === sentence.start && span.end === sentence.end;
    for (let at = first; at < dated.length && dated[at]!.start < sentence.end; at += 1) {
      const { start, end } = dated[at]!;
      const after = start >= span.end;
      if (!after && end > span.start && !isWhole) continue;
      const between = after ? text.slice(span.end, start) : text.slice(end, span.start);
      if (between.length > farthest) continue;
      const apart = between.match(boundary)?.length ?? 0;
      // A date in brackets right behind is the span's.
      const cost = after && /^\s?\(/.test(between) ? -1 : apart * boundaryCost + between.length;
      if (!best || cost < best.cost) best = { at, cost, apart };
    }
    if (best) return this.dateBy(best.at, best.apart);
    return first > 0 ? this.dateBy(first - 1, Infinity) : this.published;
  }

  private dateBy(at: number, apart: number): SpanDate {
    const { interval, relation, timexes } = this.dated[at]!;
    const { start, end } = interval;
    if (relation === 'until' || relation === 'before' || relation === 'by')
      return { interval, holds: { start: start - longest, end }, apart };
    const isStretch = timexes.length > 1 || relation === 'between' || relation === 'from-to';
    const next = isStretch
      ? undefined
      : this.dated.find((other, place) => place > at && other.interval.start > start);
    const last = isStretch ? end : Math.max(end, next?.interval.start ?? Infinity);
    return { interval, holds: { start, end: last }, apart };
  }
}

/** What a question asks of time. */
export interface AskedTime extends Pick<JointConstraint, 'window' | 'interval' | 'relation'> {
  /** Only its tense asks for the day of asking: what tells of no time serves. */
  implied?: boolean;
}

/** One in the present that names no time asks of the day it is asked on. */
export function askedTime(question: ParsedQuestion): AskedTime {
  const joint = jointConstraint(question);
  if (joint.relation !== 'none' || joint.condition !== 'none' || !inPresent.test(question.text))
    return joint;
  const interval = queryDay(question.askedAt, question.timeZone);
  return { relation: 'as of', interval, window: undefined, implied: true };
}

const inPresent =
  /\b(?:is|are|does|do|has|have)\b(?![^?]*\b(?:was|were|did|had|been)\b)|\bwho\s(?!was\b)\p{Ll}+[^s\s]s\b/iu;

/**
 * How a span's date stands to what a question asks, each 0 to 1: the date lies in the window, or
 * what began then still holds in it, or it is outside; `nearInTime` is 1 in the date that the
 * question names and a half some four years away.
 */
export function fitOf(
  date: SpanDate | undefined,
  { window, interval, relation, implied = false }: AskedTime,
): Record<string, number> {
  // "As of 2020" asks for what held then, not for all that had been till then.
  const asked = relation === 'as of' ? (interval ?? window) : (window ?? interval);
  if (!asked) return {};
  if (!date) return { undated: 1 };
  const meets = (stretch: { start: number; end: number }): boolean =>
    stretch.start < asked.end && stretch.end > asked.start;
  if (implied) return meets(date.interval) || meets(date.holds) ? {} : { outside: 1 };
  const named = interval ?? asked;
  const gap =
    Math.max(0, date.interval.start - named.end, named.start - date.interval.end) /
    yearMilliseconds;
  const nearInTime = Number.isFinite(gap) ? 1 / (1 + gap / 4) : 0;
  if (meets(date.interval)) return { inside: 1, nearInTime };
  return meets(date.holds) ? { holds: 1, nearInTime } : { outside: 1, nearInTime };
}
