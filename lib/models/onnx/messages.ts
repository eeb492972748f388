// What the two threads of a model say to each other: messages one way each, and three words of
// shared memory that the worker can read while it is busy and the main thread while the worker is
// inside the runtime. Types and numbers only.
import type { ErrorCode } from '../../errors.js';

/** How a text's vector is made of its tokens': their mean, or the first one's. */
export type Pooling = 'mean' | 'cls';
/** What a score goes through: the logistic function, or nothing. */
export type Activation = 'sigmoid' | 'none';

/**
 * What is made of the model's output: a vector of length 1 for a text, a score for a question and a
 * text, or a text's logits as they are.
 */
export type Head =
  | {
      kind: 'vector';
      pooling: Pooling /** As the configuration says. */;
      dimensions: number | undefined;
    }
  | {
      kind: 'score';
      activation: Activation /** Of two classes the one that means relevant. */;
      positive: 0 | 1;
    }
  | { kind: 'logits' /** How many a text has. */; width: number };

export interface WorkerSettings {
  modelFile: string;
  tokenizerFile: string;
  tokenizerConfigFile: string | undefined;
  /** Tokens of a text, or of a question and a text, special ones counted. */
  maxTokens: number;
  /** The id that fills a shorter row; the attention mask hides it. */
  padId: number;
  /** Kinds of text that the model tells apart by token type, at least 1. */
  typeCount: number;
  head: Head;
  threads: number;
  batchSize: number;
}

export interface WorkerStart {
  settings: WorkerSettings;
  /** The module that runs the model: onnxruntime-node. */
  runtime: string;
  control: Int32Array<SharedArrayBuffer>;
}

/** The shared words. */
export const words = {
  /** 1 while the worker is inside the runtime: the process must not end then, it would abort. */
  inside: 0,
  /** 1 once the worker must not enter the runtime again. */
  stop: 1,
  /** The number of the last job whose result nobody waits for. */
  dropped: 2,
} as const;

/** What a model of each kind is called, what it does and the code of its failures. */
export const roles = {
  vector: { name: 'encoder', opener: 'onnxEncoder()', does: 'encode', code: 'ERR_ENCODER_FAILED' },
  score: { name: 'reranker', opener: 'onnxReranker()', does: 'score', code: 'ERR_RERANKER_FAILED' },
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
  | { kind: 'done'; job: number; values: Float32Array<ArrayBuffer> }
  | { kind: 'dropped'; job: number }
  /** Without a job: the model could not be opened, and the worker ends. */
  | { kind: 'failed'; job?: number; code: ErrorCode; message: string };
