// Types of the AI SDK's model objects, specifications v2 to v4, and retries of their calls.
// Own types, so that the SDK is no dependency.
import {
  AsOfError,
  describe,
  invalidArgument,
  isObject,
  messageOf,
  throwIfAborted,
  rejectOnAbort,
} from '../errors.js';
import { retryAfter } from '../runtime/retry.js';
import { retry, truncated, attemptsNote, type Attempt, type Failure } from './retry.js';

const aiSdkSpecifications = ['v2', 'v3', 'v4'] as const;
export type AiSdkSpecification = (typeof aiSdkSpecifications)[number];

/** Options of the SDK by provider: `{ openai: { dimensions: 256 } }`. */
// `unknown` and own JSON types are not assignable to the SDK's JSON type in both directions.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AiSdkProviderOptions = Record<string, Record<string, any>>;

export interface AiSdkCall {
  prompt: (
    | { role: 'system'; content: string }
    | { role: 'user'; content: { type: 'text'; text: string }[] }
  )[];
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
  stopSequences?: string[] | undefined;
  seed?: number | undefined;
  responseFormat?: { type: 'json'; schema: object; name: string } | undefined;
  abortSignal?: AbortSignal | undefined;
  providerOptions?: AiSdkProviderOptions | undefined;
}

/** A language model of the AI SDK, such as `openai('gpt-4.1-mini')`. */
export interface AiSdkLanguageModel {
  readonly specificationVersion: AiSdkSpecification;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: AiSdkCall): PromiseLike<unknown>;
  /** Absent of models that answer whole. */
  readonly doStream?: ((options: AiSdkCall) => PromiseLike<unknown>) | undefined;
}

export interface AiSdkEmbedCall {
  values: string[];
  abortSignal?: AbortSignal | undefined;
  providerOptions?: AiSdkProviderOptions | undefined;
}

/** An embedding model of the AI SDK, such as `openai.embeddingModel('text-embedding-3-small')`. */
export interface AiSdkEmbeddingModel {
  readonly specificationVersion: AiSdkSpecification;
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  readonly supportsParallelCalls: PromiseLike<boolean> | boolean;
  doEmbed(options: AiSdkEmbedCall): PromiseLike<unknown>;
}

interface AnyModel {
  readonly specificationVersion: AiSdkSpecification;
  readonly provider: string;
  readonly modelId: string;
}

/** `ai-sdk:PROVIDER/MODEL`. @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkAiSdkModel(model: AnyModel, method: 'doGenerate' | 'doEmbed'): string {
  const call = method === 'doGenerate' ? 'openai(...)' : 'openai.embeddingModel(...)';
  const expected = `an AI SDK model with ${method}()`;
  if (
    typeof model !== 'object' ||
    model === null ||
    typeof (model as unknown as Record<string, unknown>)[method] !== 'function'
  ) {
    throw invalidArgument(
      'model',
      expected,
      model,
      `Pass the object that a provider gives, as ${call}, not its name.`,
    );
  }
  const { specificationVersion, provider, modelId } = model;
  if (!aiSdkSpecifications.includes(specificationVersion)) {
    throw invalidArgument(
      'model.specificationVersion',
      `one of ${aiSdkSpecifications.join(', ')}`,
      specificationVersion,
      'Use a provider package for ai@5, ai@6 or ai@7.',
    );
  }
  if (
    typeof provider !== 'string' ||
    typeof modelId !== 'string' ||
    provider.length + modelId.length > 170
  ) {
    throw invalidArgument(
      'model',
      `${expected} whose provider and modelId are strings of at most 170 characters together`,
      model,
    );
  }
  return `ai-sdk:${provider}/${modelId}`;
}

/** Calls a model of the SDK, with retries of errors marked `isRetryable`, as the SDK does. */
export async function callWithRetries<T>(
  id: string,
  call: () => PromiseLike<unknown>,
  read: (result: Record<string, unknown>) => Attempt<T>,
  {
    retries,
    signal,
    code,
  }: {
    retries: number;
    signal: AbortSignal | undefined;
    code: 'ERR_MODEL_FAILED' | 'ERR_ENCODER_FAILED';
  },
): Promise<T> {
  const attempt = async (): Promise<Attempt<T>> => {
    let result: unknown;
    try {
      result = await rejectOnAbort((async () => call())(), signal);
    } catch (error) {
      throwIfAborted(signal);
      return failureOf(error);
    }
    if (typeof result !== 'object' || result === null)
      return { reason: describe(result), transient: false };
    return read(result as Record<string, unknown>);
  };
  const outcome = await retry(attempt, { retries, signal });
  if ('value' in outcome) return outcome.value;
  throw failedCall(id, outcome.failure, { code, tries: outcome.tries });
}

/** The error of a call that failed for good. */
export function failedCall(
  id: string,
  { reason, status, cause }: Failure,
  { code, tries = 1 }: { code: 'ERR_MODEL_FAILED' | 'ERR_ENCODER_FAILED'; tries?: number },
): AsOfError {
  const details = { model: id, ...(status === undefined ? {} : { status }), tries };
  const message =
    `Expected ${id} to answer, received ${reason}${attemptsNote(tries)}. ` +
    `Check the provider's key, the model's name and what it supports.`;
  return new AsOfError(code, message, { cause, details });
}

export function failureOf(error: unknown): Failure {
  const { isRetryable, statusCode, responseHeaders } = isObject(error) ? error : {};
  const delay = isObject(responseHeaders) ? responseHeaders['retry-after'] : undefined;
  const waitMs = typeof delay === 'string' ? retryAfter(delay) : undefined;
  return {
    reason: `an error: ${truncated(messageOf(error))}`,
    transient: isRetryable === true,
    cause: error,
    ...(typeof statusCode === 'number' ? { status: statusCode } : {}),
    ...(waitMs === undefined ? {} : { waitMs }),
  };
}

/** @throws AsOfError ERR_INVALID_ARGUMENT for anything but an object. */
export function checkProviderOptions(
  options: AiSdkProviderOptions | undefined,
): AiSdkProviderOptions | undefined {
  if (options === undefined || isObject(options)) return options;
  throw invalidArgument('providerOptions', 'an object of objects, by provider', options);
}
