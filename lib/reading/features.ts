// Features of candidate spans, which a linear model weighs: where the span stands, of what form it
// is, what of the question is around it, and what varies in its place between the passages.
import type { Span } from '../text/sentences.js';
import { stemsOf, type AskedWords, type ReadPassage, type ReadSentence } from './asked.js';
import { functional, type SpanForm } from './spans.js';

/** Features by name; those that are absent are 0. */
export type Features = Record<string, number>;

/** The share of the question's words that a sentence has with the title of its passage; 0 to 1. */
export function overlapOf(
  { said }: ReadSentence,
  { titleStems }: ReadPassage,
  { stems, shares }: AskedWords,
): number {
  const held = new Set(said.map(({ asked }) => asked));
  return shares.reduce(
    (sum, share, at) => (held.has(at) || titleStems.has(stems[at]!) ? sum + share : sum),
    0,
  );
}

const border = /[;:()]|,\s|[–—]|\.\s|\b(?:and|but|then|while|when|until|where|which|who)\b/gi;

/** Characters from which on a word of the question counts half as near. */
const halfNear = 24;

/** The question's words around a span of a sentence: by distance, in its clause, and before it. */
export function around({ text, said }: ReadSentence, span: Span, { shares }: AskedWords): Features {
  const clause = clauseAround(text, span);
  const near = new Map<number, number>();
  const inClause = new Set<number>();
  let [before, all] = [0, 0];
  for (const { start, end, asked } of said) {
    if (end > span.start && start < span.end) continue;
    const gap = end <= span.start ? span.start - end : start - span.end;
    near.set(asked, Math.max(near.get(asked) ?? 0, 1 / (1 + gap / halfNear)));
    all += shares[asked]!;
    if (end <= span.start) before += shares[asked]!;
    if (start >= clause.start && end <= clause.end) inClause.add(asked);
  }
  return {
    near: [...near].reduce((sum, [asked, weight]) => sum + weight * shares[asked]!, 0),
    clause: [...inClause].reduce((sum, asked) => sum + shares[asked]!, 0),
    side: all > 0 ? before / all : 0.5,
  };
}

function clauseAround(text: string, span: Span): Span {
  let [start, end] = [0, text.length];
  for (const { index, 0: words } of text.matchAll(border)) {
    if (index + words.length <= span.start) start = index + words.length;
    else if (index >= span.end) {
      end = index;
      break;
    }
  }
  return { start, end };
}

/** Whether the next content words before and behind a span are of the question. */
export function besides(text: string, { start, end }: Span, { all }: AskedWords): Features {
  const isAsked = (words: readonly string[]): number => {
    const word = words.find((each) => !functional.has(each.toLowerCase()));
    return word !== undefined && stemsOf(word).some((stem) => all.has(stem)) ? 1 : 0;
  };
  const before = /[^,;:.()]*$/.exec(text.slice(Math.max(0, start - 40), start))![0];
  const behind = /^[^,;:.()]*/.exec(text.slice(end, end + 40))![0];
  return {
    'asked before': isAsked((before.match(/[\p{L}\p{N}]+/gu) ?? []).reverse()),
    'asked behind': isAsked(behind.match(/[\p{L}\p{N}]+/gu) ?? []),
  };
}

/** What stands before a span: a mark or small word by itself, others by what they are. */
export function leadOf(text: string, start: number): string {
  const word = /(?:[\p{L}\p{M}'’]+|\p{N}+|[^\s])(?=\s?$)/u.exec(
    text.slice(Math.max(0, start - 30), start),
  )?.[0];
  if (word === undefined) return 'edge';
  if (/^\p{N}/u.test(word)) return 'digit';
  const small = word.toLowerCase();
  if (leads.has(small)) return small;
  if (functional.has(small)) return 'other';
  if (/^\p{Lu}/u.test(word)) return 'capital';
  return /^\p{L}/u.test(word) ? 'word' : 'mark';
}
const leads = new Set('by in at to of for from with as was is the a , . : ( ) = " “ `'.split(' '));

/** The form and the length of a span, and how much of it the question has not said. */
export function wordsOf(words: string, form: SpanForm, { all }: AskedWords): Features {
  const stems = stemsOf(words);
  const repeated = stems.filter((stem) => all.has(stem)).length;
  const count = words.split(/\s+/).length;
  return {
    fresh: stems.length === 0 ? 1 : 1 - repeated / stems.length,
    repeats: stems.length > 0 && repeated === stems.length ? 1 : 0,
    length: Math.min(8, count) / 8,
    [`${form} ${count < 3 ? count : 'long'}`]: 1,
    ...(form === 'value' ? { [`shape ${shapeOf(words)}`]: 1 } : {}),
  };
}

/** Of a value. */
function shapeOf(words: string): string {
  if (/\p{Sc}/u.test(words)) return 'currency';
  if (/%|per ?cent/.test(words)) return 'percent';
  if (/^\d{1,3}[-–]\d{1,3}(?!\d)/.test(words)) return 'score';
  if (/\d[._]\d+[._-]|\d:\d|^v\d|\d[-~+]\p{L}?\d|^[<>=~^]/u.test(words)) return 'version';
  if (/^\d{1,3}(?:,\d{3})+|^\d+$/.test(words)) return 'integer';
  if (/^\d+\.\d+$/.test(words)) return 'decimal';
  return /^[\d.,]+\s/.test(words) ? 'unit' : /\d/.test(words) ? 'mixed' : 'spelled';
}
