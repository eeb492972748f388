// Systems of a family's tables: those of asof by name, `hybrid` without its ranker, and what a user
// would pick instead of it: reciprocal rank fusion of BM25 and dense retrieval, alone and with
// a decay by publication, and the recency of LangChain and of LlamaIndex.
import { bm25, dense, hybrid, type Answer, type Corpus } from '../../../lib/index.js';
import { createSystem } from '../../../lib/papers/registry.js';
import { langChain, llamaIndex } from './frameworks.js';

export interface Asked {
  text: string;
  askedAt?: string;
}

/** Ids from the first on, and the answer, where the system gives one. */
export interface Answered {
  ids: string[];
  answer?: Answer | null | undefined;
}

export interface Contender {
  ask(question: Asked): Promise<Answered>;
  close?(): Promise<void>;
}

/** Passages that are fused, of each ranking. */
const fused = 100;
/** The constant of reciprocal rank fusion, as published (Cormack and others 2009). */
const rankConstant = 60;
const year = 365.25 * 86_400_000;

/**
 * @param work where packages of others are installed
 * @param ranker the path of weights for `hybrid`
 */
export async function contender(
  name: string,
  corpus: Corpus,
  work: string,
  ranker?: string,
): Promise<Contender> {
  if (name === 'langchain') return langChain(corpus, work);
  if (name === 'llamaindex') return llamaIndex(corpus, work);
  if (name === 'rrf') return fusion(corpus, () => 1);
  if (name === 'rrf+decay')
    return fusion(corpus, (age) => (age === undefined ? 0.5 : 2 ** (-Math.max(0, age) / year)));
  const system =
    name === 'no ranker'
      ? hybrid({ corpus, ranker: false })
      : name === 'hybrid' && ranker !== undefined
        ? hybrid({ corpus, ranker })
        : createSystem(name, { corpus });
  return {
    async ask(question) {
      const { evidence, answer } = await system.run(question);
      return { ids: evidence.map(({ id }) => id), answer };
    },
  };
}

/** @param factor of a passage's score by its age at asking in milliseconds */
function fusion(corpus: Corpus, factor: (age: number | undefined) => number): Contender {
  const systems = [bm25({ corpus }), dense({ corpus })];
  const ask: Contender['ask'] = async (question) => {
    const askedAt = question.askedAt === undefined ? Date.now() : Date.parse(question.askedAt);
    const scores = new Map<string, number>();
    for (const system of systems) {
      const { evidence } = await system.run(question, { k: fused, read: false });
      evidence.forEach(({ id, publishedAt }, rank) => {
        const age = publishedAt === undefined ? undefined : askedAt - Number(publishedAt);
        scores.set(id, (scores.get(id) ?? 0) + factor(age) / (rankConstant + 1 + rank));
      });
    }
    return { ids: [...scores.keys()].sort((a, b) => scores.get(b)! - scores.get(a)!) };
  };
  return { ask };
}
