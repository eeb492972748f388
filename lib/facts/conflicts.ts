// Conflicts of a new passage with stored ones: statements of one wording under one subject that
// differ in their values alone. What cannot be told from chance is left out.
import { readQuestion } from '../time/question/reading.js';
import type { Steps } from '../runtime/eventLoop.js';
import {
  isMainTime,
  type PassageStatements,
  type StatedTime,
  type Statement,
} from '../statements/statements.js';

/** How a new statement stands to a stored one. */
export type ConflictRelation = 'supersedes' | 'contradicts' | 'restates';

/** A statement and the terms by which it is compared. */
interface Compared {
  passage: PassageStatements;
  statement: Statement;
  time: StatedTime | undefined;
  /** Numbers, versions, identifiers. */
  values: ReadonlySet<string>;
  /** Terms of names, with the number of the name that each is of. */
  names: ReadonlyMap<string, number>;
  words: ReadonlySet<string>;
  /** The first word, if it has a capital and so may be a name. */
  opening: string | undefined;
  /** Whether it is all of its passage. */
  isAll: boolean;
  /** Names of the title and the first sentence. */
  context: ReadonlySet<string>;
  /** Words of the sentences before it. */
  before: ReadonlySet<string>;
  /** All terms of the title and the text of its passage. */
  all: ReadonlySet<string>;
}

/** A stored statement that a new one conflicts with. */
export interface Earlier {
  relation: ConflictRelation;
  statement: Statement;
  passage: PassageStatements;
  time: StatedTime | undefined;
}

/** Least share of the weight of the words of both statements that both have. */
const leastAlike = 0.8;
/** Least number of words and names in common. */
const leastCommon = 2;
/** Rarity in English from which a word names something in whatever case: that of unknown words. */
const ofName = 17;
/** Least weight of a word. */
const leastWeight = 0.3;
/** Share of the stored statements of one time that may differ: more are no state of one thing. */
const mostDiffering = 0.1;
/** Most reports on one statement. */
const mostReported = 8;

/** By statement of a new passage, the stored statements that it conflicts with. */
export function* conflictsOf(
  added: PassageStatements,
  stored: readonly PassageStatements[],
  rarity: (word: string) => number,
): Steps<{ statement: Statement; earlier: Earlier[] }[]> {
  const weights = new Map<string, number>();
  const weightOf = (word: string): number => {
    let weight = weights.get(word);
    if (weight === undefined) weights.set(word, (weight = Math.max(leastWeight, rarity(word))));
    return weight;
  };
  const own = comparedOf(added, weightOf);
  const others: Compared[] = [];
  for (const passage of stored) {
    others.push(...comparedOf(passage, weightOf));
    yield;
  }
  const found: { statement: Statement; earlier: Earlier[] }[] = [];
  for (const each of own) {
    yield;
    const heaviest = [...each.words].reduce(
      (best, word) => (best === '' || weightOf(word) > weightOf(best) ? word : best),
      '',
    );
    const series = others.flatMap((other) => {
      if (heaviest !== '' && !other.all.has(heaviest)) return [];
      const kind = likeness(each, other, weightOf);
      return kind ? [{ ...other, kind }] : [];
    });
    const earlier = earlierOf(each, series);
    if (earlier.length > 0) found.push({ statement: each.statement, earlier });
  }
  return found;
}

/** The sentences of a passage. */
function comparedOf(passage: PassageStatements, weightOf: (word: string) => number): Compared[] {
  const { statements, title, valid, titleTimes, published } = passage;
  const sentences = statements.filter(({ whole, isTitle }) => !whole && !isTitle);
  const titled = [...title].flatMap(({ term, value }) => (value ? [] : [term]));
  const all = new Set(Array.from(title, ({ term }) => term));
  const before = new Set<string>();
  const context = new Set(titled);
  return sentences.map((statement, nth): Compared => {
    const { times } = statement;
    const terms = termsOf(passage, statement);
    const compared = {
      passage,
      statement,
      time: valid ?? times.find(isMainTime) ?? times[0] ?? titleTimes[0] ?? published,
      ...terms,
      isAll: sentences.length === 1,
      context: new Set(context),
      before: new Set(before),
      all,
    };
    const { values, names, words } = terms;
    for (const term of [...values, ...names.keys(), ...words]) all.add(term);
    for (const word of words) before.add(word);
    if (nth > 0) return compared;
    for (const name of names.keys()) context.add(name);
    for (const word of words) if (weightOf(word) >= ofName) context.add(word);
    return compared;
  });
}

function termsOf(
  { record: { text } }: PassageStatements,
  { words: range, span }: Statement,
): Pick<Compared, 'values' | 'names' | 'words' | 'opening'> {
  const values = new Set<string>();
  const names = new Map<string, number>();
  const words = new Set<string>();
  const list = [...range];
  let opening: string | undefined;
  let name = 0;
  for (const [nth, { term, value, capital, start, end }] of list.entries()) {
    if (term === '') continue;
    if (!range.joins(nth)) name += 1;
    const written = text.slice(start, end);
    if (value || (capital && /\d/.test(written))) {
      values.add(term);
      continue;
    }
    // A capital first in a sentence tells nothing, unless the next word goes on with the name.
    const opens = /^\W*$/.test(text.slice(span.start, start));
    const goesOn = list[nth + 1]?.capital === true && range.joins(nth + 1);
    if (capital && (!opens || goesOn || /\p{Lu}.*\p{Lu}/u.test(written))) names.set(term, name);
    else words.add(term);
    if (capital && opens) opening = term;
  }
  return { values, names, words, opening };
}

type Terms = Pick<ReadonlySet<string>, 'keys' | 'has'>;

const lacking = (terms: Terms, of: Terms): string[] =>
  [...terms.keys()].filter((term) => !of.has(term));

/** What each of two sets lacks of the other. */
const apart = (one: Terms, other: Terms): [string[], string[]] => [
  lacking(one, other),
  lacking(other, one),
];

/** What two statements of one wording under one subject differ in; undefined of others. */
function likeness(
  one: Compared,
  other: Compared,
  weightOf: (word: string) => number,
): 'values' | 'names' | 'nothing' | undefined {
  if (lacking(one.context, other.all).length + lacking(other.context, one.all).length > 0)
    return undefined;
  const [ownNames, otherNames] = [lacking(one.names, other.all), lacking(other.names, one.all)];
  const common = [...one.words].filter((word) => other.words.has(word)).length;
  if (common + one.names.size - ownNames.length < leastCommon) return undefined;
  const [own, others] = apart(one.words, other.words);
  // One word in place of another is of something else: "men" and "women".
  if (own.length > 0 && others.length > 0) return undefined;
  const areAlike =
    shareOf(one.words, other.words, weightOf) >= leastAlike &&
    shareOf(one.before, other.before, weightOf) >= leastAlike;
  if (!areAlike) return undefined;
  const [ownValues, otherValues] = apart(one.values, other.values);
  if (ownNames.length === 0 && otherNames.length === 0 && ownValues.length > 0)
    return otherValues.length > 0 ? 'values' : undefined;
  // Of several sentences one may be the same, and a name the subject of all.
  if (!one.isAll || !other.isAll || ownValues.length + otherValues.length > 0) return undefined;
  if (ownNames.length + otherNames.length === 0) return 'nothing';
  // Next to a number a name is of what it counts.
  if (one.values.size > 0) return undefined;
  const isOfSame =
    one.names.size > ownNames.length ||
    (one.opening !== undefined && one.opening === other.opening);
  if (!isOfSame || !hasLowerCase(one) || !hasLowerCase(other)) return undefined;
  const isOneName = ({ names }: Compared, terms: readonly string[]): boolean =>
    new Set(terms.map((term) => names.get(term))).size === 1;
  return isOneName(one, ownNames) && isOneName(other, otherNames) ? 'names' : undefined;
}

/** Whether it has a word besides names, as "Ann: Thanks." has none. */
const hasLowerCase = ({ passage, statement: { span } }: Compared): boolean =>
  /(?<!\p{L})\p{Ll}/u.test(passage.record.text.slice(span.start, span.end));

/** The weight of what two sets have in common as a share of all; 1 of empty ones. */
function shareOf(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
  weightOf: (word: string) => number,
): number {
  let [common, all] = [0, 0];
  for (const word of new Set([...one, ...other])) {
    const weight = weightOf(word);
    all += weight;
    if (one.has(word) && other.has(word)) common += weight;
  }
  return all === 0 ? 1 : common / all;
}

type Alike = Compared & { kind: NonNullable<ReturnType<typeof likeness>> };

const isLater = (one: StatedTime, other: StatedTime): boolean =>
  one.start > other.start && (one.range || other.range || one.start >= other.end);

const overlap = (one: StatedTime, other: StatedTime): boolean =>
  one.start < other.end && other.start < one.end;

function earlierOf(one: Compared, series: readonly Alike[]): Earlier[] {
  const same = series.filter(({ kind }) => kind === 'nothing');
  const differing = series.filter(({ kind }) => kind !== 'nothing');
  const kept = isOneState(differing) && mayBeState(one, series) ? differing : [];
  const earlier = [...same, ...kept].flatMap((other): Earlier[] => {
    const relation = relationOf(one, other);
    return relation ? [{ relation, ...other }] : [];
  });
  // What the last state before superseded is superseded already.
  const latest = Math.max(
    ...earlier.flatMap(({ relation, time }) => (relation === 'supersedes' ? time!.start : [])),
  );
  return earlier
    .filter(({ relation, time }) => relation !== 'supersedes' || time!.start === latest)
    .slice(0, mostReported)
    .map(({ relation, statement, passage, time }) => ({ relation, statement, passage, time }));
}

function relationOf(
  { time }: Compared,
  { kind, time: other }: Alike,
): ConflictRelation | undefined {
  if (!time || !other) return kind === 'nothing' ? 'restates' : 'contradicts';
  if (kind === 'nothing') return overlap(time, other) ? 'restates' : undefined;
  if (isLater(time, other)) return 'supersedes';
  return overlap(time, other) ? 'contradicts' : undefined;
}

/** Whether the stored statements of one time mostly state one thing. */
function isOneState(series: readonly Alike[]): boolean {
  let differing = 0;
  for (const [nth, one] of series.entries())
    if (series.slice(0, nth).some((other) => differ(one, other))) differing += 1;
  return differing <= mostDiffering * series.length;
}

/** Whether two statements of one time state different things. */
function differ(one: Alike, other: Alike): boolean {
  if (one.kind !== other.kind) return false;
  const [time, next] = [one.time, other.time];
  const isAtOnce =
    !time || !next || (overlap(time, next) && !isLater(time, next) && !isLater(next, time));
  if (!isAtOnce) return false;
  const [own, others] =
    one.kind === 'values' ? apart(one.values, other.values) : apart(one.names, other.names);
  return own.length > 0 && others.length > 0;
}

/**
 * Where names differ: a state in the present tense, or several that followed one another. What
 * recurs is no state: "summer time began in Madrid".
 */
function mayBeState(one: Compared, series: readonly Alike[]): boolean {
  const named = series.filter(({ kind }) => kind === 'names');
  if (named.length === 0) return true;
  if ([one, ...named].every(isPresent)) return true;
  const starts = new Set(named.map(({ time }) => time?.start));
  const names = new Set(named.map((each) => [...each.names.keys()].join(' ')));
  const recurs = series.some(
    ({ kind, time }) => kind === 'nothing' && time?.start !== one.time?.start,
  );
  return starts.size > 1 && names.size === named.length && !recurs;
}

function isPresent({ passage, statement: { span } }: Compared): boolean {
  const sentence = passage.record.text.slice(span.start, span.end);
  const { predicate } = readQuestion({ text: sentence, askedAt: 0 });
  return !predicate.past && !predicate.future;
}
