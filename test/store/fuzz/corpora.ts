// Corpora to damage: one per storage type, with three segments, deletions and replacements;
// reproducible.
import { join } from 'node:path';
import { Corpus } from '../../../lib/store/corpus.js';
import { hashEncoder } from '../fixtures.js';
import { drawing } from './damage.js';

export const encoder = hashEncoder(32);
export const storages = ['int8', 'int4', 'bf16', 'f32'] as const;

const words = (
  'bridge river mayor elected opened visited nobody knows harbour tower rebuilt after the ' +
  'fire of council city station'
).split(' ');

/** Passages of several sentences with dates, the same for a number and an edition. */
export function fuzzPassages(from: number, to: number, edition = 0) {
  return Array.from({ length: to - from }, (_, i) => {
    const draw = drawing(edition, from + i);
    const sentence = (): string => {
      const text = Array.from({ length: 3 + draw(12) }, () => words[draw(words.length)]!).join(' ');
      return `${text}${draw(2) === 0 ? ` in ${1900 + draw(120)}` : ''}${draw(4) === 0 ? ` on ${1 + draw(28)} May ${1950 + draw(70)}` : ''}.`;
    };
    const text = Array.from({ length: 1 + draw(6) }, sentence).join(' ');
    const published = draw(3) > 0 ? { publishedAt: `${1990 + draw(30)}-0${1 + draw(9)}-11` } : {};
    const valid = draw(4) === 0 ? { validFrom: '2001' } : {};
    return {
      id: `p${from + i}`,
      text,
      title: `The ${words[draw(words.length)]} ${from + i}`,
      ...published,
      ...valid,
    };
  });
}

/** The corpora that are damaged, one of each storage: three segments, with deletions. */
export async function makeWhole(folder: string): Promise<void> {
  for (const [number, storage] of storages.entries()) {
    const corpus = await Corpus.open(join(folder, `whole-${storage}`), { encoder, storage });
    await corpus.add(fuzzPassages(0, 300, number));
    await corpus.add(fuzzPassages(300, 700, number), { batchSize: 200 });
    await corpus.add(fuzzPassages(0, 40, number + 10));
    await corpus.delete(['p100', 'p350', 'p690']);
    await corpus.compact();
    await corpus.add(fuzzPassages(700, 800, number));
    await corpus.add(fuzzPassages(20, 50, number + 20));
    await corpus.close();
  }
}
