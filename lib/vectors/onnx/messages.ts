// What the encoder's two threads say to each other: messages one way each, and four words of shared memory that the worker can read while it
// is busy and the main thread while the worker is inside the runtime. Types and numbers only.
import type { ErrorCode } from '../../errors.js';
import type { ModelDescription } from './modelFolder.js';

export interface WorkerSettings extends Omit<ModelDescription, 'prefixes'> {
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

export type ToWorker = { kind: 'encode'; job: number; texts: string[] } | { kind: 'close' };

export type FromWorker =
  | { kind: 'ready'; dimensions: number }
  | { kind: 'encoded'; job: number; vectors: Float32Array<ArrayBuffer> }
  | { kind: 'dropped'; job: number }
  /** Without a job: the model could not be opened, and the worker ends. */
  | { kind: 'failed'; job?: number; code: ErrorCode; message: string };
