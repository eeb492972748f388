// Messages between simulated threads and the scheduler.
import type { Passage } from '../../../lib/records.js';
import { passageNumber } from '../fixtures.js';

/** Passage numbers and their versions: one of `editions` texts, and a mark in the metadata. */
export type Versions = [number: number, version: number][];

/** Calls to the store, on one of the thread's handles. */
export type Operation = { handle: number } & (
  | { kind: 'open'; path: string; readOnly: boolean }
  | { kind: 'close' | 'compact' | 'fuse' | 'verify' | 'hold' | 'release' }
  | { kind: 'search' | 'searchHeld' | 'content' | 'contentHeld' | 'info' }
  | { kind: 'get' | 'has'; number: number }
  /** The corpus as recorded when a view was taken that the thread has seen, of a history. */
  | { kind: 'past'; draw: number }
  | { kind: 'add'; passages: Versions }
  | { kind: 'delete'; numbers: number[] }
  /** Marks the passages with a time, which are those whose number it divides. */
  | { kind: 'update'; time: keyof typeof divisors; mark: number }
  /** Adds the field of the marks, or drops it. */
  | { kind: 'alter' }
  /** Copies the corpus, and reads the copy. */
  | { kind: 'backup'; to: string }
  /** Makes the corpus what a backup holds. */
  | { kind: 'restore'; path: string; backup: string; content: Versions }
  /** Drops all handles as the death of the process does. */
  | { kind: 'die' }
  /** Opens the corpus alone, verifies it and reads everything; a backup is not written to. */
  | { kind: 'recover' | 'recoverBackup'; path: string }
);

/** Texts of a passage. */
export const editions = 3;

export function versionedPassage(number: number, version: number): Passage {
  const passage = passageNumber(number, version % editions);
  const mark = Math.floor(version / editions);
  return { ...passage, metadata: { ...passage.metadata, mark } };
}

/** Of the numbers of passages that have each time (passageNumber). */
export const divisors = { publishedAt: 3, validFrom: 5, validTo: 7 } as const;

/** Every other corpus has a history. */
export const hasHistory = (path: string): boolean => /[02468]$/.test(path);

/** A view of the corpus at a commit. */
export interface View {
  generation: number;
  content: Versions;
}

export interface Outcome {
  value?: unknown;
  error?: { code: string; message: string };
  isKilled?: true;
  /** Descriptors that the store has open. */
  descriptors?: number;
}

/** A call of the store to the operating system. */
export interface Call {
  kind: 'call';
  name: keyof typeof asynchronous;
  path: string;
  to?: string;
  use?: 'read' | 'create' | 'folder';
  /** Bytes to be written, or milliseconds of a pause. */
  amount?: number;
}

/** Whether other work of the thread may run before a call returns. */
export const asynchronous = {
  open: false,
  write: false,
  fill: true,
  sync: true,
  link: false,
  rename: false,
  remove: false,
  list: false,
  stat: false,
  makeFolder: false,
  makeTemporaryFolder: false,
  removeFolder: false,
  map: false,
  lock: false,
  unlock: false,
  pause: true,
  randomId: false,
} as const;

export type Request =
  | Call
  /** The outcome of the last operation: asks for the next one. */
  | { kind: 'next'; outcome: Outcome }
  /** The outcome of a reading operation that ran while a call was waited for. */
  | { kind: 'meanwhile'; outcome: Outcome };

export interface NextAnswer {
  /** None at the end. */
  operation?: Operation;
  /** Milliseconds of the simulated clock. */
  now: number;
}

export interface CallAnswer {
  value?: unknown;
  /** A code of errno. */
  failure?: string;
  isKilled?: true;
  /** What happens on the thread while it waits for the call. */
  meanwhile?: 'abort' | 'close' | Operation;
  /** Milliseconds of the simulated clock. */
  now: number;
}
