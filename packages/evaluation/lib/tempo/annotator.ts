// Annotator interface (TEMPO section 3.3), and annotation of queries and passages with progress,
// abort and a call budget.
import { throwIfAborted } from 'asof/kit';
import type { RunOptions } from 'asof';
import { isBudgetExhausted } from '../judges/budget.js';
import type { JudgeDocument } from '../judges/judgement.js';
import type { PassageAnnotation, QueryAnnotation } from './annotation.js';
import type { TempoQuery } from './data.js';

export type AnnotatorQuery = Pick<TempoQuery, 'id' | 'text'>;

/**
 * Annotates one thing at a time. Both may reject with ERR_ABORTED, and a model's with
 * ERR_MODEL_FAILED.
 */
export interface Annotator {
  /** Name of the annotator. */
  readonly id: string;
  /** Annotates the query's words alone. Steps of the plan name no documents. */
  query(query: AnnotatorQuery, signal?: AbortSignal): Promise<QueryAnnotation>;
  /** Annotates the passage's words alone; the query is its context of retrieval. */
  passage(
    query: AnnotatorQuery,
    passage: JudgeDocument,
    signal?: AbortSignal,
  ): Promise<PassageAnnotation>;
}

export interface Annotations<T> {
  /** Completely annotated queries, in input order. */
  queries: { id: string; annotation: T }[];
  /** Number of queries beyond the budget. */
  left: number;
}

/**
 * Annotates queries. onProgress counts them. Errors: those of the annotator, except an exhausted
 * budget (`budgetedModel`); ERR_ABORTED.
 * @example const { queries } = await annotateQueries(ruleAnnotator(), domain.queries);
 */
export function annotateQueries(
  annotator: Annotator,
  queries: readonly AnnotatorQuery[],
  options: RunOptions = {},
): Promise<Annotations<QueryAnnotation>> {
  return annotateEach(queries, (query) => annotator.query(query, options.signal), options);
}

/**
 * Annotates the gold documents of queries and, with `negatives`, their hard negatives after them.
 * Errors: as `annotateQueries`. Unknown documents are skipped, as the reader checks the corpus.
 */
export function annotatePassages(
  annotator: Annotator,
  queries: readonly TempoQuery[],
  documents: (id: string) => JudgeDocument | undefined,
  options: RunOptions & { negatives?: boolean } = {},
): Promise<Annotations<PassageAnnotation[]>> {
  return annotateEach(
    queries,
    async (query) => {
      const found: PassageAnnotation[] = [];
      for (const id of [...query.relevant, ...(options.negatives ? query.negatives : [])]) {
        throwIfAborted(options.signal);
        const document = documents(id);
        if (document) found.push(await annotator.passage(query, document, options.signal));
      }
      return found;
    },
    options,
  );
}

/** Annotates each query in turn. Errors: as `annotateQueries`. */
export async function annotateEach<Q extends AnnotatorQuery, T>(
  queries: readonly Q[],
  annotate: (query: Q) => Promise<T>,
  { signal, onProgress }: RunOptions,
): Promise<Annotations<T>> {
  const done: Annotations<T>['queries'] = [];
  for (const query of queries) {
    throwIfAborted(signal);
    try {
      done.push({ id: query.id, annotation: await annotate(query) });
    } catch (error) {
      if (!isBudgetExhausted(error)) throw error;
      break;
    }
    onProgress?.({ done: done.length, total: queries.length });
  }
  return { queries: done, left: queries.length - done.length };
}
