// Ties an answer to the passages: which of them have its words, and in which sentence. It changes
// no answer.
import { answerTokens, containsAnswer } from '../text/answerTokens.js';
import { splitSentences } from '../text/sentences.js';
import type { Answer, ReadablePassage } from './answer.js';

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
