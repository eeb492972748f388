// The error class of asof and its stable codes. Every message has the form expected, received,
// remedy; the module that detects a fault words it.
import './runtime/ambient.js';
import { suggestion } from './runtime/nearestName.js';

/** Stable error codes. A code is part of the public interface: codes are added, never renamed. */
export const errorCodes = [
  'ERR_INVALID_ARGUMENT', // a value of the wrong kind, shape or range
  'ERR_INVALID_INPUT', // a line or file of the user's that does not have its format
  'ERR_ABORTED', // the caller's signal fired: an error with the name 'AbortError'
  'ERR_CLOSED', // used after close()
  'ERR_NOT_FOUND', // a missing corpus, file or passage
  'ERR_CORPUS_EXISTS', // a folder that is not empty and holds no corpus
  'ERR_CORPUS_LOCKED', // another writer has the corpus
  'ERR_CORPUS_FOREIGN', // not a file of asof
  'ERR_CORPUS_NEWER', // written by a later version of asof
  'ERR_CORPUS_REPLACED', // another corpus took the place of an open one
  'ERR_CORPUS_CORRUPT', // truncated, or a checksum that does not match
  'ERR_DOWNLOAD_FAILED', // no network, or bytes that differ from the hub's checksum
  'ERR_STORAGE', // the system refused to read or write a file: a full disk, missing rights
  'ERR_ENCODER_MISMATCH', // the corpus was built with another encoder
  'ERR_ENCODER_FAILED', // an encoder returned something unusable
  'ERR_RERANKER_FAILED', // a reranker failed or returned something unusable
  'ERR_MODEL_FAILED', // a text model failed or returned something unusable
  'ERR_DEVICE_UNAVAILABLE', // a requested device that is not available
  'ERR_NATIVE_UNAVAILABLE', // the addon could not be loaded
  'ERR_OUT_OF_MEMORY', // memory that could not be allocated
  'ERR_INTERNAL', // a fault of asof itself
] as const;

/** What went wrong, for programs: codes are part of the interface, messages are not. */
export type ErrorCode = (typeof errorCodes)[number];

const marker = Symbol.for('asof.error');

/**
 * Every error that asof raises on purpose. Use `AsOfError.is(error)` where two copies of the
 * package may be loaded. Its name is 'AsOfError', of an aborted call 'AbortError', by which retries
 * and servers tell an abort from a failure; the signal's reason is its `cause`.
 */
export class AsOfError extends Error {
  readonly code: ErrorCode;
  /**
   * Details of the message for programs: the argument's name, the file and line, the lengths
   * involved.
   */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    { cause, details }: { cause?: unknown; details?: Record<string, unknown> | undefined } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = code === 'ERR_ABORTED' ? 'AbortError' : 'AsOfError';
    this.code = code;
    this.details = Object.freeze({ ...details });
    Object.defineProperty(this, marker, { value: true });
  }

  static is(error: unknown): error is AsOfError {
    return typeof error === 'object' && error !== null && marker in error;
  }
}

/** A value for an error message: short, quoted, with its type. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string')
    return `the string ${JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value)}`;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return `${typeof value} ${value}`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (ArrayBuffer.isView(value))
    return `${value.constructor.name} of ${'length' in value ? String(value.length) : value.byteLength}`;
  if (value instanceof Date && Number.isNaN(value.getTime())) return 'an invalid Date';
  if (typeof value === 'object') {
    return `${value.constructor?.name ?? 'an object'} with keys ${Object.keys(value).slice(0, 6).join(', ') || '(none)'}`;
  }
  return `a ${typeof value}`;
}

/** ERR_INVALID_ARGUMENT for an argument: expected, received, remedy. */
export function invalidArgument(
  name: string,
  expected: string,
  received: unknown,
  remedy?: string,
): AsOfError {
  const tail = remedy ? ` ${remedy}` : '';
  return new AsOfError(
    'ERR_INVALID_ARGUMENT',
    `Expected ${name} to be ${expected}, received ${describe(received)}.${tail}`,
    { details: { argument: name } },
  );
}

/** ERR_NOT_FOUND where there is no file, else ERR_STORAGE; `expected` names the file. */
export function unreadable(expected: string, cause: unknown, remedy: string): AsOfError {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return new AsOfError('ERR_NOT_FOUND', `Expected ${expected}, found none. ${remedy}`, { cause });
  return new AsOfError(
    'ERR_STORAGE',
    `Expected to read ${expected}, the system answered: ${message}. ` +
      'Check its permissions and the limit of open files.',
    { cause },
  );
}

/** What an error says, or any other value that was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checks of argument types, by the words of messages. */
const kindsOfArguments = {
  'an object': isObject,
  'an array': Array.isArray,
  'a string': (value: unknown) => typeof value === 'string',
  'a Map': (value: unknown) =>
    typeof (value as Partial<ReadonlyMap<string, unknown>> | null | undefined)?.get === 'function',
  'a function': (value: unknown) => typeof value === 'function',
} as const satisfies Record<string, (value: unknown) => boolean>;

/**
 * Throws ERR_INVALID_ARGUMENT for arguments of another type, named by their keys: `mustBe('an
 * array', { texts })`. Their contents are checked where they are read.
 */
export function mustBe(
  kind: keyof typeof kindsOfArguments,
  values: Readonly<Record<string, unknown>>,
): void {
  for (const name in values) {
    if (!kindsOfArguments[kind](values[name]))
      throw invalidArgument(name, kind, values[name], `Pass ${name} as ${kind}, as its type says.`);
  }
}

/**
 * Throws ERR_INVALID_ARGUMENT for values, named by their keys, that are no whole numbers from `min`
 * to `max`: `mustBeWhole({ depth }, 1)`.
 */
export function mustBeWhole(
  values: Readonly<Record<string, unknown>>,
  min = -Infinity,
  max = Infinity,
  remedy?: string,
): void {
  for (const [name, value] of Object.entries(values)) {
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
      continue;
    const from = min === -Infinity ? '' : ` from ${min.toLocaleString('en-US')}`;
    const to = max === Infinity ? '' : ` to ${max.toLocaleString('en-US')}`;
    throw invalidArgument(name, `a whole number${from}${to}`, value, remedy);
  }
}

/** Throws ERR_INVALID_ARGUMENT for a value that no file or folder can be named by. */
export function checkPath(name: string, path: unknown, what = 'the path of a file'): string {
  if (typeof path === 'string' && path !== '' && !path.includes('\0')) return path;
  throw invalidArgument(name, what, path);
}

/** Options of opening, which apply to every search. */
const openOptions = ['device', 'storage'];

/**
 * Throws ERR_INVALID_ARGUMENT for an unknown option, which would otherwise have no effect silently.
 * `of` names the function that takes the options.
 */
export function checkOptionNames(of: string, options: object, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null)
    throw invalidArgument(`the options of ${of}`, 'an object', options);
  const unknown = Object.entries(options).find(
    ([name, value]) => value !== undefined && !names.includes(name),
  );
  if (!unknown) return;
  const [name] = unknown;
  const remedy = openOptions.includes(name)
    ? `Give ${name} to Corpus.open() or new VectorIndex(), for all of its searches.`
    : suggestion(name, names).trim();
  throw invalidArgument(
    `the options of ${of}`,
    names.length === 0 ? 'none' : `some of ${names.join(', ')}`,
    name,
    remedy,
  );
}

/**
 * Throws ERR_ABORTED if the signal has fired, ERR_INVALID_ARGUMENT if it is no signal. Every
 * function that takes a signal calls this first.
 */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal === undefined || signal === null) return;
  if (typeof signal.addEventListener !== 'function') {
    throw invalidArgument(
      'signal',
      'an AbortSignal',
      signal,
      'Pass the signal of an AbortController.',
    );
  }
  if (signal.aborted) throw abortError(signal);
}

export function abortError(signal: AbortSignal): AsOfError {
  return new AsOfError('ERR_ABORTED', 'The operation was aborted by its signal.', {
    cause: signal.reason,
  });
}

/**
 * Calls a model of the caller's, under the signal even where it ignores that. Its AsOfErrors pass,
 * other errors become what `failed` makes of them.
 */
export async function callModel<T>(
  call: () => Promise<T>,
  signal: AbortSignal | undefined,
  failed: (reason: string, cause: unknown) => AsOfError,
): Promise<T> {
  try {
    return await rejectOnAbort((async () => call())(), signal);
  } catch (error) {
    throwIfAborted(signal);
    throw AsOfError.is(error) ? error : failed(messageOf(error), error);
  } finally {
    throwIfAborted(signal);
  }
}

/** Settles as the work does, or rejects with ERR_ABORTED as soon as the signal fires. */
export function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(abortError(signal));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
