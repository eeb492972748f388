// Numbers as texts write them, with their units: read to one scale, so that "1.2 million" and
// "1,200,000", "48 F" and "48.0°F" or 10 km and 6.2 miles say the same. It does not judge what a
// number counts.
import { numeralPattern, numeralValue, sharePattern, shareOf } from './numerals.js';

/** A number in a text. */
export interface Quantity {
  /** UTF-16 offsets into the text, half-open, unit included. */
  start: number;
  end: number;
  /** In the dimension's base unit. */
  value: number;
  /**
   * What is measured: "temperature", "percent", "length", "mass", "money $", ...; "ordinal" of
   * "3rd"; "count" without a unit.
   */
  dimension: string;
  /**
   * How many base units one of the written unit is, and half of the last digit written, in base
   * units.
   */
  factor: number;
  grain: number;
  /** As the text has it: before units are converted, scales such as "million" counted in. */
  written: number;
  /**
   * How far the true value may lie from `value`: half of the last digit that counts where it is
   * rounded ("about", "million"), else 0.
   */
  slack: number;
  /** "more than 500", "under 18". */
  bound?: 'over' | 'under';
  /** What it is counted by: the hour of "900 an hour", the match of "4,100 a match". */
  rate?: string;
}

interface Unit {
  dimension: string;
  factor: number;
  offset?: number;
}

const unitWords: readonly (readonly [words: string, Unit])[] = [
  ['% percent pct percentage-points', { dimension: 'percent', factor: 1 }],
  [
    '°f ºf f degf degrees-fahrenheit degree-fahrenheit fahrenheit',
    { dimension: 'temperature', factor: 5 / 9, offset: -32 },
  ],
  [
    '°c ºc c degc degrees-celsius degree-celsius celsius centigrade',
    { dimension: 'temperature', factor: 1 },
  ],
  ['degrees degree °', { dimension: 'degrees', factor: 1 }],
  ['km kilometres kilometers kilometre kilometer', { dimension: 'length', factor: 1000 }],
  ['m metres meters metre meter', { dimension: 'length', factor: 1 }],
  ['mi miles mile', { dimension: 'length', factor: 1609.344 }],
  ['ft feet foot', { dimension: 'length', factor: 0.3048 }],
  ['cm centimetres centimeters', { dimension: 'length', factor: 0.01 }],
  ['mm millimetres millimeters', { dimension: 'length', factor: 0.001 }],
  ['kg kilograms kilogrammes kilogram', { dimension: 'mass', factor: 1 }],
  ['lb lbs pounds-weight', { dimension: 'mass', factor: 0.45359237 }],
  ['tonnes tonne', { dimension: 'mass', factor: 1000 }],
  ['km/h kph', { dimension: 'speed', factor: 1 }],
  ['mph', { dimension: 'speed', factor: 1.609344 }],
  ['km2 km²', { dimension: 'area', factor: 1 }],
  ['ha hectares hectare', { dimension: 'area', factor: 0.01 }],
  ['acres acre', { dimension: 'area', factor: 0.0040468564 }],
  ['dollars dollar usd', { dimension: 'money $', factor: 1 }],
  ['cents cent', { dimension: 'money $', factor: 0.01 }],
  ['euros euro eur', { dimension: 'money €', factor: 1 }],
  ['pounds-sterling gbp', { dimension: 'money £', factor: 1 }],
  ['pence', { dimension: 'money £', factor: 0.01 }],
  ['seconds second secs', { dimension: 'duration', factor: 1 }],
  ['minutes minute mins', { dimension: 'duration', factor: 60 }],
  ['hours hour hrs', { dimension: 'duration', factor: 3600 }],
  ['days day', { dimension: 'duration', factor: 86_400 }],
  ['weeks week', { dimension: 'duration', factor: 7 * 86_400 }],
];
const units = new Map<string, Unit>(
  unitWords.flatMap(([words, unit]) =>
    words.split(' ').map((word) => [word.replace('-', ' '), unit] as const),
  ),
);
const currencies: Readonly<Record<string, string>> = {
  $: '$',
  US$: '$',
  '€': '€',
  '£': '£',
  '¥': '¥',
  '₹': '₹',
};
const scales: Readonly<Record<string, number>> = {
  dozen: 12,
  hundred: 100,
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  mn: 1e6,
  m: 1e6,
  billion: 1e9,
  bn: 1e9,
  b: 1e9,
  trillion: 1e12,
  tn: 1e12,
};

const unitPattern = [...units.keys()]
  .sort((a, b) => b.length - a.length)
  .map((word) => word.replace(' ', '\\s'))
  .join('|');
const pattern = new RegExp(
  `(?<currency>US\\$|[$€£¥₹])?\\s?(?<![\\p{L}\\p{N}.])` +
    `(?<number>(?<!\\p{L}[-–])[-−]?(?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?|${sharePattern}|${numeralPattern})` +
    `(?:(?<=\\d)(?<ordinal>st|nd|rd|th)\\b)?(?![\\p{L}\\p{N}])` +
    `(?:\\s?(?<scale>dozen|hundred|thousand|million|billion|trillion|mn|bn|tn)\\b|(?<short>[kmb])\\b(?=[^\\p{L}]|$))?` +
    `(?:[\\s-]?(?<unit>${unitPattern})(?![\\p{L}\\p{N}²]))?`,
  'giu',
);
// Digits that run into a unit ("48F", "20km") stand before a letter, which the pattern above
// refuses.
const glued = /(\d)(?=(?:°|º)?(?:[FC]|km|kg|mph|lbs?|ft|cm|mm|[kmb]n?)\b)/gu;
const about =
  /\b(?:about|around|approximately|approx\.?|nearly|almost|roughly|some|close to|an estimated|estimated at|circa)\s*$/i;
const over = /\b(?:over|more than|above|at least|exceeding|exceeded|upwards of|no fewer than)\s*$/i;
const under = /\b(?:under|fewer than|less than|below|at most|up to|no more than)\s*$/i;

/**
 * The quantities of a text, in order. `taken` are stretches that are something else, such as dates.
 */
export function quantitiesOf(
  text: string,
  taken: readonly { start: number; end: number }[] = [],
): Quantity[] {
  const { spaced, origin } = ungluedText(text);
  const found: Quantity[] = [];
  for (const match of spaced.matchAll(pattern)) {
    const { currency, number, scale, short, unit, ordinal } = match.groups as Record<
      string,
      string | undefined
    >;
    const blank = match[0].length - match[0].trimStart().length;
    const [start, end] = [origin(match.index + blank), origin(match.index + match[0].length)];
    if (taken.some((each) => start < each.end && end > each.start)) continue;
    const read = quantity(
      {
        number: number!,
        currency,
        scale: scale ?? (currency === undefined ? undefined : short),
        unit,
        ordinal,
      },
      text.slice(Math.max(0, start - 24), start),
      start,
      end,
    );
    const rated = rate.exec(text.slice(end, end + 40))?.[1];
    found.push(rated === undefined ? read : { ...read, rate: rated.toLowerCase() });
  }
  return found.filter((each, at) => !changes(text, each, found[at + 1]));
}

const rate = new RegExp(
  '^(?:\\s\\p{L}+)?(?:\\s(?:an?|per|each)\\s|/)' +
    '(second|minute|hour|day|night|week|month|year|season|match|game|litre|liter|head|person|' +
    'km|mile)\\b',
  'iu',
);
const changing = new RegExp(
  '\\b(?:rais|ris|rose|cut|lower|increas|fall|fell|drop|climb|grow|grew|revis|chang|reduc|went|' +
    'goes|up\\b|down\\b)\\w*' +
    "(?:\\W+[\\p{L}'’]+){0,6}\\W+from\\s$",
  'iu',
);

/**
 * Whether a quantity is what "raised from 390 to 420 euros" has changed from: it is no longer told.
 */
function changes(text: string, { start, end }: Quantity, next: Quantity | undefined): boolean {
  if (!next || !/^(?:\s\p{L}+)?\sto\s$/u.test(text.slice(end, next.start))) return false;
  return changing.test(text.slice(Math.max(0, start - 80), start));
}

/**
 * The text with a blank between digits and the unit they run into, and the way back to its offsets.
 */
function ungluedText(text: string): { spaced: string; origin: (at: number) => number } {
  const cuts: number[] = [];
  const spaced = text.replace(glued, (digit: string, _: string, at: number) => {
    cuts.push(at + 1 + cuts.length);
    return `${digit} `;
  });
  return { spaced, origin: (at) => at - cuts.filter((cut) => cut < at).length };
}

function quantity(
  parts: {
    number: string;
    currency?: string | undefined;
    scale?: string | undefined;
    unit?: string | undefined;
    ordinal?: string | undefined;
  },
  before: string,
  start: number,
  end: number,
): Quantity {
  const digits = parts.number.replaceAll(',', '').replace('−', '-');
  const share = shareOf(digits);
  if (share !== undefined)
    return {
      start,
      end,
      value: share,
      written: share,
      dimension: 'percent',
      factor: 1,
      grain: 0.5,
      slack: 1,
    };
  const plain = /\d/.test(digits) ? Number(digits) : numeralValue(digits);
  const scale = parts.scale === undefined ? 1 : scales[parts.scale.toLowerCase()]!;
  const unit =
    parts.unit === undefined ? undefined : units.get(parts.unit.toLowerCase().replace(/\s/g, ' '));
  const money =
    parts.currency === undefined
      ? undefined
      : `money ${currencies[parts.currency.toUpperCase()] ?? currencies[parts.currency]}`;
  const {
    dimension,
    factor,
    offset = 0,
  } = money
    ? { dimension: money, factor: 1 }
    : (unit ?? { dimension: parts.ordinal === undefined ? 'count' : 'ordinal', factor: 1 });
  // "Up to 49°F" is the high of a day.
  const warm =
    (dimension === 'temperature' || dimension === 'degrees') && /\bup to\s*$/i.test(before);
  const bound = warm
    ? undefined
    : over.test(before)
      ? ('over' as const)
      : under.test(before)
        ? ('under' as const)
        : undefined;
  const rounded = scale > 1 || about.test(before);
  const decimals = /\.(\d+)/.exec(digits)?.[1]!.length ?? 0;
  // Two digits are written as they are: "around 40" is not from 35 to 45.
  const written = String(Math.abs(plain));
  const trailing =
    decimals > 0 || plain === 0 || scale > 1
      ? 0
      : Math.min(/0*$/.exec(written)![0].length, Math.max(0, written.length - 2));
  const digit = 10 ** -decimals * scale * factor;
  return {
    start,
    end,
    value: (plain * scale + offset) * factor,
    written: plain * scale,
    dimension,
    factor,
    grain: digit / 2,
    slack: rounded ? (10 ** trailing * digit) / 2 : 0,
    ...(bound ? { bound } : {}),
  };
}

/**
 * Whether two quantities of one dimension say the same: equal, as far as the rounder one of the two
 * tells where the other is exact, and up to their last digits where they are in different units.
 * With `bounds` "over 40" agrees with 47.
 */
export function sameQuantity(a: Quantity, b: Quantity, bounds = true): boolean {
  if (a.dimension !== b.dimension) return sameNumber(a, b);
  if (bounds && (within(a, b) || within(b, a))) return true;
  const difference = Math.abs(a.value - b.value);
  const exact = 1e-9 * Math.max(1, Math.abs(a.value), Math.abs(b.value));
  const rounding =
    a.slack === 0 || b.slack === 0 ? Math.max(a.slack, b.slack) : Math.min(a.slack, b.slack);
  const conversion = a.factor === b.factor ? 0 : Math.max(a.grain, b.grain);
  return difference <= Math.max(exact, rounding, conversion) + exact;
}

/**
 * Of two quantities of which one leaves its unit open ("45 degrees", "high 45"): the same number as
 * written, degrees in either scale.
 */
function sameNumber(a: Quantity, b: Quantity): boolean {
  const [open, other] = a.dimension === 'count' || a.dimension === 'degrees' ? [a, b] : [b, a];
  const slack = Math.max(open.slack / open.factor, other.slack / other.factor);
  if (Math.abs(open.written - other.written) <= slack + 1e-9) return true;
  return (
    other.dimension === 'temperature' &&
    other.factor !== 1 &&
    Math.abs(open.written - other.value) <= Math.max(open.grain, other.grain)
  );
}

/** "Over 40" and 47 are the same as far as one can tell; "over 40" and 400 are hardly. */
const within = ({ bound, value }: Quantity, other: Quantity): boolean =>
  value > 0 &&
  other.bound === undefined &&
  ((bound === 'over' && other.value >= value && other.value <= 1.5 * value) ||
    (bound === 'under' && other.value <= value && 1.5 * other.value >= value));

/**
 * Degrees without a scale are of either; counted by different things two quantities are of two
 * measures.
 */
export const comparable = (a: Quantity, b: Quantity): boolean =>
  (a.rate === undefined || b.rate === undefined || a.rate === b.rate) && sameDimension(a, b);

const sameDimension = (a: Quantity, b: Quantity): boolean =>
  a.dimension === b.dimension ||
  (a.dimension === 'degrees' && b.dimension === 'temperature') ||
  (a.dimension === 'temperature' && b.dimension === 'degrees');
