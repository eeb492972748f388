// Training examples of the ranker: the members of hybrid's candidates, by question, with judgments.
import {
  mustBe,
  throwIfAborted,
  candidateMembers,
  type HybridRetrievalOptions,
  hybridRetrieval,
} from 'asof/kit';
import type { MemberColumns } from 'asof/kit';
import type { Question, RunOptions, Corpus } from 'asof';

/** The judged candidates of one question. */
export interface RankingExample {
  /** Group for cross-validation, such as a page. */
  group: string;
  /** Weight of the question. */
  weight: number;
  /** Ids of the candidates, in the order of the table's numbers. */
  ids: readonly string[];
  /** By candidate: relevant (1), irrelevant (0) or unjudged (-1). */
  labels: Int8Array;
  /** Whether no passage of the corpus answers. */
  unanswerable: boolean;
  table: MemberColumns;
}

export interface JudgedQuestion extends Question {
  group: string;
  /** Default 1. */
  weight?: number | undefined;
  /** Ids of the relevant passages; none for a question that the corpus cannot answer. */
  right: readonly string[];
  /**
   * Whether another passage may be relevant and should be skipped. Default: none.
   */
  unjudged?:
    | ((passage: { id: string; title?: string | undefined; text: string }) => boolean)
    | undefined;
}

export interface RankingExampleOptions extends RunOptions, HybridRetrievalOptions {}

/**
 * One example per question, in order. Questions whose relevant passages were not retrieved are kept
 * for measures and do not train.
 */
export async function rankingExamples(
  corpus: Corpus,
  questions: readonly JudgedQuestion[],
  options: RankingExampleOptions = {},
): Promise<RankingExample[]> {
  mustBe('an object', { corpus, options });
  mustBe('an array', { questions });
  const { signal, onProgress } = options;
  const { analyze, retrieve, expand } = hybridRetrieval(options);
  const context = { note: () => {}, signal };
  using snapshot = corpus.snapshot();
  const examples: RankingExample[] = [];
  for (const { group, weight = 1, right, unjudged, ...question } of questions) {
    throwIfAborted(signal);
    const query = await analyze.run({ question, k: 1, corpus, snapshot }, context);
    const retrieved = await retrieve.run(query, context);
    const { hits, shortlistSize } = expand ? await expand.run(retrieved, context) : retrieved;
    const shortlist = hits.slice(0, shortlistSize);
    const {
      table: { matches: _, times: __, ...table },
    } = await candidateMembers(query, shortlist, signal);
    const relevant = new Set(right);
    examples.push({
      group,
      weight,
      ids: shortlist.map(({ id }) => id),
      labels: Int8Array.from(shortlist, ({ id, segment, passage }) =>
        relevant.has(id) ? 1 : unjudged?.(snapshot.passage(segment, passage)) ? -1 : 0,
      ),
      unanswerable: right.length === 0,
      table,
    });
    onProgress?.({ done: examples.length, total: questions.length });
  }
  return examples;
}
