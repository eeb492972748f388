// How well sentences are split, by kind of difficulty, on the cases of
// test/text/sentenceCases.jsonl against bare Intl.Segmenter. Batch 1 was written before the rules,
// batch 2 after them and before their last change. A case counts where every cut is right and none
// is missing. It judges nothing: test/text/sentences.test.ts has the floors. usage: node
// --import tsx bench/quality/text/sentences.ts [--misses]
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from '../../options.js';
import { splitSentences } from '../../../lib/text/sentences.js';

export interface SentenceCase {
  batch: number;
  kind: string;
  /**
   * The sentences in order; one that opens with a line end stands on a line of its own, others
   * after a space.
   */
  sentences: string[];
}

export type Splitter = (text: string) => string[];

export interface SplitAccuracy {
  /** Per kind: cases without any wrong or missing cut, and all cases. */
  kinds: Map<string, { exact: number; cases: number }>;
  exact: number;
  cases: number;
  precision: number;
  recall: number;
  misses: string[];
}

export const sentenceCases = (): SentenceCase[] =>
  readFileSync(new URL('../../../test/text/sentenceCases.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SentenceCase);

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
export const splitters: Record<string, Splitter> = {
  splitSentences: (text) => splitSentences(text).map(({ start, end }) => text.slice(start, end)),
  'Intl.Segmenter': (text) => [...segmenter.segment(text)].map(({ segment }) => segment),
};

const caseText = ({ sentences }: SentenceCase): string =>
  sentences.map((each, i) => (i > 0 && !each.startsWith('\n') ? ` ${each}` : each)).join('');

/**
 * Cuts as counts of the characters before them that are not white space, so that trimming does not
 * matter.
 */
function cutsOf(parts: readonly string[]): Set<number> {
  const cuts = new Set<number>();
  let count = 0;
  for (const part of parts) cuts.add((count += part.replace(/\s+/gu, '').length));
  cuts.delete(count);
  cuts.delete(0);
  return cuts;
}

export function splitAccuracy(cases: readonly SentenceCase[], split: Splitter): SplitAccuracy {
  const kinds: SplitAccuracy['kinds'] = new Map();
  const misses: string[] = [];
  let [right, given, wanted] = [0, 0, 0];
  for (const each of cases) {
    const found = split(caseText(each));
    const [cuts, gold] = [cutsOf(found), cutsOf(each.sentences)];
    const shared = [...cuts].filter((cut) => gold.has(cut)).length;
    const exact = shared === cuts.size && shared === gold.size;
    right += shared;
    given += cuts.size;
    wanted += gold.size;
    const kind = kinds.get(each.kind) ?? { exact: 0, cases: 0 };
    kinds.set(each.kind, { exact: kind.exact + Number(exact), cases: kind.cases + 1 });
    if (!exact)
      misses.push(`${each.kind}: ${found.map((part) => JSON.stringify(part.trim())).join(' | ')}`);
  }
  return {
    kinds,
    exact: cases.length - misses.length,
    cases: cases.length,
    precision: right / given,
    recall: right / wanted,
    misses,
  };
}

function printTable(batch: number, misses: boolean): void {
  const cases = sentenceCases().filter((each) => each.batch === batch);
  const names = [...new Set(cases.map(({ kind }) => kind))];
  console.log([`batch ${batch}`, ...names, 'exact', 'cut precision', 'cut recall'].join('\t'));
  for (const [name, split] of Object.entries(splitters)) {
    const accuracy = splitAccuracy(cases, split);
    const cells = names.map(
      (kind) => `${accuracy.kinds.get(kind)!.exact}/${accuracy.kinds.get(kind)!.cases}`,
    );
    console.log(
      [
        name,
        ...cells,
        `${accuracy.exact}/${accuracy.cases}`,
        accuracy.precision.toFixed(3),
        accuracy.recall.toFixed(3),
      ].join('\t'),
    );
    if (misses && split === splitters['splitSentences'])
      console.log(accuracy.misses.map((miss) => `  ${miss}`).join('\n'));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { misses: { type: 'boolean', default: false } } });
  printTable(1, values.misses);
  printTable(2, values.misses);
}
