// Cross-period queries and their two periods by the rules of TEMPO's published code: word lists
// matched as substrings, including their false matches.

/** Names of periods without a date, as in the published code. */
export const currentPeriod = 'nowadays / current period';
export const laterPeriod = 'later / recent period';
export const earlierPeriod = 'historical baseline';

/** The fields of a query's guidance in TEMPO's data that concern periods. */
export interface TempoGuidance {
  temporal_reasoning_class_primary?: string | null;
  key_time_anchors?: readonly (string | number)[] | null;
}

/**
 * Substrings of the lower-case query: "since he was ill" and "trendy" match too.
 */
const changing = ['since', 'over the last', 'changed', 'trend'];
/** Substrings of the lower-case query: "know" and "represents" match too. */
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
 * Whether the code measures coverage for a query: by its class, its judged focus or its words.
 */
export function crossPeriodByCode(
  query: string,
  guidance?: TempoGuidance | null,
  focus?: string,
): boolean {
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
  const [first, second] = guidance?.key_time_anchors ?? [];
  if (first !== undefined && second !== undefined) return [String(first), String(second)];
  const lower = query.toLowerCase();
  return [
    /(?<![\p{L}\p{N}_])(?:19|20)\d{2}(?![\p{L}\p{N}_])/u.exec(query)?.[0] ?? earlierPeriod,
    recent.some((word) => lower.includes(word)) ? currentPeriod : laterPeriod,
  ];
}
