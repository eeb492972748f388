// The member or event that a question names as a neighbour ("the pope after X", "what followed
// 2.13"): statements about it, the window on the asked side of its time, and the statements that
// cannot answer since they are of the neighbour itself.
import { binding } from '../../binding.js';
import { missingOf, type Matches, type StatementMatch } from '../features/matches.js';
import type { SeriesQuestion } from '../question/question.js';
import type { StatedTime } from '../../statements/statements.js';
import type { Steps } from '../../runtime/eventLoop.js';
import type { Window } from '../../time/constraint.js';

export interface NeighbourTime {
  window: Window;
  /** Statements of the neighbour itself. */
  excluded: ReadonlySet<StatementMatch>;
}

interface Account {
  match: StatementMatch;
  score: number;
  times: readonly StatedTime[];
  /** Whether it is of the neighbour, rather than of another with a word of it. */
  isOwn: boolean;
  /** Whether its title names the neighbour. */
  isTitled: boolean;
}

/** Least share of the neighbour's words in a statement or its title. */
const leastHeld = 0.6;
/** Accounts are as good as the best up to this score. */
const sameNeighbour = 0.5;
/** Characters before a word in which it is compared with. */
const reach = 40;

/**
 * The window next to the neighbour's time; undefined where no statement has it. One that lasts is
 * followed in the unit of the calendar in which its last statement lies, and preceded in that of
 * its first; after a version or a number, that of its best statement is over.
 */
export function* neighbourTime(
  { operator, anchor }: SeriesQuestion,
  matches: Matches,
): Steps<NeighbourTime | undefined> {
  const { neighbour, time, window } = operator;
  if (!neighbour || time || anchor.length === 0) return undefined;
  // A statement of a member has the question's words, that of an event has its own.
  const isMember = neighbour.side === 'before' || neighbour.side === 'after';
  const all: Account[] = [];
  for (const [nth, held] of heldShares(anchor, matches).entries()) {
    yield;
    if (held < leastHeld) continue;
    const account = accountOf(matches.at(nth), held, { anchor, isMember, clock: operator.clock });
    if (account) all.push(account);
  }
  const accounts = all.some(({ isOwn }) => isOwn) ? all.filter(({ isOwn }) => isOwn) : all;
  if (accounts.length === 0) return undefined;
  const best = accounts.reduce((one, other) => (other.score > one.score ? other : one));
  const same = accounts.filter(({ score }) => score >= best.score - sameNeighbour);
  const isNumber = anchor.some(({ forms }) => /^\p{N}|-\d/u.test(forms[0]!));
  const next = adjacentWindow(neighbour.side, window, best.times[0]!, isNumber ? [] : same);
  const excluded = isMember ? ofNeighbour(matches, { accounts, same, isNumber }, next) : [];
  return { window: next, excluded: new Set(excluded) };
}

/** By match, the weighted share of the neighbour's words that its statement or its title has. */
function heldShares(anchor: SeriesQuestion['anchor'], { columns }: Matches): Float64Array {
  let end = 0;
  return binding.heldShares(
    columns.handle,
    anchor.flatMap(({ forms }) => forms),
    Uint32Array.from(anchor, ({ forms }) => (end += forms.length)),
    Float64Array.from(anchor, ({ weight }) => weight),
  );
}

/** The weighted share of the neighbour's words among others. */
function shareOf(anchor: SeriesQuestion['anchor'], words: Iterable<{ term: string }>): number {
  const held = new Set([...words].map(({ term }) => term));
  let [sum, total] = [0, 0];
  for (const { forms, weight } of anchor) {
    total += weight;
    if (forms.some((form) => held.has(form))) sum += weight;
  }
  return sum / total;
}

/**
 * By match, 1 of those of passages that do not name the question's neighbour, a member of its own
 * series: passages with its words are found by these. Empty where the question names none.
 */
export function exceptNeighbour(
  { operator: { neighbour }, anchor }: SeriesQuestion,
  matches: Matches,
): Uint8Array {
  const isMember = neighbour?.side === 'before' || neighbour?.side === 'after';
  if (!isMember || anchor.length === 0) return new Uint8Array();
  const { candidate } = matches.columns;
  const naming = new Set<number>();
  for (const [nth, held] of heldShares(anchor, matches).entries())
    if (held >= leastHeld) naming.add(candidate[nth]!);
  return Uint8Array.from(candidate, (each) => Number(!naming.has(each)));
}

function accountOf(
  match: StatementMatch,
  held: number,
  {
    anchor,
    isMember,
    clock,
  }: Pick<SeriesQuestion, 'anchor'> &
    Pick<SeriesQuestion['operator'], 'clock'> & { isMember: boolean },
): Account | undefined {
  const { statement, passage } = match;
  const terms = new Set(anchor.flatMap(({ forms }) => forms));
  const words = [...statement.words];
  const main = statement.times.filter(({ source }) => source === 'own');
  const { valid, published, titleTimes } = passage;
  const first =
    (clock === 'published' ? published : valid) ??
    main[0] ??
    statement.times[0] ??
    titleTimes[0] ??
    passage.statements.find(({ times }) => times.length > 0)?.times[0] ??
    published;
  if (!first) return undefined;
  // The subject of a sentence stands first: "Hoover was president from 1929 to 1933".
  const place = words.findIndex(({ term }) => terms.has(term));
  const isTitled = shareOf(anchor, passage.title) >= leastHeld;
  const isOwn =
    isTitled ||
    (place >= 0 &&
      !words.slice(0, place).some(({ term }) => match.values.has(term)) &&
      !binding.isComparison(passage.record.text.slice(0, words[place]!.start).slice(-reach)));
  const score =
    4 * held - (isMember ? missingOf(match) : 0) - Math.min(place < 0 ? 10 : place, 10) / 10;
  return { match, score, times: first === valid ? [valid] : [first, ...main], isOwn, isTitled };
}

function adjacentWindow(
  side: 'before' | 'after' | 'at' | 'since' | 'until',
  window: Window,
  { start, end, range }: StatedTime,
  lasting: readonly Account[],
): Window {
  const times = lasting
    .flatMap((each) => each.times)
    .filter((each) => Number.isFinite(each.start) && Number.isFinite(each.end));
  const over = range ? start + 1 : end;
  switch (side) {
    case 'after': {
      const from = Math.max(...times.map((each) => (each.range ? each.end - 1 : each.start)));
      return { start: times.length > 0 ? from : over, end: window.end };
    }
    case 'before': {
      const until = Math.min(...times.map((each) => (each.range ? each.start + 1 : each.end)));
      return { start: window.start, end: times.length > 0 ? until : start };
    }
    case 'since':
      return { start: over, end: window.end };
    case 'until':
      return { start: window.start, end: start };
    case 'at':
      return { start: -Infinity, end };
  }
}

/**
 * Statements of the neighbour alone: of a number all that state it, and the passages of its best
 * accounts; of a name those that name nothing else and passages under it; but for those that tell
 * of another time in the window.
 */
function ofNeighbour(
  matches: Matches,
  { accounts, same, isNumber }: Record<'accounts' | 'same', Account[]> & { isNumber: boolean },
  { start, end }: Window,
): Set<StatementMatch> {
  const stating = (isNumber ? accounts : same).filter(
    ({ match, isOwn }) => isOwn && (isNumber || match.values.size === 0),
  );
  const own = new Set(stating.map(({ match }) => match));
  const passages = new Set(
    same
      .filter(({ isOwn, isTitled }) => isTitled || (isOwn && isNumber))
      .map(({ match }) => match.passage),
  );
  return new Set(
    [...matches].filter((match) => {
      if (own.has(match)) return true;
      const { passage, statement } = match;
      const isOfOther = statement.times.some(
        (time) => time.source === 'own' && time.start >= start && time.start < end,
      );
      return passages.has(passage) && (statement.whole || statement.isTitle || !isOfOther);
    }),
  );
}
