// What the tests of TEMPO's tasks share: the corpus of our own, read, and systems that give what a
// test says.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTempo, type EvaluableSystem } from '../../../lib/eval/index.js';
import type { TempoDomain, TempoQuery } from '../../../lib/eval/tempo/data.js';

const here = dirname(fileURLToPath(import.meta.url));
export const corpusFolder = join(here, 'corpus');

export async function domainOf(name: string): Promise<TempoDomain> {
  return (await readTempo(corpusFolder, { domains: [name] })).domains[0]!;
}

/** A system that remembers what it was asked. */
export interface AskedOf extends EvaluableSystem {
  asked: { text: string; k: number; askedAt?: unknown }[];
}

/** One that ranks what a script says. */
export function rankingBy(script: (text: string) => readonly string[]): AskedOf {
  const asked: AskedOf['asked'] = [];
  return {
    name: 'scripted',
    asked,
    async run({ text, askedAt }, { k = 10 } = {}) {
      asked.push({ text, k, ...(askedAt === undefined ? {} : { askedAt }) });
      return {
        evidence: script(text)
          .slice(0, k)
          .map((id, at) => ({ id, score: 1 / (at + 1), text: '' })),
      };
    },
  };
}

export const query = (id: string, more: Partial<TempoQuery> = {}): TempoQuery => ({
  id,
  text: `What of ${id}?`,
  domain: 'law',
  relevant: ['a'],
  answers: [],
  excluded: [],
  negatives: [],
  passageAnnotations: [],
  steps: [],
  ...more,
});

export const domain = (queries: readonly TempoQuery[]): TempoDomain => ({
  name: 'law',
  queries,
  stepsWithoutGold: 0,
  files: [],
  async *documents() {},
});
