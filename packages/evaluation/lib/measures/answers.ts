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

const quantity =
  /^([-+−]?\d+(?:,\d{3})*(?:\.\d+)?)\s*(?:(%|percent|per cent)|(?:°|degrees?)?\s*(?:(f|fahrenheit)|(c|celsius))|(°|degrees?))?$/i;

/** Whether two texts are one number, of which at least one has a unit and none another. */
function isSameQuantity(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => quantity.exec(text.trim()));
  if (!a || !b) return false;
  const numberOf = (match: RegExpExecArray): number =>
    Number(match[1]!.replaceAll(',', '').replace('−', '-'));
  const unitOf = ([, , percent, fahrenheit, celsius, degrees]: RegExpExecArray) =>
    percent ? '%' : fahrenheit ? 'F' : celsius ? 'C' : degrees ? 'degrees' : undefined;
  const [first, second] = [unitOf(a), unitOf(b)];
  if (numberOf(a) !== numberOf(b) || (first === undefined && second === undefined)) return false;
  const isBare = (unit: string | undefined, of: string | undefined): boolean =>
    unit === undefined || (unit === 'degrees' && of !== '%');
  return first === second || isBare(first, second) || isBare(second, first);
}

/**
 * f1 = 2 p r / (p + r) of shared lower-case blank-separated tokens (multiset intersection);
 * the maximum over the expected answers.
 */
export function tokenF1(answer: string, expected: readonly string[]): number {
  return Math.max(0, ...expected.map((each) => pairF1(words(answer), words(each))));
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
