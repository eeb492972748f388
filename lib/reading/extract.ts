// Answer extraction (extractive reader): the most probable of the passages' spans, or a whole
// sentence where the question wants a statement.
import type { Answer, ReaderInput } from './answer.js';
import { candidatesOf, type CandidateSpan } from './candidates.js';
import { fitPassages } from './context.js';
import { expectsList } from '../text/answerType.js';
import { questionEnd } from '../time/question/question.js';
import { asksStatement, inferType } from './inferredType.js';

/**
 * How far below the best another span of its sentence may score to be listed with it, and how many
 * are.
 */
const margin = 2;
const mostItems = 8;

/** Characters of passages that are read; of long ones what stands around the best sentence. */
const mostCharacters = 20_000;

export async function extract({
  question: { text, mainContent, ...rest },
  passages: given,
  signal,
}: ReaderInput): Promise<Answer | undefined> {
  const question = { ...rest, text: questionEnd(text), mainContent: questionEnd(mainContent) };
  const passages = fitPassages(given, mostCharacters);
  const first = passages[0];
  if (!first) return undefined;
  const kind = inferType(question.text, passages);
  const candidates =
    kind === undefined && asksStatement(question.text)
      ? []
      : await candidatesOf(question, passages, kind, signal);
  const best = candidates.reduce<CandidateSpan | undefined>(
    (top, each) => (top && top.score >= each.score ? top : each),
    undefined,
  );
  if (!best) {
    const sentence = first.sentence ?? first.text;
    return { text: sentence, sentence, evidence: [first.id] };
  }
  const { sentence, passage } = best;
  const items = expectsList(question.text) ? listed(best, candidates) : [];
  const said =
    items.length > 1 ? { text: joined(items), items } : { text: tidied(best.text, question.text) };
  return { ...said, sentence, evidence: [passage.id] };
}

const monthName =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/;

/**
 * The year alone where a year is asked for, the month where one of a year that the question names.
 */
function tidied(text: string, question: string): string {
  const year = /\b(?:what|which) year\b/i.test(question) ? /\b\d{4}\b/.exec(text)?.[0] : undefined;
  const month = /\b(?:what|which) month\b(?=[^?]*\b\d{4}\b)/i.test(question)
    ? monthName.exec(text)?.[0]
    : undefined;
  return year ?? month ?? text.replace(/\s+/g, ' ');
}

/**
 * The other spans of the best one's sentence and form that score nearly as well and have nothing
 * of the question; those that overlap a better one left out; in order of the text.
 */
function listed(best: CandidateSpan, candidates: readonly CandidateSpan[]): string[] {
  const kept: CandidateSpan[] = [];
  const near = candidates.filter(
    (each) =>
      each.passage === best.passage &&
      each.sentence === best.sentence &&
      each.form === best.form &&
      each.features['fresh'] === 1 &&
      each.score >= best.score - margin &&
      each.span.end > each.span.start,
  );
  for (const each of near.sort((a, b) => b.score - a.score)) {
    if (
      kept.length < mostItems &&
      kept.every(({ span }) => span.end <= each.span.start || span.start >= each.span.end)
    )
      kept.push(each);
  }
  return [...new Set(kept.sort((a, b) => a.span.start - b.span.start).map(({ text }) => text))];
}

const joined = (items: readonly string[]): string =>
  `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
