import './runtime/ambient.js';
/** Stable error codes. A code is part of the public interface: codes are added, never renamed. */
export declare const errorCodes: readonly ['ERR_INVALID_ARGUMENT', 'ERR_INVALID_INPUT', 'ERR_ABORTED', 'ERR_CLOSED', 'ERR_NOT_FOUND', 'ERR_CORPUS_EXISTS', 'ERR_CORPUS_LOCKED', 'ERR_CORPUS_FOREIGN', 'ERR_CORPUS_NEWER', 'ERR_CORPUS_REPLACED', 'ERR_CORPUS_CORRUPT', 'ERR_DOWNLOAD_FAILED', 'ERR_STORAGE', 'ERR_ENCODER_MISMATCH', 'ERR_ENCODER_FAILED', 'ERR_RERANKER_FAILED', 'ERR_MODEL_FAILED', 'ERR_DEVICE_UNAVAILABLE', 'ERR_NATIVE_UNAVAILABLE', 'ERR_OUT_OF_MEMORY', 'ERR_INTERNAL'];
/** What went wrong, for programs: codes are part of the interface, messages are not. */
export type ErrorCode = (typeof errorCodes)[number];
/**
 * Every error that asof raises on purpose. Use `AsOfError.is(error)` where two copies of the
 * package may be loaded. Its name is 'AsOfError', of an aborted call 'AbortError', by which retries
 * and servers tell an abort from a failure; the signal's reason is its `cause`.
 */
export declare class AsOfError extends Error {
    readonly code: ErrorCode;
    /**
     * Details of the message for programs: the argument's name, the file and line, the lengths
     * involved.
     */
    readonly details: Readonly<Record<string, unknown>>;
    constructor(code: ErrorCode, message: string, { cause, details }?: {
        cause?: unknown;
        details?: Record<string, unknown> | undefined;
    });
    static is(error: unknown): error is AsOfError;
}
/** A value for an error message: short, quoted, with its type. */
export declare function describe(value: unknown): string;
/** ERR_INVALID_ARGUMENT for an argument: expected, received, remedy. */
export declare function invalidArgument(name: string, expected: string, received: unknown, remedy?: string): AsOfError;
/** ERR_NOT_FOUND where there is no file, else ERR_STORAGE; `expected` names the file. */
export declare function unreadable(expected: string, cause: unknown, remedy: string): AsOfError;
/** What an error says, or any other value that was thrown. */
export declare const messageOf: (error: unknown) => string;
export declare const isObject: (value: unknown) => value is Record<string, unknown>;
/** Checks of argument types, by the words of messages. */
declare const kindsOfArguments: {
    readonly 'an object': typeof isObject;
    readonly 'an array': (arg: any) => arg is any[];
    readonly 'a string': (value: unknown) => value is string;
    readonly 'a Map': (value: unknown) => boolean;
    readonly 'a function': (value: unknown) => value is Function;
};
/**
 * Throws ERR_INVALID_ARGUMENT for arguments of another type, named by their keys: `mustBe('an
 * array', { texts })`. Their contents are checked where they are read.
 */
export declare function mustBe(kind: keyof typeof kindsOfArguments, values: Readonly<Record<string, unknown>>): void;
/**
 * Throws ERR_INVALID_ARGUMENT for values, named by their keys, that are no whole numbers from `min`
 * to `max`: `mustBeWhole({ depth }, 1)`.
 */
export declare function mustBeWhole(values: Readonly<Record<string, unknown>>, min?: number, max?: number, remedy?: string): void;
/** Throws ERR_INVALID_ARGUMENT for a value that no file or folder can be named by. */
export declare function checkPath(name: string, path: unknown, what?: string): string;
/**
 * Throws ERR_INVALID_ARGUMENT for an unknown option, which would otherwise have no effect silently.
 * `of` names the function that takes the options.
 */
export declare function checkOptionNames(of: string, options: object, names: readonly string[]): void;
/**
 * Throws ERR_ABORTED if the signal has fired, ERR_INVALID_ARGUMENT if it is no signal. Every
 * function that takes a signal calls this first.
 */
export declare function throwIfAborted(signal: AbortSignal | undefined): void;
export declare function abortError(signal: AbortSignal): AsOfError;
/**
 * Calls a model of the caller's, under the signal even where it ignores that. Its AsOfErrors pass,
 * other errors become what `failed` makes of them.
 */
export declare function callModel<T>(call: () => Promise<T>, signal: AbortSignal | undefined, failed: (reason: string, cause: unknown) => AsOfError): Promise<T>;
/** Settles as the work does, or rejects with ERR_ABORTED as soon as the signal fires. */
export declare function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T>;
export {};
