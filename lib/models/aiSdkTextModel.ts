// TextModel over a language model of the AI SDK.
import { invalidArgument } from '../errors.js';
import type { GenerateRequest, Generation, TextModel, TokenUsage } from '../text/textModel.js';
import {
  checkAiSdkModel,
  checkProviderOptions,
  callWithRetries,
  type AiSdkCall,
  type AiSdkLanguageModel,
  type AiSdkProviderOptions,
} from './aiSdk.js';
import { checkRetries, type Attempt } from './retry.js';

export interface AiSdkTextModelOptions {
  /**
   * Retries of errors that the SDK marks as retryable, 0 to 10. Default 2, as in the SDK.
   */
  retries?: number | undefined;
  /** Passed to the model with every call: `{ openai: { reasoningEffort: 'low' } }`. */
  providerOptions?: AiSdkProviderOptions | undefined;
}

/**
 * A model of the AI SDK (specification v2, v3 or v4: ai@5 to ai@7) as a TextModel. `jsonSchema`
 * is sent as responseFormat json; providers enforce it to different degrees, so `generateJson`
 * validates the answer. Its id is ai-sdk:PROVIDER/MODEL.
 * @throws AsOfError ERR_INVALID_ARGUMENT for any other model. Its generate() rejects with
 * ERR_ABORTED, else with
 * ERR_MODEL_FAILED, the SDK's error as `cause`, with details { model, status?, tries }.
 * @example const model = aiSdkTextModel(openai('gpt-4.1-mini'));
 */
export function aiSdkTextModel(
  model: AiSdkLanguageModel,
  options: AiSdkTextModelOptions = {},
): TextModel {
  const id = checkAiSdkModel(model, 'doGenerate');
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object { retries?, providerOptions? }', options);
  const retries = checkRetries(options.retries ?? 2);
  const providerOptions = checkProviderOptions(options.providerOptions);
  return {
    id,
    generate: (request) => {
      const call = { ...callOf(request), ...(providerOptions ? { providerOptions } : {}) };
      return callWithRetries(id, () => model.doGenerate(call), readResult, {
        retries,
        signal: request.signal,
        code: 'ERR_MODEL_FAILED',
      });
    },
  };
}

function callOf({
  system,
  prompt,
  maxTokens,
  temperature,
  stop,
  seed,
  jsonSchema,
  signal,
}: GenerateRequest): AiSdkCall {
  return {
    prompt: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      { role: 'user', content: [{ type: 'text', text: prompt }] },
    ],
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(stop === undefined || stop.length === 0 ? {} : { stopSequences: [...stop] }),
    ...(seed === undefined ? {} : { seed }),
    ...(jsonSchema === undefined
      ? {}
      : { responseFormat: { type: 'json', schema: jsonSchema, name: 'answer' } }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  };
}

function readResult({
  content,
  finishReason,
  usage,
}: Record<string, unknown>): Attempt<Generation> {
  if (!Array.isArray(content)) return { reason: 'a result without content', transient: false };
  const texts = (content as { type?: unknown; text?: unknown }[]).filter(
    (part) => part?.type === 'text' && typeof part.text === 'string',
  );
  const reason = reasonOf(finishReason);
  // A truncated text is an answer; an empty one is only if the model stopped by itself.
  if (texts.length === 0 && reason !== undefined && reason !== 'stop')
    return { reason: `no text (finish reason ${reason})`, transient: false };
  const counts = usageOf(usage);
  return {
    value: {
      text: texts.map(({ text }) => text as string).join(''),
      ...(counts ? { usage: counts } : {}),
    },
  };
}

/** v2: a word; v3 and v4: { unified, raw }. */
function reasonOf(finishReason: unknown): string | undefined {
  const word =
    typeof finishReason === 'object' && finishReason !== null
      ? (finishReason as { unified?: unknown }).unified
      : finishReason;
  return typeof word === 'string' ? word : undefined;
}

/** v2: { inputTokens: 7 }; v3 and v4: { inputTokens: { total: 7, ... } }. Any may be missing. */
function usageOf(usage: unknown): TokenUsage | undefined {
  const counts: TokenUsage = {};
  for (const name of ['inputTokens', 'outputTokens'] as const) {
    const value: unknown = (usage as Record<string, unknown> | undefined)?.[name];
    const count: unknown =
      typeof value === 'object' && value !== null ? (value as { total?: unknown }).total : value;
    if (Number.isSafeInteger(count) && (count as number) >= 0) counts[name] = count as number;
  }
  return Object.keys(counts).length === 0 ? undefined : counts;
}
