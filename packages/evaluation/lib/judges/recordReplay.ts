// Record-replay text model: records the answers of another in a JSONL file and replays them by
// content.
import { createHash } from 'node:crypto';
import { open, readFile, truncate } from 'node:fs/promises';
import { AsOfError, type GenerateRequest, type Generation, type TextModel } from 'asof';
import {
  checkTextModel,
  excerpt,
  invalidArgument,
  invalidLine,
  readJsonLines,
  rejectOnAbort,
  stringField,
  throwIfAborted,
  type LineLocation,
} from 'asof/kit';

/**
 * record: sends every request and appends its answer; the last one applies. replay: sends and
 * writes nothing. replayOrRecord: sends only requests that are not in the file, and appends their
 * answers.
 */
export const recordReplayModes = ['record', 'replay', 'replayOrRecord'] as const;
export type RecordReplayMode = (typeof recordReplayModes)[number];

export interface RecordReplayOptions {
  /**
   * JSONL, one answer a line: { key, model, request, text, usage? }. Created if missing, in the
   * modes that record.
   */
  path: string;
  mode: RecordReplayMode;
  /**
   * The model to record, required by the modes that record. If present, the file must hold answers
   * of this model only.
   */
  model?: TextModel | undefined;
  /**
   * Receives the error of an invalid line, which is skipped. Without it the first such error is
   * thrown.
   */
  onFault?: ((fault: AsOfError) => void) | undefined;
  signal?: AbortSignal | undefined;
}

interface Recording {
  key: string;
  model: string;
  generation: Generation;
}

/**
 * Opens a recording. The returned model has the id of the recorded one.
 *
 * An answer is returned only after its line is on the disk, and lines are written atomically: an
 * incomplete last line after a crash was never returned. It is reported to `onFault`, never thrown,
 * and truncated by the modes that record.
 * @throws AsOfError ERR_INVALID_ARGUMENT; ERR_NOT_FOUND for a missing file to replay;
 * ERR_INVALID_INPUT for an invalid line without `onFault` and for a file of another model's
 * answers; ERR_STORAGE; ERR_ABORTED. Its generate() rejects with
 * ERR_NOT_FOUND for a request that is not recorded, in replay; with ERR_STORAGE if the answer
 * could not be written.
 * @example const model = await recordReplay({ path: 'test/answers.jsonl', mode: 'replay' });
 */
export async function recordReplay(options: RecordReplayOptions): Promise<TextModel> {
  const { path, mode, model, onFault, signal } = checkOptions(options);
  if (mode !== 'replay') await prepare(path);
  const answers = new Map<string, Generation>();
  let id = model?.id;
  const torn = await readTornLine(path);
  const report = (fault: AsOfError): void => {
    if (onFault) onFault(fault);
    else if (fault.details.line !== torn?.line) throw fault;
  };
  for await (const recorded of readJsonLines(path, readRecorded, {
    onFault: report,
    signal,
  })) {
    id ??= recorded.model;
    if (recorded.model !== id) {
      const message = `Expected ${path} to hold answers of ${id}, received one of ${recorded.model}. Keep one file a model.`;
      throw new AsOfError('ERR_INVALID_INPUT', message, {
        details: { file: path, model: recorded.model },
      });
    }
    answers.set(recorded.key, recorded.generation);
  }
  if (mode !== 'replay' && torn) await repairEnd(path, torn);

  let last: Promise<unknown> = Promise.resolve(); // lines are written one after another
  const appendInTurn = (line: string): Promise<void> => {
    const written = last.then(() => append(path, line));
    last = written.catch(() => undefined);
    return written;
  };
  const name = id ?? 'recorded';
  return {
    id: name,
    templates: model?.templates,
    async generate(request) {
      const key = requestKey(request);
      const known = mode === 'record' ? undefined : answers.get(key);
      if (known) return structuredClone(known);
      if (mode === 'replay') throw notRecorded(path, request, key);
      throwIfAborted(request.signal);
      const generation = await rejectOnAbort(model!.generate(request), request.signal);
      if (typeof generation?.text !== 'string') return generation; // whoever asked refuses it
      const { signal: _, ...recordedRequest } = request;
      await appendInTurn(
        `${JSON.stringify({ key, model: name, request: recordedRequest, ...generation })}\n`,
      );
      answers.set(key, generation);
      return structuredClone(generation);
    },
  };
}

function checkOptions(options: RecordReplayOptions): RecordReplayOptions {
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object { path, mode, ... }', options);
  const { path, mode, model, onFault } = options;
  if (typeof path !== 'string' || path === '' || path === '-')
    throw invalidArgument('path', 'the path of a file', path);
  if (!recordReplayModes.includes(mode))
    throw invalidArgument('mode', `one of ${recordReplayModes.join(', ')}`, mode);
  if (model !== undefined || mode !== 'replay') checkTextModel(model as TextModel);
  if (onFault !== undefined && typeof onFault !== 'function')
    throw invalidArgument('onFault', 'a function', onFault);
  return options;
}

/** Hash of all fields that determine an answer, independent of their order. */
function requestKey({
  system,
  prompt,
  maxTokens,
  temperature,
  stop,
  seed,
  jsonSchema,
}: GenerateRequest): string {
  const content = JSON.stringify(
    { system, prompt, maxTokens, temperature, stop, seed, jsonSchema },
    (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
  );
  return createHash('sha256').update(content).digest('hex');
}

function readRecorded(record: Record<string, unknown>, where: LineLocation): Recording {
  const { text, usage, request } = record;
  const key = stringField(record, 'key', where);
  const model = stringField(record, 'model', where);
  if (typeof text !== 'string') throw invalidLine(where, 'a string "text"', typeof text);
  if (typeof request !== 'object' || request === null)
    throw invalidLine(where, 'an object "request"', typeof request);
  const expected = requestKey(request as GenerateRequest);
  if (key !== expected)
    throw invalidLine(
      where,
      `the key ${expected} of its request`,
      excerpt(key),
      'Record the answer again.',
    );
  if (usage !== undefined && (typeof usage !== 'object' || usage === null))
    throw invalidLine(where, '"usage" to be an object', typeof usage);
  return {
    key,
    model,
    generation: { text, ...(usage === undefined ? {} : { usage: usage }) },
  };
}

function notRecorded(path: string, { prompt }: GenerateRequest, key: string): AsOfError {
  const message =
    `Expected ${path} to hold an answer to the prompt ${excerpt(prompt)} with these options, found none. ` +
    'Record it with mode replayOrRecord.';
  return new AsOfError('ERR_NOT_FOUND', message, { details: { file: path, key } });
}

/** An incomplete last line. */
interface TornLine {
  line: number;
  /** Bytes before it. */
  start: number;
  text: string;
}

async function readTornLine(path: string): Promise<TornLine | undefined> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    // Reported where the lines are read.
    if (cause.code === 'ENOENT' || cause.code === 'EISDIR') return Buffer.alloc(0);
    throw storage(path, 'read', cause);
  });
  const start = bytes.lastIndexOf(0x0a) + 1;
  if (start === bytes.length) return undefined;
  let line = 1;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) line += 1;
  return { line, start, text: bytes.toString('utf8', start) };
}

/** Appends the newline that a complete last line lacks; truncates an incomplete one. */
async function repairEnd(path: string, { start, line, text }: TornLine): Promise<void> {
  try {
    readRecorded(JSON.parse(text) as Record<string, unknown>, { file: path, line });
  } catch {
    return truncate(path, start).catch((cause: unknown) =>
      Promise.reject(storage(path, 'repair', cause)),
    );
  }
  return append(path, '\n');
}

/** Creates the file if missing, so that an unwritable one is an error before any request. */
async function prepare(path: string): Promise<void> {
  try {
    await (await open(path, 'a')).close();
  } catch (cause) {
    throw storage(path, 'write', cause);
  }
}

/** Appends a line atomically and syncs it. */
async function append(path: string, line: string): Promise<void> {
  let size: number | undefined;
  try {
    const file = await open(path, 'a');
    try {
      ({ size } = await file.stat());
      await file.appendFile(line);
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    // A full disk may have written a part.
    if (size !== undefined) await truncate(path, size).catch(() => undefined);
    throw storage(path, 'write', cause);
  }
}

function storage(path: string, verb: string, cause: unknown): AsOfError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AsOfError(
    'ERR_STORAGE',
    `Expected to ${verb} ${path}, the system refused: ${reason}. Check the folder, the rights and the space.`,
    {
      cause,
      details: { file: path },
    },
  );
}
