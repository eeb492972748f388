// JSON requests of stages that also have rules: the validated value, or the fault, so that the
// stage can fall back on its rules and report it. Failing models and aborts are errors as
// elsewhere.
import { AsOfError } from '../errors.js';
import { generateJson, readJsonAnswer } from './jsonAnswer.js';
import { filledPrompt, type AnswerFormat, type PromptName } from './promptTemplates.js';
import { askText, generateText, type JsonSchema, type TextModel } from './textModel.js';

export interface JsonPrompt {
  system?: string;
  prompt: string;
  schema: JsonSchema;
  maxTokens: number;
  /** Whether an answer that does not fit is not asked for again. */
  once?: boolean;
  format?: AnswerFormat;
}

/** @throws AsOfError as `generateJson`, except for an answer that does not fit */
export async function askJson<T>(
  model: TextModel,
  { schema, once = false, ...prompt }: JsonPrompt,
  signal?: AbortSignal,
): Promise<{ value: T } | { unusable: string }> {
  // Greedy decoding, for reproducible results.
  const request = { ...prompt, temperature: 0, signal };
  if (once) {
    const { format, ...sent } = request;
    const asked = format ? sent : { ...sent, jsonSchema: schema };
    const read = readJsonAnswer((await generateText(model, asked)).text, schema, format);
    return 'value' in read ? { value: read.value as T } : { unusable: read.fault };
  }
  try {
    const { value } = await generateJson<T>(model, request, schema);
    return { value };
  } catch (error) {
    const faults: unknown =
      AsOfError.is(error) && error.code === 'ERR_MODEL_FAILED'
        ? error.details['faults']
        : undefined;
    if (!Array.isArray(faults)) throw error;
    return { unusable: String(faults.at(-1)) };
  }
}

/** What fills a template, and what is to come back. */
export type TemplateRequest = Omit<JsonPrompt, 'system' | 'prompt' | 'format'> & {
  slots: Readonly<Record<string, string>>;
};

/** `askJson` by a template of prompts/, or the model's own of that name. */
export const askTemplate = <T>(
  model: TextModel,
  name: PromptName,
  { slots, ...request }: TemplateRequest,
  signal?: AbortSignal,
): Promise<{ value: T } | { unusable: string }> =>
  askJson<T>(model, { ...filledPrompt(name, model.templates, slots), ...request }, signal);

/** `askText` by a template; one of tags has the field `text`. */
export async function askTemplateText(
  model: TextModel,
  name: PromptName,
  { slots, maxTokens }: Pick<TemplateRequest, 'slots' | 'maxTokens'>,
  signal?: AbortSignal,
): Promise<string> {
  const filled = filledPrompt(name, model.templates, slots);
  const request = { ...filled, maxTokens, temperature: 0, signal };
  if (!filled.format) return askText(model, request);
  const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  return (await generateJson<{ text: string }>(model, request, schema)).value.text.trim();
}

/** The longest trace note that quotes a model's fault. */
const longestFault = 200;

/** Trace note of a fallback from a model to rules, with the reason. */
export const fallbackNote = (model: TextModel, fault: string): string =>
  `rules, since ${model.id} gave ${fault}`.slice(0, longestFault);
