// Answer extraction (extractive reader): the statement that the ranking found, or a span of the
// passages alone where it is probably the answer, by a linear model or by one of the caller's.
import { binding, withCancellation } from '../binding.js';
import { splitSentences } from '../text/sentences.js';
import { questionEnd } from '../time/question/questionText.js';
import type { Answer, ReaderInput, ReadablePassage } from './answer.js';
import { fitPassages } from './context.js';
import { passagesToRead } from './passages.js';
import { weightsFor } from './score.js';
import { readSpan, type SpanReader } from './spanReader.js';

/** Characters of passages that are read; of long ones what stands around the best sentence. */
export const mostCharacters = 20_000;

/**
 * @param least probability of a span that is shown without the rest of its sentence
 * @param reader who chooses it; default the linear model
 */
export async function extract(
  { question: { text, mainContent, ...rest }, passages: given, signal }: ReaderInput,
  least: number,
  reader?: SpanReader,
): Promise<Answer | undefined> {
  const question = { ...rest, text: questionEnd(text), mainContent: questionEnd(mainContent) };
  const passages = fitPassages(given, mostCharacters);
  const first = passages[0];
  if (!first) return undefined;
  if (reader)
    return (await byModel(reader, question.text, passages, least, signal)) ?? statementOf(first);
  if (asksStatement(question.text)) return statementOf(first);
  const { request, kind } = await passagesToRead(question, passages, signal);
  const { ofSpans, ofAnswers } = weightsFor(kind);
  const best = await withCancellation(signal, (cancellation) =>
    binding.readAnswer(request, ofSpans, ofAnswers, cancellation),
  );
  if (!best || best.probability < least) return statementOf(first);
  const { items, sentence, probability: spanConfidence } = best;
  const said =
    items.length > 1
      ? { text: `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`, items }
      : { text: tidied(best.text, question.text) };
  return { ...said, spanConfidence, sentence, evidence: [passages[best.passage]!.id] };
}

async function byModel(
  reader: SpanReader,
  question: string,
  passages: readonly ReadablePassage[],
  least: number,
  signal: AbortSignal | undefined,
): Promise<Answer | undefined> {
  const texts = passages.map(({ text }) => text);
  const span = await readSpan(reader, question, texts, signal);
  if (!span || span.probability < least) return undefined;
  const { id, text } = passages[span.text]!;
  const sentence = splitSentences(text).findLast(({ start }) => start <= span.start);
  return {
    text: tidied(text.slice(span.start, span.end).trim(), question),
    spanConfidence: span.probability,
    ...(sentence ? { sentence: text.slice(sentence.start, sentence.end) } : {}),
    evidence: [id],
  };
}

/** Whether a question wants a sentence: why, and what is answered by yes or no. */
export const asksStatement = (question: string): boolean =>
  statement.test(question) || (yesOrNo.test(question) && !/\b(?:wh\p{L}+|how)\b/iu.test(question));
const statement = /^\W*(?:tell|describe|explain|summari[sz]e|why|how (?:do|can|to|come))\b/i;
const yesOrNo = /^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b/i;

/** What a passage states, with its title where the sentence does not name it. */
export function statementOf({ id, title, text, sentence = text }: ReadablePassage): Answer {
  const name = title?.trim() ?? '';
  const isNamed = sentence.toLowerCase().includes(name.toLowerCase());
  return { text: isNamed ? sentence : `${name}: ${sentence}`, sentence, evidence: [id] };
}

const monthName =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/;

/** The year alone where one is asked for, the month where the question names its year. */
function tidied(text: string, question: string): string {
  const year = /\b(?:what|which) year\b/i.test(question) ? /\b\d{4}\b/.exec(text)?.[0] : undefined;
  const month = /\b(?:what|which) month\b(?=[^?]*\b\d{4}\b)/i.test(question)
    ? monthName.exec(text)?.[0]
    : undefined;
  return year ?? month ?? text.replace(/\s+/g, ' ');
}
