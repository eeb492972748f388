// Dates of spans, by position ("A (2001-03), B (2003-05)"), and until when, by the dates that
// follow.
import { firstIndex } from '../runtime/firstIndex.js';
import { yearMilliseconds } from '../time/civil.js';
import type { Span } from '../text/sentences.js';
import type { Mention } from '../time/mention.js';
import type { Instant, Interval } from '../time/interval.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { queryDay } from '../time/question/question.js';
import { jointConstraint, type JointConstraint } from '../time/question/jointConstraint.js';
import { presentWord } from './spans.js';

/** A date that speaks of a span. */
export interface SpanDate {
  interval: Interval;
  /**
   * From when to when the statement holds: to the next later date where the text gives no end of
   * its own.
   */
  holds: { start: number; end: number };
  /**
   * Clause boundaries between the span and its date; Infinity where the date was named in a
   * sentence before.
   */
  apart: number;
}

const boundary =
  /[,;:()]|[–—]|\.\s|\b(?:and|but|then|before|after|while|when|until|where|which|who)\b/gi;

/** In a table of a thousand dates each span looks at its own. */
const farthest = 500;

/** What says that something else began with the date before it. */
const turning = /^,?\s(?:when|after which|whereupon|and (?:then|since|from then|has|have|had))\b/i;

/** "The Prestons owned it until 1922" tells nothing of 1346. */
const longest = 300 * yearMilliseconds;

const inBrackets = /^\s*[([]\s*(?:\p{L}+\.?\s){0,2}$/u;

/** The times of a passage in order; a span looks at those of its sentence. */
export class PassageMentions {
  private readonly holding = new Map<Mention, SpanDate['holds']>();

  /** When a passage that names no time was published: what it says held then. */
  private readonly published: SpanDate | undefined;

  constructor(
    private readonly text: string,
    private readonly mentions: readonly Mention[],
    publishedAt?: Instant,
    timeZone?: string,
  ) {
    if (publishedAt === undefined || mentions.some(({ interval }) => interval !== undefined))
      return;
    const interval = queryDay(publishedAt, timeZone);
    this.published = { interval, holds: { start: interval.start, end: Infinity }, apart: 0 };
  }

  /** Those that begin in a sentence. */
  within({ start, end }: Span): readonly Mention[] {
    return this.mentions.slice(this.firstFrom(start), this.firstFrom(end));
  }

  /** The dates that may be those of a sentence's spans. */
  datesFor(sentence: Span): SpanDate[] {
    const own = this.within(sentence).filter(({ interval }) => interval !== undefined);
    const carried = this.carriedTo(sentence);
    const dates = [...own, ...(carried ? [carried] : [])].map((mention) => this.dateBy(mention, 0));
    return this.published ? [this.published] : dates;
  }

  /**
   * The date of a span: of its sentence's dates the one with the fewest boundaries between, the
   * nearer of equals; a date in brackets right behind it before all others. Where the sentence has
   * none, the last one before it in the passage.
   */
  dateOf(span: Span, sentence: Span): SpanDate | undefined {
    const { text, mentions } = this;
    let best: { mention: Mention; cost: number; apart: number } | undefined;
    const whole = span.start === sentence.start && span.end === sentence.end;
    for (
      let at = this.firstFrom(sentence.start);
      at < mentions.length && mentions[at]!.start < sentence.end;
      at += 1
    ) {
      const mention = mentions[at]!;
      if (
        mention.interval === undefined ||
        (!whole && mention.start < span.end && mention.end > span.start)
      )
        continue;
      const after = mention.start >= span.end;
      const distance = after ? mention.start - span.end : span.start - mention.end;
      if (distance > farthest || (!after && best && distance >= best.cost)) continue;
      const between = after
        ? text.slice(span.end, mention.start)
        : text.slice(mention.end, span.start);
      const bracketed = after && inBrackets.test(between);
      if (best && !bracketed && between.length >= best.cost) continue;
      const apart = bracketed ? 0 : (between.match(boundary)?.length ?? 0);
      const cost = bracketed ? -1 : apart * 40 + between.length;
      if (!best || cost < best.cost) best = { mention, cost, apart };
    }
    if (best) return this.turnsAt(best.mention, span) ?? this.dateBy(best.mention, best.apart);
    const carried = this.carriedTo(sentence);
    if (!carried) return this.published;
    const date = this.dateBy(carried, Infinity);
    return this.tellsOfPresent(sentence)
      ? { ...date, holds: { start: date.interval.end, end: Infinity } }
      : date;
  }

  /** "B until 1974, when it became A": what stands behind held from then on. */
  private turnsAt(mention: Mention, span: Span): SpanDate | undefined {
    if ((mention.relation !== 'until' && mention.relation !== 'before') || span.start < mention.end)
      return undefined;
    if (!turning.test(this.text.slice(mention.end, span.start))) return undefined;
    const { start, end } = mention.interval!;
    return {
      interval: mention.interval!,
      holds: { start, end: Math.max(end, nextAfter(mention, this.mentions)) },
      apart: 0,
    };
  }

  /** Whether a sentence says "now" without a day: what holds after all that was dated before. */
  private tellsOfPresent(sentence: Span): boolean {
    return this.within(sentence).some(
      ({ start, end, interval }) =>
        interval === undefined && presentWord.test(this.text.slice(start, end)),
    );
  }

  /** The last date before a sentence. */
  private carriedTo({ start }: Span): Mention | undefined {
    for (let at = this.firstFrom(start) - 1; at >= 0; at -= 1)
      if (this.mentions[at]!.interval !== undefined) return this.mentions[at];
    return undefined;
  }

  private dateBy(mention: Mention, apart: number): SpanDate {
    let holds = this.holding.get(mention);
    if (!holds) this.holding.set(mention, (holds = held(mention, this.mentions)));
    return { interval: mention.interval!, holds, apart };
  }

  /** The place of the first mention that begins at `offset` or later. */
  private firstFrom(offset: number): number {
    return firstIndex(this.mentions, (mention) => mention.start >= offset);
  }
}

function held(mention: Mention, mentions: readonly Mention[]): SpanDate['holds'] {
  const { start, end } = mention.interval!;
  if (mention.relation === 'until' || mention.relation === 'before' || mention.relation === 'by') {
    // "A from 1990 to 2000; B, who held it until 2010": B from where A ended.
    const last = mentions.findLast(
      (other) =>
        other.end <= mention.start && other.interval !== undefined && other.interval.end <= start,
    );
    return { start: last && last.timexes.length > 1 ? last.interval!.end : start - longest, end };
  }
  if (
    mention.timexes.length > 1 ||
    mention.relation === 'between' ||
    mention.relation === 'from-to'
  )
    return { start, end };
  return { start, end: Math.max(end, nextAfter(mention, mentions)) };
}

/** When the next later date of the text begins. */
function nextAfter(mention: Mention, mentions: readonly Mention[]): Instant {
  const { start } = mention.interval!;
  const next = mentions.find(
    (other) =>
      other.start > mention.start && other.interval !== undefined && other.interval.start > start,
  );
  return next?.interval!.start ?? Infinity;
}

/** How a span's date stands to what a question asks, each 0 to 1. */
interface Fit {
  /** The date itself lies in the window. */
  inside: number;
  /** It does not, but what began then still holds in it. */
  holds: number;
  /** It begins after the window, or had ended before it. */
  outside: number;
  /** 1 in the date that the question names, a half some four years away. */
  near: number;
  /** Nothing dates the span. */
  undated: number;
}

/** What a question asks of time. */
export interface AskedTime
  extends Pick<JointConstraint, 'window' | 'interval'>,
    Partial<Pick<JointConstraint, 'relation'>> {
  /**
   * Only its tense asks for the day of asking: what had ended by then is not wanted, and what tells
   * of no time serves.
   */
  implied?: boolean;
}

export function fitOf(
  date: SpanDate | undefined,
  { window, interval, relation, implied = false }: AskedTime,
): Fit {
  const none = { inside: 0, holds: 0, outside: 0, near: 0, undated: 0 };
  // "As of 2020" asks for what held then, not for all that had been till then.
  const asked = relation === 'as of' ? (interval ?? window) : (window ?? interval);
  if (!asked) return none;
  if (!date) return { ...none, undated: 1 };
  const meets = (stretch: { start: number; end: number }): boolean =>
    stretch.start < asked.end && stretch.end > asked.start;
  const named = interval ?? asked;
  const gap =
    Math.max(0, date.interval.start - named.end, named.start - date.interval.end) /
    yearMilliseconds;
  if (implied) return meets(date.interval) || meets(date.holds) ? none : { ...none, outside: 1 };
  const near = Number.isFinite(gap) ? 1 / (1 + gap / 4) : 0;
  if (meets(date.interval)) return { ...none, inside: 1, near };
  return meets(date.holds) ? { ...none, holds: 1, near } : { ...none, outside: 1, near };
}

/** One in the present that names no time asks of the day it is asked on. */
export function askedTime(question: ParsedQuestion): JointConstraint & AskedTime {
  const joint = jointConstraint(question);
  if (joint.relation !== 'none' || joint.condition !== 'none' || !inPresent.test(question.text))
    return joint;
  return {
    ...joint,
    relation: 'as of',
    interval: queryDay(question.askedAt, question.timeZone),
    implied: true,
  };
}

const inPresent = new RegExp(
  String.raw`\b(?:(?:who|what|which|where|how)(?:\s[\p{L}'’-]+){0,3}?\s(?:is|are|does|do|has|` +
    String.raw`have)|who\s(?!was\b)\p{Ll}+[^s\s]s)\b` +
    String.raw`(?![^?]*\b(?:was|were|did|had|been)\b)`,
  'iu',
);
