// Download of one file: resumed, retried, verified by size and checksum, then renamed.
import { join } from 'node:path';
import { AsOfError, throwIfAborted } from '../../errors.js';
import { backoff, longestWaitMs, pause, retryAfter } from '../../runtime/retry.js';
import type { HubModel } from './options.js';
import { hasChecksum, Partial } from './partial.js';
import { ask, type Answer, type StartOf } from './request.js';

export interface DownloadOptions {
  model: HubModel;
  revision: string;
  file: string;
  /** Where the file of that commit belongs; undefined where the hub names no commit. */
  place(commit: string | undefined): string;
  /** Bytes so far, and in total. */
  onBytes(done: number, size: number | undefined): void;
  signal: AbortSignal | undefined;
  /** Milliseconds, set by tests. */
  timing?: { stallMs?: number; firstWait?: number };
}

export interface DownloadResult {
  size: number;
  commit: string | undefined;
}

/** Consecutive failures without progress after which a download fails. */
const maxFailures = 4;

/** A transient failure: of the network, of an overloaded server, of incomplete data. */
class TransientError extends Error {
  constructor(
    message: string,
    readonly waitMs?: number,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/**
 * Undefined where the hub has no such file in that revision. @throws AsOfError ERR_NOT_FOUND (no
 * such model or revision, or none without a token), ERR_DOWNLOAD_FAILED, ERR_STORAGE, ERR_ABORTED
 */
export async function download(options: DownloadOptions): Promise<DownloadResult | undefined> {
  const { model, file, signal, timing = {} } = options;
  let [failures, corrupt, reached] = [0, 0, 0];
  for (;;) {
    throwIfAborted(signal);
    try {
      return await attempt(options, (bytes) => {
        if (bytes > reached) failures = 0;
        reached = Math.max(reached, bytes);
      });
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      failures += 1;
      if (error.message === wrongBytes) corrupt += 1;
      const waitMs = error.waitMs ?? backoff(failures, timing.firstWait);
      if (failures >= maxFailures || corrupt > 1 || waitMs > longestWaitMs)
        throw failed(model, file, error);
      await pause(waitMs, signal);
    }
  }
}

const wrongBytes = 'its checksum is not that of the hub';

interface DownloadState {
  partial?: Partial;
  answer?: Answer | undefined;
  /** The file is complete already, from another run. */
  complete?: boolean;
}

async function attempt(
  options: DownloadOptions,
  progress: (bytes: number) => void,
): Promise<DownloadResult | undefined> {
  const { model, file, place, onBytes, signal } = options;
  const state: DownloadState = {};
  const startOf: StartOf = async (facts) => {
    const { etag, size, checksum, commit } = facts;
    state.complete ??=
      checksum !== undefined &&
      size !== undefined &&
      (await hasChecksum(place(commit), size, checksum));
    if (state.complete) return size!;
    const content = etag === undefined ? undefined : `${file}\n${etag}\n${size ?? ''}`;
    state.partial ??= await stored(model, () =>
      Partial.claim(join(model.folder, 'partial'), content),
    );
    if (size !== undefined && state.partial.bytes > size)
      await stored(model, () => state.partial!.restart());
    return state.partial.bytes;
  };
  try {
    let answer = (state.answer = await request(options, 0, startOf));
    if (!answer) return undefined;
    const start = await startOf(answer);
    if (start > answer.from && start !== answer.size) {
      await answer.discard();
      answer = state.answer = await request(options, start, startOf);
      if (!answer) return undefined;
    }
    const { size, commit, checksum } = answer;
    if (!state.complete) {
      const partial = state.partial!;
      for await (const chunk of await remaining(partial, answer, model, signal)) {
        await stored(model, () => partial.append(chunk));
        progress(partial.bytes);
        onBytes(partial.bytes, size);
      }
      if (size !== undefined && partial.bytes < size)
        throw new TransientError(`the connection ended after ${partial.bytes} of ${size} bytes`);
      await stored(model, () => check(partial, checksum, size, model, file));
      await stored(model, () => partial.finish(place(commit)));
    }
    const bytes = state.partial?.bytes ?? size!;
    onBytes(bytes, size);
    return { size: bytes, commit };
  } finally {
    await state.answer?.discard();
    await state.partial?.release();
  }
}

/** The chunks that a partial file lacks; from the start where the answer does not go on from it. */
async function remaining(
  partial: Partial,
  answer: Answer,
  model: HubModel,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array> | []> {
  if (partial.bytes > 0 && partial.bytes === answer.size) return [];
  if (answer.from !== partial.bytes) await stored(model, () => partial.restart());
  if (answer.from !== partial.bytes)
    throw new TransientError('the server sent another range than requested');
  return chunksOf(answer, signal);
}

/** The answer with the file's bytes; undefined for a missing file. */
async function request(
  options: DownloadOptions,
  from: number,
  startOf: StartOf,
): Promise<Answer | undefined> {
  const { model, file, revision, signal, timing } = options;
  const url = `${model.baseUrl}/${model.id}/resolve/${encodeURIComponent(revision)}/${file.split('/').map(encodeURIComponent).join('/')}`;
  let answer: Answer;
  try {
    answer = await ask({ url, token: model.token }, from, startOf, signal, timing?.stallMs);
  } catch (error) {
    if (AsOfError.is(error)) throw error;
    throw new TransientError(`it could not be reached: ${reason(error)}`, undefined, error);
  }
  const { status, headers } = answer;
  if (status === 200 || status === 206) return answer;
  await answer.discard();
  const code = headers.get('x-error-code');
  if (status === 404 && (code === null || code === 'EntryNotFound')) return undefined;
  // The partial file is of another content: restart.
  if (status === 416) return { ...answer, from: 0, status: 200, async *chunks() {} };
  if (status === 408 || status === 429 || status >= 500) {
    const waitMs = retryAfter(headers.get('retry-after'));
    const delayNote =
      waitMs !== undefined && waitMs > longestWaitMs
        ? ` and requests a delay of ${Math.ceil(waitMs / 1000)} s`
        : '';
    throw new TransientError(`it answers ${status}${delayNote}`, waitMs);
  }
  throw refused(model, revision, file, status, code);
}

async function* chunksOf(
  answer: Answer,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const chunks = answer.chunks();
  try {
    for (;;) {
      // Only what the network does is caught here: what the reader of these chunks throws is the
      // reader's.
      const next = await chunks.next().catch((error: unknown) => {
        throwIfAborted(signal);
        throw new TransientError(`the connection broke: ${reason(error)}`, undefined, error);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await chunks.return(undefined);
  }
}

async function check(
  partial: Partial,
  checksum: Answer['checksum'],
  size: number | undefined,
  model: HubModel,
  file: string,
): Promise<void> {
  const opening = await partial.opening();
  const page = /^\s*</.test(opening) && 'a web page';
  const pointer = opening.startsWith('version https://git-lfs') && "git-lfs's pointer to it";
  const instead = page || pointer || (partial.bytes === 0 && 'nothing');
  if (instead) {
    await partial.restart();
    const remedy =
      'A proxy or a mirror that stands between may answer in its place: check the network ' +
      'and baseUrl.';
    const message = `Expected ${file} of ${model.id} from ${model.baseUrl}, received ${instead}. ${remedy}`;
    throw new AsOfError('ERR_DOWNLOAD_FAILED', message, { details: { hub: model.id, file } });
  }
  if ((size === undefined || partial.bytes === size) && (await partial.matches(checksum))) return;
  await partial.restart();
  throw new TransientError(wrongBytes);
}

/** Runs a write; a refusal of the system becomes ERR_STORAGE. */
async function stored<Result>(model: HubModel, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (AsOfError.is(error) || error instanceof TransientError) throw error;
    const full = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
    const remedy = full
      ? 'Free some space, or give another folder as cache; the download is resumed from what ' +
        'is there.'
      : 'Check the folder and its rights, or give another as cache.';
    const message = `Expected to keep ${model.id} in ${model.folder}, the system refused: ${reason(error)}. ${remedy}`;
    throw new AsOfError('ERR_STORAGE', message, { cause: error });
  }
}

function refused(
  model: HubModel,
  revision: string,
  file: string,
  status: number,
  code: string | null,
): AsOfError {
  const { id, baseUrl } = model;
  const refuse = (what: 'ERR_NOT_FOUND' | 'ERR_DOWNLOAD_FAILED', message: string): AsOfError =>
    new AsOfError(what, message, { details: { hub: id, revision, file, status } });
  if (code === 'RevisionNotFound') {
    return refuse(
      'ERR_NOT_FOUND',
      `Expected ${id} on ${baseUrl} to have the revision ${revision}, it has none of that name. Name a branch, tag or commit of it.`,
    );
  }
  const answers = `Expected ${baseUrl} to give ${file} of ${id} (${revision}), it answers ${status}${code ? ` ${code}` : ''}.`;
  if (![401, 403, 404, 410].includes(status))
    return refuse('ERR_DOWNLOAD_FAILED', `${answers} Check baseUrl.`);
  return refuse(
    'ERR_NOT_FOUND',
    `${answers} Check the name; a model that is private, or whose terms must be accepted first, needs a token of yours.`,
  );
}

function failed(model: HubModel, file: string, error: TransientError): AsOfError {
  const remedy =
    'Check the network and repeat: what was downloaded is kept and resumed. A model that was ' +
    'downloaded once needs no network; ' +
    'its files may also be fetched elsewhere into a folder, which is then given as path.';
  const message = `Expected to download ${file} of ${model.id} from ${model.baseUrl}, ${error.message}. ${remedy}`;
  return new AsOfError('ERR_DOWNLOAD_FAILED', message, {
    cause: error.cause,
    details: { hub: model.id, file },
  });
}

function reason(error: unknown): string {
  // The message of fetch is only "fetch failed".
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || (cause as NodeJS.ErrnoException).code || cause.name;
}
