// Cross-period queries and their two periods as TEMPO's published code finds them: word lists
// matched as substrings, with their errors.
import { mustBe } from '../../errors.js';

/** Periods without a date, in the published code's words. */
export const currentPeriod = 'nowadays / current period';
export const laterPeriod = 'later / recent period';
export const earlierPeriod = 'historical baseline';

/** What a query's guidance in TEMPO's data says, as far as periods go. */
export interface TempoGuidance {
  temporal_reasoning_class_primary?: string | null;
  key_time_anchors?: readonly (string | number)[] | null;
}

/**
 * Written as substrings of the lower-case query: "since" in "since he was ill" counts, and "trend"
 * in "trendy".
 */
const changing = ['since', 'over the last', 'changed', 'trend'];
/** Substrings too: "now" in "know", "present" in "represents". */
const recent = [
  'now',
  'today',
  'currently',
  'recent',
  'lately',
  'as of',
  'up-to-date',
  'latest',
  'present',
];

/**
 * Whether the code measures coverage for a query: by its class, by the focus that a model gave it,
 * or by its words.
 */
export function crossPeriodByCode(
  query: string,
  guidance?: TempoGuidance | null,
  focus?: string,
): boolean {
  mustBe('a string', { query });
  if (
    guidance?.temporal_reasoning_class_primary === 'trends_changes_and_cross_period' ||
    focus === 'change_over_time'
  )
    return true;
  const lower = query.toLowerCase();
  return changing.some((word) => lower.includes(word));
}

/**
 * The baseline and comparison periods: the first two anchors of the guidance, else the first year
 * from 1900 to 2099 and a phrase.
 */
export function periodsByCode(
  query: string,
  guidance?: TempoGuidance | null,
): [baseline: string, comparison: string] {
  mustBe('a string', { query });
  const [first, second] = guidance?.key_time_anchors ?? [];
  if (first !== undefined && second !== undefined) return [String(first), String(second)];
  const lower = query.toLowerCase();
  return [
    /(?<![\p{L}\p{N}_])(?:19|20)\d{2}(?![\p{L}\p{N}_])/u.exec(query)?.[0] ?? earlierPeriod,
    recent.some((word) => lower.includes(word)) ? currentPeriod : laterPeriod,
  ];
}
