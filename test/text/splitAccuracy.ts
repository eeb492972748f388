// Accuracy of sentence splits by kind of difficulty, on the cases of sentenceCases.jsonl: batch 1
// was written before the rules, batch 2 after them and before their last change.
import { readFileSync } from 'node:fs';
import { splitSentences } from '../../lib/text/sentences.js';

interface SentenceCase {
  kind: string;
  /**
   * The sentences in order; one that opens with a line end stands on a line of its own, others
   * after a space.
   */
  sentences: string[];
}

export const sentenceCases = (): SentenceCase[] =>
  readFileSync(new URL('sentenceCases.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SentenceCase);

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

/** Cases with every cut right and none missing by kind; precision and recall of cuts. */
export function splitAccuracy(cases: readonly SentenceCase[]) {
  const exact = new Map<string, number>();
  const misses: string[] = [];
  let [right, given, wanted] = [0, 0, 0];
  for (const { kind, sentences } of cases) {
    const text = sentences
      .map((each, i) => (i > 0 && !each.startsWith('\n') ? ` ${each}` : each))
      .join('');
    const found = splitSentences(text).map(({ start, end }) => text.slice(start, end));
    const [cuts, gold] = [cutsOf(found), cutsOf(sentences)];
    const shared = [...cuts].filter((cut) => gold.has(cut)).length;
    const isExact = shared === cuts.size && shared === gold.size;
    right += shared;
    given += cuts.size;
    wanted += gold.size;
    exact.set(kind, (exact.get(kind) ?? 0) + Number(isExact));
    if (!isExact)
      misses.push(`${kind}: ${found.map((part) => JSON.stringify(part.trim())).join(' | ')}`);
  }
  return { exact, precision: right / given, recall: right / wanted, misses };
}
