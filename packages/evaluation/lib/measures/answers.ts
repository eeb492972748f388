// Answer measures: answer recall, exact match and token F1, with the normalisations of the
// evaluation that MRAG's figures come from.
import { answerFinder } from './answerFinder.js';

/**
 * answer_recall@k = 1 where the title and text of any of the first k passages contain any of the
 * answers (MRAG's AR@k).
 */
export function answerRecall(
  passages: readonly { title?: string; text: string }[],
  answers: readonly string[],
  k: number,
): number {
  const find = answerFinder(answers);
  const found = passages
    .slice(0, k)
    .some(({ title, text }) => find(title === undefined ? text : `${title} ${text}`).size > 0);
  return found ? 1 : 0;
}

/**
 * em = 1 where the answer equals any expected one after NFD, lower case, without ASCII punctuation,
 * articles and repeated blanks. Degrees and percents are compared as numbers with their units, of
 * which one side may have none: 60, 60°F and 60 degrees Fahrenheit are one, 60°C is another.
 */
export function exactMatch(answer: string, expected: readonly string[]): number {
  const given = plain(answer);
  return expected.some((each) => plain(each) === given || isSameQuantity(each, answer)) ? 1 : 0;
}

interface Quantity {
  number: number;
  unit: '%' | 'F' | 'C' | 'degrees' | undefined;
}

const number = String.raw`([-+−]?\d+(?:,\d{3})*(?:\.\d+)?)`;
const unit = String.raw`(?:(%|percent|per cent)|(?:°|degrees?)?\s*(?:(f|fahrenheit)|(c|celsius))|(°|degrees?))`;
const whole = new RegExp(String.raw`^${number}(?:\s*${unit})?$`, 'i');
const within = new RegExp(String.raw`(?<![\p{L}\p{N}.,])${number}(?:\s*${unit}(?!\p{L}))?`, 'giu');

function quantityOf(match: RegExpExecArray): Quantity {
  const [, digits, percent, fahrenheit, celsius, degrees] = match;
  return {
    number: Number(digits!.replaceAll(',', '').replace('−', '-')),
    unit: percent ? '%' : fahrenheit ? 'F' : celsius ? 'C' : degrees ? 'degrees' : undefined,
  };
}

/** One number, and units of which none is another. */
function isSame(one: Quantity, other: Quantity): boolean {
  const isBare = (unit: Quantity['unit'], of: Quantity['unit']): boolean =>
    unit === undefined || (unit === 'degrees' && of !== '%');
  const isOneUnit =
    one.unit === other.unit || isBare(one.unit, other.unit) || isBare(other.unit, one.unit);
  return one.number === other.number && isOneUnit;
}

/** Whether two texts are one number, of which at least one has a unit and none another. */
function isSameQuantity(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => {
    const match = whole.exec(text.trim());
    return match ? quantityOf(match) : undefined;
  });
  return a !== undefined && b !== undefined && Boolean(a.unit ?? b.unit) && isSame(a, b);
}

/**
 * Whether a text states a value, verbatim or as a number with a unit: 48°F as "48 degrees
 * Fahrenheit", 1,204 as 1204. A number with a unit is not stated by one without.
 */
export function statesValue(text: string, value: string): boolean {
  const match = whole.exec(value.trim());
  if (!match) return text.toLowerCase().includes(value.toLowerCase());
  const wanted = quantityOf(match);
  return [...text.matchAll(within)]
    .map(quantityOf)
    .some((given) => isSame(given, wanted) && Boolean(given.unit) === Boolean(wanted.unit));
}

/**
 * f1 = 2 p r / (p + r) of shared lower-case blank-separated tokens (multiset intersection), 1 for
 * one quantity as in `exactMatch`; the maximum over the expected answers.
 */
export function tokenF1(answer: string, expected: readonly string[]): number {
  return Math.max(
    0,
    ...expected.map((each) =>
      isSameQuantity(each, answer) ? 1 : pairF1(words(answer), words(each)),
    ),
  );
}

function pairF1(given: readonly string[], wanted: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of given) {
    const count = left.get(word) ?? 0;
    if (count > 0) shared += 1;
    left.set(word, count - 1);
  }
  return shared === 0 ? 0 : (2 * shared) / (given.length + wanted.length);
}

function words(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

function plain(text: string): string {
  const bare = text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, '');
  return words(bare.replace(/(?<![\p{L}\p{N}_])(a|an|the)(?![\p{L}\p{N}_])/gu, ' ')).join(' ');
}
