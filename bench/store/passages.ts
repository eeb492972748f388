// Passages that stores are compared on: a title, dates and one sentence of 40 words of a made
// vocabulary, each with a unit vector of 256 dimensions; the same ones for a number and an edition.
// One sentence, because of several asof would store a vector each.
import type { Passage } from '../../lib/index.js';
import { mulberry32 } from '../../lib/text/random.js';

export const dimensions = 256;

export interface Item {
  /** A word of the text that no other item has. */
  key: string;
  passage: Passage;
  vector: Float32Array;
}

const syllables = ['ba', 'de', 'fi', 'go', 'ku', 'la', 'mo', 'ne', 'po', 'ra', 'se', 'ti', 'vu'];
const vocabularySize = syllables.length ** 3;
const wordsOfText = 40;
const dayMilliseconds = 86_400_000;
const firstDay = Date.UTC(2001, 0, 1);

const digits = (number: number): string => String(number).padStart(7, '0');

export const idOf = (number: number): string => `p${digits(number)}`;

export function keyIn(text: string): string | undefined {
  return /\be\d{7}x\d+\b/.exec(text)?.[0];
}

/** The passage of a number in one of its editions, and its vector. */
export function makeItem(number: number, edition = 0): Item {
  const next = mulberry32(number * 2654435761 + edition);
  const key = `e${digits(number)}x${edition}`;
  const day = firstDay + (number % 8000) * dayMilliseconds;
  const isoDay = new Date(day).toISOString().slice(0, 10);
  const words = Array.from({ length: wordsOfText }, () => wordOf(next));
  return {
    key,
    passage: {
      id: idOf(number),
      title: `${wordOf(next)} ${wordOf(next)}`,
      text: `On ${isoDay} entry ${key} reported ${words.join(' ')}.`,
      publishedAt: isoDay,
      validFrom: isoDay,
      validTo: new Date(day + 365 * dayMilliseconds).toISOString().slice(0, 10),
    },
    vector: unitVector(next),
  };
}

export function makeItems(from: number, count: number, edition = 0): Item[] {
  return Array.from({ length: count }, (_, at) => makeItem(from + at, edition));
}

/** Bytes of the records as JSON and of the vectors: what a store cannot do without. */
export function bytesOf(items: readonly Item[]): number {
  return items.reduce(
    (sum, { passage, vector }) =>
      sum + Buffer.byteLength(JSON.stringify(passage)) + vector.byteLength,
    0,
  );
}

/** A word, the first ones of the vocabulary most often. */
function wordOf(next: () => number): string {
  const n = syllables.length;
  const rank = Math.floor(vocabularySize * next() ** 3);
  return [rank % n, Math.floor(rank / n) % n, Math.floor(rank / n / n)]
    .map((each) => syllables[each])
    .join('');
}

function unitVector(next: () => number): Float32Array {
  const vector = new Float32Array(dimensions);
  let squares = 0;
  for (let at = 0; at < dimensions; at += 1) squares += (vector[at] = next() - 0.5) ** 2;
  const length = Math.sqrt(squares);
  return vector.map((each) => each / length);
}
