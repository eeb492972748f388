// Words that make a date one of publication ("the forecast issued on", "reported by") rather than of what is told. Both
// the question's clock and the content clock of passages read them here, so that they agree.

const reportNoun = new RegExp(
  String.raw`\b(?:forecasts?|outlooks?|reports?|estimates?|figures?|counts?|numbers?|statements?|articles?|bulletins?|warnings?|` +
    String.raw`advisor(?:y|ies)|predictions?|projections?|data|news|updates?|revisions?|versions?|totals?)\b`,
  'i',
);
const published = /\b(?:published|issued|released|announced|posted|updated)(?: (?:on|at|in|by|as|late|early))?,?\s*$/i;
const reported = /\b(?:reported|known|predicted|projected|forecasted|(?:as|was|were|been) (?:stated|given)),?\s*$/i;

/** Whether the words right before an offset of `text` speak of issuing a report, in a text that speaks of one. */
export function publicationDates(text: string): (start: number) => boolean {
  let reports: boolean | undefined; // looked for once: a passage may have many dates
  return (start) => published.test(text.slice(Math.max(0, start - 24), start)) && (reports ??= reportNoun.test(text));
}

export const datesPublication = (text: string, start: number): boolean => publicationDates(text)(start);

/** Whether they speak of what was reported or known at a time, as questions do. */
export function datesKnowledge(text: string, start: number): boolean {
  return reported.test(text.slice(Math.max(0, start - 24), start));
}
