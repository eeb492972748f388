// Relation of the content times of two statements: different days are different facts, unless the
// day is the value, or the state is as of a day.
import { patternAlike, type Alignment } from './align.js';
import { headOf, schedules, sideOfSchedule } from './lexicon.js';
import { sameQuantity } from './quantities.js';
import { sameSet } from './slotWords.js';
import type { Statement, Token } from './statement.js';
import type { Surroundings } from './subject.js';

export interface TimedPair {
  older: Statement;
  newer: Statement;
  page: boolean;
  alignment: Alignment;
  around: Surroundings;
}

/**
 * Other days are other facts, but where a statement tells as of when it holds or for when something
 * is planned.
 */
export function ofOtherTimes(older: Statement, newer: Statement): boolean {
  if (older.scheduling && newer.scheduling) return false;
  return lacks(newer.times, older.firmTimes) || lacks(older.times, newer.firmTimes);
}

function lacks(times: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const each of others) if (!times.has(each)) return true;
  return false;
}

/** The times that only the first of two statements tells of. */
const timesApart = ({ tokens }: Statement, other: Statement): Token[] =>
  tokens.filter(
    ({ kind, issued, time }) =>
      kind === 'time' && !issued && !other.times.has(`${time!.start} ${time!.end}`),
  );

/** How the times of two statements that are alike stand to each other. */
export function judgeTimes(pair: TimedPair, differs: boolean): 'agree' | 'value' | 'apart' {
  const { older, newer, page, around, alignment } = pair;
  if (sameSet(older.times, newer.times)) return 'agree';
  const [mine, theirs] = [timesApart(older, newer), timesApart(newer, older)];
  const all = [...mine, ...theirs];
  const asOf = all.every((each) => each.asOf);
  const advances = latestOf(theirs) > latestOf(mine);
  if (asOf && advances && (around.ofNow || page)) return 'agree';
  if (page) {
    const valueOnPage = alignment.alike >= patternAlike ? 'value' : 'apart';
    // A yearly figure is the page's newest one; what happened in one year stands beside what
    // happened in another.
    const figure = alignment.slots.some(
      ([a, b]) => a.quantity && b.quantity && !sameQuantity(a.quantity, b.quantity, false),
    );
    const fresh =
      latestOf(mine) + yearLength >= older.publishedAt! &&
      latestOf(theirs) + yearLength >= newer.publishedAt!;
    const coarse = all.every(({ time }) => time!.granularity !== 'day') && (figure || fresh);
    // A sentence that a page tells anew of a later time, when the earlier one was past.
    const retold =
      fresh && advances && alignment.alike >= patternAlike && latestOf(mine) <= newer.publishedAt!;
    if (around.ofNow && (coarse || retold || !differs)) return differs ? 'agree' : valueOnPage;
    if (corrected(pair)) return differs ? 'agree' : 'value';
    if (mine.length === 0 || theirs.length === 0) return 'agree';
    return differs ? 'apart' : valueOnPage;
  }
  if (mine.length === 0 || theirs.length === 0) return asOf ? 'agree' : 'apart';
  const scheduled =
    !differs &&
    all.length === 2 &&
    alignment.alike > 0.8 &&
    plansADate(older, around) &&
    plansADate(newer, around) &&
    [older, newer].every((each, side) => behindSchedule(each, [mine, theirs][side]![0]!));
  return scheduled ? 'value' : 'apart';
}

const latestOf = (times: readonly Token[]): number =>
  Math.max(-Infinity, ...times.map(({ time }) => time!.end));

const yearLength = 365 * 86_400_000;

/**
 * A date long past behind the same word, "born 3 May 1950" and "born 5 May 1950": one of the two is
 * mistaken.
 */
function corrected({ older, newer, alignment }: TimedPair): boolean {
  const before = ({ tokens }: Statement, token: Token): Token | undefined =>
    tokens
      .slice(0, tokens.indexOf(token))
      .reverse()
      .find(({ kind }) => kind !== 'small');
  return alignment.slots.some(([a, b]) => {
    if (!a.time || !b.time || a.issued || b.issued || a.time.start === b.time.start) return false;
    const [one, other] = [before(older, a), before(newer, b)];
    return (
      one?.kind === 'word' &&
      one.key === other?.key &&
      [a, b].every(({ time }) => time!.end + yearLength < older.publishedAt!)
    );
  });
}

/** "is scheduled for 3 March": the date is what is told. */
function behindSchedule({ tokens }: Statement, time: Token): boolean {
  const at = tokens.indexOf(time);
  return tokens
    .slice(Math.max(0, at - 4), at)
    .some(({ kind, key, clause }) => kind === 'word' && clause === time.clause && schedules(key));
}

/** What a statement measures it measures of its day: no date of a forecast is planned. */
const plansADate = ({ tokens, times }: Statement, { asked }: Surroundings): boolean =>
  !tokens.some(({ kind, key }) => kind === 'quantity' && key !== 'clock') &&
  ![...times].some((time) => asked.times.has(time));

/**
 * The dates of two statements that plan one thing in other words: one date each, and no word of
 * another thing or of another end of it.
 */
export function compareSchedules(
  older: Statement,
  newer: Statement,
  around: Surroundings,
): readonly [Token, Token] | undefined {
  if (
    !older.scheduling ||
    !newer.scheduling ||
    !plansADate(older, around) ||
    !plansADate(newer, around)
  )
    return undefined;
  const of = ({ tokens }: Statement): Token[] =>
    tokens.filter(({ kind, issued, asOf }) => kind === 'time' && !issued && !asOf);
  const [mine, theirs] = [of(older), of(newer)];
  if (mine.length !== 1 || theirs.length !== 1) return undefined;
  const [a, b] = [mine[0]!, theirs[0]!];
  if (a.time!.start < b.time!.end && b.time!.start < a.time!.end) return undefined;
  const sides = ({ stems }: Statement): Set<string> =>
    new Set([...stems].flatMap((stem) => sideOfSchedule(stem) ?? []));
  const [one, other] = [sides(older), sides(newer)];
  if (one.size > 0 && other.size > 0 && ![...one].some((side) => other.has(side))) return undefined;
  const rest = ({ stems }: Statement): Set<string> =>
    new Set([...stems].filter((stem) => !schedules(stem)).map(headOf));
  const [left, right] = [rest(older), rest(newer)];
  const within = (few: ReadonlySet<string>, many: ReadonlySet<string>): boolean =>
    [...few].every((word) => many.has(word));
  return within(left, right) || within(right, left) ? [a, b] : undefined;
}
