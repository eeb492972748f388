// TextModel over a server with OpenAI's chat completions; unsupported parameters are dropped.
import { invalidArgument, isObject } from '../errors.js';
import type {
  GenerateRequest,
  Generation,
  TextModel,
  TokenUsage,
  JsonSchema,
} from '../text/textModel.js';
import { truncated, type Attempt } from './retry.js';
import { record, type ServerError } from './connection.js';
import { openServer, type Server, type ServerOptions } from './server.js';
import type { EventReader } from './serverStream.js';

/** Names of the length limit of an answer. */
const maxTokensFields = ['max_tokens', 'max_completion_tokens'] as const;

export interface OpenAiCompatibleOptions extends ServerOptions {
  /**
   * Field of the length limit. Default max_tokens, which most servers support; after a refusal by
   * name, as by OpenAI's reasoning models, the other one is used from then on.
   */
  maxTokensField?: (typeof maxTokensFields)[number] | undefined;
}

/** Parameters that the model supports, as learned from its refusals. */
interface SupportedParameters {
  maxTokensField: (typeof maxTokensFields)[number];
  fixedField: boolean;
  temperature: boolean;
  seed: boolean;
  stop: boolean;
  schema: 'strict' | 'loose' | 'none';
  /** Whether a stream can be asked to count its tokens. */
  streamUsage: boolean;
}

/**
 * A model behind an OpenAI-compatible server. `jsonSchema` is sent as response_format json_schema,
 * as strict if the schema follows the rules of strict schemas (every object closed and every
 * property required): servers differ in what they enforce, so `generateJson` validates the answer.
 *
 * A status 400 or 422 that refuses max_tokens, temperature, seed, stop or response_format by name
 * changes the request to what the model supports, immediately and for this model's life: the other
 * name for max_tokens, no temperature, no seed, `stop` applied here, a schema that is not strict,
 * no schema. Statuses 408, 429 and 5xx, network errors, time-outs and truncated or invalid bodies
 * are retried after 0.5 s, 1 s, 2 s ... (at most 30 s), each with jitter of up to half;
 * Retry-After is honoured, up to a minute. A stream is retried until its first piece of text.
 * @throws AsOfError ERR_INVALID_ARGUMENT for options out of range. Its generate() rejects with
 * ERR_ABORTED at once when the
 * signal fires, else with ERR_MODEL_FAILED, with details { model, status?, tries }.
 * @example openAiCompatible({ baseURL: 'http://127.0.0.1:8080/v1', model: 'smollm2-135m-instruct'
 * })
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): TextModel {
  const field = options?.maxTokensField;
  if (field !== undefined && !maxTokensFields.includes(field))
    throw invalidArgument('maxTokensField', `one of ${maxTokensFields.join(', ')}`, field);
  const supported: SupportedParameters = {
    maxTokensField: field ?? 'max_tokens',
    fixedField: field !== undefined,
    temperature: true,
    seed: true,
    stop: true,
    schema: 'strict',
    streamUsage: true,
  };
  const server = openServer(options, {
    path: 'chat/completions',
    code: 'ERR_MODEL_FAILED',
    adapt: (status, error) => (status === 400 || status === 422) && adapted(supported, error),
  });
  const cut = ({ stop }: GenerateRequest, generation: Generation): Generation =>
    supported.stop || !stop ? generation : { ...generation, text: cutAt(stop, generation.text) };
  return {
    id: server.id,
    generate: async (request) =>
      cut(
        request,
        await server.post(
          () => requestBody(server.model, request, supported),
          readAnswer,
          request.signal,
        ),
      ),
    async *stream(request) {
      const body = (): unknown => ({
        ...requestBody(server.model, request, supported),
        stream: true,
        stream_options: supported.streamUsage ? { include_usage: true } : undefined,
      });
      const generation = yield* server.stream(body, chunkReader, request.signal);
      return cut(request, generation);
    },
  };
}

function requestBody(
  model: string,
  request: GenerateRequest,
  supported: SupportedParameters,
): Record<string, unknown> {
  const { system, prompt, maxTokens, temperature, stop, seed, jsonSchema } = request;
  const messages = [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: prompt },
  ];
  const strict = jsonSchema && supported.schema === 'strict' && isStrictSchema(jsonSchema);
  const format = jsonSchema && {
    type: 'json_schema',
    json_schema: { name: 'answer', schema: jsonSchema, ...(strict ? { strict } : {}) },
  };
  // JSON omits undefined fields.
  return {
    model,
    messages,
    [supported.maxTokensField]: maxTokens,
    temperature: supported.temperature ? temperature : undefined,
    stop: supported.stop && stop && stop.length > 0 ? stop : undefined,
    seed: supported.seed ? seed : undefined,
    response_format: supported.schema === 'none' ? undefined : format,
  };
}

const unknownWords = new RegExp(
  String.raw`unsupported|not support|n't support|unavailable|not available|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|` +
    String.raw`extra (?:field|input)`,
  'i',
);

/** Changes a parameter that a refusal names; returns whether there was one to change. */
function adapted(
  supported: SupportedParameters,
  { message = '', code, param }: ServerError,
): boolean {
  const blames = (name: string): boolean =>
    param === name || (typeof param !== 'string' && new RegExp(`\\b${name}\\b`).test(message));
  const unknown =
    code === 'unsupported_parameter' || code === 'unsupported_value' || unknownWords.test(message);
  if (blames('response_format') || blames('json_schema') || blames('strict')) {
    if (supported.schema === 'strict') supported.schema = 'loose';
    else if (unknown) supported.schema = 'none';
    else return false;
    return true;
  }
  if (!unknown) return false;
  if (param !== 'max_completion_tokens' && blames('max_tokens') && !supported.fixedField)
    supported.maxTokensField = 'max_completion_tokens';
  else if (blames('max_completion_tokens') && !supported.fixedField)
    supported.maxTokensField = 'max_tokens';
  else {
    if (blames('stream_options') && supported.streamUsage) {
      supported.streamUsage = false;
      return true;
    }
    const dropped = (['temperature', 'seed', 'stop'] as const).find(blames);
    if (!dropped) return false;
    supported[dropped] = false;
  }
  return true;
}

function cutAt(stop: readonly string[], text: string): string {
  const ends = stop.map((each) => text.indexOf(each)).filter((at) => at >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}

function readAnswer(body: Record<string, unknown>, { hide }: Server): Attempt<Generation> {
  const choice = Array.isArray(body.choices) ? record(body.choices[0]) : undefined;
  const answer = record(choice?.message);
  const content = contentOf(answer?.content);
  if (content !== undefined) {
    const usage = usageOf(record(body.usage));
    return { value: { text: content, ...(usage ? { usage } : {}) } };
  }
  if (typeof answer?.refusal === 'string')
    return { reason: `a refusal: ${truncated(hide(answer.refusal))}`, transient: false };
  const reason =
    typeof choice?.finish_reason === 'string'
      ? ` (finish_reason ${truncated(hide(choice.finish_reason))})`
      : '';
  return { reason: `a completion without choices[0].message.content${reason}`, transient: false };
}

/** Reads the chunks of a stream. */
function chunkReader(server: Server): EventReader<Generation> {
  let text = '';
  let refusal = '';
  let finishReason: string | undefined;
  let usage: TokenUsage | undefined;
  return {
    read(event) {
      usage = usageOf(record(event.usage)) ?? usage;
      const choice = Array.isArray(event.choices) ? record(event.choices[0]) : undefined;
      if (typeof choice?.finish_reason === 'string') finishReason = choice.finish_reason;
      const delta = record(choice?.delta);
      if (typeof delta?.refusal === 'string') refusal += delta.refusal;
      const piece = contentOf(delta?.content) ?? '';
      text += piece;
      return { value: piece };
    },
    end(isMarked) {
      if (!isMarked && finishReason === undefined)
        return { reason: 'an answer that breaks off', transient: true };
      // As of an answer that comes whole: empty only if the model stopped by itself.
      const isEmpty = text === '' && (refusal !== '' || (finishReason ?? 'stop') !== 'stop');
      const message = { content: isEmpty ? null : text, ...(refusal === '' ? {} : { refusal }) };
      const choices = [{ message, finish_reason: finishReason }];
      const read = readAnswer({ choices }, server);
      return 'value' in read && usage ? { value: { ...read.value, usage } } : read;
    },
    whole: (answer) => readAnswer(answer, server),
  };
}

/** Text, or the text parts of a list of parts. */
function contentOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content
    .map((part) => record(part)?.text)
    .filter((text) => typeof text === 'string');
  return texts.length === 0 ? undefined : texts.join('');
}

function usageOf(usage: Record<string, unknown> | undefined): TokenUsage | undefined {
  const count = (name: keyof TokenUsage, value: unknown): TokenUsage =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? { [name]: value as number } : {};
  const counts = {
    ...count('inputTokens', usage?.prompt_tokens),
    ...count('outputTokens', usage?.completion_tokens),
  };
  return Object.keys(counts).length === 0 ? undefined : counts;
}

/** Keywords of strict schemas; any other makes a schema not strict. */
const allowed = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'title',
  'description',
]);
const maxDepth = 5;

/** Every object is closed and requires all its properties; at most five levels deep. */
export function isStrictSchema(schema: JsonSchema): boolean {
  return schema.type === 'object' && isStrict(schema, 1);
}

function isStrict(schema: unknown, depth: number): boolean {
  if (!isObject(schema) || depth > maxDepth) return false;
  const { properties, required, additionalProperties, items, anyOf, $defs, ...rest } =
    schema as JsonSchema;
  if (!Object.keys(rest).every((keyword) => allowed.has(keyword))) return false;
  if (
    rest.type === undefined &&
    rest.enum === undefined &&
    rest.const === undefined &&
    rest.$ref === undefined &&
    anyOf === undefined
  )
    return false;
  const kinds = Array.isArray(rest.type) ? rest.type : [rest.type];
  if (kinds.includes('object') || properties !== undefined) {
    if (additionalProperties !== false || !isObject(properties) || !Array.isArray(required))
      return false;
    if (!Object.keys(properties).every((name) => required.includes(name))) return false;
    if (!Object.values(properties).every((each) => isStrict(each, depth + 1))) return false;
  }
  if (kinds.includes('array') && items === undefined) return false;
  if (items !== undefined && !isStrict(items, depth + 1)) return false;
  if (
    anyOf !== undefined &&
    !(depth > 1 && Array.isArray(anyOf) && anyOf.every((each) => isStrict(each, depth)))
  )
    return false;
  return (
    $defs === undefined ||
    (isObject($defs) && Object.values($defs).every((each) => isStrict(each, depth)))
  );
}
