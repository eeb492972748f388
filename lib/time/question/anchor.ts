// The word of a question that its constraint hangs on: "born" in "Who was born in the 1850s and won
// the prize?". It tells which of a passage's dates is asked for where a passage has several. By
// position alone; no grammar.
import type { ParsedQuestion } from '../constraint.js';

/**
 * The words before the constraint, nearest first, up to the nearest comma or question word; after
 * it where it opens the question.
 */
export function wordsBeside({
  text,
  constraint,
}: Pick<ParsedQuestion, 'text' | 'constraint'>): string[] {
  const start = constraint.text === undefined ? -1 : text.indexOf(constraint.text);
  if (start < 0) return [];
  const words = (part: string): string[] => part.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu) ?? [];
  const before = words(text.slice(0, start).replace(/^.*[,;:.](?=\s)/su, '')).reverse();
  return before.length > 0 ? before : words(text.slice(start + constraint.text!.length));
}
