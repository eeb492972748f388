// JSON requests of stages that also have rules: the validated value, or the fault, so that the
// stage can fall back on its rules and report it. Failing models and aborts are errors as
// elsewhere.
import { AsOfError } from '../errors.js';
import { generateJson, readJsonAnswer } from './jsonAnswer.js';
import type { AnswerFormat } from './promptTemplates.js';
import { generateText, type JsonSchema, type TextModel } from './textModel.js';

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
    const { text } = await generateText(model, { ...request, jsonSchema: schema });
    const read = readJsonAnswer(text, schema);
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

/** The longest trace note that quotes a model's fault. */
const longestFault = 200;

/** Trace note of a fallback from a model to rules, with the reason. */
export const fallbackNote = (model: TextModel, fault: string): string =>
  `rules, since ${model.id} gave ${fault}`.slice(0, longestFault);
