// Systems that only a table of MRAG's compares with: the list of its hybrid first stage as it is,
// and the whole page that a question names (appendix L).
import type { Corpus } from 'asof';
import { readPassages } from 'asof/kit';
import { createSystem, type SystemOptions } from 'asof/papers';
import type { EvaluableSystem } from '../evaluate.js';

type Create = (options: SystemOptions & { corpus: Corpus }) => EvaluableSystem;
type Evidence = Awaited<ReturnType<EvaluableSystem['run']>>['evidence'];

/** Passages that the encoder and BM25 give to the list, and most of a page. */
const [depth, mostOfPage] = [1000, 100];

export const paperSystems: Readonly<Record<string, Create>> = {
  /** 0.8 / rank by the encoder + 0.2 / rank by BM25, ranks from 1. */
  'dense+bm25': ({ corpus }) => {
    const lists = [
      { weight: 0.8, system: createSystem('dense', { corpus }) },
      { weight: 0.2, system: createSystem('bm25', { corpus }) },
    ];
    return {
      name: '0.8 / dense rank + 0.2 / bm25 rank',
      async run(question, options = {}) {
        const fused = new Map<string, Evidence[number]>();
        for (const { weight, system } of lists) {
          const { evidence } = await system.run(question, { ...options, k: depth });
          for (const [at, passage] of evidence.entries()) {
            const score = (fused.get(passage.id)?.score ?? 0) + weight / (at + 1);
            fused.set(passage.id, { ...passage, score });
          }
        }
        const ranked = [...fused.values()].sort((a, b) => b.score - a.score);
        return { evidence: ranked.slice(0, options.k ?? 10) };
      },
    };
  },
  /**
   * The passages under the longest title that the question has in it, else under that of BM25's
   * first, in the order of their ids, all read in one prompt.
   */
  page: ({ corpus, model, read = {} }) => {
    const lexical = createSystem('bm25', { corpus });
    return {
      name: 'the whole page',
      async run(question, { signal } = {}) {
        const { evidence } = await lexical.run(question, { k: depth, signal });
        const title = titleIn(question.text, evidence);
        const found = await lexical.run({ ...question, text: title }, { k: depth, signal });
        const page = [...evidence, ...found.evidence].filter((each) => each.title === title);
        const passages = [...new Map(page.map((each) => [each.id, each])).values()]
          .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
          .slice(0, mostOfPage);
        if (passages.length === 0) return { evidence: passages };
        const reading = { ...read, passages: passages.length, model, signal };
        return { evidence: passages, ...(await readPassages(question, passages, reading)) };
      },
    };
  },
};

function titleIn(text: string, evidence: Evidence): string {
  const titles = new Set(evidence.flatMap(({ title }) => title ?? []));
  const named = [...titles].filter((title) => text.toLowerCase().includes(title.toLowerCase()));
  return named.sort((a, b) => b.length - a.length)[0] ?? evidence[0]?.title ?? text;
}
