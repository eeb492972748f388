// Deterministic annotator: intent and signals by the query parser, periods by the judges' rules,
// classes by keywords, passages by the time tagger.
import { throwIfAborted, parseAskedAt, intervalIso } from 'asof/kit';
import { splitSentences, type Interval, type Mention, readTemporalQuery, tagText } from 'asof/time';
import type { JudgeDocument } from '../judges/judgement.js';
import { distinct, isCrossPeriod, periodsOf } from '../judges/periods.js';
import { intentOf } from '../judges/ruleJudge.js';
import { scopeGranularities, type PassageAnnotation, type QueryAnnotation } from './annotation.js';
import type { Annotator, AnnotatorQuery } from './annotator.js';
import type { AnnotatedClass } from './names.js';

/** The deterministic annotator. */
export function ruleAnnotator(): Annotator {
  return {
    id: 'rules',
    query: async (query, signal) => (throwIfAborted(signal), queryByRules(query)),
    passage: async (_, passage, signal) => (throwIfAborted(signal), passageByRules(passage)),
  };
}

/** Minimum confidence of a mention that counts as a date. */
const leastConfidence = 0.4;
const summaryWords = 50;

function queryByRules({ id, text }: AnnotatorQuery): QueryAnnotation {
  const { intent, signals } = readTemporalQuery({ text });
  const judged = intentOf({ id, text });
  const dates = tagText(text, {}).mentions.filter((each) => each.confidence >= leastConfidence);
  const anchored = dates.filter(({ interval }) => interval !== undefined);
  const anchors = distinct(
    anchored.flatMap(({ timexes }) => timexes.map(({ start, end }) => text.slice(start, end))),
  );
  const several = judged.temporal && isCrossPeriod({ id, text }, judged.focus);
  const events = eventsOf(text);
  return {
    isTemporal: judged.temporal,
    intent: judged.temporal ? intent : 'none',
    signals: distinct(signals.map((each) => each.text)),
    events,
    summary: summaryOf(text),
    primaryClass: judged.temporal ? classByWords(text, several) : '',
    secondaryClasses: [],
    reasoning: several ? 'Evidence is needed of each period.' : '',
    plan: several
      ? periodsOf({ id, text }).map((period, at) => ({
          step: at + 1,
          action: `Find evidence of: ${period}`,
          relevant: [],
        }))
      : [],
    anchors,
    granularity: coarsest(dates),
    checks: [],
  };
}

/**
 * Patterns of classes; the first match wins, properties of a thing (maker, age, truth) before its
 * change over time.
 */
const classWords: readonly [AnnotatedClass, RegExp][] = [
  [
    'historical_misinterpretation_or_reenactment',
    /\b(?:myth|legend|misconception|re-?enact\w*|tale|folklore)\b/i,
  ],
  [
    'event_verification_and_authenticity',
    /\b(?:did|was|were|is it|is there)\b[^?.]{0,80}\b(?:really|actually|true|evidence|authentic)\b|\b(?:verify|prove)\b/i,
  ],
  [
    'historical_attribution_and_context',
    /\bwho\s+(?:\w+\s+)?(?:first\b|invented|discovered|proposed|coined|introduced|wrote|founded)/i,
  ],
  [
    'materials_artifacts_and_provenance',
    /\b(?:how old is|date (?:this|the|a)|provenance|manuscript|artefact|artifact|watermark|coin|map|photograph|uniform|painting)\b/i,
  ],
  [
    'sources_methods_and_documentation',
    /\b(?:recorded|documented|method\w*|census\w*|archiv\w*|primary sources?|how (?:was|were)\b[^?]{0,60}\b(?:measured|counted))\b/i,
  ],
  [
    'causation_analysis',
    /\b(?:why did|what (?:caused|led)|led to|cause[sd]? of|reasons? (?:for|why|behind)|because of what)\b/i,
  ],
];

function classByWords(text: string, several: boolean): AnnotatedClass {
  // The first sentence is usually the question.
  const [first = text] = splitSentences(text).map(({ start, end }) => text.slice(start, end));
  const known = classWords.find(([, words]) => words.test(first));
  if (known) return known[0];
  if (/\b(?:evol\w+|origins?|develop(?:ed|ment)|come about|emerge\w*|history of)\b/i.test(first))
    return 'origins_evolution_comparative_analysis';
  if (several) return 'trends_changes_and_cross_period';
  const era =
    /\b(?:in|during|throughout|of) the (?:\w+ )?(?:\d{4}s|\w+ century|middle ages|era|period)\b|\bat the time\b/i;
  return era.test(first) && !/\bwhen\b/i.test(first)
    ? 'time_period_contextualization'
    : 'event_analysis_and_localization';
}

function summaryOf(text: string): string {
  const [first] = splitSentences(text);
  const words = (first ? text.slice(first.start, first.end) : text)
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.slice(0, summaryWords).join(' ');
}

const eventNouns =
  'Wars?|Battle|Treaty|Revolution|Act|Reform|Reformation|Election|Siege|Rebellion|Revolt|' +
  'Congress|Conference|Crisis|Coronation|Fire';
const ofWhat = String.raw`(?:\s+of\s+(?:the\s+)?[A-Z0-9][\w’'-]*(?:\s+[A-Z][\w’'-]+)?)?`;
const event = new RegExp(
  String.raw`\b(?:(?:[A-Z][\w’'-]+\s+){0,4}(?:${eventNouns})${ofWhat})(?![\w’'-])`,
  'g',
);

/** Named events, recognised by their nouns. */
const eventsOf = (text: string): string[] =>
  distinct(
    [...text.matchAll(event)].map(([found]) => found.replace(/\s+/g, ' ').replace(/^The\s/, '')),
  );

function passageByRules({ id, title, text, publishedAt }: JudgeDocument): PassageAnnotation {
  const whole = title === undefined ? text : `${title}. ${text}`;
  const mentions = tagText(
    whole,
    publishedAt === undefined ? {} : { reference: parseAskedAt(publishedAt) },
  ).mentions.filter((each) => each.confidence >= leastConfidence);
  const dated = mentions.filter(
    ({ interval }) => interval && Number.isFinite(interval.start) && Number.isFinite(interval.end),
  );
  const sure =
    mentions.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, mentions.length);
  return {
    document: id,
    signals: distinct(
      mentions.filter(({ relation }) => relation !== 'none').map((each) => each.text),
    ),
    events: eventsOf(whole),
    mentions: distinct(
      mentions.map(({ timexes, text: words, start }) =>
        timexes.length === 1
          ? words.slice(timexes[0]!.start - start, timexes[0]!.end - start)
          : words,
      ),
    ),
    scope: scopeOf(dated),
    tense: tenseOf(whole),
    confidence: Math.round(100 * sure) / 100,
  };
}

type ScopeGranularity = (typeof scopeGranularities)[number];
const yearSpan = 365.25 * 86_400_000;

/**
 * From the earliest to the latest date, at the coarsest granularity; multicentury beyond two
 * centuries.
 */
function scopeOf(dated: readonly Mention[]): PassageAnnotation['scope'] {
  if (dated.length === 0) return { start: '', end: '', granularity: 'unknown' };
  const intervals = dated.map(({ interval }) => interval!);
  const span: Interval = {
    start: Math.min(...intervals.map(({ start }) => start)),
    end: Math.max(...intervals.map(({ end }) => end)),
    granularity: 'day',
  };
  const granularity = span.end - span.start > 200 * yearSpan ? 'multicentury' : coarsest(dated);
  const { start_iso: start, end_iso: end } = intervalIso(span);
  const days =
    granularity === 'date' ? 0 : granularity === 'month' ? '-01'.length : '-01-01'.length;
  const iso = (full: string | null): string => (full ?? '').slice(0, (full ?? '').length - days);
  return { start: iso(start), end: iso(end), granularity };
}

const scopes: Readonly<Partial<Record<Interval['granularity'], ScopeGranularity>>> = {
  'part-of-month': 'month',
  month: 'month',
  'season-of-year': 'year',
  quarter: 'year',
  'half-year': 'year',
  'part-of-year': 'year',
  year: 'year',
  'part-of-decade': 'decade',
  decade: 'decade',
  'part-of-century': 'century',
  century: 'century',
  millennium: 'century',
};

/** The coarsest granularity of dates, in TEMPO's words. */
function coarsest(dates: readonly Mention[]): ScopeGranularity {
  const places = dates.flatMap(({ interval }) =>
    interval ? [scopeGranularities.indexOf(scopes[interval.granularity] ?? 'date')] : [],
  );
  return places.length === 0 ? 'unknown' : scopeGranularities[Math.max(...places)]!;
}

/**
 * The most frequent tense of the verbs; mixed unless twice as frequent as the next.
 */
function tenseOf(text: string): PassageAnnotation['tense'] {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const counts = [
    [
      'past',
      count(
        /\b(?:was|were|had|did|[a-z]{2,}ed|became|began|came|fell|gave|grew|held|kept|led|left|made|rose|sold|took|went|wrote)\b/g,
      ),
    ],
    [
      'present',
      count(
        /\b(?:is|are|has|have|does|do|may|can|remains?|stands?|shows?|asks?|serves?|now|today|currently)\b/g,
      ),
    ],
    ['future', count(/\b(?:will|shall|going to|is to|are to)\b/g)],
  ] as const;
  const [[first, most], [, next]] = [...counts].sort((a, b) => b[1] - a[1]) as [
    (typeof counts)[number],
    (typeof counts)[number],
  ];
  return most === 0 ? 'unknown' : next > 0 && most < 2 * next ? 'mixed' : first;
}
