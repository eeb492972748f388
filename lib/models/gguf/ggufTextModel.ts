// TextModel over a GGUF file, run by node-llama-cpp (an optional peer), one prompt at a time.
import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import {
  AsOfError,
  invalidArgument,
  mustBeWhole,
  rejectOnAbort,
  throwIfAborted,
} from '../../errors.js';
import type { GenerateRequest, Generation, JsonSchema, TextModel } from '../../text/textModel.js';
import { grammarSchema, withoutNulls } from './grammarSchema.js';
import {
  importLlama,
  type Llama,
  type LlamaGrammar,
  type LlamaModel,
  type LlamaRuntime,
  type LlamaSequence,
} from './runtime.js';
import { TaskQueue } from '../../runtime/taskQueue.js';

export interface GgufTextModelOptions {
  /** The model's file, `model.gguf`. */
  path: string;
  /**
   * CPU threads, 1 to 256. Default: half of the processors, at least one. llama.cpp's threads
   * synchronize many times a token: more threads than idle processors are slower by orders of
   * magnitude.
   */
  threads?: number | undefined;
  /**
   * Tokens of prompt and answer together, from 64 to the model's training context. Default 4096, or
   * the training context if less.
   */
  contextSize?: number | undefined;
  /**
   * Uses a GPU where node-llama-cpp has one of its builds for it. Default false: the CPU alone, so
   * that figures are those of one machine.
   */
  gpu?: boolean | undefined;
  /** Aborts loading. */
  signal?: AbortSignal | undefined;
}

/** A text model that holds a file in memory until it is closed. */
export interface GgufTextModel extends TextModel, AsyncDisposable {
  /** Tokens of prompt and answer together. */
  readonly contextSize: number;
  /** Rejects all requests (ERR_CLOSED) and frees the model. Idempotent. */
  close(): Promise<void>;
}

const defaultContextSize = 4096;
const grammarsKept = 32;

/**
 * Loads a GGUF file. Prompts go through the model's own chat template, one at a time and each from
 * an empty context, so that the same request gives the same answer whatever came before.
 * `jsonSchema` binds the answer by a grammar as far as llama.cpp's grammars go (not pattern,
 * minimum, maximum): `generateJson` checks the rest. Where maxTokens is not given the answer may
 * fill the context. Its id is gguf: and the file's name.
 * @throws AsOfError ERR_INVALID_ARGUMENT; ERR_NOT_FOUND; ERR_INVALID_INPUT for a file that is no
 * GGUF; ERR_NATIVE_UNAVAILABLE
 * without node-llama-cpp (npm install node-llama-cpp); ERR_MODEL_FAILED where it cannot load the
 * model; ERR_ABORTED. Its
 * generate() rejects with ERR_ABORTED or ERR_CLOSED at once, with ERR_MODEL_FAILED for a prompt
 * that does not fit the context,
 * with details { model, promptTokens, contextSize }.
 * @example await using model = await ggufTextModel({ path: 'SmolLM2-135M-Instruct.Q4_1.gguf' });
 */
export async function ggufTextModel(options: GgufTextModelOptions): Promise<GgufTextModel> {
  return openGguf(options, importLlama);
}

/** `ggufTextModel` with the runtime of `load`. */
export async function openGguf(
  options: GgufTextModelOptions,
  load: () => Promise<LlamaRuntime>,
): Promise<GgufTextModel> {
  const { path, signal } = checkOptions(options);
  throwIfAborted(signal);
  await checkFile(path);
  const runtime = await load();
  const loaded = await rejectOnAbort(loadModel(options, runtime), signal);
  const id = `gguf:${basename(path).slice(0, 190)}`;
  const queue = new TaskQueue({
    rejectAtOnce: true,
    closedError: (cause) =>
      new AsOfError(
        'ERR_CLOSED',
        `Expected the model ${id} to be open, received one that was closed. Open it again.`,
        cause === undefined ? {} : { cause },
      ),
  });
  let freed: Promise<void> | undefined;
  const close = (): Promise<void> => (freed ??= queue.close().then(() => loaded.llama.dispose()));
  return {
    id,
    contextSize: loaded.contextSize,
    generate: (request) =>
      queue.run(request.signal, (stop) => generate({ ...loaded, id, runtime }, request, stop)),
    async *stream(request) {
      const ended = new AbortController();
      const { signal } = request;
      try {
        return yield* emitted((emit) =>
          queue.run(signal ? AbortSignal.any([signal, ended.signal]) : ended.signal, (stop) =>
            generate({ ...loaded, id, runtime }, request, stop, emit),
          ),
        );
      } finally {
        ended.abort();
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface LlamaSession {
  llama: Llama;
  model: LlamaModel;
  sequence: LlamaSequence;
  contextSize: number;
  grammars: Map<string, Promise<LlamaGrammar>>;
}

function defaultThreads(): number {
  return Math.max(1, Math.floor(availableParallelism() / 2));
}

async function loadModel(
  { path, threads = defaultThreads(), contextSize, gpu = false, signal }: GgufTextModelOptions,
  { getLlama }: LlamaRuntime,
): Promise<LlamaSession> {
  const faults: string[] = [];
  let llama: Llama | undefined;
  try {
    const logger = (_: string, message: string): void => void faults.push(message.trim());
    llama = await getLlama({
      gpu: gpu ? 'auto' : false,
      build: 'never',
      skipDownload: true,
      maxThreads: threads,
      logLevel: 'error',
      logger,
    });
    const model = await llama.loadModel({
      modelPath: path,
      ...(signal ? { loadSignal: signal } : {}),
    });
    const trained = model.trainContextSize;
    if (contextSize !== undefined && contextSize > trained) {
      throw invalidArgument(
        'contextSize',
        `at most ${trained}, with which the model was trained`,
        contextSize,
      );
    }
    const size = contextSize ?? Math.min(defaultContextSize, trained);
    const context = await model.createContext({
      contextSize: size,
      sequences: 1,
      threads,
      ...(signal ? { createSignal: signal } : {}),
    });
    throwIfAborted(signal); // abandoned while queued
    return {
      llama,
      model,
      sequence: context.getSequence(),
      contextSize: size,
      grammars: new Map(),
    };
  } catch (error) {
    await llama?.dispose().catch(() => undefined);
    throwIfAborted(signal);
    if (AsOfError.is(error)) throw error;
    const reason = [
      error instanceof Error ? error.message : String(error),
      ...faults.slice(-3),
    ].join('; ');
    const message =
      `Expected node-llama-cpp to load ${path}, it failed: ${reason}. ` +
      'The file may be cut off, of a newer kind, or too large for the memory.';
    throw new AsOfError('ERR_MODEL_FAILED', message, { cause: error, details: { file: path } });
  }
}

async function generate(
  loaded: LlamaSession & { id: string; runtime: LlamaRuntime },
  request: GenerateRequest,
  signal: AbortSignal,
  onText?: (text: string) => void,
): Promise<Generation> {
  const { model, sequence, contextSize, runtime, id } = loaded;
  const { system, prompt, maxTokens, temperature, stop, seed, jsonSchema } = request;
  const grammar = jsonSchema && (await grammarOf(loaded, jsonSchema));
  await sequence.clearHistory();
  const session = new runtime.LlamaChatSession({
    contextSequence: sequence,
    ...(system === undefined ? {} : { systemPrompt: system }),
    autoDisposeSequence: false,
  });
  try {
    const opening = session.getChatHistory();
    // A template without system messages (Gemma's) has the session drop them without a word: they
    // open the prompt there.
    const firstPrompt =
      system === undefined || opening.length > 0 ? prompt : `${system}\n\n${prompt}`;
    const chatHistory = [
      ...opening,
      { type: 'user', text: firstPrompt },
      { type: 'model', response: [] },
    ];
    const promptTokens = session.chatWrapper
      .generateContextState({ chatHistory })
      .contextText.tokenize(model.tokenizer).length;
    // The session would silently drop what does not fit; it adds two tokens.
    const room = contextSize - promptTokens - 2;
    if (room < 1) {
      const message =
        `Expected a prompt that leaves room for an answer in ${contextSize} tokens, received one of ${promptTokens}. Give ${id} ` +
        `fewer or shorter passages, or a larger contextSize.`;
      throw new AsOfError('ERR_MODEL_FAILED', message, {
        details: { model: id, promptTokens, contextSize },
      });
    }
    const before = sequence.tokenMeter.getState();
    const { responseText } = await session.promptWithMeta(firstPrompt, {
      maxTokens: Math.min(maxTokens ?? room, room),
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed: seed >>> 0 }), // llama.cpp's seeds are 32 bits
      ...(stop && stop.length > 0 ? { customStopTriggers: [...stop] } : {}),
      ...(grammar ? { grammar } : {}),
      ...(onText ? { onTextChunk: onText } : {}),
      signal,
      stopOnAbortSignal: false,
    });
    const { usedOutputTokens } = sequence.tokenMeter.diff(before as never);
    return {
      text: jsonSchema && grammar ? restored(responseText, jsonSchema) : responseText,
      usage: { inputTokens: promptTokens, outputTokens: usedOutputTokens },
    };
  } finally {
    session.dispose({ disposeSequence: false });
  }
}

/** Undefined for a schema without a grammar; the answer is then unconstrained. */
async function grammarOf(
  { llama, grammars }: LlamaSession,
  schema: JsonSchema,
): Promise<LlamaGrammar | undefined> {
  const subset = grammarSchema(schema);
  if (!subset) return undefined;
  const key = JSON.stringify(subset);
  if (grammars.size >= grammarsKept) grammars.clear();
  const grammar = grammars.get(key) ?? llama.createGrammarForJsonSchema(subset);
  grammars.set(key, grammar);
  return grammar;
}

function restored(text: string, schema: JsonSchema): string {
  try {
    return JSON.stringify(withoutNulls(JSON.parse(text), schema));
  } catch {
    return text; // cut off
  }
}

async function checkFile(path: string): Promise<void> {
  let start: Buffer;
  try {
    const file = await open(path, 'r');
    try {
      start = (await file.read(Buffer.alloc(4), 0, 4, 0)).buffer;
    } finally {
      await file.close();
    }
  } catch (cause) {
    const { code, message: reason } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw new AsOfError(
        'ERR_NOT_FOUND',
        `Expected a model file at ${path}, there is none. Check the path.`,
        {
          cause,
          details: { file: path },
        },
      );
    }
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected to read ${path}, the system refused: ${reason}. Check that it is a file and the rights.`,
      {
        cause,
        details: { file: path },
      },
    );
  }
  if (start.toString('latin1') === 'GGUF') return;
  const message = `Expected ${path} to be a GGUF file, it does not begin like one. Give a model converted for llama.cpp, or fetch the file again.`;
  throw new AsOfError('ERR_INVALID_INPUT', message, { details: { file: path } });
}

function checkOptions(options: GgufTextModelOptions): GgufTextModelOptions {
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object { path, ... }', options);
  const { path, threads, contextSize, gpu } = options;
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw invalidArgument('path', 'the path of a model file', path);
  if (threads !== undefined) mustBeWhole({ threads }, 1, 256);
  if (contextSize !== undefined) mustBeWhole({ contextSize }, 64);
  if (gpu !== undefined && typeof gpu !== 'boolean')
    throw invalidArgument('gpu', 'true or false', gpu);
  return options;
}

/**
 * Yields what `work` emits, and returns what it resolves with. To end it early does not end `work`:
 * give that a signal.
 */
export async function* emitted<Value, Result>(
  work: (emit: (value: Value) => void) => Promise<Result>,
): AsyncGenerator<Value, Result, undefined> {
  const pending: Value[] = [];
  let isDone = false;
  let wake = (): void => undefined;
  const end = (): void => {
    isDone = true;
    wake();
  };
  const result = work((value) => {
    pending.push(value);
    wake();
  });
  result.then(end, end);
  for (;;) {
    yield* pending.splice(0);
    if (pending.length > 0) continue;
    if (isDone) return result;
    await new Promise<void>((resolve) => (wake = resolve));
  }
}
