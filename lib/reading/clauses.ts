// The clauses of a sentence, and the word that says what "When did it ..." asks the date of. By
// commas, conjunctions and the place of a word in the question; no grammar, and no tree.
import type { Span } from '../text/sentences.js';
import type { Bound } from './spans.js';

const border =
  /[;:()]|,\s(?!when\b)|[–—]|\.\s|\b(?:and|but|then|while|(?<!\d,\s)when|until|where|which|who)\b/gi;

/** Where the clauses of a text begin and end, the words that join them left out; in order. */
export function clausesOf(text: string): Span[] {
  const clauses: Span[] = [];
  let start = 0;
  for (const { index, 0: words } of text.matchAll(border)) {
    clauses.push({ start, end: index });
    start = index + words.length;
  }
  clauses.push({ start, end: text.length });
  return clauses;
}

/** From the clause that a span begins in to the one that it ends in. */
export function clauseAround(clauses: readonly Span[], span: Span): Span {
  const first = clauses.findLast(({ start }) => start <= span.start) ?? clauses[0]!;
  const last = clauses.find(({ end }) => end >= span.end) ?? clauses.at(-1)!;
  return { start: first.start, end: last.end };
}

const small =
  'in|on|at|by|from|to|with|as|for|after|before|during|until|under|into|over|against|near|since';
const article = 'the|an?|his|her|its|their|this|that';
const followed = new RegExp(String.raw`^\s*(?:[?.!,;]|$|(?:${small}|${article})\b|\p{Lu})`, 'u');
const notVerb = new RegExp(
  String.raw`^(?:${small}|${article}|of|and|or|last|first|finally|officially)$`,
);

const irregular = new Set(
  (
    'built made sold won lost held born found begun drawn known torn blown flown thrown ' +
    'written stolen broken taken given chosen sunk shot cut shut ' +
    'hit bought caught led laid paid left met sent spent struck hung run sworn driven put ' +
    'set rebuilt overthrown withdrawn'
  ).split(' '),
);

/**
 * What happened, of "When did the line reopen in Lund?": the first word in lower case before a
 * preposition, an article, a name or the end; after "was" the last participle. Undefined where the
 * form does not tell.
 */
export function eventWord(question: string): string | undefined {
  const asked =
    /\b(?:when|what (?:year|date|day|month)|which (?:year|month|day))\s(did|was|were|will|is|has|have)\b/i.exec(
      question,
    );
  if (!asked) return undefined;
  const rest = question.slice(asked.index + asked[0].length);
  const passive = /^(?:was|were|is)$/i.test(asked[1]!);
  const words = [...rest.matchAll(/(?<![\p{L}\p{N}-])\p{Ll}[\p{L}\p{M}'’-]*/gu)].filter(
    ({ 0: word }) => !notVerb.test(word),
  );
  if (passive)
    return (words.findLast(({ 0: word }) => /[a-z]{2}ed$/.test(word)) ??
      words.findLast(({ 0: word }) => irregular.has(word)))?.[0];
  return words.find(({ 0: word, index }) => {
    const between = rest.slice(0, index).trim();
    const opensNoun = new RegExp(String.raw`\b(?:${article}|of)$`, 'i').test(between);
    return !opensNoun && followed.test(rest.slice(index + word.length));
  })?.[0];
}

/** Which end of a stretch of time "When was she born?" and "When did he die?" want. */
export function boundAsked(question: string): Bound | undefined {
  if (!/\b(?:when|what (?:year|date|day|month)|which (?:year|month|day))\b/i.test(question))
    return undefined;
  const [starts, ends] = [starting.test(question), ending.test(question)];
  return starts === ends ? undefined : starts ? 'start' : 'end';
}

const starting = new RegExp(
  String.raw`\b(?:born|birth|begin|began|begun|start(?:ed)?|open(?:ed)?|found(?:ed)?|` +
    String.raw`establish(?:ed)?|become|became|appointed|elected|` +
    String.raw`take office|since when)\b`,
  'i',
);
const ending =
  /\b(?:die[ds]?|death|end(?:ed)?|finish(?:ed)?|leave|left|retired?|resign(?:ed)?|step(?:ped)? down|closed?|ceased?|until when)\b/i;
