// The window of a question that bounds its answer by a neighbour in the series or by an event: from
// the times of the statements about it.
import { missingOf, type StatementMatch } from '../features/features.js';
import type { Order } from './order.js';
import type { SeriesQuestion } from '../question/question.js';
import type { StatedTime } from '../statements/statements.js';

/** Accounts of a neighbour are as good as the best up to this score. */
const sameNeighbour = 0.5;

/**
 * The window next to the time of the neighbour that a question names: "the pope after X". One that
 * lasts is followed in the unit of the calendar in which its last statement lies, and preceded in
 * that of its first; after a version or a number, that of its best statement is over.
 */
export function neighbourWindow(
  { operator, anchor }: SeriesQuestion,
  matches: readonly StatementMatch[],
): Order {
  const { neighbour, time, window } = operator;
  if (!neighbour || time || anchor.length === 0) return operator;
  const anchorTerms = new Set(anchor.map(({ term }) => term));
  const total = anchor.reduce((sum, { weight }) => sum + weight, 0);
  // A statement of a member has the question's words, that of an event has its own.
  const isMember = neighbour.side === 'before' || neighbour.side === 'after';
  const accounts: { score: number; times: readonly StatedTime[] }[] = [];
  for (const match of matches) {
    const { statement, passage } = match;
    const words = [...statement.words];
    const terms = new Set([...words, ...passage.title].map(({ term }) => term));
    const held = anchor.reduce((sum, { term, weight }) => sum + (terms.has(term) ? weight : 0), 0);
    const first = statement.times[0] ?? passage.titleTimes[0] ?? passage.published;
    if (held < 0.6 * total || !first) continue;
    // The subject of a sentence stands first: "Hoover was president from 1929 to 1933".
    const place = words.findIndex(({ term }) => anchorTerms.has(term));
    const score =
      (4 * held) / total -
      (isMember ? missingOf(match) : 0) -
      Math.min(place < 0 ? 10 : place, 10) / 10;
    const main = statement.times.filter(({ source }) => source === 'own');
    accounts.push({ score, times: [first, ...main] });
  }
  if (accounts.length === 0) return operator;
  const best = accounts.reduce((one, other) => (other.score > one.score ? other : one));
  const [{ start, end, range }] = best.times as [StatedTime];
  const times = accounts
    .filter(({ score }) => score >= best.score - sameNeighbour)
    .flatMap((each) => each.times)
    .filter((each) => Number.isFinite(each.start) && Number.isFinite(each.end));
  const over = range ? start + 1 : end;
  const isLasting = times.length > 0 && !anchor.some(({ term }) => /^\p{N}/u.test(term));
  switch (neighbour.side) {
    case 'after': {
      const from = Math.max(...times.map((each) => (each.range ? each.end - 1 : each.start)));
      return { ...operator, window: { start: isLasting ? from : over, end: window.end } };
    }
    case 'before': {
      const until = Math.min(...times.map((each) => (each.range ? each.start + 1 : each.end)));
      return { ...operator, window: { start: window.start, end: isLasting ? until : start } };
    }
    case 'since':
      return { ...operator, window: { start: over, end: window.end } };
    case 'until':
      return { ...operator, window: { start: window.start, end: start } };
    case 'at':
      return { ...operator, window: { start: -Infinity, end } };
  }
}
