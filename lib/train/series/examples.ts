// Training examples of the ranking by series: the members of hybrid's candidates, by question, with
// judgments.
import { mustBe, throwIfAborted } from '../../errors.js';
import { candidateMembers } from '../../facts/series/candidates.js';
import type { MemberColumns } from '../../facts/series/members.js';
import type { Corpus } from '../../store/corpus.js';
import { hybridRetrieval, shortlistOfSeries } from '../../systems/hybridRetrieval.js';
import type { JudgedQuestion, RankingExampleOptions } from '../ranker/examples.js';

/** The judged candidates of one question. */
export interface SeriesExample {
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

/**
 * One example per question, in order; `right` is empty for one that the corpus cannot answer.
 * Questions whose relevant passages were not retrieved are kept for measures and do not train.
 */
export async function seriesExamples(
  corpus: Corpus,
  questions: readonly JudgedQuestion[],
  options: RankingExampleOptions = {},
): Promise<SeriesExample[]> {
  mustBe('an object', { corpus, options });
  mustBe('an array', { questions });
  const { signal, onProgress } = options;
  const { analyze, retrieve, expand } = hybridRetrieval(options, shortlistOfSeries);
  const context = { note: () => {}, ...(signal ? { signal } : {}) };
  using snapshot = corpus.snapshot();
  const examples: SeriesExample[] = [];
  for (const { group, weight = 1, right, unjudged, ...question } of questions) {
    throwIfAborted(signal);
    const query = await analyze.run({ question, k: 1, corpus, snapshot }, context);
    const retrieved = await retrieve.run(query, context);
    const { hits, shortlistSize } = expand ? await expand.run(retrieved, context) : retrieved;
    const shortlist = hits.slice(0, shortlistSize);
    const {
      table: { matches: _, ...table },
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
