// TextModel that records the answers of another in a JSONL file and replays them by content.
import { createHash } from 'node:crypto';
import { open, readFile, truncate } from 'node:fs/promises';
import { AsOfError, describe, invalidArgument } from '../errors.js';
import { checkTextModel, generateText } from '../text/textModel.js';
import { invalidLine, readJsonLines, stringField } from '../text/lines.js';
import type { GenerateRequest, Generation, TextModel } from '../text/textModel.js';
import type { LineLocation } from '../text/lines.js';

/**
 * record: every request is asked and its answer kept, the newest one counting. replay: nothing is
 * asked or written. replayOrRecord: only what the file lacks is asked, and kept.
 */
export const recordReplayModes = ['record', 'replay', 'replayOrRecord'] as const;
export type RecordReplayMode = (typeof recordReplayModes)[number];

export interface RecordReplayOptions {
  /**
   * JSONL, one answer a line: { key, model, request, text, usage? }. Made where it is missing and
   * may be written.
   */
  path: string;
  mode: RecordReplayMode;
  /**
   * Who is asked. Needed by the modes that record; where given, the file must hold this model's
   * answers only.
   */
  model?: TextModel;
  /**
   * Receives the fault of a damaged line, which is then passed over. Without it the first such
   * fault is thrown.
   */
  onFault?: (fault: AsOfError) => void;
  signal?: AbortSignal;
}

interface Recorded {
  key: string;
  model: string;
  generation: Generation;
}

/**
 * Opens a recording. The model it gives has the recorded model's id.
 *
 * An answer is given to the caller only once its line is on the disk, and a line is written whole:
 * what a crash left of one at the end of the file was never given to anybody. It is told to
 * `onFault`, never thrown, and cut off by the modes that record.
 * @throws AsOfError ERR_INVALID_ARGUMENT; ERR_NOT_FOUND for a file to replay that is not there;
 * ERR_INVALID_INPUT for a damaged
 * line without `onFault` and for a file of another model's answers; ERR_STORAGE; ERR_ABORTED. Its
 * generate() rejects with
 * ERR_NOT_FOUND for a request that is not recorded, in replay; with ERR_STORAGE where the answer
 * could not be kept.
 * @example const model = await recordReplay({ path: 'test/answers.jsonl', mode: 'replay' });
 */
export async function recordReplay(options: RecordReplayOptions): Promise<TextModel> {
  const { path, mode, model, onFault, signal } = checkOptions(options);
  if (mode !== 'replay') await prepare(path);
  const answers = new Map<string, Generation>();
  let id = model?.id;
  const torn = await lineWithoutEnd(path);
  const report = (fault: AsOfError): void => {
    if (onFault) onFault(fault);
    else if (fault.details.line !== torn?.line) throw fault;
  };
  for await (const recorded of readJsonLines(path, readRecorded, {
    onFault: report,
    ...(signal ? { signal } : {}),
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
  if (mode !== 'replay' && torn) await mendEnd(path, torn);

  let last: Promise<unknown> = Promise.resolve(); // lines are written one after another
  const keep = (line: string): Promise<void> => {
    const written = last.then(() => append(path, line));
    last = written.catch(() => undefined);
    return written;
  };
  const name = id ?? 'recorded';
  return {
    id: name,
    async generate(request) {
      const key = requestKey(request);
      const known = mode === 'record' ? undefined : answers.get(key);
      if (known) return structuredClone(known);
      if (mode === 'replay') throw notRecorded(path, request, key);
      const generation = await generateText(model!, request);
      const { signal: _, ...asked } = request;
      await keep(`${JSON.stringify({ key, model: name, request: asked, ...generation })}\n`);
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

/** The hash of everything that shapes an answer, whatever the order of the fields. */
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

function readRecorded(record: Record<string, unknown>, where: LineLocation): Recorded {
  const { text, usage, request } = record;
  const key = stringField(record, 'key', where);
  const model = stringField(record, 'model', where);
  if (typeof text !== 'string') throw invalidLine(where, 'a string "text"', describe(text));
  if (typeof request !== 'object' || request === null)
    throw invalidLine(where, 'an object "request"', describe(request));
  const expected = requestKey(request as GenerateRequest);
  if (key !== expected)
    throw invalidLine(
      where,
      `the key ${expected} of its request`,
      describe(key),
      'Record the answer again.',
    );
  if (usage !== undefined && (typeof usage !== 'object' || usage === null))
    throw invalidLine(where, '"usage" to be an object', describe(usage));
  return {
    key,
    model,
    generation: { text, ...(usage === undefined ? {} : { usage: usage }) },
  };
}

function notRecorded(path: string, { prompt }: GenerateRequest, key: string): AsOfError {
  const message =
    `Expected ${path} to hold an answer to the prompt ${describe(prompt)} with these options, it has none. ` +
    'Record it with mode replayOrRecord.';
  return new AsOfError('ERR_NOT_FOUND', message, { details: { file: path, key } });
}

/** What stands after the last line end, if anything does. */
interface Torn {
  line: number;
  /** Bytes before it. */
  start: number;
  text: string;
}

async function lineWithoutEnd(path: string): Promise<Torn | undefined> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    // worded where the lines are read
    if (cause.code === 'ENOENT' || cause.code === 'EISDIR') return Buffer.alloc(0);
    throw storage(path, 'read', cause);
  });
  const start = bytes.lastIndexOf(0x0a) + 1;
  if (start === bytes.length) return undefined;
  let line = 1;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) line += 1;
  return { line, start, text: bytes.toString('utf8', start) };
}

/**
 * A last line that is whole but for its end (an editor's doing) gets one; a piece of a line goes.
 */
async function mendEnd(path: string, { start, line, text }: Torn): Promise<void> {
  try {
    readRecorded(JSON.parse(text) as Record<string, unknown>, { file: path, line });
  } catch {
    return truncate(path, start).catch((cause: unknown) =>
      Promise.reject(storage(path, 'mend', cause)),
    );
  }
  return append(path, '\n');
}

/**
 * Makes the file where it is missing, so that one that cannot be written is known before a model is
 * asked.
 */
async function prepare(path: string): Promise<void> {
  try {
    await (await open(path, 'a')).close();
  } catch (cause) {
    throw storage(path, 'write', cause);
  }
}

/** Whole and on the disk, or not at all. */
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
    // a full disk may have taken a part
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
