// Sides of a contest in a sentence: "A beat B", "B lost to A", "A 3, B 1". Which of them a question
// asks for tells its verb; rules over English forms.
import type { TextSpan } from './spans.js';

/** Features of a span by name; those that are absent are 0. */
export type Features = Record<string, number>;

const contest = new RegExp(
  [
    String.raw`\b(?:(?:was|were|been) )?(?:defeated|beat|beaten|beating|defeating|overcame|` +
      String.raw`overcoming|downed|ousted)(?: by)?\b`,
    String.raw`\b(?:won|victory|prevailed|triumphed) (?:[^.,;]{0,30} )?(?:against|over)\b`,
    String.raw`\b(?:lost|fell|losing) (?:[^.,;]{0,30} )?to\b`,
  ].join('|'),
  'i',
);
const asksWinner = /\b(?:won|wins?|winners?|champions?|victors?|defeated|beat|claimed|took)\b/i;
const asksLoser =
  /\b(?:lost|loses?|losers?|runners?-up|runner up|(?:was|were|got) (?:beaten|defeated)|finished second)\b/i;

/** Whether a span stands on the side of a contest that the question asks for. */
export function contestOf(question: string): (sentence: string) => (span: TextSpan) => Features {
  const [winner, loser] = [
    asksWinner.test(question.replace(/\b(?:was|were|got) (?:beaten|defeated)\b/gi, '')),
    asksLoser.test(question),
  ];
  if (winner === loser) return () => neither;
  return (sentence) => {
    const found = contest.exec(sentence);
    if (!found) return ofResult(sentence, winner);
    const turned = /^(?:was|were|been|lost|fell|losing)\b/i.test(found[0]);
    return ({ start }): Features =>
      start < found.index === (winner !== turned) ? { contestRight: 1 } : { contestWrong: 1 };
  };
}

const neither = (): Features => ({});

const team = String.raw`\p{Lu}[\p{L}\p{M}.'’-]*(?:\s\p{Lu}[\p{L}\p{M}.'’-]*){0,3}`;
const results = [
  // Lund 3, Brann 1
  new RegExp(String.raw`${team}\s(\d{1,3}),\s(?=${team}\s(\d{1,3})(?!\s?[\p{L}\d]))`, 'du'),
  new RegExp(String.raw`${team}\s(\d{1,3})\s?[–-]\s?(?=(\d{1,3})\s\p{Lu})`, 'du'), // Lund 3–1 Brann
];

/** The sides of a result that only its numbers tell. */
function ofResult(sentence: string, winner: boolean): (span: TextSpan) => Features {
  const found = results.map((pattern) => pattern.exec(sentence)).find((match) => match !== null);
  if (!found || found[1] === found[2]) return neither;
  const firstWon = Number(found[1]) > Number(found[2]);
  const border = found.index + found[0].length;
  return ({ start, end }): Features => {
    if (end < found.index || start < found.index) return {};
    return start < border === (firstWon === winner) ? { contestRight: 1 } : { contestWrong: 1 };
  };
}
