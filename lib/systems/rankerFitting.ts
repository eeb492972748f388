// What fits the ranker of `hybrid` to judged questions builds on: their candidates as tables of
// features, and the ranker as a function of its weights.
import { mustBe, throwIfAborted } from '../errors.js';
import { noneInputNames, noneInputs } from '../facts/ranking/answerable.js';
import { candidateMembers } from '../facts/members/candidates.js';
import { cascade, mixed, noMember, type CascadeWeights } from '../facts/ranking/cascade.js';
import { featureNames, featureSigns, firstTimed } from '../facts/features/features.js';
import { clockGate, seriesGate, type MemberColumns } from '../facts/members/members.js';
import { modelOf, rankerOf, type RankerModel } from '../facts/ranking/model.js';
import type { Question, RunOptions, StoredPassage } from '../records.js';
import type { Corpus } from '../store/corpus.js';
import type { HybridRetrievalOptions } from './hybridOptions.js';
import { hybridRetrieval } from './hybridRetrieval.js';

export interface RankingTableOptions extends RunOptions, HybridRetrievalOptions {}

/** The candidates of a question, in the order of the table's numbers. */
export interface RankingTable {
  ids: readonly string[];
  table: MemberColumns;
  passage(candidate: number): StoredPassage;
}

/** The candidates of each question, in order. */
export async function* rankingTables(
  corpus: Corpus,
  questions: readonly Question[],
  options: RankingTableOptions = {},
): AsyncGenerator<RankingTable> {
  mustBe('an object', { corpus, options });
  mustBe('an array', { questions });
  const { signal, onProgress } = options;
  const { analyze, retrieve, expand, neutral } = hybridRetrieval(options);
  const context = { note: () => {}, signal };
  using snapshot = corpus.snapshot();
  for (const [done, question] of questions.entries()) {
    throwIfAborted(signal);
    const query = await analyze.run({ question, k: 1, corpus, snapshot }, context);
    const retrieved = await retrieve.run(query, context);
    const expanded = expand ? await expand.run(retrieved, context) : retrieved;
    const { hits, shortlistSize } = neutral ? await neutral.run(expanded, context) : expanded;
    const shortlist = hits.slice(0, shortlistSize);
    const { table: members } = await candidateMembers(query, shortlist, { signal });
    const { matches: _, timeOf: __, reading: ___, ...table } = members;
    yield {
      ids: shortlist.map(({ id }) => id),
      table,
      passage: (candidate) =>
        snapshot.passage(shortlist[candidate]!.segment, shortlist[candidate]!.passage),
    };
    onProgress?.({ done: done + 1, total: questions.length });
  }
}

/** The ranker by its weights. */
export const rankerForm = {
  featureNames,
  /** 1 and -1 where a feature may only raise or only lower the log-odds of membership. */
  featureSigns,
  firstTimed,
  noMember,
  zeros: (): CascadeWeights => ({
    features: new Float64Array(featureNames.length),
    clock: new Float64Array(clockGate.length),
    series: new Float64Array(seriesGate.length),
    relative: { share: 0, shift: 0 },
    relevance: { logOdds: 0, similarity: 0, coverage: 0 },
    none: new Float64Array(noneInputNames.length),
  }),
  /** The probabilities of a question's candidates, and what they come from. */
  evaluate: cascade,
  mixed,
  /** What the log-odds that no passage answers are linear in; of a question with members. */
  noneInputs,
  /** The weights as their file keeps them, and back. */
  model: modelOf,
  weights: (model: RankerModel): CascadeWeights => rankerOf(model).weights,
};
