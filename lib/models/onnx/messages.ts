// Messages between the main thread and the worker of a model, and their three words of shared
// memory, which either thread can read while the other is busy.
import type { ErrorCode } from '../../errors.js';

/** Poolings of token vectors: their mean, the first token's, or the last token's. */
export const poolings = ['mean', 'cls', 'last'] as const;
/** See `poolings`. */
export type Pooling = (typeof poolings)[number];
/** Activation of a score: the logistic function, or none. */
export type Activation = 'sigmoid' | 'none';

/**
 * A unit vector of a text, a score of a question and a text, the best span of a text for a
 * question, or the raw logits of a text.
 */
export type Head =
  /** `dimensions`: as in the configuration. */
  | { kind: 'vector'; pooling: Pooling; dimensions: number | undefined }
  /** `positive`: of two classes the one that means relevant. */
  | { kind: 'score'; activation: Activation; positive: 0 | 1 }
  | { kind: 'span' }
  /** `width`: logits of a text. */
  | { kind: 'logits'; width: number };

export interface WorkerSettings {
  modelFile: string;
  tokenizerFile: string;
  tokenizerConfigFile: string | undefined;
  /** Maximum tokens of a text, or of a question and a text, special ones included. */
  maxTokens: number;
  /** The id that fills a shorter row; the attention mask hides it. */
  padId: number;
  /** Token types of the model, at least 1. */
  typeCount: number;
  head: Head;
  threads: number;
  batchSize: number;
}

export interface WorkerStart {
  settings: WorkerSettings;
  /** The module that runs the model: onnxruntime-node. */
  runtime: string;
  control: Int32Array;
}

/** The shared words. */
export const words = {
  /** 1 while the worker is inside the runtime, when a process exit would abort. */
  inside: 0,
  /** 1 when the worker must not enter the runtime again. */
  stop: 1,
  /** Number of the last abandoned job. */
  dropped: 2,
} as const;

/** Name, task and error code of each kind of model. */
export const roles = {
  vector: { name: 'encoder', opener: 'onnxEncoder()', does: 'encode', code: 'ERR_ENCODER_FAILED' },
  score: { name: 'reranker', opener: 'onnxReranker()', does: 'score', code: 'ERR_RERANKER_FAILED' },
  span: { name: 'reader', opener: 'onnxReader()', does: 'read', code: 'ERR_MODEL_FAILED' },
  logits: {
    name: 'time extractor',
    opener: 'learnedTimeExtractor()',
    does: 'read the time of',
    code: 'ERR_MODEL_FAILED',
  },
} as const satisfies Record<
  Head['kind'],
  { name: string; opener: string; does: string; code: ErrorCode }
>;

/** With a query, each text is read together with it. */
export type ToWorker =
  | { kind: 'run'; job: number; texts: string[]; query: string | undefined }
  | { kind: 'close' };

export type FromWorker =
  /** `width`: values for each text. */
  | { kind: 'ready'; width: number }
  | { kind: 'done'; job: number; values: Float32Array }
  | { kind: 'dropped'; job: number }
  /** Without a job: the model could not be opened, and the worker exits. */
  | { kind: 'failed'; job?: number; code: ErrorCode; message: string };
