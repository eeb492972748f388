// Stages that can be removed from each system: one row per stage, as the options that leave it out
// and nothing else. A row that adds what is off by default says so. Settings are plain JSON, so
// that a system refuses one that it does not take.
import type { Settings } from '../../lib/papers/index.js';

export interface AblationRow {
  /** The removed stage (or, with `adds`, the added one), in the words of the composition. */
  stage: string;
  settings: Settings;
  adds?: true;
}

const oneRetriever: AblationRow[] = [
  { stage: 'BM25 in relevance', settings: { relevance: { semantic: 1, lexical: 0 } } },
  { stage: 'encoder in relevance', settings: { relevance: { semantic: 0, lexical: 1 } } },
];

export const ablations: Record<string, AblationRow[]> = {
  mrag: [
    { stage: 'question processing', settings: { question: false } },
    ...oneRetriever,
    { stage: 'first stage of 1,000 (100)', settings: { depth: 100 } },
    { stage: 'keyword ranking', settings: { keywords: false } },
    { stage: 'summaries', settings: { summarise: 0 } },
    { stage: 'sentences (ranks passages)', settings: { sentences: false } },
    { stage: 'mask of the future', settings: { mask: false } },
    {
      stage: 'state decay (curve: inside and outside)',
      settings: { spline: { shape: 'curve' } },
    },
    { stage: 'gain of exactly the named time', settings: { spline: { named: 0 } } },
    {
      stage: 'both: scores as in the paper',
      settings: { spline: { shape: 'line', unordered: 'last', named: 0 } },
    },
    { stage: 'cut to 100 before sentences', settings: { passages: 1000 } },
    { stage: 'spline', settings: { spline: false } },
    { stage: 'spline and question processing', settings: { spline: false, question: false } },
    { stage: 'scores added (takes ranks, 5.1)', settings: { fusion: 'ranks' } },
  ],
  reimplementation: [
    { stage: 'keyword overlap', settings: { weights: { overlap: 0, similarity: 1 } } },
    { stage: 'similarity of sentences', settings: { weights: { overlap: 1, similarity: 0 } } },
    { stage: 'sentences (ranks passages)', settings: { sentences: false } },
    { stage: 'summary overlap of 20', settings: { summaries: 20 }, adds: true },
    { stage: 'metadata-aware retrieval (4.1)', settings: { metadata: {} }, adds: true },
  ],
  tempralm: [
    { stage: 'recency', settings: { weight: 0 } },
    { stage: 'mask of the future', settings: { mask: false } },
    { stage: 'recency and mask', settings: { weight: 0, mask: false } },
    { stage: 'cut before time (whole corpus)', settings: { overRetrieve: 'corpus' } },
    { stage: 'query expansion (ours)', settings: { expansion: false } },
    { stage: 'relative cutoff (ours)', settings: { relativeCutoff: 0 } },
    { stage: 'both of ours: the paper', settings: { expansion: false, relativeCutoff: 0 } },
    ...oneRetriever,
  ],
  hybrid: [
    { stage: 'question processing', settings: { question: false } },
    ...oneRetriever,
    { stage: 'time in the scan', settings: { stateDecay: false } },
    { stage: 'candidates of the exact time', settings: { exactTime: false } },
    { stage: 'mask of the future', settings: { mask: false } },
    { stage: 'query expansion', settings: { expansion: false } },
    { stage: 'passages alone in the scan (sentences too)', settings: { sentences: true } },
    { stage: 'ranker (sentences in the scan)', settings: { ranker: false } },
    { stage: 'ranker and sentences', settings: { ranker: false, sentences: false } },
    { stage: 'ranker and time in the scan', settings: { ranker: false, stateDecay: false } },
  ],
};
