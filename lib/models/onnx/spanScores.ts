// Spans of a reader: the best one by the sum of its start and end logit, and how probable it is
// among all spans of all windows (Devlin and others 2019, section 4.2 and 4.3; Clark and Gardner
// 2018, "shared-norm": one softmax over all windows).
import type { ReadSpan } from '../../reading/spanReader.js';
import type { Window } from './tokens.js';

/**
 * Values of a text: start and end of its best span in UTF-16 units, the span's score, the logarithm
 * of the sum of exp(score) over all spans, and the least score of "no answer" (the first token's).
 */
export const spanWidth = 5;
/** Tokens of a span, at most; that of the models' own evaluation. */
const longestSpan = 30;

const logAdd = (a: number, b: number): number => {
  const [less, more] = a < b ? [a, b] : [b, a];
  return less === -Infinity ? more : more + Math.log1p(Math.exp(less - more));
};

/** The values of a window. A span is of the window that has its start with the most context. */
export function bestSpan(
  starts: Float32Array,
  ends: Float32Array,
  { first, spans, own: [from, to] }: Window,
): number[] {
  let [start, end, best, total] = [0, 0, -Infinity, -Infinity];
  for (let i = from; i < to; i += 1) {
    const until = Math.min(spans.length, i + longestSpan);
    for (let j = i; j < until; j += 1) {
      if (spans[j]!.end <= spans[i]!.start) continue;
      const score = starts[first + i]! + ends[first + j]!;
      total = logAdd(total, score);
      if (score > best) [start, end, best] = [spans[i]!.start, spans[j]!.end, score];
    }
  }
  return [start, end, best, total, starts[0]! + ends[0]!];
}

/** Values of as many texts, before any window is read. */
export function noSpans(texts: number): Float32Array<ArrayBuffer> {
  const none = [0, 0, -Infinity, -Infinity, Infinity];
  return Float32Array.from({ length: texts * spanWidth }, (_, i) => none[i % spanWidth]!);
}

/** Adds those of a window to those of its text. */
export function mergeSpans(values: Float32Array, found: ArrayLike<number>): void {
  if (found[2]! > values[2]!) for (let i = 0; i < 3; i += 1) values[i] = found[i]!;
  values[3] = logAdd(values[3]!, found[3]!);
  values[4] = Math.min(values[4]!, found[4]!);
}

/** The best of all texts, unless "no answer" scores higher in each window. */
export function bestOfTexts(values: Float32Array): ReadSpan | undefined {
  let best = -1;
  const all = noSpans(1);
  for (let at = 0; at < values.length; at += spanWidth) {
    const found = values.subarray(at, at + spanWidth);
    if (found[2]! > all[2]!) best = at / spanWidth;
    mergeSpans(all, found);
  }
  const [start, end, score, total, none] = all as unknown as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (best === -1 || none > score) return undefined;
  return { text: best, start, end, probability: Math.exp(score - logAdd(total, none)) };
}
