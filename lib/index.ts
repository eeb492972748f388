// The public API of asof: corpora, vectors, and asof's own systems.
export { AsOfError, type ErrorCode } from './errors.js';
export type {
  Passage,
  Progress,
  Question,
  RunOptions,
  StoredPassage,
  TimeInput,
} from './records.js';
export type { TraceEntry } from './pipeline.js';
export type { GenerateRequest, Generation, TextModel } from './text/textModel.js';
export type { EncodeOptions, Encoder } from './vectors/encoder.js';
export { staticEncoder } from './vectors/staticEncoder.js';
export { Corpus } from './store/corpus.js';
export { joinCorpora } from './store/joinedCorpora.js';
export type { SearchableCorpus } from './store/searchableCorpus.js';
export type { ListOptions, ListPage } from './store/views/listing.js';
export type { Fields } from './store/fields/types.js';
export type { Where, WhereCondition } from './store/fields/where.js';
export type { AddOptions, CorpusOptions } from './store/corpusOptions.js';
export type { PassageVersion } from './store/views/history.js';
export type { CorpusInfo, StoredCorpusInfo } from './store/info.js';
export type { StoredCorpus } from './store/storedCorpus.js';
export { searchVectors } from './retrieval/vectorSearch.js';
export { VectorIndex, type VectorHits, type VectorRows } from './retrieval/vectorIndex.js';
export type { VectorSearchOptions, VectorTimes } from './retrieval/vectorTimes.js';
export type { DroppedPassage, Evidence } from './reading/evidence.js';
export type { Answer } from './reading/answer.js';
export { bm25, dense, type BaselineOptions } from './systems/baselines.js';
export { conflicts } from './systems/conflicts.js';
export { hybrid, type HybridOptions } from './systems/hybrid.js';
export type { AskOptions } from './systems/askOptions.js';
export type { System, SystemResult } from './systems/system.js';
export { timeline, type TimelineEntry } from './systems/timeline.js';
