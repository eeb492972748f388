// A model's answer as checked JSON: found in what it wrote, held against the schema, asked for once
// more where it does not fit. It mends nothing itself: no quote is added and no field filled in,
// since a guess would pass for the model's word.
import { Validator, type OutputUnit } from '@cfworker/json-schema';
import { invalidArgument, throwIfAborted } from '../errors.js';
import {
  checkSchema,
  generateText,
  modelFailed,
  type GenerateRequest,
  type Generation,
  type JsonSchema,
  type TextModel,
  type TokenUsage,
} from './textModel.js';

/** A JSON value that a language model answered with, checked against its schema. */
export interface JsonGeneration<T> {
  /** Fits the schema. */
  value: T;
  /** Whether the model had to be asked a second time. */
  repaired: boolean;
  /** Of both calls together, where there were two. */
  usage?: TokenUsage;
}

/**
 * Places where JSON may begin that are tried in one answer, so that a page of opening brackets
 * costs no more than a page.
 */
const startsTried = 64;
/**
 * Characters of an unfit answer that are shown to the model again, and kept in an error's details.
 */
const answerShown = 4000;

/**
 * Asks a model for JSON that fits `schema` (draft 2020-12). The request carries the schema as
 * `jsonSchema`; since a model may ignore it, the prompt should describe the answer too. The value
 * may stand alone, in a fenced block or within prose; of several, the first that fits counts. An
 * answer that does not fit is asked for once more, with the fault and the schema named.
 * @throws AsOfError as `generateText`; ERR_INVALID_ARGUMENT for a schema that cannot be applied;
 * ERR_MODEL_FAILED where the
 * second answer does not fit either, with details { model, faults: [first, second], text: the
 * second answer, usage? }.
 * @example const { value } = await generateJson<{ year: number }>(model, { prompt }, { type:
 * 'object', properties: { year: { type: 'integer' } }, required: ['year'] });
 */
export async function generateJson<T = unknown>(
  model: TextModel,
  request: Omit<GenerateRequest, 'jsonSchema'>,
  schema: JsonSchema,
): Promise<JsonGeneration<T>> {
  checkSchema(schema, 'schema');
  const first = await generateText(model, { ...request, jsonSchema: schema });
  const read = readJsonAnswer(first.text, schema);
  if ('value' in read)
    return {
      value: read.value as T,
      repaired: false,
      ...(first.usage ? { usage: first.usage } : {}),
    };
  throwIfAborted(request.signal);

  const prompt = `${request.prompt}\n\n${repairPrompt(first.text, read.fault, schema)}`;
  const second = await generateText(model, { ...request, prompt, jsonSchema: schema });
  const usage = bothUsages(first, second);
  const again = readJsonAnswer(second.text, schema);
  if ('value' in again)
    return { value: again.value as T, repaired: true, ...(usage ? { usage } : {}) };
  const message = `Expected the model ${model.id} to give JSON that fits the schema, asked twice; received ${again.fault}.`;
  throw modelFailed(
    model,
    `${message} Describe the answer in the prompt, allow more tokens, or use a stronger model.`,
    {
      faults: [read.fault, again.fault],
      text: second.text.slice(0, answerShown),
      ...(usage ? { usage } : {}),
    },
  );
}

/**
 * The JSON value in a model's answer that fits the schema, or what is wrong with the answer, worded
 * to follow "received".
 * @throws AsOfError ERR_INVALID_ARGUMENT where the schema cannot be applied (a $ref that leads
 * nowhere, say).
 */
export function readJsonAnswer(
  text: string,
  schema: JsonSchema,
): { value: unknown } | { fault: string } {
  const validate = validatorOf(schema);
  let fault: { length: number; words: string } | undefined;
  for (const piece of piecesOfJson(text)) {
    const errors = validate(piece.value);
    if (!errors) return { value: piece.value };
    if (!fault || piece.length > fault.length) fault = { length: piece.length, words: errors };
  }
  if (fault) return { fault: `JSON that does not fit: ${fault.words}` };
  if (text.trim() === '') return { fault: 'an empty answer' };
  return { fault: /[[{]/.test(text) ? 'JSON that is broken or cut off' : 'text without JSON' };
}

function validatorOf(schema: JsonSchema): (value: unknown) => string | undefined {
  const unusable = (error: unknown): Error =>
    invalidArgument(
      'schema',
      `a JSON Schema that can be applied (${error instanceof Error ? error.message : String(error)})`,
      schema,
      'Mend the schema.',
    );
  let validator: Validator;
  try {
    // A copy, since the validator writes into the schema that it is given.
    validator = new Validator(structuredClone(schema), '2020-12', false);
  } catch (error) {
    throw unusable(error);
  }
  return (value) => {
    try {
      const { valid, errors } = validator.validate(value);
      return valid ? undefined : faultsOf(errors);
    } catch (error) {
      throw unusable(error);
    }
  };
}

/** The innermost faults: what only says that something inside is wrong is left out. Up to five. */
function faultsOf(errors: readonly OutputUnit[]): string {
  const deepest = errors.filter(
    ({ keywordLocation, instanceLocation }) =>
      !errors.some(
        (other) =>
          other.keywordLocation.startsWith(`${keywordLocation}/`) &&
          other.instanceLocation.startsWith(instanceLocation),
      ),
  );
  const words = deepest.map(
    ({ instanceLocation, error }) =>
      `${instanceLocation.replace(/^#\/?/, '') || 'the value'}: ${error.replace(/\.$/, '')}`,
  );
  return [...new Set(words)].slice(0, 5).join('; ');
}

function* piecesOfJson(answer: string): Generator<{ value: unknown; length: number }> {
  // Reasoning that a model prints before its answer may quote JSON that is not the answer.
  const text = answer.replace(/^\s*<think>[^]*?<\/think>/, '').trim();
  const whole = parsed(text);
  if (whole) return yield { ...whole, length: text.length };
  for (const [, inside] of text.matchAll(/```[\w-]*[^\S\n]*\n([^]*?)```/g)) {
    const fenced = parsed(inside!);
    if (fenced) yield { ...fenced, length: inside!.length };
  }
  const opening = /[[{]/g;
  for (let tried = 0; tried < startsTried; tried += 1) {
    const start = opening.exec(text);
    if (!start) return;
    const end = closingOf(text, start.index);
    const embedded = end === undefined ? undefined : parsed(text.slice(start.index, end));
    if (!embedded) continue;
    yield { ...embedded, length: end! - start.index };
    opening.lastIndex = end!;
  }
}

/** Where the bracket at `start` is closed, strings passed over; undefined where it never is. */
function closingOf(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function repairPrompt(answer: string, fault: string, schema: JsonSchema): string {
  const shown = answer.length > answerShown ? `${answer.slice(0, answerShown)} [cut]` : answer;
  return [
    'You answered this before:',
    shown,
    `That answer was refused: it is ${fault}.`,
    'Answer again, with one JSON value and nothing else. It must fit this JSON Schema:',
    JSON.stringify(schema),
  ].join('\n');
}

function bothUsages(first: Generation, second: Generation): TokenUsage | undefined {
  if (!first.usage && !second.usage) return undefined;
  const sum = (name: keyof TokenUsage): TokenUsage => {
    const counts = [first.usage?.[name], second.usage?.[name]];
    return counts.every((count) => count === undefined)
      ? {}
      : { [name]: (counts[0] ?? 0) + (counts[1] ?? 0) };
  };
  return { ...sum('inputTokens'), ...sum('outputTokens') };
}
