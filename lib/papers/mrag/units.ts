// Units of MRAG's hybrid ranking (section 4): the sentences and summaries of passages with their
// semantic and temporal scores. A passage is ranked by its best unit.
import {
  type Summary,
  type Candidate,
  passageKey,
  RowCandidate,
} from '../../retrieval/candidate.js';
import { passageTexts } from '../../retrieval/passageTexts.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { search, semanticOnly, type Ranking } from '../../retrieval/search.js';
import { haveValidity } from '../../store/views/rowTimes.js';
import { definitionOf } from '../../time/temporalForms.js';
import { rerankTexts, type Reranker } from '../../vectors/reranker.js';

/** A sentence of a passage; or, with `summary`, its summary, whose row is the first sentence. */
export interface Unit {
  passage: Candidate;
  row: number;
  summary?: Summary;
  /** The content interval that gave the temporal score. */
  interval?: number;
  /** Its score columns: similarity, temporal and what a ranking adds. */
  scores: Record<string, number>;
  score: number;
}

/** The units of the passages with `score` their similarity. Masked passages have none. */
export async function collectUnits(
  query: QueryContext,
  hits: readonly Candidate[],
  times: Pick<Ranking, 'mask' | 'form'>,
  signal?: AbortSignal,
): Promise<Unit[]> {
  const ranking: Ranking = { ...times, scope: 'sentences', relevance: semanticOnly };
  const rowsOf = new Map<string, Candidate[]>();
  for (const row of await search(query, ranking, signal, hits)) {
    const rows = rowsOf.get(passageKey(row));
    if (rows) rows.push(row);
    else rowsOf.set(passageKey(row), [row]);
  }
  const condensed = hits.filter((each) => each.summary && rowsOf.has(passageKey(each)));
  const similarities = await textSimilarities(
    query,
    condensed.map(({ summary }) => summary!.text),
    signal,
  );
  const unitsOf = new Map(
    condensed.map((passage, at) => {
      const first = rowsOf.get(passageKey(passage))!.reduce((a, b) => (a.row < b.row ? a : b));
      return [passage, summaryUnit(query, passage, first, times, similarities[at]!)];
    }),
  );
  return hits.flatMap((passage) => {
    const rows = (rowsOf.get(passageKey(passage)) ?? []).sort((a, b) => a.row - b.row);
    const sentences = rows.map(({ row, interval, scores }): Unit => {
      const { similarity, temporal } = scores;
      return {
        passage,
        row,
        ...(interval === undefined ? {} : { interval }),
        scores: { similarity: similarity!, ...(temporal === undefined ? {} : { temporal }) },
        score: similarity!,
      };
    });
    const summary = unitsOf.get(passage);
    return summary ? [...sentences, summary] : sentences;
  });
}

/** A summary counts by its own dates, where sentences count by theirs and not by the passage's. */
function summaryUnit(
  { snapshot, ...query }: QueryContext,
  passage: Candidate,
  first: Candidate,
  { form: formOf }: Pick<Ranking, 'form'>,
  similarity: number,
): Unit {
  const summary = passage.summary!;
  const form = formOf?.({ ...query, snapshot });
  let [temporal, interval] = [first.scores['temporal'], -1];
  if (form?.combine === 'product') {
    const stated =
      form.clock !== 'content' &&
      (form.clock !== 'validity or content' ||
        haveValidity(snapshot.segments[first.segment]!, [first.row])[0]!);
    if (!stated) ({ value: temporal, interval } = definitionOf(form).value(form, summary.dates));
  }
  return {
    passage,
    row: first.row,
    summary,
    ...(interval < 0 ? {} : { interval }),
    scores: { similarity, ...(temporal === undefined ? {} : { temporal }) },
    score: similarity,
  };
}

/** The texts of units: title and sentence, or the summary. */
export function unitTexts(query: QueryContext, units: readonly Unit[]): string[] {
  const texts = passageTexts(query);
  return units.map(
    ({ passage, row, summary }) => summary?.text ?? texts.row({ ...place(passage), row }),
  );
}

/** The reranker's scores of units, also as their column `reranker`. */
export async function rerankUnits(
  query: QueryContext,
  units: readonly Unit[],
  reranker: Reranker,
  signal?: AbortSignal,
): Promise<Float32Array> {
  const scores = await rerankTexts(
    reranker,
    query.searchText,
    unitTexts(query, units),
    signal ? { signal } : {},
  );
  units.forEach((each, at) => (each.scores['reranker'] = scores[at]!));
  return scores;
}

/**
 * The passages in the order of their first unit, with its columns and, as `retrieval`, the score of
 * the passage before. Scores are cut to that of the unit before, so that they descend.
 */
export function passagesOf(units: readonly Unit[]): Candidate[] {
  const seen = new Map<Candidate, Candidate>();
  let least = Infinity;
  for (const { passage, row, summary, interval, scores, score } of units) {
    if (seen.has(passage)) continue;
    least = Math.min(least, score);
    const first = new RowCandidate(
      () => passage.id,
      { ...place(passage), row, ...(interval === undefined ? {} : { interval }) },
      least,
      { retrieval: passage.score, ...scores },
    );
    if (summary) first.summary = summary;
    seen.set(passage, first);
  }
  return [...seen.values()];
}

const place = ({ segment, passage }: Candidate): Pick<Candidate, 'segment' | 'passage'> => ({
  segment,
  passage,
});

/** One cosine per text, -1 to 1. Texts are encoded as passages, with their titles before them. */
export async function textSimilarities(
  query: Pick<QueryContext, 'vector' | 'encode'>,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<number[]> {
  if (texts.length === 0) return [];
  const vector = await query.vector(signal);
  const rows = await query.encode(texts, signal);
  return texts.map((_, at) => {
    let dot = 0;
    for (let i = 0; i < vector.length; i += 1) dot += vector[i]! * rows[at * vector.length + i]!;
    return dot;
  });
}
