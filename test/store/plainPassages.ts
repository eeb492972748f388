// Passages of numbered versions and their encoder, for tests of several processes, each of which
// makes them anew.
import type { Passage, StoredPassage } from '../../lib/records.js';
import type { Encoder } from '../../lib/vectors/encoder.js';

/** A vector of each text's length: what is tested are files, not meaning. */
export const lengthEncoder: Encoder = {
  id: 'length-16',
  dimensions: 16,
  async encode(texts) {
    const vectors = new Float32Array(texts.length * 16);
    texts.forEach((text, i) => void (vectors[i * 16 + (text.length % 16)] = 1));
    return vectors;
  },
};

export const versionPassage = (i: number, version: number): Passage => ({
  id: `passage ${i}`,
  title: `Report ${i}`,
  text: `This is edition ${version} of report ${i}. It was written on 5 May 2021. ${'It has more to say. '.repeat(i % 20)}`,
  publishedAt: '2021-05-06',
  metadata: { version },
});

/** The version that a stored passage is of. */
export const kept = (passage: StoredPassage): number => Number(passage.metadata!['version']);
