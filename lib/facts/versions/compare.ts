// Comparison of two statements (Re3 section 3.4: same head and relation): whether a slot that holds
// a value differs while all others agree.
import { align, mostAlike, patternAlike, weigh, type Alignment, type Edit } from './align.js';
import { copulas, fillsRole, ofMany } from './officeHolders.js';
import {
  headOf,
  measuresDiffer,
  measuresOf,
  namesBody,
  namesExtreme,
  numbersName,
  tellsOfChange,
  tellsOfWeather,
} from './lexicon.js';
import type { Blocking } from './blocking.js';
import { endingsDiffer } from './modality.js';
import { comparable, sameQuantity } from './quantities.js';
import { compareRelations } from './relations.js';
import { compareStates } from './states.js';
import { sameSet, type SlotWords } from './slotWords.js';
import { compareSchedules, judgeTimes } from './statedTimes.js';
import { type Statement, type Token } from './statement.js';
import type { NameDifference, NamesApart, Surroundings } from './subject.js';

export interface ComparisonContext extends Surroundings {
  slotWords: SlotWords;
  meetings: Blocking;
  names: NamesApart;
}

/** `partly`: nothing differs of what can be compared, but not everything can. */
export type Verdict =
  | { kind: 'conflict'; older: string; newer: string }
  | { kind: 'same' | 'partly' | 'unrelated' };

const unrelated: Verdict = { kind: 'unrelated' };

/** How alike two sentences of one page are that may be two versions of one. */
const pageAlike = 0.45;
/** Below this two statements are not laid side by side at all. */
const leastAlike = 0.35;

/** Compares a statement with one published later. */
export function compare(older: Statement, newer: Statement, around: ComparisonContext): Verdict {
  const page = around.meetings.pageOf(older, newer);
  if (page === undefined) return unrelated;
  const told = compareRelations(older, newer, around);
  if (told) return { kind: 'conflict', ...told };
  const names = around.names.between(older, newer);
  if (page === 'untitled' && (asksFor(names, around) || ofOthers(older, newer, names)))
    return unrelated;
  const state =
    page === 'untitled' && names.older.size === 0 && names.newer.size === 0
      ? compareStates(older, newer)
      : undefined;
  if (state) return { kind: 'conflict', ...state };
  const least = page === 'same' ? pageAlike : patternAlike;
  const alignment =
    mostAlike(older, newer) >= (page === 'same' ? pageAlike : leastAlike)
      ? align(older, newer)
      : undefined;
  const revised = page === 'same' && alignment !== undefined && alignment.alike >= patternAlike;
  if (!revised && asksFor(names, around)) return unrelated;
  if (
    alignment &&
    (alignment.alike >= least || alikeButForHolder(older, newer, alignment) >= least)
  )
    return judgeAlike({ older, newer, page: page === 'same', names, alignment, around });
  return judgeApart(older, newer, page === 'same', names, around);
}

/** Names on both sides are other subjects, but where a holder of an office may stand. */
const ofOthers = (older: Statement, newer: Statement, names: NameDifference): boolean =>
  (names.older.size > 0 || names.newer.size > 0) && !(older.holding && newer.holding);

/**
 * How alike two statements are but for who holds an office in them: in a short sentence the
 * holder's name is half of the text.
 */
function alikeButForHolder(
  older: Statement,
  newer: Statement,
  { alike, weight, hunks }: Alignment,
): number {
  const holders = hunks.filter((hunk) => {
    const [mine, theirs] = [told(hunk.older), told(hunk.newer)];
    return (
      [mine, theirs].every(
        (tokens) => tokens.length > 0 && tokens.every(({ kind }) => kind === 'name'),
      ) &&
      fillsRole(older, mine) &&
      fillsRole(newer, theirs)
    );
  });
  if (holders.length !== 1) return 0;
  return (alike * weight) / (weight - weigh(holders[0]!.older) - weigh(holders[0]!.newer));
}

/**
 * A name that the question asks about, and that only one of them has, is what the two are told
 * apart by.
 */
const asksFor = ({ older, newer }: NameDifference, { asked }: Surroundings): boolean =>
  [...older, ...newer].some((name) => asked.names.has(name));

interface Pair {
  older: Statement;
  newer: Statement;
  page: boolean;
  names: NameDifference;
  alignment: Alignment;
  around: ComparisonContext;
}

type Difference = readonly [older: string, newer: string];

function judgeAlike(pair: Pair): Verdict {
  const { older, newer, page, names, alignment, around } = pair;
  if (!page && names.shared.size === 0 && sharedWords(older, newer) < 2) return unrelated;
  if (saysTheSame(older, newer)) return { kind: 'same' };
  if (page && ofOtherItems(pair)) return unrelated;
  if (page && losesCount(pair)) return unrelated;
  const found: Difference[] = [];
  const identifying: Difference[] = [];
  for (const [a, b] of alignment.slots) {
    if (!a.quantity || !b.quantity || sameQuantity(a.quantity, b.quantity, !page)) continue;
    if (!comparable(a.quantity, b.quantity)) return unrelated;
    (identifies(older, a, around) || identifies(newer, b, around) ? identifying : found).push([
      textOf(older, [a]),
      textOf(newer, [b]),
    ]);
  }
  // On one page a number that is part of a name is a value where nothing else differs.
  if (identifying.length > 0 && (!page || found.length > 0)) return unrelated;
  found.push(...identifying);
  // What was measured at another time of day is another fact.
  const clocks = alignment.slots.some(
    ([a, b]) => a.key === 'clock' && b.quantity && !sameQuantity(a.quantity!, b.quantity),
  );
  if (!page && clocks && found.length > 1) return unrelated;
  let added = false;
  let [holders, substitutions] = [0, 0];
  for (const hunk of alignment.hunks) {
    const judged = judgeHunk(pair, hunk, found.length > 0);
    if (judged === 'apart') return unrelated;
    if (judged === 'added') added = true;
    else if (judged !== 'none') found.push(judged);
    if (page || judged === 'none' || judged === 'added') continue;
    if (told(hunk.older).some(({ kind }) => kind === 'name')) holders += 1;
    else substitutions += 1;
  }
  // Another holder of another office.
  if (holders > 0 && substitutions > 0) return unrelated;
  if (!page && found.length === 0 && added) {
    const left = unmatchedQuantities(pair);
    if (left) found.push(left);
  }
  const times = judgeTimes(pair, found.length > 0);
  if (times === 'apart') return unrelated;
  if (times === 'value') {
    const [a, b] = [older, newer].map((each) =>
      textOf(
        each,
        each.tokens.filter(({ kind, issued }) => kind === 'time' && !issued),
      ),
    );
    return { kind: 'conflict', older: a!, newer: b! };
  }
  if (found.length > 0) return { kind: 'conflict', older: found[0]![0], newer: found[0]![1] };
  if (page && added) return { kind: 'conflict', older: older.text, newer: newer.text };
  return { kind: added ? 'partly' : 'same' };
}

/**
 * Whether only the older one has the number that is asked for: what says nothing of it does not
 * contradict it.
 */
function losesCount({ older, newer, alignment, around }: Pair): boolean {
  const differs = alignment.slots.some(
    ([a, b]) => a.quantity && b.quantity && !sameQuantity(a.quantity, b.quantity, false),
  );
  if (!around.asked.counts || differs) return false;
  const gone = alignment.hunks.flatMap((hunk) =>
    hunk.older.filter((token) => token.kind === 'quantity' && token.key !== 'ordinal'),
  );
  return gone.some((quantity) => {
    const at = older.tokens.indexOf(quantity);
    const counted = older.tokens
      .slice(at + 1, at + 3)
      .some(({ kind, key }) => kind === 'word' && around.asked.words.has(headOf(key)));
    return (
      counted &&
      !newer.tokens.some(
        (token) => token.quantity && comparable(token.quantity, quantity.quantity!),
      )
    );
  });
}

/**
 * Items of a page's list, each beginning with a name of its own, and sentences that share hardly
 * more than the page's name.
 */
function ofOtherItems({ older, newer, alignment, names }: Pair): boolean {
  const [one, other] = [older, newer].map(({ tokens }) =>
    tokens.find(({ kind }) => kind === 'word' || kind === 'name'),
  );
  const own = (first: Token | undefined, apart: ReadonlySet<string>): boolean =>
    first?.kind === 'name' && apart.has(first.key);
  if (own(one, names.older) && own(other, names.newer) && !(older.holding && newer.holding))
    return true;
  if (
    !(older.holding && newer.holding) &&
    ownSubject(older, names.older) &&
    ownSubject(newer, names.newer)
  )
    return true;
  const shared = [...older.words, ...older.names].filter(
    (key) => (newer.words.has(key) || newer.names.has(key)) && !older.titled.has(key),
  );
  return alignment.alike < patternAlike && shared.length < 2;
}

/**
 * Whether a statement's subject, what stands before its first "is" or "was", has a name that the
 * other statement lacks.
 */
function ownSubject({ tokens }: Statement, apart: ReadonlySet<string>): boolean {
  const verb = tokens.findIndex(
    ({ kind, key }) =>
      kind === 'small' && (key === 'was' || key === 'were' || key === 'is' || key === 'are'),
  );
  const before = tokens[verb - 1];
  return before?.kind === 'name' && apart.has(before.key) && tokens[verb + 1]?.key !== 'the';
}

/** The same words, names, quantities and times, in whatever order. */
const saysTheSame = (a: Statement, b: Statement): boolean => contentOf(a) === contentOf(b);

const contents = new WeakMap<Statement, string>();

function contentOf(statement: Statement): string {
  let found = contents.get(statement);
  if (found !== undefined) return found;
  found = statement.tokens
    .filter(({ kind, issued }) => kind !== 'small' && !issued)
    .map(({ kind, key, quantity, time }) =>
      quantity
        ? `${key} ${quantity.value}`
        : time
          ? `${time.start} ${time.end}`
          : kind === 'word'
            ? headOf(key)
            : key,
    )
    .sort()
    .join('|');
  contents.set(statement, found);
  return found;
}

const sharedWords = (a: Statement, b: Statement): number =>
  [...a.words].filter((word) => b.words.has(word)).length;

/**
 * What a hunk is: nothing, something that one of them adds, a value, or what tells the two apart.
 */
function judgeHunk(
  { older, newer, page, names, alignment, around }: Pair,
  hunk: Edit,
  differs: boolean,
): 'none' | 'added' | 'apart' | Difference {
  const [mine, theirs] = [told(hunk.older), told(hunk.newer)];
  const heads = (tokens: readonly Token[]): string[] =>
    tokens.map(({ key, kind }) => (kind === 'word' ? headOf(key) : key));
  const [own, others] = [new Set(heads(mine)), new Set(heads(theirs))];
  const left = mine.filter(
    (each, at) => !others.has(heads(mine)[at]!) && (page || !tellsOfChange(each.key)),
  );
  const right = theirs.filter(
    (each, at) => !own.has(heads(theirs)[at]!) && (page || !tellsOfChange(each.key)),
  );
  if (left.length === 0 && right.length === 0) return 'none';
  const difference: Difference = [textOf(older, mine), textOf(newer, theirs)];
  const negates = [...left, ...right].some(
    ({ key }) => key === 'no' || key === 'not' || key === 'former' || key === 'formerli',
  );
  if (page)
    return (left.length > 0 && right.length > 0) || negates
      ? difference
      : right.length > 0 || alignment.alike >= patternAlike
        ? 'added'
        : 'none';
  const named = [...left, ...right].filter(
    ({ kind, key }) => kind === 'name' && (names.older.has(key) || names.newer.has(key)),
  );
  if (named.length > 0) {
    const fills =
      (left.length === 0 || fillsRole(older, left)) &&
      (right.length === 0 || fillsRole(newer, right));
    const holds = fills && !ofMany(older) && !ofMany(newer);
    return holds && left.length > 0 && right.length > 0 && !endingsDiffer(older, newer)
      ? difference
      : 'apart';
  }
  if (left.length === 0 && (right.some(limits) || (differs && specifies(newer, right))))
    return 'apart';
  if (right.length === 0 && (left.some(limits) || (differs && specifies(older, left))))
    return 'apart';
  if (negates) return difference;
  const counted = (tokens: readonly Token[]): Token[] =>
    tokens.filter(({ kind }) => kind === 'quantity');
  const [[one, more], [other, further]] = [counted(left), counted(right)];
  if (one && other) {
    // "45 degrees" beside "47°F"
    if (
      more ||
      further ||
      left.length > 1 ||
      right.length > 1 ||
      !ofOneMeasure(older, one, newer, other)
    )
      return 'apart';
    return sameQuantity(one.quantity!, other.quantity!) ? 'none' : difference;
  }
  if (left.length === 0 || right.length === 0) return 'added';
  if (left.length > 3 || right.length > 3) return 'added';
  // "is open", "is closed"
  if (predicate(older, left) && predicate(newer, right)) return difference;
  const holders = fillsRole(older, left) && fillsRole(newer, right);
  if (
    (differs && places(older, left, newer, right)) ||
    (!holders && begins(older, left) && begins(newer, right))
  )
    return 'apart';
  const words = [...left, ...right];
  if (
    words.some(
      ({ key }) => around.asked.words.has(headOf(key)) || around.slotWords.tellsApart(headOf(key)),
    )
  )
    return 'apart';
  if (left.some((each) => labels(older, each)) || right.some((each) => labels(newer, each)))
    return 'apart';
  return difference;
}

/** "Under 18": a bound that only one of them has is of a part. */
const limits = ({ quantity }: Token): boolean => quantity?.bound !== undefined;

/**
 * "the Oru motorway is": a word behind a name makes another thing of it, but for what it is anyway.
 */
function specifies({ tokens }: Statement, [first]: readonly Token[]): boolean {
  const at = tokens.indexOf(first!);
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  return (
    before?.kind === 'name' &&
    first!.kind === 'word' &&
    next?.kind === 'small' &&
    subjectEnds.has(next.key) &&
    !namesBody(first!.key)
  );
}
const subjectEnds = new Set([
  'is',
  'was',
  'are',
  'were',
  'has',
  'have',
  'had',
  'will',
  'would',
  'should',
  'can',
  'now',
]);

const locating = new Set(['in', 'on', 'at', 'from', 'into', 'near', 'under', 'during', 'against']);

/**
 * Whether words stand behind "in", "at" or the like in both: beside quantities that differ they say
 * of what.
 */
function places(
  older: Statement,
  left: readonly Token[],
  newer: Statement,
  right: readonly Token[],
): boolean {
  return [[older, left] as const, [newer, right] as const].every(([{ tokens }, [first]]) => {
    const before = tokens
      .slice(Math.max(0, tokens.indexOf(first!) - 2), tokens.indexOf(first!))
      .reverse();
    const nearest = before.find(({ key }) => !articles.has(key));
    return nearest?.kind === 'small' && locating.has(nearest.key);
  });
}

const articles = new Set(['the', 'a', 'an']);

/** Whether words begin a statement: they are of its subject, but where they tell of the weather. */
function begins({ tokens }: Statement, [first]: readonly Token[]): boolean {
  const at = tokens.indexOf(first!);
  return (
    at <= 2 &&
    tokens.slice(0, at).every(({ kind }) => kind === 'small') &&
    !tellsOfWeather(first!.key)
  );
}

/** Quantities that lie at other places of two statements, one of a kind in each. */
function unmatchedQuantities({ older, newer, alignment }: Pair): Difference | undefined {
  const of = (tokens: readonly Token[]): Token[] =>
    tokens.filter(({ kind, key }) => kind === 'quantity' && key !== 'count' && key !== 'ordinal');
  const [left, right] = [
    alignment.hunks.flatMap((hunk) => of(hunk.older)),
    alignment.hunks.flatMap((hunk) => of(hunk.newer)),
  ];
  if (left.length !== 1 || right.length !== 1) return undefined;
  const [a, b] = [left[0]!, right[0]!];
  if (
    !comparable(a.quantity!, b.quantity!) ||
    sameQuantity(a.quantity!, b.quantity!) ||
    !alikeLabels(older, a, newer, b)
  )
    return undefined;
  return [textOf(older, [a]), textOf(newer, [b])];
}

/** Whether words stand right behind "is": they say in which state something is. */
function predicate({ tokens }: Statement, [first]: readonly Token[]): boolean {
  const before = tokens[tokens.indexOf(first!) - 1];
  return before?.kind === 'small' && copulas.has(before.key);
}

const told = (tokens: readonly Token[]): Token[] =>
  tokens.filter(
    ({ kind, issued, key }) =>
      !issued && kind !== 'time' && (kind !== 'small' || key === 'no' || key === 'not'),
  );

/**
 * Whether a word says what the quantity beside it counts: within two words of it, in its clause.
 */
function labels({ tokens }: Statement, word: Token): boolean {
  const at = tokens.indexOf(word);
  const beside = (step: 1 | -1): boolean => {
    let words = 0;
    for (
      let i = at + step;
      i >= 0 && i < tokens.length && tokens[i]!.clause === word.clause;
      i += step
    ) {
      if (tokens[i]!.kind === 'quantity') return true;
      if (tokens[i]!.kind === 'word' && (words += 1) > 1) return false;
      if (tokens[i]!.kind === 'name' || tokens[i]!.kind === 'time') return false;
    }
    return false;
  };
  return beside(1) || beside(-1);
}

/**
 * A number that is part of a name: behind "route", "no." or "aged", or an upper or lower bound of
 * such.
 */
function identifies(
  { tokens, text }: Statement,
  quantity: Token,
  { asked }: Surroundings,
): boolean {
  const { dimension } = quantity.quantity!;
  const at = tokens.indexOf(quantity);
  // "the 2nd round", but "ranked 2nd in"
  if (dimension === 'ordinal')
    return tokens[at + 1]?.kind === 'word' && tokens[at + 1]!.clause === quantity.clause;
  if (dimension !== 'count' && dimension !== 'range') return false;
  for (let i = at - 1; i >= Math.max(0, at - 3); i -= 1) {
    const { kind, key, clause, start, end } = tokens[i]!;
    if (clause !== quantity.clause) return false;
    if (kind === 'quantity' && key === 'count') continue;
    if (kind === 'small') continue;
    // "From which gate does it leave?" asks for the number, where it does not begin the statement.
    if (kind === 'word' && asked.sought.has(key) && i > 2) return false;
    const verb = /ed$/i.test(text.slice(start, end)); // "platform 3", but "numbered 90,584"
    return (
      (kind === 'word' && numbersName(key) && !verb) ||
      (kind === 'name' && i === at - 1 && quantity.start - end <= 1)
    );
  }
  return false;
}

/**
 * Two statements in other words: the same names and times, and a quantity or a word of one slot to
 * compare.
 */
function judgeApart(
  older: Statement,
  newer: Statement,
  page: boolean,
  names: NameDifference,
  around: ComparisonContext,
): Verdict {
  if (names.older.size > 0 || names.newer.size > 0) return unrelated;
  if (!page && names.shared.size === 0) return unrelated;
  const dates = page ? undefined : compareSchedules(older, newer, around);
  if (dates)
    return { kind: 'conflict', older: textOf(older, [dates[0]]), newer: textOf(newer, [dates[1]]) };
  if (!sameSet(older.times, newer.times)) return unrelated;
  if (
    older.times.size === 0 &&
    sharedWords(older, newer) < 0.6 * Math.min(older.words.size, newer.words.size)
  )
    return unrelated;
  const quantities = compareQuantities(older, newer);
  if (quantities === 'none') return unrelated;
  if (quantities !== 'same')
    return { kind: 'conflict', older: quantities[0], newer: quantities[1] };
  const slots = around.slotWords.slotsOf(newer);
  for (const [slot, words] of around.slotWords.slotsOf(older)) {
    const theirs = slots.get(slot);
    if (!theirs || [...words].some((word) => theirs.has(word))) continue;
    if (
      [...words, ...theirs].some(
        (word) => around.asked.words.has(word) || around.slotWords.tellsApart(word),
      )
    )
      return unrelated;
    return { kind: 'conflict', older: [...words].join(' '), newer: [...theirs].join(' ') };
  }
  return { kind: 'partly' };
}

/** What needs no word beside it to be compared. */
const selfExplaining = new Set(['temperature', 'degrees', 'clock']);

function compareQuantities(older: Statement, newer: Statement): 'none' | 'same' | Difference {
  const of = ({ tokens }: Statement): Token[] => tokens.filter(({ kind }) => kind === 'quantity');
  const [mine, theirs] = [of(older), of(newer)];
  const [few, many] =
    mine.length <= theirs.length ? ([mine, theirs] as const) : ([theirs, mine] as const);
  const [small, large] = few === mine ? [older, newer] : [newer, older];
  let compared = false;
  for (const a of few) {
    const rivals = many.filter((b) => ofOneMeasure(small, a, large, b));
    if (rivals.length === 0) continue;
    compared = true;
    if (rivals.some((b) => sameQuantity(a.quantity!, b.quantity!))) continue;
    const [one, other] = [textOf(small, [a]), textOf(large, [rivals[0]!])];
    return few === mine ? [one, other] : [other, one];
  }
  return compared ? 'same' : 'none';
}

function ofOneMeasure(a: Statement, x: Token, b: Statement, y: Token): boolean {
  if (comparable(x.quantity!, y.quantity!)) return alikeLabels(a, x, b, y);
  return fitsField(a, x, b, y) || fitsField(b, y, a, x);
}

/**
 * Whether one quantity is a field without a unit ("High 72, low 50") and the other one of that
 * measure has its unit.
 */
function fitsField(a: Statement, field: Token, b: Statement, other: Token): boolean {
  const name = field.key === 'count' ? fieldOf(a, field) : undefined;
  if (
    name === undefined ||
    other.key === 'count' ||
    other.key === 'ordinal' ||
    other.key === 'range' ||
    other.key === 'clock'
  )
    return false;
  const [mine, theirs] = [measuresOf([name], false), measuresOf(labelOf(b, other), false)];
  if (mine.size === 0 || measuresDiffer(mine, theirs)) return false;
  return (
    [...mine.keys()].some((family) => theirs.has(family)) ||
    (namesExtreme(name) && (other.key === 'temperature' || other.key === 'degrees'))
  );
}

/**
 * The word that a bare number stands behind, "High 72" or "low: 50", where it counts nothing that
 * follows.
 */
function fieldOf({ tokens, text }: Statement, field: Token): string | undefined {
  const at = tokens.indexOf(field);
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  if (before?.kind !== 'word' || !/^\s*[:=]?\s*$/.test(text.slice(before.end, field.start)))
    return undefined;
  return next?.clause === field.clause && next.kind !== 'small' ? undefined : before.key;
}

/**
 * Whether two quantities in differently worded statements can be of one measure: what stands in
 * their clauses.
 */
function alikeLabels(a: Statement, x: Token, b: Statement, y: Token): boolean {
  const [one, other] = [labelOf(a, x), labelOf(b, y)];
  if (measuresDiffer(measuresOf(one, true), measuresOf(other, true))) return false;
  if (selfExplaining.has(x.key)) return true;
  const heads = new Set([...other].map(headOf));
  return (
    [...one].some((stem) => heads.has(headOf(stem))) || near(x.quantity!.value, y.quantity!.value)
  );
}

/**
 * Two large figures for one name and one date that differ by little are hardly of two measures,
 * whatever they are called.
 */
const near = (a: number, b: number): boolean =>
  Math.min(a, b) >= 1000 && Math.abs(a - b) <= 0.15 * Math.max(a, b);

/** The words of a quantity's clause; of the whole statement, where it has one quantity only. */
function labelOf({ tokens, stems }: Statement, quantity: Token): ReadonlySet<string> {
  if (tokens.filter(({ kind }) => kind === 'quantity').length === 1) return stems;
  return new Set(
    tokens
      .filter(({ kind, clause }) => kind === 'word' && clause === quantity.clause)
      .map(({ key }) => key),
  );
}

function textOf({ text }: Statement, tokens: readonly Token[]): string {
  return tokens.length === 0 ? '' : text.slice(tokens[0]!.start, tokens.at(-1)!.end);
}
