// Candidate answer spans of passages with their features and scores.
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import type { AnswerType } from '../text/answerType.js';
import type { Span } from '../text/sentences.js';
import type { ParsedQuestion } from '../time/constraint.js';
import type { ReadablePassage } from './answer.js';
import { boundAsked, clauseAround, clausesOf } from './clauses.js';
import { contestOf, type Features } from './contest.js';
import { askedTime, fitOf, type AskedTime, type SpanDate } from './dating.js';
import { dateText, publicationDate } from './dateText.js';
import { focusOf } from './focus.js';
import { canAnswer, formOf } from './formFeatures.js';
import { placesIn } from './rosters.js';
import { questionGroup, scoreOf } from './score.js';
import {
  nearness,
  overlapOf,
  readSentences,
  stemmer,
  type AskedWords,
  type ReadPassage,
  type ReadSentence,
  type StemsOf,
} from './sentences.js';
import { spansOf, type SpanForm, type TextSpan } from './spans.js';
import { isAgent } from './subjects.js';
import { sidesOf, successionIn } from './succession.js';
import { unitOf } from './units.js';
import { Variation } from './variation.js';

export interface CandidateSpan {
  text: string;
  passage: ReadablePassage;
  sentence: string;
  /** Where it stands in the passage with its title before it. */
  span: Span;
  form: SpanForm;
  readonly features: Features;
  score: number;
}

/** A question and what was read for it. */
interface Reading {
  question: ParsedQuestion;
  numbers: AskedNumbers;
  kind: AnswerType | undefined;
  time: AskedTime;
  asked: AskedWords;
  stemsOf: StemsOf;
  contest: ReturnType<typeof contestOf>;
  variation: Variation;
}

/** The candidates of all forms, in the order of the passages and their texts. */
export async function candidatesOf(
  question: ParsedQuestion,
  passages: readonly ReadablePassage[],
  kind: AnswerType | undefined,
  signal?: AbortSignal,
): Promise<CandidateSpan[]> {
  const stemsOf = stemmer();
  const { read, asked } = readSentences(question, passages, kind, stemsOf);
  const reading: Reading = {
    question,
    numbers: numbersOf(question.text),
    kind,
    time: askedTime(question),
    asked,
    stemsOf,
    contest: contestOf(question.text),
    variation: new Variation(read.map(({ text }) => text)),
  };
  const most = Math.max(...passages.map(({ score = 0 }) => score));
  const candidates: CandidateSpan[] = [];
  for (const passage of read) {
    const { score } = passage.passage;
    const ranked = {
      rank: 1 / (1 + passage.rank),
      evidence: score !== undefined && most > 0 ? Math.max(0, score / most) : 0,
    };
    const about = aboutOf(passage, reading);
    for (const sentence of passage.sentences) {
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
      candidates.push(...candidatesIn(sentence, passage, about, ranked, reading));
    }
    candidates.push(...publishedOf(passage, about, ranked, reading));
  }
  return candidates;
}

/** The sentence of a passage that has most of the question, which its title is read with. */
function aboutOf(passage: ReadPassage, { asked, time }: Reading): ReadSentence | undefined {
  let [best, most] = [undefined as ReadSentence | undefined, -Infinity];
  for (const sentence of passage.sentences) {
    if (sentence.isTitle) continue;
    const { inSentence } = overlapOf(sentence, passage.titleStems, asked);
    const { inside, holds, outside } = fitOf(
      passage.mentions.dateOf(sentence.span, sentence.span),
      time,
    );
    const fit = inSentence + inside + holds / 2 - outside;
    if (fit > most) [best, most] = [sentence, fit];
  }
  return best;
}

function candidatesIn(
  sentence: ReadSentence,
  passage: ReadPassage,
  about: ReadSentence | undefined,
  ranked: Features,
  reading: Reading,
): CandidateSpan[] {
  const { kind, question, asked, time } = reading;
  const { start } = sentence.span;
  const context = sentence.isTitle ? (about ?? sentence) : sentence;
  const winner = passage.passage.sentence?.includes(context.text.slice(0, 40)) ? 1 : 0;
  const overlap = overlapOf(context, passage.titleStems, asked);
  const side = sidesIn(sentence, passage, reading);
  const verbs = placesOfStem(sentence, asked.verb);
  const clauses = clausesOf(sentence.text);
  const own = passage.mentions.within(sentence.span);
  const moved = own.map((mention) => ({
    ...mention,
    timexes: mention.timexes.map((timex) => ({
      ...timex,
      start: timex.start - start,
      end: timex.end - start,
    })),
    start: mention.start - start,
    end: mention.end - start,
  }));
  const seen: Partial<Record<SpanForm, number>> = {};
  const placed = { passage: passage.passage, sentence: context.text };
  const found: CandidateSpan[] = [];
  const spans = spansOf(sentence.text, moved, boundAsked(question.text));
  for (const span of spans) {
    const words = sentence.text.slice(span.start, span.end);
    if (!hasWord.test(words) || !canAnswer(kind, span.form)) continue;
    if (span.form === 'number' && repeatsCounted(span, words, spans, reading)) continue;
    const inPassage = { start: span.start + start, end: span.end + start };
    const date = dateFor(inPassage, sentence, context, passage);
    const { inside, holds, outside, near: nearInTime } = fitOf(date, time);
    const stands = side.of(span);
    // What was done, won or followed at another time is not asked for.
    const then = stands['outside'] === 0 || (outside === 0 && (side.lasting || holds === 0));
    const order = (seen[span.form] = (seen[span.form] ?? 0) + 1);
    const features: Features[] = [
      ranked,
      overlap,
      titled(sentence, words, reading),
      measuredBy(span, words),
      wordsOf(words, passage, reading),
      formOf(kind, span, sentence.text),
      unitOf(kind, question.text, span, sentence.text),
      reading.variation.of(passage.rank, passage.text, inPassage),
      evidenceNear(sentence, clauseAround(clauses, span), inPassage, asked),
      {
        winner,
        near: nearness(sentence, inPassage, asked),
        order: 1 / order,
        agent: outside === 0 && isAgent(sentence.text, verbs, span) ? 1 : 0,
        inside,
        holds,
        outside,
        nearInTime,
        apart: date ? Math.min(4, date.apart) / 4 : 0,
        ...stands,
        contestRight: then ? (stands['contestRight'] ?? 0) : 0,
      },
    ];
    const text =
      span.form === 'date' ? dateText(words, moved, span, passage.passage.timeZone) : words;
    found.push(candidate(text, { ...placed, span: inPassage, form: span.form }, features, kind));
  }
  return found;
}

/** The day on which a passage was published, as when what it tells of happened. */
function publishedOf(
  passage: ReadPassage,
  about: ReadSentence | undefined,
  ranked: Features,
  { kind, asked }: Reading,
): CandidateSpan[] {
  const { publishedAt, timeZone } = passage.passage;
  if (publishedAt === undefined || kind !== 'date' || !about) return [];
  const overlap = overlapOf(about, passage.titleStems, asked);
  const features: Features[] = [ranked, overlap, { published: 1, agrees: 1, fresh: 1 }];
  const span = { start: about.span.start, end: about.span.start };
  const place = { passage: passage.passage, sentence: about.text, span, form: 'date' as const };
  return [candidate(publicationDate(publishedAt, timeZone), place, features, kind)];
}

/** Where a candidate stands: the passage, the sentence that it is read with, and the offsets. */
interface Place {
  passage: ReadablePassage;
  sentence: string;
  span: Span;
  form: SpanForm;
}

/** @param features in parts, each of names of its own */
const candidate = (
  text: string,
  { passage, sentence, span, form }: Place,
  features: readonly Features[],
  kind: AnswerType | undefined,
): CandidateSpan => ({
  passage,
  sentence,
  span,
  form,
  text,
  score: scoreOf(features, questionGroup(kind)),
  get features() {
    return Object.assign({}, ...features) as Features;
  },
});

/** Whether a span is of the title, all of it, and then unnamed by the question. */
function titled(
  { isTitle, text }: ReadSentence,
  words: string,
  { kind, asked, stemsOf }: Reading,
): Features {
  if (!isTitle) return {};
  const whole = words.length > 0.8 * text.length;
  const unasked = whole && stemsOf(text).every((stem) => !asked.all.has(stem));
  return {
    title: 1,
    wholeTitle: whole ? 1 : 0,
    unaskedTitle: unasked ? 1 : 0,
    ...(kind === 'person' && unasked ? { personTitle: 1 } : {}),
  };
}

/** "4,210 visitors" of "How many visitors": the number alone is another span, and answers. */
function repeatsCounted(
  { start, end }: TextSpan,
  words: string,
  spans: readonly TextSpan[],
  { asked, stemsOf }: Reading,
): boolean {
  const stems = stemsOf(words.replace(/^[^\p{L}]+/u, ''));
  return (
    stems.some((stem) => asked.all.has(stem)) &&
    spans.some((each) => each.form === 'number' && each.start === start && each.end < end)
  );
}

/** Whether a quantity has a unit, or decimals. */
function measuredBy({ form }: TextSpan, words: string): Features {
  if (form !== 'number') return {};
  return /[^\d.,\s]/.test(words) ? { unit: 1 } : /\d[.,]\d/.test(words) ? { decimal: 1 } : {};
}

const hasWord = /[\p{L}\p{N}]/u;

/** The date of a span; of a title without one, that of the sentence it is read with. */
function dateFor(
  span: Span,
  sentence: ReadSentence,
  context: ReadSentence,
  { mentions }: ReadPassage,
): SpanDate | undefined {
  const date = mentions.dateOf(span, sentence.span);
  return date ?? (context === sentence ? undefined : mentions.dateOf(context.span, context.span));
}

/** Numbers and versions of a question, and of the noun phrase that names what is asked for. */
interface AskedNumbers {
  ofQuestion: readonly string[];
  ofFocus: ReadonlySet<string>;
}

const numbersOf = (question: string): AskedNumbers => ({
  ofQuestion: question.match(/(?<![\p{L}\p{N}.])v?\d+(?:[._]\d+)*/gu) ?? [],
  ofFocus: new Set(focusOf(question).match(/\d+(?:[._]\d+)*/g) ?? []),
});

/** How much of a span the question has not said, nor the title, and what it extends. */
function wordsOf(
  words: string,
  { titleStems }: ReadPassage,
  { asked, numbers: { ofQuestion, ofFocus }, stemsOf }: Reading,
) {
  const stems = stemsOf(words);
  const share = (holds: (stem: string) => boolean): number =>
    stems.length === 0 ? 0 : stems.filter(holds).length / stems.length;
  const fresh = stems.length === 0 ? 1 : share((stem) => !asked.all.has(stem));
  const focused = [...asked.focus].flatMap((at) => asked.stems[at] ?? []);
  const extended = (number: string): boolean =>
    words
      .split(/\s/)
      .some((word) => word.startsWith(number) && /^[._-]/.test(word.slice(number.length)));
  return {
    fresh,
    repeats: fresh === 0 ? 1 : 0,
    extends: ofQuestion.some((number) => ofFocus.has(number) && extended(number)) ? 1 : 0,
    extendsOther: ofQuestion.some((number) => !ofFocus.has(number) && extended(number)) ? 1 : 0,
    unfocused: focused.length > 0 && focused.every((stem) => !stems.includes(stem)) ? 0 : 1,
    ofTitle: share((stem) => titleStems.has(stem)),
    length: Math.min(8, words.split(/\s+/).length) / 8,
  };
}

const succeeding: ReadonlySet<AnswerType | undefined> = new Set([
  'person',
  'organisation',
  'name',
  'place',
  'number',
]);

/** Where the words of one of the question's stems stand in a sentence, by offsets of its text. */
function placesOfStem({ said, starts, ends, span }: ReadSentence, stem: number): Span[] {
  return said
    .filter(({ asked }) => asked === stem)
    .map(({ at }) => ({ start: starts[at]! - span.start, end: ends[at]! - span.start }));
}

/** For or against spans in a contest, which is of its day, or a succession, which lasts. */
interface Sides {
  of: (span: TextSpan) => Features;
  lasting: boolean;
}

function sidesIn(
  sentence: ReadSentence,
  { mentions }: ReadPassage,
  { kind, question, time, contest, asked, stemsOf }: Reading,
): Sides {
  const { text } = sentence;
  const decided = { of: contest(text), lasting: false };
  if (!succeeding.has(kind)) return decided;
  const place = placesIn(question.text, text, time.window !== undefined);
  if (place) return { of: place, lasting: true };
  const verb = successionIn(text, (words) =>
    stemsOf(words).some((stem) => asked.stems.includes(stem)),
  );
  if (!verb) return decided;
  const { start } = sentence.span;
  const date = mentions.dateOf({ start: verb.start + start, end: verb.end + start }, sentence.span);
  const window = time.window ?? (time.implied ? time.interval : undefined);
  const side = sidesOf(question.text, text, verb, window, date?.interval.start);
  return side ? { of: side, lasting: true } : decided;
}

/**
 * What of the question's words the span's own clause has, by their weight, whether it says what
 * happened, and whether one of them stands right next to the span.
 */
function evidenceNear(
  { said, starts, ends, span: { start } }: ReadSentence,
  clause: Span,
  span: Span,
  { weights: counts, total, event, focus }: AskedWords,
) {
  const counted = new Set<number>();
  let [sum, adjacent, focusBefore, focusNear, focusBehind] = [0, 0, 0, 0, 0];
  for (const { at, asked } of said) {
    const place = starts[at]!;
    if (place >= span.start && place < span.end) continue;
    const gap = span.start >= ends[at]! ? span.start - ends[at]! : place - span.end;
    if (gap >= 0 && gap <= 3) adjacent = 1;
    if (focus.has(asked) && gap >= 0) {
      focusNear = Math.max(focusNear, 1 / (1 + gap / 20));
      if (gap <= 3 && place < span.start) focusBefore = 1;
      if (gap <= 3 && place >= span.end) focusBehind = 1;
    }
    if (place < clause.start + start || place >= clause.end + start || counted.has(asked)) continue;
    counted.add(asked);
    sum += counts[asked]!;
  }
  return {
    clause: sum / total,
    happened: counted.has(event) ? 1 : 0,
    adjacent,
    focusBefore,
    focusNear,
    focusBehind,
  };
}
