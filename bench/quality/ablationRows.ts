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

export const ablations: Record<string, AblationRow[]> = {
  mrag: [
    { stage: 'question processing', settings: { question: false } },
    { stage: 'encoder in the first stage (BM25)', settings: { retriever: 'bm25' } },
    { stage: 'encoder alone in it (with BM25, 5.1)', settings: { retriever: 'hybrid' } },
    { stage: 'keyword ranking', settings: { keywords: false } },
    { stage: 'summaries', settings: { summarise: 0 } },
    { stage: 'summaries of 5 (of 100)', settings: { summarise: 100 } },
    { stage: 'sentences (ranks passages)', settings: { sentences: false } },
    { stage: 'no mask of the future (mask)', settings: { mask: true } },
    { stage: 'spline', settings: { spline: false } },
    { stage: 'spline and question processing', settings: { spline: false, question: false } },
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
    { stage: 'encoder in relevance (BM25)', settings: { relevance: { semantic: 0, lexical: 1 } } },
  ],
  re3: [
    { stage: 'time encoder', settings: { weights: false } },
    { stage: 'recency filter', settings: { versions: false } },
    { stage: 'both', settings: { weights: false, versions: false } },
    { stage: 'mask of the future', settings: { mask: false } },
    { stage: 'one vector a passage (every row its own)', settings: { units: 'all' } },
  ],
  hybrid: [
    { stage: 'question processing', settings: { question: false } },
    { stage: 'event resolver', settings: { events: false } },
    { stage: 'BM25 in relevance', settings: { relevance: { semantic: 1, lexical: 0 } } },
    { stage: 'encoder in relevance', settings: { relevance: { semantic: 0, lexical: 1 } } },
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
