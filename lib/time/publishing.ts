// Words that make a date one of publication ("the forecast issued on", "reported by") rather than of what is told. Both
// the question's clock and the content clock of passages read them here, so that they agree.

const reportNoun =
  /\b(?:forecasts?|outlooks?|reports?|estimates?|figures?|counts?|numbers?|statements?|articles?|bulletins?|warnings?|advisor(?:y|ies)|predictions?|projections?|data|news|updates?|revisions?|versions?|totals?)\b/i;
const published = /\b(?:published|issued|released|announced|posted|updated)(?: (?:on|at|in|by|as|late|early))?,?\s*$/i;
const reported = /\b(?:reported|known|predicted|projected|forecasted|(?:as|was|were|been) (?:stated|given)),?\s*$/i;

/** Whether the words right before `start` speak of issuing a report, in a text that speaks of one. */
export function datesPublication(text: string, start: number): boolean {
  return published.test(text.slice(Math.max(0, start - 24), start)) && reportNoun.test(text);
}

/** Whether they speak of what was reported or known at a time, as questions do. */
export function datesKnowledge(text: string, start: number): boolean {
  return reported.test(text.slice(Math.max(0, start - 24), start));
}
