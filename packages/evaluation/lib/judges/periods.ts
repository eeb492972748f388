// Cross-period questions and their periods (TEMPO appendix C: P_Q and its anchors), by the
// published code's rules or, for the paper's definition, by the time tagger.
import { formatDay, parseQuestion, type Window, tagText } from 'asof/time';
import { parseAskedAt } from 'asof/kit';
import {
  crossPeriodByCode,
  currentPeriod,
  earlierPeriod,
  laterPeriod,
  periodsByCode,
  type TempoGuidance,
} from '../measures/tempoPeriods.js';
import { questionOf } from '../evaluate.js';
import type { TempoDefinition } from '../measures/temporal.js';
import type { JudgeQuestion, TemporalFocus } from './judgement.js';

/**
 * Words that compare states of a thing; "changes" as a noun alone does not ("what changes did he
 * make?").
 */
const change = new RegExp(
  String.raw`\b(?:changed|(?:has|have|had|did|does|do)\b[^?.]{1,80}\bchange|chang(?:e|es|ing) (?:over|since|between|from|through)|` +
    String.raw`(?:evol(?:ved?|ves|ving|ution)|trends?)|over (?:time|the (?:last|past|years|decades|centuries|course))|` +
    String.raw`through(?:out)? (?:the (?:years|ages|decades|centuries)|history)|compar(?:ed?|ing|ison) (?:to|with|of|between)|versus|vs\.?|` +
    String.raw`differ(?:s|ed|ent|ence|ences)? (?:from|between|to)|(?:grown?|grew|risen|rose|fallen|fell|declined?|increased?|decreased?) since|` +
    String.raw`then and now|still the same|used to)(?!\w)`,
  'i',
);

/** Comparing words, for questions with several dates. */
const comparing =
  /\b(?:compar\w+|differ\w*|contrast\w*|both|respectively|more|less|fewer|higher|lower|larger|smaller|than)\b/i;

/** Whether the text is about change over time. */
export const describesChange = (text: string): boolean => change.test(text);

/**
 * Whether a question needs evidence of several periods. Both definitions: by its class, or by a
 * focus on change over time. The code also matches the substrings "since", "over the last",
 * "changed" and "trend" ("since" of a cause, "trendy"); the paper's definition also accepts a date
 * with "since", two compared dates, and any three.
 */
export function isCrossPeriod(
  question: JudgeQuestion,
  focus: TemporalFocus,
  definition: TempoDefinition = 'paper',
): boolean {
  const { text, guidance } = question;
  if (definition === 'code') return crossPeriodByCode(text, codeGuidance(guidance), focus);
  if (crossPeriodByCode('', codeGuidance(guidance), focus) || describesChange(text)) return true;
  return (
    comparesDates(question) || questionDates(question).some(({ relation }) => relation === 'since')
  );
}

/** Whether a question names two dates and compares them, or three and more. */
export function comparesDates(question: JudgeQuestion): boolean {
  const named = distinct(questionDates(question).flatMap(({ periods }) => periods)).length;
  return named > 2 || (named === 2 && comparing.test(question.text));
}

/**
 * The required periods, as words; at least two. The code's definition: the first two anchors of the
 * guidance, else the first year from 1900 to 2099 and one of two fixed phrases. The paper's: the
 * anchors of the guidance if there are at least two, else the dates of the question, a single one
 * completed by the present or the time before.
 */
export function periodsOf(
  question: JudgeQuestion,
  definition: TempoDefinition = 'paper',
): string[] {
  const { text, guidance } = question;
  if (definition === 'code') return periodsByCode(text, codeGuidance(guidance));
  const anchors = distinct([...(guidance?.keyTimeAnchors ?? [])].map(String));
  if (anchors.length >= 2) return anchors;
  const dates = distinct([
    ...anchors,
    ...questionDates(question).flatMap(({ periods }) => periods),
  ]);
  if (dates.length >= 2) return dates;
  return [dates[0] ?? earlierPeriod, presentWord.test(text) ? currentPeriod : laterPeriod];
}

/** Words of a question that name its present. */
const presentWord =
  /\b(?:now(?:adays)?|today|current(?:ly)?|presently|present-day|at present|these days|recent(?:ly)?|lately|latest|as of)\b/i;

const codeGuidance = (guidance: JudgeQuestion['guidance']): TempoGuidance => ({
  ...(guidance?.reasoningClass === undefined
    ? {}
    : { temporal_reasoning_class_primary: guidance.reasoningClass }),
  ...(guidance?.keyTimeAnchors === undefined ? {} : { key_time_anchors: guidance.keyTimeAnchors }),
});

/** Distinct names, compared without case; the last spelling is kept. */
export const distinct = (names: readonly string[]): string[] => [
  ...new Map(names.map((name) => [name.trim().toLowerCase(), name.trim()])).values(),
];

/** An open end of a range: "until now". */
const untilNow = /\s+(?:to|until|till|and)\s+(?:now|today|the present(?: day)?)$/i;

/**
 * The dates of a question with their relations, each as the words of its periods: a range is two,
 * its ends.
 */
function questionDates(question: JudgeQuestion): { relation: string; periods: string[] }[] {
  const parsed = parseQuestion(questionOf(question));
  return parsed.constraints.flatMap(({ relation, interval, text: words }) => {
    if (words === undefined || interval === undefined) return [];
    const tagged = tagText(words, { reference: parsed.askedAt }).mentions;
    const ends = tagged.flatMap(({ timexes }) =>
      timexes.map(({ start, end }) => words.slice(start, end)),
    );
    return [
      {
        relation,
        periods: (ends.length > 0 ? ends : [words]).map((each) => each.replace(untilNow, '')),
      },
    ];
  });
}

/** Maximum age of "recent" and "nowadays" at the asking time, in days. */
const recentDays = 3 * 365.25;
const day = 86_400_000;
const presentPhrase =
  /\b(?:now(?:adays)?|current(?:ly)?|present|today|recent(?:ly)?|later|lately|latest)\b/i;

/**
 * The window of each period, half-open: its dates; the last years before `askedAt` for a present;
 * the time after the last dated period, else the last years, for "later"; everything earlier for a
 * past without a date. Undefined for other words ("the reign of the last king").
 */
export function periodWindows(
  periods: readonly string[],
  question: JudgeQuestion,
): (Window | undefined)[] {
  const asked = parseAskedAt(question.askedAt);
  const recent = { start: asked - recentDays * day, end: asked + day };
  const dated = periods.map((period) =>
    isUndatedPeriod(period) ? undefined : datedWindow(period, asked),
  );
  const ends = dated.flatMap((each) => (each ? [each.end] : []));
  return periods.map((period, at) => {
    if (dated[at]) return dated[at];
    if (period === earlierPeriod) return { start: -Infinity, end: recent.start };
    if (period === laterPeriod && ends.length > 0)
      return { start: Math.max(...ends), end: Math.max(asked, ...ends) + day };
    return isUndatedPeriod(period) ? recent : undefined;
  });
}

/** Whether a period has no date. */
const isUndatedPeriod = (period: string): boolean =>
  period === earlierPeriod || (presentPhrase.test(period) && !/\d/.test(period));

function datedWindow(period: string, asked: number): Window | undefined {
  const intervals = tagText(period, { reference: asked }).mentions.flatMap(({ interval }) =>
    interval ? [interval] : [],
  );
  if (intervals.length === 0) return undefined;
  return {
    start: Math.min(...intervals.map(({ start }) => start)),
    end: Math.max(...intervals.map(({ end }) => end)),
  };
}

/** A window as text; empty for an unbounded one. */
export function formatWindow(window: Window | undefined): string {
  if (!window || (window.start === -Infinity && window.end === Infinity)) return '';
  const last = formatDay(window.end - 1);
  return window.start === -Infinity ? `until ${last}` : `${formatDay(window.start)} to ${last}`;
}
