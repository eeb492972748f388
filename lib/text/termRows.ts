// Packed rows of keywords for the addon: distinct ones once, a number for each that a row has.
import type { PackedTermRows } from '../../binding.js';

/** Rows may be empty, and have a term several times. */
export function packTermRows(rows: readonly (readonly string[])[]): PackedTermRows {
  const numbers = new Map<string, number>();
  const rowTerms = Uint32Array.from(
    rows.flat(),
    (term) => numbers.get(term) ?? numbers.set(term, numbers.size).size - 1,
  );
  const terms = [...numbers.keys()].map((term) => Buffer.from(term));
  return {
    termBytes: Buffer.concat(terms),
    termOffsets: offsetsOf(terms),
    rowOffsets: offsetsOf(rows),
    rowTerms,
  };
}

function offsetsOf(lists: readonly { length: number }[]): Uint32Array {
  const offsets = new Uint32Array(lists.length + 1);
  for (const [at, { length }] of lists.entries()) offsets[at + 1] = offsets[at]! + length;
  return offsets;
}
