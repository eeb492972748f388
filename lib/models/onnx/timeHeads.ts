// Input format and output decoding of the learned temporal extractor (Re3 section 3.2): reference
// tokens before the text, layout of the heads' logits, and the resulting tuple. Calendar arithmetic
// is computed, not learned.
import { civilFromDays, dayMilliseconds, daysFromCivil, daysInMonth } from '../../time/civil.js';
import { parseInstant } from '../../time/instant.js';
import type { TimeInput } from '../../records.js';
import type { TextKind } from '../../time/timeExtractor.js';
import { noTime, type TimeTuple } from '../../time/tuple.js';

/** Units of offsets from the reference, with the largest offset either way. */
const maxOffset = { day: 14, month: 6, year: 10 } as const;
type Unit = keyof typeof maxOffset;

/** Absolute, the year nearest to the reference, or an offset from the reference. */
export const anchors: readonly string[] = [
  'absolute',
  'nearest',
  ...(Object.keys(maxOffset) as Unit[]).flatMap((unit) =>
    Array.from({ length: 2 * maxOffset[unit] + 1 }, (_, at) => `${unit} ${at - maxOffset[unit]}`),
  ),
];

/**
 * Range of each head's logits, half-open: number of known components, four digits of the year,
 * month, day of the month, anchor.
 */
export const heads = layout({
  known: 4,
  thousands: 10,
  hundreds: 10,
  tens: 10,
  ones: 10,
  month: 12,
  day: 31,
  anchor: anchors.length,
});
export type HeadName = keyof typeof heads;
export const headsWidth = Math.max(...Object.values(heads).map(({ to }) => to));

const digits = ['thousands', 'hundreds', 'tens', 'ones'] as const;
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** Longest text in characters; the model reads far fewer tokens. */
const maxCharacters = 4096;

/** Days since 1970-01-01; undefined without a reference. @throws AsOfError ERR_INVALID_ARGUMENT */
export function referenceDay(kind: TextKind, reference: TimeInput | undefined): number | undefined {
  const time = reference ?? (kind === 'query' ? Date.now() : undefined);
  return time === undefined
    ? undefined
    : Math.floor(parseInstant(time, 'start', 'reference') / dayMilliseconds);
}

/** The model's input: kind and reference in a fixed number of tokens, then the text. */
export function extractorInput(
  text: string,
  kind: TextKind,
  reference: number | undefined,
): string {
  const { year, month, day } =
    reference === undefined ? { year: 0, month: 0, day: 0 } : civilFromDays(reference);
  const plain = reference !== undefined && year >= 1000 && year <= 9999;
  const words = plain
    ? `${year} ${two(month)} ${two(day)} ${weekdays[(((reference + 3) % 7) + 7) % 7]}`
    : 'none none none none none';
  return `${kind} ${words} : ${text.slice(0, maxCharacters)}`;
}

/**
 * The tuple of one text's logits: the most probable day that exists in the month; no time for an
 * offset without a reference. `reference`: days since 1970-01-01.
 */
export function decodeTuple(logits: ArrayLike<number>, reference: number | undefined): TimeTuple {
  const known = best(logits, heads.known.from, heads.known.to);
  if (known === 0) return noTime;
  const anchor = anchors[best(logits, heads.anchor.from, heads.anchor.to)]!;
  const month = 1 + best(logits, heads.month.from, heads.month.to);
  if (anchor === 'absolute') {
    const year = digits.reduce(
      (sum, digit) => sum * 10 + best(logits, heads[digit].from, heads[digit].to),
      0,
    );
    return tuple(known, year, month, dayOf(logits, year, month));
  }
  if (reference === undefined) return noTime;
  if (anchor === 'nearest') {
    const year = nearestYear(reference, month, known < 3 ? 15 : dayOf(logits, 2000, month));
    return tuple(Math.max(known, 2), year, month, dayOf(logits, year, month));
  }
  const [unit, count] = anchor.split(' ') as [Unit, string];
  const moved = movedBy(reference, unit, Number(count));
  const coarsest = { day: known, month: Math.min(known, 2), year: 1 }[unit];
  return tuple(coarsest, moved.year, moved.month, moved.day);
}

function tuple(known: number, year: number, month: number, dayOfMonth: number): TimeTuple {
  return {
    year,
    month: known > 1 ? month : 0,
    dayOfMonth: known > 2 ? dayOfMonth : 0,
    mask: [1, known > 1 ? 1 : 0, known > 2 ? 1 : 0],
  };
}

function movedBy(
  reference: number,
  unit: Unit,
  count: number,
): { year: number; month: number; day: number } {
  if (unit === 'day') return civilFromDays(reference + count);
  const { year, month, day } = civilFromDays(reference);
  const months = year * 12 + month - 1 + (unit === 'month' ? count : 12 * count);
  return { year: Math.floor(months / 12), month: (((months % 12) + 12) % 12) + 1, day };
}

function dayOf(logits: ArrayLike<number>, year: number, month: number): number {
  return 1 + best(logits, heads.day.from, heads.day.from + daysInMonth(year, month));
}

function nearestYear(reference: number, month: number, day: number): number {
  const { year } = civilFromDays(reference);
  const away = (of: number): number =>
    Math.abs(
      daysFromCivil({ year: of, month, day: Math.min(day, daysInMonth(of, month)) }) - reference,
    );
  return [year, year - 1, year + 1].reduce((near, each) => (away(each) < away(near) ? each : near));
}

function best(logits: ArrayLike<number>, from: number, to: number): number {
  let top = from;
  for (let at = from + 1; at < to; at += 1) if (logits[at]! > logits[top]!) top = at;
  return top - from;
}

function layout<Name extends string>(
  sizes: Record<Name, number>,
): Record<Name, { from: number; to: number }> {
  let from = 0;
  const placed = {} as Record<Name, { from: number; to: number }>;
  for (const [name, size] of Object.entries(sizes) as [Name, number][]) {
    placed[name] = { from, to: from + size };
    from += size;
  }
  return placed;
}

const two = (value: number): string => String(value).padStart(2, '0');
