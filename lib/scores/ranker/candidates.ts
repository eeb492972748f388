// Every row of the candidates' passages, scored as the first stage scores rows, and their features: what the ranker ranks and
// what it is trained on. Similarities and times come from a scan restricted to the candidates, BM25 from their texts, which are read
// anyway: a second pass over the postings of a large corpus would cost more than all of the rest. It orders nothing.
import type { Candidate, Candidates } from '../../candidates/candidate.js';
import { lexicalRows, type Counted } from '../../candidates/lexicalRows.js';
import { search, semanticOnly, type Ranking, type Relevance } from '../../candidates/search.js';
import { wordVectors } from '../../vectors/wordVectors.js';
import { featureMatrix, type FeatureMatrix } from './features.js';
import { viewPassages, type PassageView } from './passages.js';
import { viewQuestion } from './question.js';

/** How the first stage scores a row: relevance, mask and temporal form. */
export type RowRanking = Pick<Ranking, 'relevance' | 'mask' | 'form'>;

export async function featuresOfCandidates({ asked, found }: Candidates, ranking: RowRanking, signal?: AbortSignal): Promise<FeatureMatrix> {
  const rows = await search(asked, { ...ranking, relevance: semanticOnly, scope: 'all' }, signal, found);
  const passages = viewPassages(asked, rows);
  const lexical = lexicalRows(asked.snapshot, asked.terms(), ranking.relevance);
  const titles = new Map<string, Counted>();
  for (const { whole, record: { title = '' }, reading, sentences } of passages) {
    let ofTitle = titles.get(title);
    if (!ofTitle) titles.set(title, (ofTitle = lexical.count(reading.title.terms)));
    const own = sentences.map(({ reading: { terms } }) => lexical.count(terms));
    sentences.forEach(({ row }, at) => withLexical(row, lexical.score(ofTitle, own[at]!)));
    if (whole !== sentences[0]!.row) withLexical(whole, lexical.score(ofTitle, ...own));
  }
  scoreRows(passages, ranking.relevance);
  return featureMatrix(viewQuestion(asked, await wordVectors()), passages, ranking.relevance);
}

function withLexical(row: Candidate, score: number): void {
  if (score > 0) row.scores['lexical'] = score;
}

/** Gives rows the score that the scan would: relevance times its time, or drawn towards zero by it where relevance is negative. */
function scoreRows(passages: readonly PassageView[], { semantic, lexical }: Relevance): void {
  const all = passages.flatMap(({ whole, sentences }) => [whole, ...sentences.map(({ row }) => row)]);
  const best = all.reduce((most, { scores }) => Math.max(most, scores['lexical'] ?? 0), 0);
  for (const row of all) {
    const { similarity = 0, lexical: matched = 0, temporal = 1 } = row.scores;
    const relevance = semantic * similarity + (best > 0 ? (lexical * matched) / best : 0);
    row.score = relevance * (relevance >= 0 ? temporal : 2 - temporal);
  }
}
