// Output heads of a model: vector, score or logits.

/**
 * Poolings of token vectors into the vector of a text: their mean, the first token's, or the last
 * token's, special ones included.
 */
export const poolings = ['mean', 'cls', 'last'] as const;
/** See `poolings`. */
export type Pooling = (typeof poolings)[number];
/** Activation of a score: the logistic function, or none. */
export type Activation = 'sigmoid' | 'none';

/** A unit vector of a text, a score of a question and a text, or the raw logits of a text. */
export type Head =
  /** `dimensions`: as in the configuration. */
  | { kind: 'vector'; pooling: Pooling; dimensions: number | undefined }
  /** `positive`: of two classes the one that means relevant. */
  | { kind: 'score'; activation: Activation; positive: 0 | 1 }
  /** `width`: logits of a text. */
  | { kind: 'logits'; width: number };
