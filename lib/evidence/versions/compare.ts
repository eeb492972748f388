// Whether two statements give different values for the same thing (Re3 section 3.4: the same head and relation): the slots that must agree
// agree, and one that holds a value differs. What only looks alike (another day, city, player or measure) is unrelated. Which of the two
// is in force is not its question.
import { align, mostAlike, weigh, type Alignment, type Hunk } from './align.js';
import { headOf, measuresDiffer, measuresOf, namesRole, numbersName, schedules, tellsOfHolding } from './lexicon.js';
import { comparable, sameQuantity } from './quantities.js';
import { sameSet, type SlotWords } from './slotWords.js';
import { stemOf, type Statement, type Token } from './statement.js';
import { nameDifference, pageOf, type NameDifference, type Surroundings } from './subject.js';

export interface Around extends Surroundings {
  slotWords: SlotWords;
}

/** `partly`: nothing differs of what can be compared, but not everything can. */
export type Verdict = { kind: 'conflict'; older: string; newer: string } | { kind: 'same' | 'partly' | 'unrelated' };

const unrelated: Verdict = { kind: 'unrelated' };

/** How alike two statements are that one sentence pattern could have made; on one page, that may be two versions of one sentence. */
export const patternAlike = 0.7;
const pageAlike = 0.45;
/** Below this two statements are not laid side by side at all. */
const leastAlike = 0.35;

/** Compares a statement with one published later. */
export function compare(older: Statement, newer: Statement, around: Around): Verdict {
  const page = pageOf(older, newer);
  if (page === 'other' || (page === 'untitled' && ofOtherTimes(older, newer))) return unrelated;
  if (page === 'same' ? measuresDiffer(older.measures, newer.measures) : measuresDiffer(older.kinds, newer.kinds)) return unrelated;
  const names = nameDifference(older, newer, around);
  if (page === 'untitled' && (asksFor(names, around) || ofOthers(older, newer, names))) return unrelated;
  const least = page === 'same' ? pageAlike : patternAlike;
  const alignment = mostAlike(older, newer) >= (page === 'same' ? pageAlike : leastAlike) ? align(older, newer) : undefined;
  const revised = page === 'same' && alignment !== undefined && alignment.alike >= patternAlike;
  if (!revised && asksFor(names, around)) return unrelated;
  if (alignment && (alignment.alike >= least || alikeButForHolder(older, newer, alignment) >= least))
    return judgeAlike({ older, newer, page: page === 'same', names, alignment, around });
  return judgeApart(older, newer, page === 'same', names, around);
}

/** Other days are other facts, but where a statement tells as of when it holds or for when something is planned. */
function ofOtherTimes(older: Statement, newer: Statement): boolean {
  if (sameSet(older.times, newer.times) || (older.scheduling && newer.scheduling)) return false;
  return [...timesApart(older, newer), ...timesApart(newer, older)].some(({ asOf }) => !asOf);
}

/** The times that only the first of two statements tells of. */
const timesApart = ({ tokens }: Statement, other: Statement): Token[] =>
  tokens.filter(({ kind, issued, time }) => kind === 'time' && !issued && !other.times.has(`${time!.start} ${time!.end}`));

/** Names on both sides are other subjects, but where a holder of an office may stand. */
const ofOthers = (older: Statement, newer: Statement, names: NameDifference): boolean =>
  (names.older.size > 0 || names.newer.size > 0) && !(older.holding && newer.holding);

/** How alike two statements are but for who holds an office in them: in a short sentence the holder's name is half of the text. */
function alikeButForHolder(older: Statement, newer: Statement, { alike, weight, hunks }: Alignment): number {
  const holders = hunks.filter((hunk) => {
    const [mine, theirs] = [told(hunk.older), told(hunk.newer)];
    return (
      [mine, theirs].every((tokens) => tokens.length > 0 && tokens.every(({ kind }) => kind === 'name')) &&
      fillsRole(older, mine) &&
      fillsRole(newer, theirs)
    );
  });
  if (holders.length !== 1) return 0;
  return (alike * weight) / (weight - weigh(holders[0]!.older) - weigh(holders[0]!.newer));
}

/** A name that the question asks about, and that only one of them has, is what the two are told apart by. */
const asksFor = ({ older, newer }: NameDifference, { asked }: Surroundings): boolean =>
  [...older, ...newer].some((name) => asked.names.has(name));

interface Pair {
  older: Statement;
  newer: Statement;
  page: boolean;
  names: NameDifference;
  alignment: Alignment;
  around: Around;
}

type Difference = readonly [older: string, newer: string];

function judgeAlike(pair: Pair): Verdict {
  const { older, newer, page, names, alignment } = pair;
  if (!page && names.shared.size === 0 && sharedWords(older, newer) < 2) return unrelated;
  if (saysTheSame(older, newer)) return { kind: 'same' };
  if (page && ofOtherItems(pair)) return unrelated;
  const found: Difference[] = [];
  const identifying: Difference[] = [];
  for (const [a, b] of alignment.slots) {
    if (!a.quantity || !b.quantity || sameQuantity(a.quantity, b.quantity)) continue;
    (identifies(older, a) || identifies(newer, b) ? identifying : found).push([textOf(older, [a]), textOf(newer, [b])]);
  }
  // On one page a number that is part of a name is a value where nothing else differs.
  if (identifying.length > 0 && (!page || found.length > 0)) return unrelated;
  found.push(...identifying);
  let added = false;
  for (const hunk of alignment.hunks) {
    const judged = judgeHunk(pair, hunk);
    if (judged === 'apart') return unrelated;
    if (judged === 'added') added = true;
    else if (judged !== 'none') found.push(judged);
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

/** Items of a page's list, each beginning with a name of its own, and sentences that share hardly more than the page's name. */
function ofOtherItems({ older, newer, alignment, names }: Pair): boolean {
  const [one, other] = [older, newer].map(({ tokens }) => tokens.find(({ kind }) => kind === 'word' || kind === 'name'));
  const own = (first: Token | undefined, apart: ReadonlySet<string>): boolean => first?.kind === 'name' && apart.has(first.key);
  if (own(one, names.older) && own(other, names.newer) && !(older.holding && newer.holding)) return true;
  const shared = [...older.words, ...older.names].filter((key) => (newer.words.has(key) || newer.names.has(key)) && !older.titled.has(key));
  return alignment.alike < patternAlike && shared.length < 2;
}

/** The same words, names, quantities and times, in whatever order. */
function saysTheSame(a: Statement, b: Statement): boolean {
  const keys = ({ tokens }: Statement): string =>
    tokens
      .filter(({ kind, issued }) => kind !== 'small' && !issued)
      .map(({ kind, key, quantity, time }) =>
        quantity ? `${key} ${quantity.value}` : time ? `${time.start} ${time.end}` : kind === 'word' ? headOf(key) : key,
      )
      .sort()
      .join('|');
  return keys(a) === keys(b);
}

const sharedWords = (a: Statement, b: Statement): number => [...a.words].filter((word) => b.words.has(word)).length;

/** What a hunk is: nothing, something that one of them adds, a value, or what tells the two apart. */
function judgeHunk({ older, newer, page, names, alignment, around }: Pair, hunk: Hunk): 'none' | 'added' | 'apart' | Difference {
  const [mine, theirs] = [told(hunk.older), told(hunk.newer)];
  const heads = (tokens: readonly Token[]): string[] => tokens.map(({ key, kind }) => (kind === 'word' ? headOf(key) : key));
  const [own, others] = [new Set(heads(mine)), new Set(heads(theirs))];
  const left = mine.filter((each, at) => !others.has(heads(mine)[at]!));
  const right = theirs.filter((each, at) => !own.has(heads(theirs)[at]!));
  if (left.length === 0 && right.length === 0) return 'none';
  const difference: Difference = [textOf(older, mine), textOf(newer, theirs)];
  const negates = [...left, ...right].some(({ key }) => key === 'no' || key === 'not' || key === 'former' || key === 'formerli');
  if (page)
    return (left.length > 0 && right.length > 0) || negates
      ? difference
      : right.length > 0 || alignment.alike >= patternAlike
        ? 'added'
        : 'none';
  const named = [...left, ...right].filter(({ kind, key }) => kind === 'name' && (names.older.has(key) || names.newer.has(key)));
  if (named.length > 0) {
    const holds = (left.length === 0 || fillsRole(older, left)) && (right.length === 0 || fillsRole(newer, right));
    return holds && left.length > 0 && right.length > 0 ? difference : 'apart';
  }
  if (negates) return difference;
  const counted = (tokens: readonly Token[]): boolean => tokens.some(({ kind }) => kind === 'quantity');
  if (counted(left) && counted(right)) return 'apart';
  if (left.length === 0 || right.length === 0) return 'added';
  if (left.length > 3 || right.length > 3) return 'added';
  if (predicate(older, left) && predicate(newer, right)) return difference; // "is open", "is closed"
  const words = [...left, ...right];
  if (words.some(({ key }) => around.asked.words.has(headOf(key)) || around.slotWords.tellsApart(headOf(key)))) return 'apart';
  if (left.some((each) => labels(older, each)) || right.some((each) => labels(newer, each))) return 'apart';
  return difference;
}

/** Whether words stand right behind "is": they say in which state something is. */
function predicate({ tokens }: Statement, [first]: readonly Token[]): boolean {
  const before = tokens[tokens.indexOf(first!) - 1];
  return before?.kind === 'small' && copulas.has(before.key);
}

const told = (tokens: readonly Token[]): Token[] =>
  tokens.filter(({ kind, issued, key }) => !issued && kind !== 'time' && (kind !== 'small' || key === 'no' || key === 'not'));

/** Whether a word says what the quantity beside it counts: within two words of it, in its clause. */
function labels({ tokens }: Statement, word: Token): boolean {
  const at = tokens.indexOf(word);
  const beside = (step: 1 | -1): boolean => {
    let words = 0;
    for (let i = at + step; i >= 0 && i < tokens.length && tokens[i]!.clause === word.clause; i += step) {
      if (tokens[i]!.kind === 'quantity') return true;
      if (tokens[i]!.kind === 'word' && (words += 1) > 1) return false;
      if (tokens[i]!.kind === 'name' || tokens[i]!.kind === 'time') return false;
    }
    return false;
  };
  return beside(1) || beside(-1);
}

/** A number that is part of a name: behind "route", "no." or "aged", or an upper or lower bound of such. */
function identifies({ tokens }: Statement, quantity: Token): boolean {
  const { dimension } = quantity.quantity!;
  const at = tokens.indexOf(quantity);
  // "the 2nd round", but "ranked 2nd in"
  if (dimension === 'ordinal') return tokens[at + 1]?.kind === 'word' && tokens[at + 1]!.clause === quantity.clause;
  if (dimension !== 'count' && dimension !== 'range') return false;
  for (let i = at - 1; i >= Math.max(0, at - 3); i -= 1) {
    const { kind, key, clause } = tokens[i]!;
    if (clause !== quantity.clause) return false;
    if (kind === 'quantity' && key === 'count') continue;
    if (kind === 'small') continue;
    return (kind === 'word' && numbersName(key)) || (kind === 'name' && i === at - 1 && quantity.start - tokens[i]!.end <= 1);
  }
  return false;
}

const copulas = new Set(['is', 'was', 'are', 'be', 'been']);

/** Whether tokens stand where the holder of an office, a title or a record stands, of which there is one at a time. */
function fillsRole({ tokens }: Statement, filling: readonly Token[]): boolean {
  const [from, to] = [tokens.indexOf(filling[0]!), tokens.indexOf(filling.at(-1)!)];
  const role = ({ kind, key }: Token): boolean => (kind === 'word' && namesRole(key)) || (kind === 'name' && namesRole(stemOf(key)));
  const before = tokens.slice(Math.max(0, from - 8), from);
  const after = tokens.slice(to + 1, to + 9);
  const holding = ({ kind, key }: Token): boolean => kind === 'word' && tellsOfHolding(key);
  const last = before.filter(({ kind, key }) => kind !== 'small' || copulas.has(key) || key === 'by').at(-1);
  if (last && (role(last) || holding(last))) return true; // "Prime Minister X", "named X", "led by X" has its verb before "by"
  const linked =
    before.at(-1)?.kind === 'small' && (copulas.has(before.at(-1)!.key) || before.at(-1)!.key === 'by' || before.at(-1)!.key === 'the');
  if (linked && before.some((token) => role(token) || holding(token))) return true; // "the mayor of Y is X"
  const next = after.find(({ kind, key }) => kind !== 'small' || copulas.has(key));
  if (next && holding(next)) return true; // "X leads Y"
  // "X is the mayor of Y", "X was named"
  if (next && copulas.has(next.key) && after.slice(0, 6).some((token) => role(token) || holding(token))) return true;
  return after[0]?.apart === true && after.slice(0, 4).some(role); // "X, the mayor of Y"
}

/** How the times of two statements that are alike stand to each other. */
function judgeTimes(pair: Pair, differs: boolean): 'agree' | 'value' | 'apart' {
  const { older, newer, page, around, alignment } = pair;
  if (sameSet(older.times, newer.times)) return 'agree';
  const [mine, theirs] = [timesApart(older, newer), timesApart(newer, older)];
  const all = [...mine, ...theirs];
  const asOf = all.every((each) => each.asOf);
  const advances = latestOf(theirs) > latestOf(mine);
  if (asOf && advances && (around.ofNow || page)) return 'agree';
  if (page) {
    const valueOnPage = alignment.alike >= patternAlike ? 'value' : 'apart';
    // A yearly figure is the page's newest one; what happened in one year stands beside what happened in another.
    const figure = alignment.slots.some(([a, b]) => a.quantity && b.quantity && !sameQuantity(a.quantity, b.quantity));
    const fresh = latestOf(mine) + yearLength >= older.publishedAt! && latestOf(theirs) + yearLength >= newer.publishedAt!;
    const coarse = all.every(({ time }) => time!.granularity !== 'day') && (figure || fresh);
    // A sentence that a page tells anew of a later time, when the earlier one was past.
    const retold = fresh && advances && alignment.alike >= patternAlike && latestOf(mine) <= newer.publishedAt!;
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
    [older, newer].every((each, side) => behindSchedule(each, [mine, theirs][side]![0]!));
  return scheduled ? 'value' : 'apart';
}

const latestOf = (times: readonly Token[]): number => Math.max(-Infinity, ...times.map(({ time }) => time!.end));

const yearLength = 365 * 86_400_000;

/** A date long past behind the same word, "born 3 May 1950" and "born 5 May 1950": one of the two is mistaken. */
function corrected({ older, newer, alignment }: Pair): boolean {
  const before = ({ tokens }: Statement, token: Token): Token | undefined =>
    tokens
      .slice(0, tokens.indexOf(token))
      .reverse()
      .find(({ kind }) => kind !== 'small');
  return alignment.slots.some(([a, b]) => {
    if (!a.time || !b.time || a.issued || b.issued || a.time.start === b.time.start) return false;
    const [one, other] = [before(older, a), before(newer, b)];
    return one?.kind === 'word' && one.key === other?.key && [a, b].every(({ time }) => time!.end + yearLength < older.publishedAt!);
  });
}

/** "is scheduled for 3 March": the date is what is told. */
function behindSchedule({ tokens }: Statement, time: Token): boolean {
  const at = tokens.indexOf(time);
  return tokens.slice(Math.max(0, at - 4), at).some(({ kind, key, clause }) => kind === 'word' && clause === time.clause && schedules(key));
}

/** Two statements in other words: the same names and times, and a quantity or a word of one slot to compare. */
function judgeApart(older: Statement, newer: Statement, page: boolean, names: NameDifference, around: Around): Verdict {
  if (names.older.size > 0 || names.newer.size > 0) return unrelated;
  if (!page && names.shared.size === 0) return unrelated;
  if (!sameSet(older.times, newer.times)) return unrelated;
  if (older.times.size === 0 && sharedWords(older, newer) < 0.6 * Math.min(older.words.size, newer.words.size)) return unrelated;
  const quantities = compareQuantities(older, newer);
  if (quantities === 'none') return unrelated;
  if (quantities !== 'same') return { kind: 'conflict', older: quantities[0], newer: quantities[1] };
  const slots = around.slotWords.slotsOf(newer);
  for (const [slot, words] of around.slotWords.slotsOf(older)) {
    const theirs = slots.get(slot);
    if (!theirs || [...words].some((word) => theirs.has(word))) continue;
    if ([...words, ...theirs].some((word) => around.asked.words.has(word) || around.slotWords.tellsApart(word))) return unrelated;
    return { kind: 'conflict', older: [...words].join(' '), newer: [...theirs].join(' ') };
  }
  return { kind: 'partly' };
}

/** What needs no word beside it to be compared. */
const selfExplaining = new Set(['temperature', 'degrees', 'clock']);

function compareQuantities(older: Statement, newer: Statement): 'none' | 'same' | Difference {
  const of = ({ tokens }: Statement): Token[] => tokens.filter(({ kind }) => kind === 'quantity');
  const [mine, theirs] = [of(older), of(newer)];
  const [few, many] = mine.length <= theirs.length ? ([mine, theirs] as const) : ([theirs, mine] as const);
  const [small, large] = few === mine ? [older, newer] : [newer, older];
  let compared = false;
  for (const a of few) {
    const rivals = many.filter((b) => comparable(a.quantity!, b.quantity!) && alikeLabels(small, a, large, b));
    if (rivals.length === 0) continue;
    compared = true;
    if (rivals.some((b) => sameQuantity(a.quantity!, b.quantity!))) continue;
    const [one, other] = [textOf(small, [a]), textOf(large, [rivals[0]!])];
    return few === mine ? [one, other] : [other, one];
  }
  return compared ? 'same' : 'none';
}

/** Whether two quantities in differently worded statements can be of one measure: what stands in their clauses. */
function alikeLabels(a: Statement, x: Token, b: Statement, y: Token): boolean {
  const [one, other] = [labelOf(a, x), labelOf(b, y)];
  if (measuresDiffer(measuresOf(one, true), measuresOf(other, true))) return false;
  if (selfExplaining.has(x.key)) return true;
  const heads = new Set([...other].map(headOf));
  return [...one].some((stem) => heads.has(headOf(stem))) || near(x.quantity!.value, y.quantity!.value);
}

/** Two large figures for one name and one date that differ by little are hardly of two measures, whatever they are called. */
const near = (a: number, b: number): boolean => Math.min(a, b) >= 1000 && Math.abs(a - b) <= 0.15 * Math.max(a, b);

/** The words of a quantity's clause; of the whole statement, where it has one quantity only. */
function labelOf({ tokens, stems }: Statement, quantity: Token): ReadonlySet<string> {
  if (tokens.filter(({ kind }) => kind === 'quantity').length === 1) return stems;
  return new Set(tokens.filter(({ kind, clause }) => kind === 'word' && clause === quantity.clause).map(({ key }) => key));
}

function textOf({ text }: Statement, tokens: readonly Token[]): string {
  return tokens.length === 0 ? '' : text.slice(tokens[0]!.start, tokens.at(-1)!.end);
}
