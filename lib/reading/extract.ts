// Answer extraction (extractive reader): the most probable of the passages' spans, by rules or by a
// model, or what the first passage states where that is not sure enough or the question wants a
// statement.
import type { Answer, ReaderInput, ReadablePassage } from './answer.js';
import { candidatesOf, type CandidateSpan } from './candidates.js';
import { fitPassages } from './context.js';
import {
  expectsList,
  answerType,
  answerHead,
  nounType,
  type AnswerType,
} from '../text/answerType.js';
import { questionEnd } from '../time/question/questionText.js';
import { focusOf } from './focus.js';
import { spanProbability } from './spanProbability.js';
import { readSpan, type SpanReader } from './spanReader.js';
import { splitSentences } from '../text/sentences.js';

/** How far below the best another span may score to be listed, and how many are. */
const margin = 2;
const mostItems = 8;

/** Characters of passages that are read; of long ones what stands around the best sentence. */
const mostCharacters = 20_000;

/**
 * @param least probability of a span that is shown without the rest of its sentence
 * @param reader who chooses it; default rules
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
  const kind = inferType(question.text, passages);
  const candidates =
    kind === undefined && asksStatement(question.text)
      ? []
      : await candidatesOf(question, passages, kind, signal);
  const best = candidates.reduce<CandidateSpan | undefined>(
    (top, each) => (top && top.score >= each.score ? top : each),
    undefined,
  );
  const spanConfidence = best && spanProbability(best, candidates, first);
  if (!best || spanConfidence! < least) return statementOf(first);
  const { sentence, passage } = best;
  const items = expectsList(question.text) ? listed(best, candidates) : [];
  const said =
    items.length > 1 ? { text: joined(items), items } : { text: tidied(best.text, question.text) };
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

/** What a passage states, with its title where the sentence does not name it. */
function statementOf({ id, title, text, sentence = text }: ReadablePassage): Answer {
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

const linking =
  'is|was|are|were|be|been|of|at|to|by|stands?|stood|reached|reaches|remains?|remained|now|' +
  'currently|again|still|from|set|raise[sd]|rises|' +
  'rose|falls|fell|lower(?:s|ed)|reduce[sd]|increase[sd]|change[sd]|about|around|nearly|some|' +
  'only|up|down';

/** A quantity, with a currency before it; a year alone is none. */
const amount = String.raw`(?:US|A|C|NZ|HK)?[$€£¥]?\s?(?!(?:1[0-9]|20)\d\d(?![\d,.]))\d[\d,.]*`;

/** Between a noun and its quantity; bounded, so that a long word costs no more. */
const between = String.raw`(?:\s(?:of|in|on|for)\s[\p{Lu}\d][^\s.;:]{0,30}(?:\s[\p{Lu}\d][^\s.;:]{0,30}){0,3}){0,2}`;

/** What stands behind a noun that something is stated of. */
const statement = new RegExp(
  String.raw`s?${between}\s(?:(?:${linking})\s){1,4}(?:an?\s|the\s)?(${amount}|\p{L}+)`,
  'uy',
);

/** The kind of answer wanted; of some named thing, what the passages state of it tells. */
export function inferType(
  question: string,
  passages: readonly Pick<ReadablePassage, 'text'>[],
): AnswerType | undefined {
  const timeless = question.replace(offset, '');
  const kind = answerType(timeless) ?? nominalType(timeless);
  if (kind !== 'name') return kind;
  const noun = answerHead(question);
  // A participle is no noun: "What was the building located in Lund designed as?"
  if (noun === undefined || !/^\p{L}[\p{L}'’-]{2,40}$/u.test(noun) || /[^e]ed$/.test(noun))
    return kind;
  const rest = noun.slice(1).replace(/s$/, ''); // its initial may be a capital
  let [quantities, others] = [0, 0];
  for (const { text } of passages) {
    for (let at = text.indexOf(rest); at >= 0; at = text.indexOf(rest, at + 1)) {
      if (text[at - 1]?.toLowerCase() !== noun[0] || /\p{L}/u.test(text[at - 2] ?? '')) continue;
      statement.lastIndex = at + rest.length;
      const what = statement.exec(text)?.[1];
      if (what === undefined) continue;
      if (/\d/.test(what)) quantities += 1;
      else others += 1;
    }
  }
  return quantities > others ? 'number' : kind;
}

/** "Three months before 2 May": a time that a question counts from another, and no answer. */
const offset =
  /\b(?:\d+|an?|half an?|one|two|three|four|five|six|seven|eight|nine|ten)\s(?:years?|months?|weeks?|days?)\s(?:before|after|prior|earlier|later|ago|back|from)\b/gi;

/** The type of a question that is a noun phrase: that of its focus. */
function nominalType(question: string): AnswerType | undefined {
  if (/\b(?:who|whom|whose|which|what|where|how|why)\b/i.test(question)) return undefined;
  const head = focusOf(question).match(/\p{L}+(?=[^\p{L}]*$)/u)?.[0];
  return head === undefined ? undefined : nounType(head.toLowerCase());
}

const statementVerb =
  /^\W*(?:tell|describe|explain|summari[sz]e|why|how(?!\s(?:many|much|old|tall|high|long|fast|far|big|large|warm|cold|hot|deep|wide|heavy)\b))\b/i;
const statementNoun =
  /^(?:forecast|weather|reason|purpose|cause|difference|effect|result|status|situation|outlook|meaning|explanation|story|plot|description|happened|happen)$/;

/** Whether a question wants a sentence rather than a name, a number or a date. */
function asksStatement(question: string): boolean {
  return statementVerb.test(question) || statementNoun.test(answerHead(question) ?? '');
}
