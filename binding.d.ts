// The contract of the native addon, written by hand and tested against its exports (test/boundary/contract.test.ts).
// Low level: meaning was checked in TypeScript before these are called. Layout convention of every matrix here and in
// native/: row-major, compact; component j of vector i is x[i * d + j].

// ---- process.cpp

/** The class that native errors are made of: called once by lib/binding.ts. */
export function setErrorClass(errorClass: new (code: never, message: string) => Error): void;
/** Threads that native work may use, the caller's included; default all cores, or ASOF_THREADS. */
export function threadCount(): number;
/** 0 restores the default. */
export function setThreadCount(count: number): void;

/** Cancels the tasks it was given to; they reject with ERR_ABORTED at the next tile. */
export class Cancellation {
  cancel(): void;
}
