// The dates of a question by regular expressions: what native/question/dates.hpp says in a second
// notation.
import { dayMilliseconds } from '../../lib/time/civil.js';
import type { Interval } from '../../lib/time/interval.js';
import type { Mention } from '../../lib/time/mention.js';
import type { Span } from '../../lib/time/question/reading.js';

interface FoundDate extends Span {
  relation: Mention['relation'];
  interval: Interval;
  text: string;
  bound: number;
}

/** The dates with the words of their relation, of mentions with their probabilities. */
export function questionDates(
  text: string,
  mentions: readonly Mention[],
  bounds: ArrayLike<number>,
  removed: readonly Span[],
) {
  const found = mentions.flatMap((mention, at): FoundDate[] => {
    const { start, end, text: own, relation, interval } = mention;
    if (!interval) return [];
    const date = { start, end, text: own, relation, interval, bound: bounds[at]! };
    return (
      listed(mention)?.map((each) => ({ ...date, relation: 'on' as const, ...each })) ?? [date]
    );
  });
  return asLists(text, found).map((date) => {
    const words = withWordsOfTime(date, { text, removed, dates: found });
    return { ...date, words, edge: edgeOf(text, date, words) };
  });
}

/** The two days of a list that the tagger has as one stretch. */
function listed({
  start,
  text,
  timexes,
}: Mention): (Span & Pick<FoundDate, 'text' | 'interval'>)[] | undefined {
  const [first, second] = timexes;
  if (!first || !second || /\bbetween\b/i.test(text)) return undefined;
  const isList = /^\W*(?:and|or|&|as well as)\b/i.test(text.slice(first.end - start));
  if (!isList || !timexes.every(({ value }) => /^\d{4}-\d\d-\d\d$/.test(value))) return undefined;
  return [
    { from: start, to: first.end, value: first.value },
    { from: second.start, to: start + text.length, value: second.value },
  ].map(({ from, to, value }) => ({
    start: from,
    end: to,
    text: text.slice(from - start, to - start),
    interval: {
      start: Date.parse(value),
      end: Date.parse(value) + dayMilliseconds,
      granularity: 'day',
    },
  }));
}

/** Dates that "and" or "or" joins bound the answer together. */
function asLists(text: string, dates: readonly FoundDate[]): FoundDate[] {
  const lists: FoundDate[][] = [];
  for (const date of dates) {
    const last = lists.at(-1)?.at(-1);
    const joins = last && /^\s*(?:,|,?\s*(?:and|or)\b)\s*$/i.test(text.slice(last.end, date.start));
    if (joins) lists.at(-1)!.push(date);
    else lists.push([date]);
  }
  return lists.flatMap((list) => {
    const bound = Math.max(...list.map((date) => date.bound));
    return list.map((date) => ({ ...date, bound }));
  });
}

const numerals =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen twenty';
const counts = new Map<string, number>([
  ...numerals.split(' ').map((word, value) => [word, value] as const),
  ['couple', 2],
  ['half', 0.5],
]);

/** The number among words of a distance; one where there is none. */
export function countIn(text: string, removed: readonly Span[]): number {
  for (const { start, end } of removed)
    for (const word of text
      .slice(start, end)
      .toLowerCase()
      .match(/\d+|[a-z]+/g) ?? []) {
      const count = /^\d/.test(word) ? Number(word) : counts.get(word);
      if (count !== undefined) return count;
    }
  return 1;
}

/** At most an article, or the word of a clause, between words of time and a date or an anchor. */
const joining = /^\s*(?:(?:the|an?|its|his|her|their|our|my|that|when)\s+)?$/i;

/** A span with the words of time on either side of it, as far as another date. */
export function withWordsOfTime(
  { start, end }: Span,
  { text, removed, dates }: { text: string; removed: readonly Span[]; dates: readonly Span[] },
): Span {
  const joins = (from: number, to: number): boolean =>
    from >= to || (to - from < 9 && joining.test(text.slice(from, to)));
  const before = removed.findLast((each) => each.start < start && joins(each.end, start));
  const after = removed.find((each) => each.end > end && joins(end, each.start));
  const least = Math.max(0, ...dates.map((date) => (date.end <= start ? date.end : 0)));
  const most = Math.min(
    text.length,
    ...dates.map((date) => (date.start >= end ? date.start : Infinity)),
  );
  const blanks = /^\s*/.exec(text.slice(least))![0].length;
  return {
    start: Math.max(before?.start ?? start, Math.min(least + blanks, start)),
    end: Math.max(end, text.slice(0, Math.min(after?.end ?? end, most)).trimEnd().length),
  };
}

/** Edges of a period as nouns before it and as verbs after it. */
const edges = {
  end: [/\b(?:end|close|conclusion|expiry)\b/i, /\b(?:end(?:ed|s)?|closed?|over|expired)\b/i],
  start: [/\b(?:start|beginning|outset|dawn)\b/i, /\b(?:start(?:ed|s)?|began|begins?|dawned)\b/i],
} as const;

/** 0 none, 1 the start of the period, 2 its end. */
function edgeOf(text: string, date: Span, { start, end }: Span): number {
  const before = text.slice(start, date.end);
  const isClause = /\b(?:when|once|as|by the time)\s/i.test(before);
  const verb = isClause ? /^\s+(?:(?:was|is|had)\s+)?\w+/.exec(text.slice(date.end)) : null;
  const after = text.slice(date.end, Math.max(end, date.end + (verb?.[0].length ?? 0)));
  const has = ([noun, verbs]: readonly [RegExp, RegExp]): boolean =>
    noun.test(before) || verbs.test(after);
  return has(edges.end) ? 2 : has(edges.start) ? 1 : 0;
}

/** The sum of 1 "today" or "tonight", 2 "earliest", 4 "last". */
export const removedCues = (text: string, removed: readonly Span[]): number =>
  [/\bto(?:day|night)\b/i, /\bearliest\b/i, /\blast\b/i].reduce(
    (sum, word, at) =>
      sum + (removed.some(({ start, end }) => word.test(text.slice(start, end))) ? 2 ** at : 0),
    0,
  );
