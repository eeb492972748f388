// Search results of a corpus by passage id, for tests of equal results between corpora or states.
import { scanHits } from '../../lib/retrieval/scanHits.js';
import { scanFlat } from '../../lib/retrieval/flatScan.js';
import { searchLexical } from '../../lib/retrieval/lexicalSearch.js';
import type { Corpus } from '../../lib/store/corpus.js';
import { englishAnalyzer } from '../../lib/text/analyzer.js';

export const questions = [
  'Bridge opened visited',
  'the 3 times in 2021',
  'Nobody knows',
  'Edition 1 appeared',
  'Bridge 4',
];

export interface Answer {
  id: string;
  score: number;
  sentence: string;
}

/**
 * Dense answers with masks and a spline on the clocks: ids, exact scores, and the sentence that
 * decided.
 */
export async function denseAnswers(corpus: Corpus, k = 10): Promise<Answer[][]> {
  using snapshot = corpus.snapshot();
  const { encoder } = corpus;
  const vectors = await encoder.encode(questions, { kind: 'query' });
  const segments = snapshot.segments.map(({ segment, liveDocs }) => ({
    rows: segment,
    ...(liveDocs ? { liveDocs } : {}),
  }));
  const window = { start: Date.UTC(2012, 0, 1), end: Date.UTC(2018, 0, 1) };
  const queries = questions.flatMap((_, q) => {
    const vector = vectors.slice(q * encoder.dimensions, (q + 1) * encoder.dimensions);
    return [
      { vector },
      { vector, mask: { publishedUntil: Date.UTC(2014, 0, 1) } },
      {
        vector,
        mask: { window: { ...window, clock: 'validity' as const, relation: 'overlaps' as const } },
      },
      {
        vector,
        form: {
          combine: 'product' as const,
          kind: 'spline' as const,
          clock: 'content' as const,
          lines: [{ window, atStart: 1, atEnd: 0.6 }],
          outside: 0.5,
        },
      },
    ];
  });
  const result = await scanFlat(segments, queries, { k, pool: true });
  return queries.map((_, q) =>
    scanHits(result, q, k, (segment, passage) => snapshot.id(segment, passage)).map(
      ({ segment, passage, row, score }) => {
        const [start, end] = snapshot.segments[segment]!.segment.read(
          'rows.sentence',
          2 * row,
          2,
        ) as Uint32Array;
        const { id, text } = snapshot.passage(segment, passage);
        return { id, score, sentence: text.slice(start, end) };
      },
    ),
  );
}

/** BM25 answers; their statistics count deleted passages until a merge drops them. */
export async function lexicalAnswers(
  corpus: Corpus,
  k = 10,
): Promise<{ id: string; score: number }[][]> {
  using snapshot = corpus.snapshot();
  const analyzer = englishAnalyzer();
  const segments = snapshot.segments.map(({ segment, liveDocs }) => ({
    rows: segment,
    ...(liveDocs ? { liveDocs } : {}),
  }));
  const queries = questions.map((question) => ({ terms: analyzer.analyze(question) }));
  const result = await searchLexical(segments, queries, { k, pool: true });
  return queries.map((_, q) => {
    const hits: { id: string; score: number }[] = [];
    for (let i = result.offsets[q]!; i < result.offsets[q + 1]!; i += 1) {
      hits.push({
        id: snapshot.id(result.segment[i]!, result.passage[i]!),
        score: result.score[i]!,
      });
    }
    return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, k);
  });
}
