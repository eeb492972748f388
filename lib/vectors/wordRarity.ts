// How rare words are in English: lengths of the token vectors of the embedded encoder, which weighs
// its tokens by their rarity.
import { lazily, type CacheRegistry, type CacheSpec } from '../runtime/cacheRegistry.js';
import { modelSections, readModelFile } from './modelFile.js';
import { installedFile } from '../runtime/installation.js';

/** At the package root, both for lib/ and for dist/. */
const embedded = installedFile('models/default-encoder.bin');

/** Rarity of a word in small letters: about 1 ("the") to 19; `unknownRarity` of no token. */
export type WordRarity = (low: string) => number;
export const unknownRarity = 18;

const cached: CacheSpec<() => Promise<WordRarity>> = {
  name: 'word rarity',
  create: () => lazily(readRarity),
};

/** The embedded table, read once per owner of caches. @throws AsOfError ERR_NOT_FOUND. */
export const wordRarity = (caches: CacheRegistry): Promise<WordRarity> => caches.get(cached)();

/** Layout: native/encoder/static_model.hpp. The encoder checks the file's sum when it opens it. */
async function readRarity(): Promise<WordRarity> {
  const file = await readModelFile(embedded, 'the embedded encoder');
  const {
    counts: [tokens, dimensions, headerLength, vocabularyLength],
    next,
  } = modelSections(file);
  next(headerLength);
  const vocabulary = next(vocabularyLength).toString().split('\n');
  const scales = next(4 * tokens);
  const rows = next(tokens * dimensions);
  const lengths = new Map<string, number>();
  for (let token = 0; token < tokens; token += 1) {
    let squares = 0;
    for (let i = token * dimensions; i < (token + 1) * dimensions; i += 1)
      squares += ((rows[i]! << 24) >> 24) ** 2;
    lengths.set(vocabulary[token]!, scales.readFloatLE(4 * token) * Math.sqrt(squares));
  }
  return (low) => lengths.get(low) ?? unknownRarity;
}
