// Training examples of the ranker: the members of hybrid's candidates, by question, with judgments.
import type { Corpus, Question } from 'asof';
import type { rankerForm } from 'asof/kit';
import { rankingTables } from 'asof/kit';

/** The judged candidates of one question. */
export interface RankingExample {
  /** Group for cross-validation, such as a page. */
  group: string;
  /** Weight of the question. */
  weight: number;
  /** Ids of the candidates, in the order of the table's numbers. */
  ids: readonly string[];
  /** By candidate: relevant (1), irrelevant (0), irrelevant as outdated (2) or unjudged (-1). */
  labels: Int8Array;
  /** Whether no passage of the corpus answers. */
  unanswerable: boolean;
  table: Parameters<typeof rankerForm.evaluate>[0];
}

export interface JudgedQuestion extends Question {
  group: string;
  /** Default 1. */
  weight?: number | undefined;
  /** Ids of the relevant passages; none for a question that the corpus cannot answer. */
  right: readonly string[];
  /** Ids of passages that answered the question earlier and no longer do. Default: none. */
  outdated?: readonly string[] | undefined;
  /**
   * Whether another passage may be relevant and should be skipped. Default: none.
   */
  unjudged?:
    | ((passage: { id: string; title?: string | undefined; text: string }) => boolean)
    | undefined;
}

export type RankingExampleOptions = NonNullable<Parameters<typeof rankingTables>[2]>;

/**
 * One example per question, in order. Questions whose relevant passages were not retrieved are kept
 * for measures and do not train.
 */
export async function rankingExamples(
  corpus: Corpus,
  questions: readonly JudgedQuestion[],
  options: RankingExampleOptions = {},
): Promise<RankingExample[]> {
  const examples: RankingExample[] = [];
  for await (const { ids, table, passage } of rankingTables(corpus, questions, options)) {
    const { group, weight = 1, right, outdated, unjudged } = questions[examples.length]!;
    const relevant = new Set(right);
    const earlier = new Set(outdated);
    examples.push({
      group,
      weight,
      ids,
      labels: Int8Array.from(ids, (id, at) =>
        relevant.has(id) ? 1 : earlier.has(id) ? 2 : unjudged?.(passage(at)) ? -1 : 0,
      ),
      unanswerable: right.length === 0,
      table,
    });
  }
  return examples;
}
