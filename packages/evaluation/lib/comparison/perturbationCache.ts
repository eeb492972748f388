// Cache of perturbed questions by test collection, for comparisons that run system by system.
import type { Qrels } from '../files/trec.js';
import type { PerturbOptions } from '../perturbation/perturbQuestion.js';
import { perturbQuestions, type PerturbedQuestions } from '../perturbation/perturbQuestions.js';
import type { CollectionQuery } from './testCollection.js';

/**
 * Caches the forms of each list of queries for its last options; entries are weak.
 */
export class PerturbationCache {
  readonly #entries = new WeakMap<
    readonly CollectionQuery[],
    { options: string; qrels: Qrels | undefined; forms: PerturbedQuestions }
  >();

  async perturb(
    queries: readonly CollectionQuery[],
    { signal, qrels, ...options }: PerturbOptions & { qrels?: Qrels; signal?: AbortSignal },
  ): Promise<PerturbedQuestions> {
    const key = JSON.stringify(options);
    const entry = this.#entries.get(queries);
    if (entry?.options === key && entry.qrels === qrels) return entry.forms;
    const forms = await perturbQuestions(queries, {
      ...options,
      qrels,
      signal,
    });
    this.#entries.set(queries, { options: key, qrels, forms });
    return forms;
  }
}
