// Every row of the candidates' passages, scored as the first stage scores rows, and their features: what the ranker ranks and
// what it is trained on. One scan restricted to the candidates; it orders nothing.
import type { Candidates } from '../../candidates/candidate.js';
import { search, type Ranking } from '../../candidates/search.js';
import { featureMatrix, type FeatureMatrix } from './features.js';
import { viewPassages } from './passages.js';
import { viewQuestion } from './question.js';

/** How the first stage scores a row: relevance, mask and temporal form. */
export type RowRanking = Pick<Ranking, 'relevance' | 'mask' | 'form'>;

export async function featuresOfCandidates({ asked, found }: Candidates, ranking: RowRanking, signal?: AbortSignal): Promise<FeatureMatrix> {
  const rows = await search(asked, { ...ranking, scope: 'all' }, signal, found);
  return featureMatrix(viewQuestion(asked), viewPassages(asked, rows), ranking.relevance);
}
