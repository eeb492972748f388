// The interface of text-generating models, and the one function through which the library calls
// them, so that requests and foreign results are validated in one place.
import {
  AsOfError,
  describe,
  invalidArgument,
  isObject,
  messageOf,
  mustBeWhole,
  rejectOnAbort,
  throwIfAborted,
} from '../errors.js';
import type { PromptTemplates } from './promptTemplates.js';
import { modelCall, observe, type Attributes, type Operation } from '../runtime/telemetry.js';

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A generation request. Omitted fields are the model's defaults. */
export interface GenerateRequest {
  /** System prompt. */
  system?: string | undefined;
  prompt: string;
  /** Longest answer, in the model's tokens, 1 or more. */
  maxTokens?: number | undefined;
  /** Sampling temperature; 0 is greedy. */
  temperature?: number | undefined;
  /** Stop sequences, none empty: the answer ends before the first of them. */
  stop?: readonly string[] | undefined;
  /** Sampling seed, a whole number; ignored by models without one. */
  seed?: number | undefined;
  /** Schema of a JSON answer. A model may ignore it: `generateJson` validates. */
  jsonSchema?: JsonSchema | undefined;
  signal?: AbortSignal | undefined;
}

/** Token counts, as far as the model reports them. */
export interface TokenUsage {
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
}

/** A model's answer. */
export interface Generation {
  text: string;
  usage?: TokenUsage | undefined;
}

/**
 * A model that answers a prompt with text.
 *
 * @example const mine: TextModel = { id: 'my-model-v2', generate: async ({ prompt, signal }) => ({
 * text: await callMyModel(prompt, signal) }) };
 */
export interface TextModel {
  /** Stable name of the model and its version, 1 to 200 characters. */
  readonly id: string;
  /**
   * Context window in tokens, prompt and answer together, if known; prompts are shortened to fit.
   */
  readonly contextSize?: number | undefined;
  /** Of `withPrompts`. @internal */
  readonly templates?: PromptTemplates | undefined;
  /** Resolves with the answer without the prompt. An empty answer is the empty string. */
  generate(request: GenerateRequest): Promise<Generation>;
  /**
   * Yields the answer piece by piece as it is written, to be shown, and returns what `generate`
   * would resolve with. Ending it early abandons the request. Default: answers come whole.
   * @example stream: async function* ({ prompt }) { let text = ''; for await (const piece of
   * callMyModel(prompt)) { text += piece; yield piece; } return { text }; }
   */
  readonly stream?:
    | ((request: GenerateRequest) => AsyncGenerator<string, Generation, undefined>)
    | undefined;
}

/** Throws ERR_INVALID_ARGUMENT for a value that is no text model. */
export function checkTextModel(model: TextModel): TextModel {
  const whole = typeof model === 'object' && model !== null && typeof model.generate === 'function';
  if (!whole) throw invalidArgument('model', 'a TextModel { id, generate }', model);
  const { id, stream } = model;
  if (stream !== undefined && typeof stream !== 'function')
    throw invalidArgument('model.stream', 'an async generator function, or absent', stream);
  if (typeof id !== 'string' || id.length === 0 || id.length > 200)
    throw invalidArgument('model.id', 'a string of 1 to 200 characters', id);
  return model;
}

/**
 * Calls a model and validates its result. When the signal fires, the promise rejects with
 * ERR_ABORTED at once, even if the model ignores it; a later result is dropped. `onText` receives
 * the answer as far as it is written, and at last the whole; what it throws is thrown.
 * @throws AsOfError ERR_INVALID_ARGUMENT for an invalid model or request; ERR_ABORTED;
 * ERR_MODEL_FAILED if the model fails (its error as `cause`) or returns no Generation. AsOfErrors
 * of the model pass unchanged.
 */
export async function generateText(
  model: TextModel,
  request: GenerateRequest,
  onText?: (text: string) => void,
): Promise<Generation> {
  checkTextModel(model);
  checkRequest(request);
  throwIfAborted(request.signal);
  const call = modelCall('chat', model.id, {
    'gen_ai.output.type': request.jsonSchema ? 'json' : 'text',
    'gen_ai.request.max_tokens': request.maxTokens,
    'gen_ai.request.temperature': request.temperature,
    'gen_ai.request.seed': request.seed,
  });
  const span: Operation<Generation> = {
    ...call,
    outcome: ({ usage }) => ({
      'gen_ai.usage.input_tokens': usage?.inputTokens,
      'gen_ai.usage.output_tokens': usage?.outputTokens,
    }),
    content: (generation) => messageAttributes(request, generation),
  };
  return observe(span, () => checkedGeneration(model, request, onText));
}

async function checkedGeneration(
  model: TextModel,
  request: GenerateRequest,
  onText: ((text: string) => void) | undefined,
): Promise<Generation> {
  const { signal } = request;
  let generation: Generation;
  let shown: string | undefined;
  let fault: { error: unknown } | undefined;
  const show = (text: string): void => {
    try {
      if (text !== shown) onText?.((shown = text));
    } catch (error) {
      fault = { error };
      throw error;
    }
  };
  try {
    generation =
      onText && model.stream
        ? await streamed(model, request, show)
        : await rejectOnAbort((async () => model.generate(request))(), signal);
  } catch (error) {
    if (fault) throw fault.error;
    throwIfAborted(signal);
    // An abort that is not the caller's is a failure.
    if (AsOfError.is(error) && error.code !== 'ERR_ABORTED') throw error;
    const message = `Expected the model ${model.id} to answer, it failed: ${messageOf(error)}`;
    throw modelFailed(model, message, { cause: error });
  }
  throwIfAborted(signal);
  const checked = checkGeneration(model, generation);
  show(checked.text);
  return checked;
}

/** What a stream returns; `show` receives what it has yielded so far. */
async function streamed(
  model: TextModel,
  request: GenerateRequest,
  show: (text: string) => void,
): Promise<Generation> {
  const pieces = model.stream!(request);
  let text = '';
  try {
    for (;;) {
      const piece = await rejectOnAbort(pieces.next(), request.signal);
      if (piece.done) return piece.value;
      if (typeof piece.value !== 'string')
        throw modelFailed(
          model,
          `Expected the model ${model.id} to stream strings, received ${describe(piece.value)}. ` +
            'Its stream() must implement the interface TextModel.',
        );
      if (piece.value !== '') show((text += piece.value));
    }
  } finally {
    // Not awaited: a model that ignores the signal may never end.
    pieces.return(undefined as never).catch(() => undefined);
  }
}

/** Prompts and answer in the JSON of the conventions. */
function messageAttributes(
  { system, prompt }: GenerateRequest,
  generation: Generation | undefined,
): Attributes {
  const parts = (content: string) => [{ type: 'text', content }];
  const message = (role: string, text: string): string =>
    JSON.stringify([{ role, parts: parts(text) }]);
  return {
    'gen_ai.system_instructions': system === undefined ? undefined : JSON.stringify(parts(system)),
    'gen_ai.input.messages': message('user', prompt),
    'gen_ai.output.messages': generation && message('assistant', generation.text),
  };
}

/** An ERR_MODEL_FAILED whose details name the model. */
export function modelFailed(
  model: TextModel,
  message: string,
  { cause, ...details }: Record<string, unknown> = {},
): AsOfError {
  return new AsOfError('ERR_MODEL_FAILED', message, {
    cause,
    details: { model: model.id, ...details },
  });
}

function checkRequest(request: GenerateRequest): void {
  if (typeof request !== 'object' || request === null)
    throw invalidArgument('request', 'a request { prompt, ... }', request);
  const { system, prompt, maxTokens, temperature, stop, seed, jsonSchema } = request;
  if (typeof prompt !== 'string') throw invalidArgument('request.prompt', 'a string', prompt);
  if (system !== undefined && typeof system !== 'string')
    throw invalidArgument('request.system', 'a string', system);
  if (maxTokens !== undefined) mustBeWhole({ 'request.maxTokens': maxTokens }, 1);
  if (temperature !== undefined && !(Number.isFinite(temperature) && temperature >= 0)) {
    throw invalidArgument('request.temperature', 'a number from 0', temperature);
  }
  if (seed !== undefined) mustBeWhole({ 'request.seed': seed });
  if (
    stop !== undefined &&
    !(Array.isArray(stop) && stop.every((each) => typeof each === 'string' && each !== ''))
  ) {
    throw invalidArgument('request.stop', 'an array of strings that are not empty', stop);
  }
  if (jsonSchema !== undefined) checkSchema(jsonSchema, 'request.jsonSchema');
}

export function checkSchema(schema: JsonSchema, name: string): void {
  if (!isObject(schema)) throw invalidArgument(name, 'a JSON Schema object', schema);
}

/** Without the leading reasoning block; empty if it was cut off inside the block. */
export function stripThinking(answer: string): string {
  return answer.replace(/^\s*<think>[^]*?(?:<\/think>|$)/, '');
}

/** A model's answer to a request as text, without its reasoning. @throws as `generateText` */
export async function askText(model: TextModel, request: GenerateRequest): Promise<string> {
  const { text } = await generateText(model, request);
  return stripThinking(text).trim();
}

function checkGeneration(model: TextModel, generation: Generation): Generation {
  const remedy = 'Its generate() must implement the interface TextModel.';
  if (
    typeof generation !== 'object' ||
    generation === null ||
    typeof generation.text !== 'string'
  ) {
    const received =
      typeof generation === 'object' && generation !== null
        ? `a text that is ${describe(generation.text)}`
        : describe(generation);
    throw modelFailed(
      model,
      `Expected the model ${model.id} to return { text, usage? }, received ${received}. ${remedy}`,
    );
  }
  const { text, usage } = generation;
  if (usage === undefined) return { text };
  const whole = typeof usage === 'object' && usage !== null;
  const counts = whole ? [usage.inputTokens, usage.outputTokens] : [];
  if (
    !whole ||
    !counts.every((count) => count === undefined || (Number.isSafeInteger(count) && count >= 0))
  ) {
    const received = whole ? counts.map(String).join(' and ') : describe(usage);
    throw modelFailed(
      model,
      `Expected the model ${model.id} to count tokens { inputTokens?, outputTokens? } in whole ` +
        `numbers, received ${received}. ${remedy}`,
    );
  }
  return { text, usage };
}
