// TextModel over a language model of the AI SDK.
import { AsOfError, invalidArgument, rejectOnAbort, throwIfAborted } from '../errors.js';
import type { GenerateRequest, Generation, TextModel, TokenUsage } from '../text/textModel.js';
import {
  checkAiSdkModel,
  checkProviderOptions,
  callWithRetries,
  failedCall,
  failureOf,
  type AiSdkCall,
  type AiSdkLanguageModel,
  type AiSdkProviderOptions,
} from './aiSdk.js';
import { checkRetries, type Attempt } from './retry.js';

export interface AiSdkTextModelOptions {
  /** Retries of errors that the SDK marks as retryable, 0 to 10. Default 2, as in the SDK. */
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
  const code = 'ERR_MODEL_FAILED';
  const completeCall = (request: GenerateRequest): AiSdkCall => ({
    ...callOf(request),
    ...(providerOptions ? { providerOptions } : {}),
  });
  const generate: TextModel['generate'] = (request) => {
    const call = completeCall(request);
    const { signal } = request;
    return callWithRetries(id, () => model.doGenerate(call), readResult, { retries, signal, code });
  };
  if (typeof model.doStream !== 'function') return { id, generate };
  return {
    id,
    generate,
    async *stream(request) {
      const { signal } = request;
      const call = completeCall(request);
      const { pieces, first } = await callWithRetries(
        id,
        async () => {
          const pieces = textPieces(await model.doStream!(call), signal);
          return { pieces, first: await pieces.next() };
        },
        (opened) => ({ value: opened as unknown as OpenedStream }),
        { retries, signal, code },
      );
      try {
        if (!first.done) yield first.value;
        const read = first.done ? first.value : yield* pieces;
        if ('value' in read) return read.value;
        throw failedCall(id, read, { code });
      } catch (error) {
        throwIfAborted(signal);
        throw AsOfError.is(error) ? error : failedCall(id, failureOf(error), { code });
      } finally {
        await pieces.return(undefined as never);
      }
    },
  };
}

interface OpenedStream {
  pieces: ReturnType<typeof textPieces>;
  /** Errors before it are retried. */
  first: IteratorResult<string, Attempt<Generation>>;
}

/** The texts of a result of doStream; it throws the errors of the stream. */
async function* textPieces(
  result: unknown,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, Attempt<Generation>, undefined> {
  const stream = (result as { stream?: unknown } | null | undefined)?.stream;
  if (!(stream instanceof ReadableStream))
    return { reason: 'a result without a stream', transient: false };
  const reader = (stream as ReadableStream<Record<string, unknown>>).getReader();
  let text: string | undefined;
  let finish: Record<string, unknown> = {};
  try {
    for (;;) {
      const { done, value: part } = await rejectOnAbort(reader.read(), signal);
      if (done) break;
      if (part?.['type'] === 'error') throw part['error'];
      if (part?.['type'] === 'finish') finish = part;
      if (part?.['type'] !== 'text-delta' || typeof part['delta'] !== 'string') continue;
      text = (text ?? '') + part['delta'];
      if (part['delta'] !== '') yield part['delta'];
    }
  } finally {
    // Not awaited: a provider that ignores the signal may never end.
    reader.cancel().catch(() => undefined);
  }
  const { finishReason, usage } = finish;
  const content = text === undefined ? [] : [{ type: 'text', text }];
  return readResult({ content, finishReason, usage });
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
