// Deterministic relevance judge: intent by the question's words and constraint, relevance and
// coverage by the dates in a document's sentences on the topic.
import { throwIfAborted, parseAskedAt, questionForms } from 'asof/kit';
import { questionOf } from '../evaluate.js';
import {
  splitSentences,
  type ParsedQuestion,
  type Window,
  parseInstant,
  type Mention,
  readTemporalQuery,
  tagText,
} from 'asof/time';
import type {
  JudgeAnswer,
  JudgeDocument,
  JudgeInstance,
  IntentJudgement,
  RelevanceJudge,
  JudgeQuestion,
  RelevanceJudgement,
  ScoreJudgement,
} from './judgement.js';
import {
  describesChange,
  comparesDates,
  isCrossPeriod,
  periodsOf,
  periodWindows,
  formatWindow,
} from './periods.js';
import { termCoverage, isOnTopic, stemsOf, termsOf, topicOf, continuesTopic } from './topic.js';

/** Minimum confidence of a mention that counts as a date. */
const leastConfidence = 0.4;
const recency =
  /\b(?:recent(?:ly)?|latest|lately|newest|current(?:ly)?|nowadays|now|today|these days|so far|to date|up-to-date|present-day)\b/i;

/** The deterministic judge. */
export function ruleJudge(): RelevanceJudge {
  return {
    id: 'rules',
    intent: async (question, signal) => abortable(signal, () => intentOf(question)),
    relevance: async (question, intent, document, signal) =>
      abortable(signal, () => relevanceOf(question, intent, document)),
    evidence: async (question, intent, periods, document, signal) =>
      abortable(signal, () => evidenceOf(question, intent, periods, document)),
    answerCoverage: async (answer, signal) => abortable(signal, () => coverageOf(answer)),
    dataQuality: async (instance, signal) => abortable(signal, () => qualityOf(instance)),
  };
}

function abortable<T>(signal: AbortSignal | undefined, judge: () => T): T {
  throwIfAborted(signal);
  return judge();
}

/**
 * The title of a post with a title in its first line, since its body names dates and things outside
 * the question; else the whole text.
 */
function withoutBody(question: JudgeQuestion): ReturnType<typeof questionOf> {
  const { text, ...rest } = questionOf(question);
  const [title = '', body] = text.trim().split(/\r?\n(.*)/s);
  const words = title.split(/\s+/).length;
  return {
    text:
      body !== undefined &&
      body.trim() !== '' &&
      words >= titleWords.least &&
      words <= titleWords.most
        ? title
        : text,
    ...rest,
  };
}

const titleWords = { least: 4, most: 40 };

/**
 * Precedence: change, duration, recency, specific time; "how have fees changed since" is change.
 */
export function intentOf(question: JudgeQuestion): IntentJudgement {
  const { intent, signals } = readTemporalQuery(questionOf(question));
  const keywords = signals.map(({ text }) => text);
  const change = describesChange(question.text) || comparesDates(question);
  if (intent === 'none' && keywords.length === 0 && !change)
    return { temporal: false, focus: 'none', keywords };
  if (change) return { temporal: true, focus: 'change_over_time', keywords };
  if (intent === 'duration') return { temporal: true, focus: 'duration', keywords };
  return {
    temporal: true,
    focus: recency.test(question.text) ? 'recency' : 'specific_time',
    keywords,
  };
}

/** Temporal expressions of a document's sentences on the topic. */
interface TemporalEvidence {
  /** Mentions with an interval. */
  dated: Mention[];
  durations: Mention[];
  /** Whether a sentence on the topic refers to the present. */
  present: boolean;
  /** The document's validity. */
  clocks: Window[];
}

function temporalEvidence(
  document: JudgeDocument,
  parsed: ParsedQuestion,
): TemporalEvidence | undefined {
  const topic = topicOf(parsed);
  const { title = '', text, publishedAt, validFrom, validTo } = document;
  if (!isOnTopic(topic, `${title} ${text}`)) return undefined;
  const reference = publishedAt === undefined ? {} : { reference: publishedAt };
  const { mentions } = tagText(text, reference);
  const sure = mentions.filter(({ confidence }) => confidence >= leastConfidence);
  const evidence: TemporalEvidence = { dated: [], durations: [], present: false, clocks: [] };
  const titled = continuesTopic(topic, title) && title !== '';
  for (const { start, end } of splitSentences(text)) {
    const sentence = text.slice(start, end);
    if (!titled && !continuesTopic(topic, sentence)) continue;
    const inside = sure.filter((mention) => mention.start >= start && mention.end <= end);
    evidence.dated.push(...inside.filter(({ interval }) => interval !== undefined));
    evidence.durations.push(...inside.filter(({ timexType }) => timexType === 'DURATION'));
    evidence.present ||= recency.test(sentence);
  }
  evidence.dated.push(...tagText(title, reference).mentions.filter(({ interval }) => interval));
  if (validFrom !== undefined || validTo !== undefined) {
    evidence.clocks.push({
      start: validFrom === undefined ? -Infinity : parseInstant(validFrom, 'start'),
      end: validTo === undefined ? Infinity : parseInstant(validTo, 'end'),
    });
  }
  return evidence;
}

const overlaps = (a: Pick<Window, 'start' | 'end'>, b: Window): boolean =>
  a.start < b.end && b.start < a.end;

function relevanceOf(
  question: JudgeQuestion,
  { focus }: IntentJudgement,
  document: JudgeDocument,
): RelevanceJudgement {
  const { parsed } = readTemporalQuery(withoutBody(question));
  const evidence = temporalEvidence(document, parsed);
  if (!evidence) return { verdict: 0, reason: 'not on the topic of the question' };
  const { window } = questionForms(parsed).constraint;
  const fitting = evidence.dated.filter(({ interval }) => !window || overlaps(interval!, window));
  const [first] = fitting;
  if (focus === 'duration') {
    return verdictOn(
      evidence.durations[0]?.text ??
        (evidence.dated.length > 1 ? rangeOf(evidence.dated) : undefined),
      'no length of time',
    );
  }
  if (focus === 'recency')
    return verdictOn(recentEvidence(evidence, parsed.askedAt, document), 'nothing recent');
  if (first) return verdictOn(first.text, '');
  const holds = window && evidence.clocks.find((clock) => overlaps(clock, window));
  if (holds) return verdictOn(`holds ${formatWindow(holds) || 'then'}`, '');
  return verdictOn(
    undefined,
    evidence.dated.length > 0
      ? `no date within ${formatWindow(window)}, such as ${evidence.dated[0]!.text}`
      : 'no date',
  );
}

const verdictOn = (evidence: string | undefined, lack: string): RelevanceJudgement =>
  evidence === undefined ? { verdict: 0, reason: lack } : { verdict: 1, reason: evidence };

const rangeOf = (dated: readonly Mention[]): string => `${dated[0]!.text} and ${dated[1]!.text}`;

/** Maximum age of recent evidence, in milliseconds. */
const recentSpan = 3 * 365.25 * 86_400_000;

function recentEvidence(
  { dated, present, clocks }: TemporalEvidence,
  asked: number,
  { publishedAt }: JudgeDocument,
): string | undefined {
  const window = { start: asked - recentSpan, end: asked + 86_400_000 };
  const written = publishedAt === undefined ? undefined : parseInstant(publishedAt, 'start');
  const fresh = written === undefined || (written >= window.start && written < window.end);
  if (present && fresh) return 'speaks of the present';
  const holding = clocks.find((clock) => overlaps(clock, { start: asked, end: asked + 1 }));
  return (
    dated.find(({ interval }) => overlaps(interval!, window))?.text ??
    (holding ? 'holds when asked' : undefined)
  );
}

function evidenceOf(
  question: JudgeQuestion,
  intent: IntentJudgement,
  periods: readonly string[],
  document: JudgeDocument,
): Required<RelevanceJudgement> {
  const { parsed } = readTemporalQuery(withoutBody(question));
  const evidence = temporalEvidence(document, parsed);
  if (!evidence) return { verdict: 0, periods: [], reason: 'not on the topic of the question' };
  const asked = parseAskedAt(question.askedAt);
  const windows = periodWindows(periods, question);
  const covered = periods.filter((name, at) => {
    const window = windows[at];
    if (!window) return mentionsPeriod(name, document);
    if (
      [...evidence.dated.map(({ interval }) => interval!), ...evidence.clocks].some((each) =>
        overlaps(each, window),
      )
    )
      return true;
    return (
      overlaps({ start: asked, end: asked + 1 }, window) &&
      recentEvidence(evidence, asked, document) !== undefined
    );
  });
  if (covered.length > 0)
    return { verdict: 1, periods: covered, reason: `covers ${covered.join(', ')}` };
  return {
    verdict: 0,
    periods: [],
    reason:
      evidence.dated.length > 0
        ? `no date of the periods, such as ${evidence.dated[0]!.text}`
        : 'no date',
  };
}

/** Whether a document contains all terms of a period without a date. */
function mentionsPeriod(period: string, { title = '', text }: JudgeDocument): boolean {
  const terms = termsOf(period);
  return terms.length > 0 && termCoverage(terms, stemsOf(`${title} ${text}`)) === 1;
}

/** The share of the best covered reference's content words in the answer. */
function coverageOf({ answer, references }: JudgeAnswer): ScoreJudgement {
  const answered = stemsOf(answer);
  const shares = references.map((reference) => {
    const terms = [...stemsOf(reference)];
    return terms.length === 0
      ? 0
      : terms.filter((term) => answered.has(term)).length / terms.length;
  });
  const best = shares.length === 0 ? 0 : Math.max(...shares);
  return {
    score: Math.round(100 * best),
    reason: `${Math.round(100 * best)}% of the reference's words`,
  };
}

/** Mean of the criteria except source authority, which rules cannot decide. */
function qualityOf({ question, plan, documents }: JudgeInstance): ScoreJudgement {
  const intent = intentOf(question);
  const cross = isCrossPeriod(question, intent.focus);
  const periods = cross ? periodsOf(question) : [];
  const judged = documents.map((each) =>
    cross
      ? evidenceOf(question, intent, periods, each)
      : { ...relevanceOf(question, intent, each), periods: [] },
  );
  const terms = documents.map(({ title = '', text }) => stemsOf(`${title} ${text}`));
  const all = new Set(terms.flatMap((each) => [...each]));
  const relevant = judged.filter(({ verdict }) => verdict === 1).length;
  const covered = new Set(judged.flatMap((each) => each.periods));
  const criteria: [string, number][] = [
    ['temporal relevance', documents.length === 0 ? 0 : relevant / documents.length],
    ['temporal coverage', cross ? covered.size / periods.length : Math.min(1, relevant)],
    [
      'completeness',
      documents.length === 0
        ? 0
        : termCoverage(topicOf(readTemporalQuery(withoutBody(question)).parsed).terms, all),
    ],
  ];
  if (plan.length > 0) {
    const steps = plan.map((step) =>
      Math.max(0, ...terms.map((each) => termCoverage(termsOf(step), each))),
    );
    criteria.push([
      'plan alignment',
      steps.reduce((sum, each) => sum + Math.min(1, 2 * each), 0) / plan.length,
    ]);
  }
  const mean = criteria.reduce((sum, [, share]) => sum + share, 0) / criteria.length;
  return {
    score: Math.round(100 * mean),
    reason: criteria.map(([name, share]) => `${name} ${Math.round(100 * share)}`).join(', '),
  };
}
