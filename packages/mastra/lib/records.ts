// What an index keeps of a vector and its metadata, as a passage.
import { timesOf, type Clocks } from 'asof/kit';
import type { Passage, StoredPassage, Fields } from 'asof';
import { entriesField, keywordsOf } from './entries.js';
import type { Metadata } from './filter.js';

/** Entry of a passage's metadata that holds the user's, next to a copy of each declared field. */
export const metadataField = 'metadata';

export const metadataOf = ({ metadata }: Pick<StoredPassage, 'metadata'>): Metadata =>
  (metadata?.[metadataField] ?? {}) as Metadata;

/** A vector as a passage: its text is `metadata.text`, or its id where there is none. */
export function passageOf(
  { id, vector, metadata }: { id: string; vector: Passage['vector']; metadata: object },
  fields: Fields,
  clocks: Required<Clocks>,
): Passage {
  const plain = JSON.parse(JSON.stringify(metadata)) as Metadata;
  const { text } = plain;
  const declared = Object.keys(fields).flatMap((name) =>
    plain[name] === undefined || plain[name] === null ? [] : [[name, plain[name]] as const],
  );
  return {
    id,
    vector,
    text: typeof text === 'string' && text.trim() !== '' ? text : id,
    ...timesOf(plain, clocks),
    metadata: {
      ...Object.fromEntries(declared),
      [metadataField]: plain,
      [entriesField]: keywordsOf(plain),
    },
  };
}
