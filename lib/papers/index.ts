// The published systems, their official variants, and systems by name.
export {
  keywordTypes,
  keywordWeights,
  type Keyword,
  type KeywordType,
} from '../text/keywords/keyword.js';
export { extractKeywords } from '../text/keywords/keywordRules.js';
export { fusions, type Fusion } from '../retrieval/firstStage.js';
export {
  normalisedSum,
  reciprocalRankFusion,
  type Fused,
  type Ranked,
} from '../retrieval/fusion.js';
export type { BridgeOptions } from '../retrieval/bridge.js';
export type { Relevance } from '../retrieval/search.js';
export { exactnesses, type Exactness, type ScanReading } from '../retrieval/flatScan.js';
export type { PassageColumns } from '../retrieval/passageColumns.js';
export type { ColumnSearchOptions, PassageHit, PassageHits } from '../retrieval/vectorIndex.js';
export type { MetadataOptions } from './reimplementation/derivedValidity.js';
export type { PersistenceOptions } from '../ranking/persistence.js';
export type { RecencyOptions } from '../ranking/recency.js';
export type { SplineOptions } from '../ranking/spline.js';
export type { TemporalOptions } from '../ranking/temporal.js';
export type { Arbitrated } from '../facts/versions/arbitrate.js';
export { voteOnVersions, type VoteOptions } from '../facts/versions/byRules.js';
export type { VersionOptions } from '../facts/versions/dropOutdated.js';
export {
  readerModes,
  type ReadablePassage,
  type ReaderMode,
  type ReadOptions,
} from '../reading/answer.js';
export { mrag, type MragOptions } from './mrag/mrag.js';
export { mragPrompts, type MragPrompt } from './mrag/options.js';
export { re3, type Re3Options } from './re3/re3.js';
export {
  reimplementation,
  type ReimplementationOptions,
} from './reimplementation/reimplementation.js';
export { createSystem, systemNames, systemUses, type SystemOptions } from './registry.js';
export { numericOptions, optionsAt, type Settings } from '../systems/settings.js';
export { mostPassages, type CommonOptions } from '../systems/system.js';
export { tempralm, type TempralmOptions } from './tempralm/tempralm.js';
