// The place of a chunk in its document: the field `chunk` of a passage, and the ids of neighbours.
import { isObject, type AsOfError } from '../../errors.js';
import type { StoredPassage } from '../../records.js';

export type ChunkField = NonNullable<StoredPassage['chunk']>;

/** More than any format nests. */
const maxHeadings = 32;
/** UTF-16 units, as of a title. */
const maxHeading = 1000;
const names: readonly string[] = ['parent', 'start', 'end', 'headings'];

/** A plain copy of the field, checked; `invalid` creates the error for an invalid one. */
export function checkedChunk(
  { id, text }: StoredPassage,
  chunk: unknown,
  invalid: (expected: string, received: unknown) => AsOfError,
): ChunkField {
  const expected = 'an object { parent, start, end, headings }';
  if (!isObject(chunk)) throw invalid(expected, chunk);
  const unknown = Object.keys(chunk).find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalid(expected, unknown);
  const { parent, start, end, headings } = chunk as Partial<ChunkField>;
  if (typeof parent !== 'string' || chunkNumber(id, parent) === undefined)
    throw invalid('of a parent whose id, # and a number are the id of the passage', parent);
  if (!Number.isSafeInteger(start) || start! < 0 || end !== start! + text.length)
    throw invalid('at offsets as far apart as the text is long', [start, end].join(' to '));
  if (headings === undefined || headings === null) return { parent, start: start!, end };
  const areHeadings =
    Array.isArray(headings) &&
    headings.length <= maxHeadings &&
    headings.every(
      (each) => typeof each === 'string' && each.length <= maxHeading && each.isWellFormed(),
    );
  if (!areHeadings)
    throw invalid(
      `under at most ${maxHeadings} headings of at most ${maxHeading} well-formed UTF-16 units`,
      headings,
    );
  return { parent, start: start!, end, headings: [...headings] };
}

/** The id of a document's nth chunk, from 0. */
export const chunkId = (parent: string, n: number): string => `${parent}#${n}`;

/** The number in a chunk's id; undefined where the id is no chunk of that document. */
export function chunkNumber(id: string, parent: string): number | undefined {
  if (parent === '' || !id.startsWith(`${parent}#`)) return undefined;
  const digits = id.slice(parent.length + 1);
  return /^(?:0|[1-9]\d{0,8})$/.test(digits) ? Number(digits) : undefined;
}
