// Features of all rows of the candidates' passages. Similarities and times come from a scan
// restricted to the candidates, BM25 from their terms, which saves a pass over the postings.
import type { Candidate, Candidates } from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { bm25Scorer, type Bm25Scorer } from '../../retrieval/bm25Scorer.js';
import { readTexts, type TextTable } from '../../retrieval/textTable.js';
import { search, semanticOnly, type Ranking, type Relevance } from '../../retrieval/search.js';
import type { TemporalForm } from '../../time/temporalForms.js';
import { wordVectors } from '../../vectors/wordVectors.js';
import { splineValue } from '../formValue.js';
import { featureMatrix, type FeatureMatrix } from './features.js';
import { groupRows, passageFeatures, type PassageFeatures } from './passages.js';
import { questionFeatures } from './question.js';
import { Readings } from './readings.js';

/** How the first stage scores a row: relevance, mask and temporal form. */
export type RowRanking = Pick<Ranking, 'relevance' | 'mask' | 'form'>;

export async function featuresOfCandidates(
  { query, hits }: Candidates,
  ranking: RowRanking,
  signal?: AbortSignal,
): Promise<FeatureMatrix> {
  const readings = new Readings(query);
  const [rows, { lexical, question, vectors }] = await Promise.all([
    search(query, { ...ranking, relevance: semanticOnly, scope: 'all' }, signal, hits),
    prepared(query, hits, ranking, readings),
  ]);
  const groups = groupRows(rows);
  const {
    words: { places: terms, pairs },
    common,
  } = question;
  const sought = { terms: [...terms.keys()], pairs, common, counted: lexical.terms };
  const read = groups.map(({ whole: { segment, passage }, sentences }) => ({
    segment,
    passage,
    rows: sentences.map(({ row }) => row),
  }));
  const [{ table, textOffsets }, passages] = await Promise.all([
    readTexts(query, read, sought, vectors, signal), // on another thread, while this one reads rows
    Promise.resolve().then(() => passageFeatures(readings, groups)),
  ]);
  const score = scorer(lexical, table);
  passages.forEach(({ whole, sentences }, passage) => {
    const { title, first } = textOffsets[passage]!;
    sentences.forEach(({ row }, at) => withLexical(row, score(title, first + at, 1)));
    if (whole !== sentences[0]!.row) withLexical(whole, score(title, first, sentences.length));
  });
  dateUndated(passages, ranking.form?.(query));
  scoreRows(passages, ranking.relevance);
  return featureMatrix(question, passages, { table, textOffsets }, ranking.relevance);
}

/**
 * What needs no scan, done here while one runs on other threads: the question as the ranker sees
 * it, and the candidates' records.
 */
async function prepared(
  query: QueryContext,
  hits: readonly Candidate[],
  { relevance }: RowRanking,
  readings: Readings,
) {
  const vectors = await wordVectors(query.snapshot.caches);
  await new Promise((resolve) => setImmediate(resolve)); // the scan is under way then
  const lexical = bm25Scorer(query.snapshot, query.terms(), relevance);
  const question = questionFeatures(query, vectors);
  for (const each of hits) readings.passage(each);
  return { lexical, question, vectors };
}

/** BM25 of a title and as many texts as follow one another, as one row. */
function scorer(
  lexical: Bm25Scorer,
  { counts, lengths }: TextTable,
): (title: number, first: number, many: number) => number {
  const width = lexical.terms.length;
  const sums = new Float64Array(width);
  return (title, first, many) => {
    let length = lengths[title]!;
    for (let term = 0; term < width; term += 1) sums[term] = counts[title * width + term]!;
    for (let text = first; text < first + many; text += 1) {
      length += lengths[text]!;
      for (let term = 0; term < width; term += 1) sums[term]! += counts[text * width + term]!;
    }
    return lexical.scoreOf(length, sums);
  };
}

function withLexical(row: Candidate, score: number): void {
  if (score > 0) row.scores['lexical'] = score;
}

/**
 * Gives passages that tell no date the temporal score of the day when they were published, where
 * the scan read what is told: without it a statement of years after the time asked about would
 * count as much as one of then. The scan has only `outside` for them all.
 */
function dateUndated(passages: readonly PassageFeatures[], form?: TemporalForm): void {
  if (form?.combine !== 'product' || form.clock !== 'validity or content') return;
  for (const { whole, sentences, toldOn } of passages) {
    if (!toldOn) continue;
    const { value } = splineValue(form, toldOn);
    for (const { scores } of [whole, ...sentences.map(({ row }) => row)])
      scores['temporal'] = value;
  }
}

/**
 * Gives rows the score that the scan would: relevance times its time, or drawn towards zero by it
 * where relevance is negative.
 */
function scoreRows(passages: readonly PassageFeatures[], { semantic, lexical }: Relevance): void {
  const all = passages.flatMap(({ whole, sentences }) => [
    whole,
    ...sentences.map(({ row }) => row),
  ]);
  const best = all.reduce((most, { scores }) => Math.max(most, scores['lexical'] ?? 0), 0);
  for (const row of all) {
    const { similarity = 0, lexical: matched = 0, temporal = 1 } = row.scores;
    const relevance = semantic * similarity + (best > 0 ? (lexical * matched) / best : 0);
    row.score = relevance * (relevance >= 0 ? temporal : 2 - temporal);
  }
}
