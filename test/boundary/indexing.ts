// A good call of each export that reads passages where they are indexed.
import { binding } from '../../lib/binding.js';
import type { BatchHandle, PassagesToIndex } from '../../binding.js';
import type { Call } from './calls.js';
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

export async function goodIndexingCalls(): Promise<Record<string, Call>> {
  const { batch, instants } = await taggedPassages();
  return {
    tagPassages: {
      args: () => [passagesToIndex(), undefined],
      kinds: ['object', 'cancellation'],
    },
    readTagged: {
      args: () => [batch, instants.slice(), undefined],
      kinds: ['handle', 'optional array', 'cancellation'],
    },
  };
}
