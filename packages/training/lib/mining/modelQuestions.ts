// Question generation by a language model from a dated sentence and a time, which the question must
// contain.
import type { TextModel } from 'asof';
import { askTemplate, type Random } from 'asof/kit';
import type { Fact } from './facts.js';
import type { GeneratedQuestion } from './questions.js';
import { questionTime } from './questionTime.js';

const schema = {
  type: 'object',
  properties: { question: { type: 'string' } },
  required: ['question'],
  additionalProperties: false,
};

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
  const slots = { entity: fact.entity, sentence: fact.sentence, time: time.words };
  const request = { slots, schema, maxTokens: 80 };
  const said = await askTemplate<{ question: string }>(model, 'mined', request, signal);
  if ('unusable' in said) return undefined;
  const text = said.value.question.trim();
  return text.toLowerCase().includes(time.words.toLowerCase())
    ? { ...time, text, fact }
    : undefined;
}
