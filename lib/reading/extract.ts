// Answer extraction (extractive reader): the statement that the ranking found, or a span of the
// passages alone where it is probably the answer, by a linear model or by one of the caller's.
import { answerType, expectsList } from '../text/answerType.js';
import { splitSentences } from '../text/sentences.js';
import { questionEnd } from '../time/question/questionText.js';
import type { Answer, ReaderInput, ReadablePassage } from './answer.js';
import { candidatesOf, type CandidateSpan } from './candidates.js';
import { fitPassages } from './context.js';
import { bestSpan, kindGroup, scoreOf, spanProbability } from './score.js';
import { readSpan, type SpanReader } from './spanReader.js';

/** How far below the best another span may score to be listed, and how many are. */
const margin = 2;
const mostItems = 8;

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
  const kind = answerType(question.text);
  const candidates = await candidatesOf(question, passages, kind, signal);
  const scores = candidates.map(({ features }) => scoreOf(features, kindGroup(kind)));
  const best = bestSpan(candidates, scores, first);
  const spanConfidence = best && spanProbability(best);
  if (!best || spanConfidence! < least) return statementOf(first);
  const { candidate } = best;
  const items = expectsList(question.text) ? listed(candidate, candidates, scores) : [];
  const said =
    items.length > 1
      ? { text: `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`, items }
      : { text: tidied(candidate.text, question.text) };
  const { sentence, passage } = candidate;
  return { ...said, spanConfidence, sentence, evidence: [passage.id] };
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

/** Spans of the best one's sentence and form that score nearly as well, in order. */
function listed(
  best: CandidateSpan,
  candidates: readonly CandidateSpan[],
  scores: readonly number[],
): string[] {
  const least = scores[candidates.indexOf(best)]! - margin;
  const near = [...candidates.keys()]
    .filter((at) => {
      const { passage, sentence, form, features } = candidates[at]!;
      const isLike = passage === best.passage && sentence === best.sentence && form === best.form;
      return isLike && features['fresh'] === 1 && scores[at]! >= least;
    })
    .sort((a, b) => scores[b]! - scores[a]!)
    .map((at) => candidates[at]!);
  const kept: CandidateSpan[] = [];
  for (const each of near)
    if (
      kept.length < mostItems &&
      kept.every(({ span }) => span.end <= each.span.start || span.start >= each.span.end)
    )
      kept.push(each);
  return [...new Set(kept.sort((a, b) => a.span.start - b.span.start).map(({ text }) => text))];
}
