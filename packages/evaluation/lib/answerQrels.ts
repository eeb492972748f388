// Relevance judgements by answer matching: a passage is relevant where it contains an expected
// answer, normalised (MRAG's re-implementation, section 3.3). An upper bound of true relevance.
import { mustBe, throwIfAborted, viewOf, yieldToEventLoop, answerTokens } from 'asof/kit';
import type { RunOptions, Corpus } from 'asof';
import type { EvaluateOptions } from './evaluate.js';
import type { Qrels } from './files/trec.js';
import { groupBy } from './measures/groupBy.js';

interface AnswerPattern {
  query: string;
  tokens: readonly string[];
}

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
  const byFirst = patternsByFirstToken(queries);
  const allowed = new Map(
    queries
      .map(({ id }) => [id, pool(id)] as const)
      .flatMap(([id, ids]) => (ids ? [[id, new Set(ids)] as const] : [])),
  );
  const qrels: Qrels = new Map();
  using snapshot = corpus.snapshot();
  const { asRecorded } = options;
  const places = [...(await viewOf(snapshot, { asRecorded }, { signal })).livePassages()];
  for (const [done, place] of places.entries()) {
    throwIfAborted(signal);
    const { id, title, text } = snapshot.passage(place.segment, place.passage);
    for (const query of matchingQueries(
      answerTokens(title === undefined ? text : `${title} ${text}`),
      byFirst,
    )) {
      if (allowed.get(query)?.has(id) === false) continue;
      const relevant = qrels.get(query) ?? new Map<string, number>();
      qrels.set(query, relevant.set(id, 1));
    }
    const turn = yieldToEventLoop(signal);
    if (!turn) continue;
    onProgress?.({ done, total: places.length });
    await turn;
  }
  onProgress?.({ done: places.length, total: places.length });
  // Order of the queries, independent of the order of passages.
  return new Map(
    queries.flatMap(({ id }) => (qrels.has(id) ? [[id, qrels.get(id)!] as const] : [])),
  );
}

function patternsByFirstToken(
  queries: readonly { id: string; answers?: readonly string[] }[],
): Map<string, AnswerPattern[]> {
  const patterns = queries.flatMap(({ id, answers = [] }) =>
    answers.map((answer) => ({ query: id, tokens: answerTokens(answer) })),
  );
  return groupBy(patterns, ({ tokens }) => tokens[0]);
}

function matchingQueries(
  text: readonly string[],
  byFirst: ReadonlyMap<string, readonly AnswerPattern[]>,
): Set<string> {
  const found = new Set<string>();
  text.forEach((token, at) => {
    for (const { query, tokens } of byFirst.get(token) ?? []) {
      if (!found.has(query) && tokens.every((each, offset) => text[at + offset] === each))
        found.add(query);
    }
  });
  return found;
}
