// Relevance judgements by answer matching: a passage is relevant where it contains an expected
// answer, normalised (MRAG's re-implementation, section 3.3). An upper bound of true relevance.
import { mustBe, throwIfAborted, yieldToEventLoop } from 'asof/kit';
import { answerFinder } from './measures/answerFinder.js';
import type { RunOptions, Corpus } from 'asof';
import type { EvaluateOptions } from './evaluate.js';
import type { Qrels } from './files/trec.js';

/**
 * Judgements of grade 1 for the passages of the corpus, or of each question's pool, whose title and
 * text contain an answer; with `asRecorded` for those that were recorded then. Questions without a
 * match have no entry: the keys are the evaluable subset. Each passage is read once. onProgress
 * counts passages.
 */
export async function qrelsFromAnswers(
  corpus: Corpus,
  queries: readonly { id: string; answers?: readonly string[] | undefined }[],
  options: RunOptions & Pick<EvaluateOptions, 'pool' | 'asRecorded'> = {},
): Promise<Qrels> {
  mustBe('an object', { corpus, options });
  mustBe('an array', { queries });
  const { pool = () => undefined, signal, onProgress } = options;
  const expected = queries.flatMap(({ id, answers = [] }) =>
    answers.map((answer) => ({ id, answer })),
  );
  const find = answerFinder(expected.map(({ answer }) => answer));
  const allowed = new Map(
    queries
      .map(({ id }) => [id, pool(id)] as const)
      .flatMap(([id, ids]) => (ids ? [[id, new Set(ids)] as const] : [])),
  );
  const qrels: Qrels = new Map();
  const { passages: total } = corpus.info();
  let [done, after]: [number, string | undefined] = [0, undefined];
  do {
    const page = await corpus.list({ asRecorded: options.asRecorded, limit: 500, after, signal });
    for (const { id, title, text } of page.passages) {
      throwIfAborted(signal);
      for (const number of find(title === undefined ? text : `${title} ${text}`)) {
        const query = expected[number]!.id;
        if (allowed.get(query)?.has(id) === false) continue;
        const relevant = qrels.get(query) ?? new Map<string, number>();
        qrels.set(query, relevant.set(id, 1));
      }
      done += 1;
      const turn = yieldToEventLoop(signal);
      if (!turn) continue;
      onProgress?.({ done, total });
      await turn;
    }
    after = page.next;
  } while (after !== undefined);
  onProgress?.({ done, total: done });
  // Order of the queries, independent of the order of passages.
  return new Map(
    queries.flatMap(({ id }) => (qrels.has(id) ? [[id, qrels.get(id)!] as const] : [])),
  );
}
