// How a stage that has rules too asks a model: JSON that fits, or the fault that makes the answer
// unusable, so that the stage can fall back on its rules and say so. A model that fails, or an
// abort, is an error as everywhere.
import { AsOfError } from '../../errors.js';
import { generateJson } from '../jsonAnswer.js';
import type { JsonSchema, TextModel } from '../textModel.js';

export interface JsonPrompt {
  system: string;
  prompt: string;
  schema: JsonSchema;
  maxTokens: number;
}

/** @throws AsOfError as `generateJson`, but for an answer that does not fit, asked twice. */
export async function askJson<T>(
  model: TextModel,
  { schema, ...request }: JsonPrompt,
  signal?: AbortSignal,
): Promise<{ value: T } | { unusable: string }> {
  try {
    // The likeliest words: figures repeat.
    const { value } = await generateJson<T>(
      model,
      { ...request, temperature: 0, ...(signal ? { signal } : {}) },
      schema,
    );
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

/** The note for a trace: which rules stood in for which model, and why. */
export const fallbackNote = (model: TextModel, fault: string): string =>
  `rules, since ${model.id} gave ${fault}`.slice(0, longestFault);
