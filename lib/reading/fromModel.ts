// The readers that prompt a model: from memory, from all passages at once, and passage by passage
// (MRAG sections 2.2 and 5.1). Each gives an answer with its evidence, or none where the model says
// that there is none; what happened is noted for the trace.
import type { Answer, ModelReaderInput, ReadablePassage } from './answer.js';
import { fitPassages } from './context.js';
import { answerInText, asking, statedAnswer, type Ask, type Said } from './generation.js';
import {
  answeringPrompt,
  passagePrompt,
  type PassageReading,
  type Relevance,
  type ShortAnswer,
} from './prompts/prompt.js';
import { answerTokens, containsAnswer } from '../text/answerTokens.js';
import { splitSentences } from '../text/sentences.js';

/** Passages are not shown; those that have the answer's words are its evidence. */
export function fromMemory(
  prompt: MemoryPrompt,
): (reading: ModelReaderInput) => Promise<Answer | undefined> {
  return (reading) => withAsking(reading, (ask) => recalled(prompt, ask, reading));
}

type MemoryPrompt = 'direct' | 'chainOfThought';

async function recalled(
  prompt: MemoryPrompt,
  ask: Ask,
  reading: ModelReaderInput,
): Promise<Answer | undefined> {
  const { model, question, examples } = reading;
  const asked = answeringPrompt(prompt, model, question, undefined, examples);
  const said = await ask<ShortAnswer>(asked, 'answer', { shows: true });
  return answered(said, [], reading.passages, reading);
}

/**
 * From the passages; where they do not tell, from memory if that is the fallback. The paper asks
 * for either in one prompt; two tell which of them it was.
 */
function fromPassages(
  read: (ask: Ask, reading: ModelReaderInput) => Promise<Answer | undefined>,
): (reading: ModelReaderInput) => Promise<Answer | undefined> {
  return async (reading) => {
    const { passages, fallback, note } = reading;
    if (passages.length === 0 && fallback === 'abstain') return undefined;
    return withAsking(reading, async (ask) => {
      const answer = passages.length === 0 ? undefined : await read(ask, reading);
      if (answer || fallback === 'abstain') return answer;
      note('fallback', fallback);
      return recalled('direct', ask, reading);
    });
  };
}

/** From the passages in one prompt. */
export const concatenated = fromPassages(async (ask, reading) => {
  const { model, question, passages, characters, examples } = reading;
  const shown = fitPassages(passages, characters);
  const prompt = answeringPrompt('concatenated', model, question, shown, examples);
  const said = await ask<ShortAnswer>(prompt, 'answer', { shows: true });
  return answered(said, passages, passages, reading);
});

/** Each passage judged and read alone at the same time, then what was noted together. */
export const selfMrag = fromPassages(async (ask, reading) => {
  const { model, passages, characters, question, note, signal, examples } = reading;
  const readings = await together(passages.length, signal, async (at, stop) => {
    const passage = passages[at]!;
    const [shown] = fitPassages([passage], characters);
    const relevance = await ask<Relevance>(
      passagePrompt('relevance', model, question.mainContent, shown!),
      `relevance of passage ${at + 1}`,
      { signal: stop },
    );
    if (!isRelevant(relevance)) return undefined;
    const said = await ask<PassageReading>(
      passagePrompt('independentReading', model, question.mainContent, shown!),
      `reading of passage ${at + 1}`,
      { signal: stop },
    );
    const statement = statedAnswer(
      'value' in said ? said.value.statement : (looseStatement(said.text) ?? ''),
    );
    return statement === undefined
      ? undefined
      : { passage, noted: { ...passage, text: statement } };
  });
  const kept = readings.filter((each) => each !== undefined);
  note('relevant', kept.length);
  if (kept.length === 0) return undefined;
  const notes = fitPassages(
    kept.map(({ noted }) => noted),
    characters,
  );
  const prompt = answeringPrompt('combinedReading', model, question, notes, examples);
  const said = await ask<ShortAnswer>(prompt, 'combined reading', { shows: true });
  return answered(
    said,
    kept.map(({ passage }) => passage),
    passages,
    reading,
  );
});

async function withAsking(
  reading: ModelReaderInput,
  read: (ask: Ask) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const { ask, close } = asking(reading);
  const answer = await read(ask);
  close();
  return answer;
}

/** The answer that was said; numbers of passages that were not shown are left out. */
function answered(
  said: Said<ShortAnswer>,
  numbered: readonly ReadablePassage[],
  passages: readonly ReadablePassage[],
  { note }: ModelReaderInput,
): Answer | undefined {
  const text = 'value' in said ? statedAnswer(said.value.answer) : answerInText(said.text);
  if (text === undefined) return undefined;
  const numbers = 'value' in said ? [...new Set(said.value.evidence ?? [])] : [];
  const named = numbers
    .map((number) => numbered[number - 1])
    .filter((passage) => passage !== undefined);
  if (named.length < numbers.length && numbered.length > 0)
    note('unknownEvidence', numbers.length - named.length);
  return ground(text, named, passages);
}

/** Words that say neither leave it to the reading, which may still find nothing. */
function isRelevant(said: Said<Relevance>): boolean {
  if ('value' in said) return said.value.relevant;
  return /\b(?:yes|true|relevant)\b/i.test(said.text) && !/\bnot relevant\b/i.test(said.text)
    ? true
    : !/\b(?:no|not|false|irrelevant)\b/i.test(said.text);
}

const looseStatement = (text: string): string | undefined =>
  /"statement"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(text)?.[1] ?? (/[{[]/.test(text) ? undefined : text);

/** Runs all, and stops the others as soon as one fails. */
async function together<T>(
  count: number,
  signal: AbortSignal | undefined,
  run: (at: number, stop: AbortSignal) => Promise<T>,
): Promise<T[]> {
  const others = new AbortController();
  const stop = signal ? AbortSignal.any([signal, others.signal]) : others.signal;
  try {
    return await Promise.all(Array.from({ length: count }, (_, at) => run(at, stop)));
  } catch (error) {
    others.abort();
    throw error;
  }
}

/**
 * The answer with its evidence: the passages that the reader named, else those whose title or text
 * has its words; and the first sentence of these that has them, the passage's best sentence before
 * the others.
 */
export function ground(
  text: string,
  named: readonly ReadablePassage[],
  passages: readonly ReadablePassage[],
): Answer {
  const wanted = answerTokens(text);
  const has = (words: string): boolean => containsAnswer(answerTokens(words), wanted);
  const evidence =
    named.length > 0
      ? named
      : passages.filter((passage) => has(`${passage.title ?? ''} ${passage.text}`));
  const sentence =
    sentenceWith(has, evidence) ?? (named.length > 0 ? sentenceWith(has, passages) : undefined);
  return {
    text,
    ...(sentence === undefined ? {} : { sentence }),
    evidence: evidence.map(({ id }) => id),
  };
}

function sentenceWith(
  has: (words: string) => boolean,
  passages: readonly ReadablePassage[],
): string | undefined {
  for (const { text, sentence } of passages) {
    if (sentence !== undefined && has(sentence)) return sentence;
    if (!has(text)) continue;
    for (const { start, end } of splitSentences(text))
      if (has(text.slice(start, end))) return text.slice(start, end);
  }
  return undefined;
}
