// What the learned temporal extractor reads and what its heads say (Re3 section 3.2): the words
// that stand for a reference before a text, the places of the heads' logits, and the tuple that
// they add up to. The calendar is computed here and never learnt; no model is run.
import { civilFromDays, dayMilliseconds, daysFromCivil, daysInMonth } from './civil.js';
import { parseInstant } from './instant.js';
import type { TimeInput } from '../records.js';
import type { TextKind } from './timeExtractor.js';
import { noTime, type TimeTuple } from './tuple.js';

/** Units that a time may be counted in from the reference, and how many of them either way. */
const counted = { day: 14, month: 6, year: 10 } as const;
type Unit = keyof typeof counted;

/**
 * What a text's time hangs on: itself, the year nearest to the reference, or so many units from the
 * reference.
 */
export const anchors: readonly string[] = [
  'absolute',
  'nearest',
  ...(Object.keys(counted) as Unit[]).flatMap((unit) =>
    Array.from({ length: 2 * counted[unit] + 1 }, (_, at) => `${unit} ${at - counted[unit]}`),
  ),
];

/**
 * Where each head's logits are: a mask by how many components are known, four digits, month, day of
 * month, and what they hang on.
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
/** Characters of a text that are handed on; the model reads far fewer tokens. */
const mostCharacters = 4096;

/**
 * Days since 1970-01-01, or nothing where there is no reference. @throws AsOfError
 * ERR_INVALID_ARGUMENT
 */
export function referenceDay(kind: TextKind, reference: TimeInput | undefined): number | undefined {
  const given = reference ?? (kind === 'query' ? Date.now() : undefined);
  return given === undefined
    ? undefined
    : Math.floor(parseInstant(given, 'start', 'reference') / dayMilliseconds);
}

/**
 * A text as the model was trained to read it: its kind and its reference first, always in as many
 * tokens.
 */
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
  return `${kind} ${words} : ${text.slice(0, mostCharacters)}`;
}

/**
 * The tuple that one text's logits say. A day that its month does not have is never given: the
 * likeliest that it has is. What hangs on a reference that is not there is no time.
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
  let found = from;
  for (let at = from + 1; at < to; at += 1) if (logits[at]! > logits[found]!) found = at;
  return found - from;
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
