// Candidate answer spans of passages with their features.
import { inTurns, type Steps } from '../runtime/eventLoop.js';
import type { AnswerType } from '../text/answerType.js';
import type { Span } from '../text/sentences.js';
import type { ParsedQuestion } from '../time/constraint.js';
import type { ReadablePassage } from './answer.js';
import { readSentences, type AskedWords, type ReadPassage, type ReadSentence } from './asked.js';
import { askedTime, fitOf, type AskedTime } from './dating.js';
import { dateText, publicationDate } from './dateText.js';
import { around, besides, leadOf, overlapOf, wordsOf, type Features } from './features.js';
import { spansOf, type SpanForm } from './spans.js';
import { Variation } from './variation.js';

export interface CandidateSpan {
  text: string;
  passage: ReadablePassage;
  sentence: string;
  /** Where it stands in the passage with its title before it. */
  span: Span;
  form: SpanForm;
  features: Features;
}

/** A question and what was read for it. */
interface Reading {
  kind: AnswerType | undefined;
  time: AskedTime;
  asked: AskedWords;
  variation: Variation;
}

/** The candidates of all forms, in the order of the passages and their texts. */
export function candidatesOf(
  question: ParsedQuestion,
  passages: readonly ReadablePassage[],
  kind: AnswerType | undefined,
  signal?: AbortSignal,
): Promise<CandidateSpan[]> {
  return inTurns(candidateSteps(question, passages, kind), signal);
}

function* candidateSteps(
  question: ParsedQuestion,
  passages: readonly ReadablePassage[],
  kind: AnswerType | undefined,
): Steps<CandidateSpan[]> {
  const { read, asked } = yield* readSentences(question, passages);
  const variation = new Variation(read.map(({ text }) => text));
  const reading: Reading = { kind, time: askedTime(question), asked, variation };
  const candidates: CandidateSpan[] = [];
  for (const passage of read) {
    const about = aboutOf(passage, reading);
    for (const sentence of passage.sentences) {
      yield;
      for (const each of candidatesIn(sentence, passage, about, reading)) {
        candidates.push(each);
        yield;
      }
    }
    candidates.push(...publishedOf(passage, about, reading));
  }
  return candidates;
}

/** The sentence of a passage that has most of the question, which its title is read with. */
function aboutOf(passage: ReadPassage, { asked, time }: Reading): ReadSentence | undefined {
  let [best, most] = [undefined as ReadSentence | undefined, -Infinity];
  for (const sentence of passage.sentences) {
    if (sentence.isTitle) continue;
    const date = passage.dates.dateOf(sentence.span, sentence.span);
    const { inside = 0, holds = 0, outside = 0 } = fitOf(date, time);
    const fit = overlapOf(sentence, passage, asked) + inside + holds / 2 - outside;
    if (fit > most) [best, most] = [sentence, fit];
  }
  return best;
}

function* candidatesIn(
  sentence: ReadSentence,
  read: ReadPassage,
  about: ReadSentence | undefined,
  { time, asked, variation }: Reading,
): Generator<CandidateSpan> {
  const { passage, dates, rank } = read;
  const { start } = sentence.span;
  const context = sentence.isTitle ? (about ?? sentence) : sentence;
  const withTitle = overlapOf(context, read, asked);
  const mentions = dates.within(sentence.span);
  for (const span of spansOf(sentence.text, mentions)) {
    const words = sentence.text.slice(span.start, span.end);
    if (!hasWord.test(words)) continue;
    const inPassage = { start: span.start + start, end: span.end + start };
    const date = dates.dateOf(inPassage, sentence.span) ?? dates.dateOf(context.span, context.span);
    const features: Features = {
      rank: 1 / (1 + rank),
      withTitle,
      isTitle: sentence.isTitle ? 1 : 0,
      [`before ${leadOf(sentence.text, span.start)}`]: 1,
      ...wordsOf(words, span.form, asked),
      ...around(sentence, span, asked),
      ...besides(sentence.text, span, asked),
      ...variation.of(rank, read.text, inPassage),
      ...fitOf(date, time),
      apart: date ? Math.min(4, date.apart) / 4 : 0,
    };
    const isDate = span.form === 'date';
    const text = isDate ? dateText(words, mentions, span, passage.timeZone) : words;
    yield { text, passage, sentence: context.text, span: inPassage, form: span.form, features };
  }
}

const hasWord = /[\p{L}\p{N}]/u;

/** The day on which a passage was published, as when what it tells of happened. */
function publishedOf(
  read: ReadPassage,
  about: ReadSentence | undefined,
  { kind, asked }: Reading,
): CandidateSpan[] {
  const { publishedAt, timeZone } = read.passage;
  if (publishedAt === undefined || kind !== 'date' || !about) return [];
  const withTitle = overlapOf(about, read, asked);
  const features = { rank: 1 / (1 + read.rank), withTitle, published: 1, fresh: 1 };
  const span = { start: about.span.start, end: about.span.start };
  const text = publicationDate(publishedAt, timeZone);
  return [{ text, passage: read.passage, sentence: about.text, span, form: 'date', features }];
}
