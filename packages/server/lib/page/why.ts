// Why a passage ranks where it does, and what the question asks of time, in sentences.
import type { ConstraintRecord, ResultRecord } from '../http/pageData.js';
import { askedWords, dateWords, dayWords, distanceWords, placeWords } from './dates.js';
import { askedAtOf, showsLater, windowOf, type Row } from './rows.js';
import { saidScores, scoreSaid } from './scoreWords.js';

/** How good it is, and a few short clauses why. */
export function whyOf(row: Row, result: ResultRecord): [standing: string, clauses: string[]] {
  const { evidence, published, dates } = row;
  const askedAt = askedAtOf(result);
  const window = windowOf(result);
  const [first] = dates;
  const zone = evidence?.time_zone;
  const clauses = [
    ...(evidence ? saidScores(evidence.scores) : []),
    ...(published === undefined ? [] : [publicationWords(published, askedAt)]),
    ...(first && window && result.constraint.clock === 'content'
      ? [`its date ${dateWords(first, zone)} ${placeWords(first, window)}`]
      : []),
  ];
  return [evidence ? scoreSaid(evidence, result) : '', clauses];
}

export function publicationWords(published: number, askedAt: number): string {
  const distance = distanceWords(askedAt - published);
  return published > askedAt
    ? `published ${distance} after the question`
    : `published ${distance} before the question`;
}

const conditions: Readonly<Record<string, string>> = {
  first: 'the first',
  earliest: 'the earliest',
  last: 'the last',
  latest: 'the latest',
};

const clocks: Readonly<Record<string, string>> = {
  content: 'the dates that passages speak of',
  published: 'publication',
  validity: 'validity',
};

/** "“as of 6 May 2021”: times until 6 May 2021 satisfy it, by ...". */
export function constraintWords(result: ResultRecord): string {
  const { constraint, resolved } = result;
  const asked = askedWords(askedAtOf(result), result.time_zone);
  const event = resolved
    ? `“${resolved.phrase}” was ${range(resolved.start, resolved.end)}, by passage ` +
      `${resolved.passage}. `
    : '';
  const order = conditions[constraint.condition];
  const chosen = order === undefined ? '' : ` Of several, ${order} counts.`;
  const window = windowWords(constraint);
  const used = showsLater(result)
    ? `This system does not hide passages published after ${asked}.`
    : `Nothing published after ${asked} is used.`;
  if (window === undefined)
    return `${event}The question names no time: what holds on ${asked} counts.${chosen} ${used}`;
  const words = constraint.constraint_text;
  const by = clocks[constraint.clock] ?? constraint.clock;
  return (
    `${event}${words === null ? 'The question' : `“${words}”`} asks for ${window}, ` +
    `by ${by}.${chosen} ${used}`
  );
}

function windowWords(constraint: ConstraintRecord): string | undefined {
  const { window_start: from, window_end: to, start_iso: start, end_iso: end } = constraint;
  if (from === null && to === null) {
    if (start === null && end === null) return undefined;
    return `times around ${range(start, end)}`;
  }
  if (constraint.relation === 'as of' && to !== null) return `what held on ${dayWords(to)}`;
  return from === to && from !== null ? dayWords(from) : `times ${range(from, to)}`;
}

function range(from: string | null, to: string | null): string {
  if (from === null) return to === null ? 'of any date' : `until ${dayWords(to)}`;
  if (to === null) return `from ${dayWords(from)}`;
  return from === to ? dayWords(from) : `from ${dayWords(from)} to ${dayWords(to)}`;
}
