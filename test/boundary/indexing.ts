// A good call of each export that reads passages where they are indexed.
import { binding } from '../../lib/binding.js';
import type { BatchHandle, PassagesToIndex } from '../../binding.js';
import type { GoodArguments } from './calls.js';
import { passageTexts, sameInstants } from './facts.js';

/** Two passages to index: one of two sentences, which is packed, and one of one. */
export function passagesToIndex(): PassagesToIndex {
  const { texts, titles, sentenceEnds, sentences, references, publishedAt } = passageTexts();
  return {
    ...{ texts, titles, sentenceEnds, sentences, references, publishedAt },
    packed: Uint8Array.of(1, 0),
    sentenceRows: true,
  };
}

export async function taggedPassages(): Promise<{ batch: BatchHandle; instants: Float64Array }> {
  const { batch, stretches } = await binding.tagPassages(passagesToIndex());
  return { batch, instants: sameInstants(stretches) };
}

export async function goodIndexingArguments(): Promise<GoodArguments> {
  const { batch, instants } = await taggedPassages();
  return {
    tagPassages: () => [passagesToIndex(), undefined],
    readTagged: () => [batch, instants.slice(), undefined],
  };
}
