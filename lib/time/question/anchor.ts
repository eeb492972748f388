// Anchor words of a question's constraint: "born" in "Who was born in the 1850s and won the
// prize?". They select among a passage's dates. Positional; no grammar.
import type { ParsedQuestion } from '../constraint.js';

/**
 * Words before the constraint, nearest first, back to the nearest comma or question word; those
 * after it if it opens the question.
 */
export function adjacentWords({
  text,
  constraint,
}: Pick<ParsedQuestion, 'text' | 'constraint'>): string[] {
  const start = constraint.text === undefined ? -1 : text.indexOf(constraint.text);
  if (start < 0) return [];
  const words = (part: string): string[] => part.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu) ?? [];
  const before = words(text.slice(0, start).replace(/^.*[,;:.](?=\s)/su, '')).reverse();
  return before.length > 0 ? before : words(text.slice(start + constraint.text!.length));
}
