// Re-implementation of MRAG with Contriever (mrag-reimplementation.txt, section 3): dense passages,
// ranked by the keywords and similarity of their best sentence.
import { pipeline } from '../../pipeline.js';
import { bestPerPassage, sumColumns, timesColumn } from './columns.js';
import { rerankBySearch } from '../../retrieval/rerankBySearch.js';
import { limit } from '../../reading/evidence.js';
import { read } from '../../reading/reader.js';
import { retrieve } from '../../retrieval/retrieve.js';
import { semanticOnly } from '../../retrieval/search.js';
import { questionAsQuery } from '../../systems/queryAnalysis.js';
import { system, type QueryRequest, type System } from '../../systems/system.js';
import { derivedValidity } from './derivedValidity.js';
import { keywordOverlap, summaryOverlap } from './keywordOverlap.js';
import { resolveOptions, type ReimplementationOptions } from './options.js';
import { published } from './published.js';

export { reimplementationUses, type ReimplementationOptions } from './options.js';

/**
 * The re-implementation of MRAG over Contriever: dense passages, ranked by the keywords and
 * similarity of their best sentence. `variant: 'published'` computes what its code computes.
 * @throws AsOfError ERR_INVALID_ARGUMENT for unknown options and values of the wrong kind.
 */
export function reimplementation(options: ReimplementationOptions): System {
  if (options?.variant === 'published') return published(options);
  const { corpus, model, read: reading, ...resolved } = resolveOptions(options);
  const { name, dense, scope, summaries, weights, metadata, shown } = resolved;
  const composition = pipeline<QueryRequest>(name)
    .then(questionAsQuery()) // 3.2, the question is embedded whole
    .then(retrieve(dense.name, dense.ranking)) // 3.2, first stage
    // 3.2, semantic similarity
    .then(rerankBySearch(`${scope}(similarity)`, { scope, relevance: semanticOnly }))
    .then(keywordOverlap()) // 3.2, token overlap
    .thenIf(summaries, (n) => summaryOverlap(n, model)) // 3.2, summary overlap
    .then(sumColumns(weights)) // 3.2, hybrid score
    .thenIf(metadata, (given) => derivedValidity(given)) // 4.1
    .thenIf(metadata, ({ weight }) => timesColumn('validity', weight)) // 4.1
    .then(bestPerPassage()) // 3.2, max pooling
    .then(limit())
    .then(read(reading, model));
  return system(composition.done(), corpus, shown, reading);
}
