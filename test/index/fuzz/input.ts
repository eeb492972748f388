// One input of the fuzzer of scans: its case, checked at one level, and what is remarkable of it.
import type { FlatResult } from '../../../binding.js';
import { addon } from '../../addon.js';
import type { Input } from '../../fuzz/inputs.js';
import { drawCase, type ScanCase } from './cases.js';
import { checkCase } from './checks.js';
import { checkCorpus, suitsCorpus } from './corpora.js';
import { checkWords, suitsWords } from './words.js';

export interface Reached {
  draws: number;
  reached: string[];
}

/** Throws where the case does not fulfil what it must. */
export async function runInput(input: Input, level: string): Promise<Reached> {
  const { drawn, draws } = drawCase(input);
  addon.setIsa(level);
  try {
    const results = await checkCase(drawn);
    if (suitsCorpus(drawn)) await checkCorpus(drawn, input.number);
    if (suitsWords(drawn)) await checkWords(drawn, input.seed, input.number);
    return { draws, reached: [...remarkable(drawn, results)] };
  } catch (error) {
    throw new Error(`${drawn.summary}, at ${level}\n${String(error)}`, { cause: error });
  }
}

const size = (count: number): string => (count === 0 ? '0' : `2^${Math.floor(Math.log2(count))}`);

/** Which ways a scan went, by what it says of them, for each kind of form and size of batch. */
function* remarkable(
  { queries, options, segments, dimensions, odd, whole }: ScanCase,
  results: readonly FlatResult[],
): Generator<string> {
  const rows = segments.reduce((sum, each) => sum + each.rows.length, 0);
  const shape = `${size(queries.length)} queries, ${size(rows)} rows, ${size(dimensions)} components`;
  for (const result of results) {
    for (let q = 0; q < queries.length; q += 1) {
      const { form, mask = {} } = queries[q]!;
      const kind =
        form.combine === 'none' ? 'none' : `${form.combine} ${'kind' in form ? form.kind : ''}`;
      const cost =
        `storage ${result.storage[q]!}, exact ${result.exact[q]!}, masked ${size(result.rowsMasked[q]!)}, rescored ${size(result.rescored[q]!)}, ` +
        `results ${size(result.offsets[q + 1]! - result.offsets[q]!)} of ${size(options.k)}`;
      yield `${kind}, ${mask.window?.clock ?? 'any time'}: ${cost}`;
      if (q === 0)
        yield `${shape}, odd ${odd}, whole ${whole}, pool ${options.pool}: storage ${result.storage[q]!}`;
    }
  }
}
