// Question generation by a language model from a dated sentence and a time, which the question must
// contain.
import { AsOfError, type TextModel } from 'asof';
import { generateJson, type Random } from 'asof/kit';
import type { Fact } from './facts.js';
import type { GeneratedQuestion } from './questions.js';
import { questionTime } from './questionTime.js';

const schema = {
  type: 'object',
  properties: { question: { type: 'string' } },
  required: ['question'],
  additionalProperties: false,
};

const prompt = (fact: Fact, time: string): string =>
  [
    `Here is a sentence about ${fact.entity}:`,
    fact.sentence,
    `Write one short question that this sentence answers for the time "${time}".`,
    `Name ${fact.entity} in it, end it with the words "${time}", and give away nothing of the answer.`,
    'Reply with JSON only: {"question": "..."}',
  ].join('\n');

/**
 * A question by the model; undefined if its answer is not valid JSON or lacks the time, so that
 * rules write the question. Other model errors (ERR_MODEL_FAILED without an answer) fail the
 * mining.
 */
export async function modelQuestion(
  model: TextModel,
  fact: Fact,
  random: Random,
  signal?: AbortSignal,
): Promise<GeneratedQuestion | undefined> {
  const time = questionTime(fact.interval, random);
  try {
    const { value } = await generateJson<{ question: string }>(
      model,
      {
        prompt: prompt(fact, time.words),
        maxTokens: 80,
        temperature: 0,
        seed: 1,
        signal,
      },
      schema,
    );
    const text = value.question.trim();
    return text.toLowerCase().includes(time.words.toLowerCase())
      ? { ...time, text, fact }
      : undefined;
  } catch (error) {
    if (AsOfError.is(error) && error.code === 'ERR_MODEL_FAILED' && 'faults' in error.details)
      return undefined;
    throw error;
  }
}
