// asof/papers: the published systems, their official variants, and systems by name.
export { mrag, type MragOptions } from './mrag/mrag.js';
export type { MragPrompt } from './mrag/options.js';
export type { Retriever } from './mrag/firstStage.js';
export { re3, type Re3Options } from './re3/re3.js';
export {
  reimplementation,
  type ReimplementationOptions,
} from './reimplementation/reimplementation.js';
export type { MetadataOptions } from './reimplementation/derivedValidity.js';
export { tempralm, type TempralmOptions } from './tempralm/tempralm.js';
export { withPrompts } from '../text/promptTemplates.js';
export { createSystem, systemNames, systemUses, type SystemOptions } from './registry.js';
export type { CommonOptions } from '../systems/system.js';
export type { Settings } from '../systems/settings.js';
export type { VersionOptions } from './re3/dropSuperseded.js';
export type { StateDecayOptions } from '../time/stateDecay.js';
export type { SplineOptions } from '../time/spline.js';
export type { ReaderMode, ReadOptions } from '../reading/answer.js';
export type { ExpansionOptions } from '../retrieval/queryExpansion.js';
export type { Relevance } from '../retrieval/search.js';
// Types in signatures of the root entry.
export type { Credibility } from '../facts/ranking/credibility.js';
export type { ScanReport } from '../retrieval/scanReport.js';
export type { PassageColumns } from '../retrieval/vectorSearch.js';
export type { ColumnSearchOptions } from '../retrieval/vectorSearch.js';
export type { PassageHits } from '../retrieval/vectorSearch.js';
// Types in signatures of the entry.
export type { PassageHit } from '../retrieval/vectorSearch.js';
