// Restatements: later publications of what a statement says of one time, or of its revision in
// mostly the same words.
import { dayMilliseconds } from '../../time/civil.js';
import { type StatementMatch, featureNames } from '../features/features.js';
import type { SeriesQuestion } from '../question/question.js';
import type { PassageStatements, Statement, StatedTime } from '../statements/statements.js';

/** A later publication of a statement for the same time, or of its revision. */
export interface Restatement {
  member: number;
  /** Whether both may be of one series in whatever words: it is then as relevant. */
  isSameSeries: boolean;
}

/** Members as columns: a statement at one of its times. */
export interface MemberRows {
  /** By member: index of its match. */
  match: Int32Array;
  times: readonly (StatedTime | undefined)[];
  /** As of `MemberColumns`. */
  interpretation: Uint8Array;
}

/** Most later publications that a statement is compared with. */
const mostCompared = 32;
/** Latest publications among which these are sought. */
const mostRead = 256;

const none: readonly Restatement[] = [];

/** By row: the later publications that restate it, the newest first. */
export function restatementsOf(
  question: SeriesQuestion,
  matches: readonly StatementMatch[],
  { match: matchOf, times, interpretation }: MemberRows,
): (readonly Restatement[])[] {
  // Of use only where something was published twice.
  let merged: ReadonlySet<StatementMatch> | undefined;
  const areMerged = (...both: StatementMatch[]): boolean => {
    merged ??= mergeWordings(question, matches);
    return both.every((each) => merged!.has(each));
  };
  const byTime = new Map<string, number[]>();
  const publishedAt = (at: number): number =>
    matches[matchOf[at]!]!.passage.record.publishedAt ?? NaN;
  const { operator, wanted } = question;
  const isOfAnyTime = operator.kind === 'when' || wanted === 'date';
  const keyOf = (time: StatedTime | undefined, at: number): string | undefined => {
    if (interpretation[at] === 1 || Number.isNaN(publishedAt(at))) return undefined;
    const isDated = time !== undefined && time.source !== 'published';
    if (isDated && !isOfAnyTime) return `${time.start} ${time.end}`;
    // What states no time, or another where that is asked for, is revised under the same title.
    const subject = subjectOf(matches[matchOf[at]!]!);
    return subject === '' ? undefined : subject;
  };
  const alike = times.map((time, at): number[] | undefined => {
    const key = keyOf(time, at);
    if (key === undefined) return undefined;
    const list = byTime.get(key);
    if (!list) {
      const made = [at];
      byTime.set(key, made);
      return made;
    }
    list.push(at);
    return list;
  });
  // Newest first, so that each row reads later publications only.
  for (const list of byTime.values()) list.sort((a, b) => publishedAt(b) - publishedAt(a));
  let namesAndValues = 0;
  question.terms.slice(0, 30).forEach(({ name, value }, t) => {
    if (name || value) namesAndValues |= 1 << t;
  });
  const isOfSubject = (match: StatementMatch): boolean =>
    question.names.length > 0 || subjectOf(match) !== '';
  const found = times.map((time, at) => {
    if (alike[at] === undefined) return none;
    const isDated = time !== undefined && time.source !== 'published' && !isOfAnyTime;
    const isDay = isDated && time.end - time.start <= 2 * dayMilliseconds;
    const own = matches[matchOf[at]!]!;
    // Of one day, the names suffice; of a longer time, it has to say as much of the question.
    const needed = own.matched & (isDay && namesAndValues !== 0 ? namesAndValues : -1);
    const later: Restatement[] = [];
    let compared = 0;
    for (const member of alike[at].slice(0, mostRead)) {
      if (compared === mostCompared || publishedAt(member) <= publishedAt(at)) break;
      const restating = matches[matchOf[member]!]!;
      if ((restating.matched & needed) !== needed) continue;
      if (!isDated && publishedAt(member) >= operator.window.end) continue;
      compared += 1;
      // Without a title, the question's names say what both are about.
      const isRevised = isOfSubject(own) && isRevision(own, restating);
      const isSameSeries = isRevised || (isDay && areMerged(own, restating));
      if (isDated || isRevised) later.push({ member, isSameSeries });
    }
    return later.length > 0 ? later : none;
  });
  // A passage as a whole is restated with any of its sentences.
  const ofWhole = new Map<number, readonly Restatement[]>();
  const statementKey = (at: number): number => 2 * matchOf[at]! + interpretation[at]!;
  found.forEach((own, at) => {
    if (matches[matchOf[at]!]!.statement.whole && own.length > 0)
      ofWhole.set(statementKey(at), own);
  });
  return found.map((own, at) => (own.length > 0 ? own : (ofWhole.get(statementKey(at)) ?? none)));
}

const subjects = new WeakMap<PassageStatements, string>();

/** The title's words, values aside: what the passage is about, where it has one. */
export function subjectOf({ passage }: StatementMatch): string {
  let subject = subjects.get(passage);
  if (subject === undefined) {
    subject = [...passage.title].flatMap(({ low, value }) => (value ? [] : [low])).join(' ');
    subjects.set(passage, subject);
  }
  return subject;
}

/** Share of the terms of both that statements of mostly the same words have in common. */
const revisedShare = 0.5;

/** Whether a statement has mostly the words of another, under the same title. */
export const isRevision = (one: StatementMatch, other: StatementMatch): boolean =>
  subjectOf(one) === subjectOf(other) && areMostlyAlike(termsOf(one), termsOf(other));

/** Whether half of the terms of both are in common. */
export function areMostlyAlike(terms: ReadonlySet<number>, others: ReadonlySet<number>): boolean {
  let common = 0;
  for (const term of terms) if (others.has(term)) common += 1;
  return common > 0 && common >= revisedShare * (terms.size + others.size - common);
}

const termSets = new WeakMap<Statement, ReadonlySet<number>>();

/** The terms of a statement, by their numbers. */
export function termsOf({ statement }: StatementMatch): ReadonlySet<number> {
  let terms = termSets.get(statement);
  if (!terms) {
    terms = statement.words.terms();
    termSets.set(statement, terms);
  }
  return terms;
}

/** Share of a wording's statements that may contradict the series: errors of reading. */
const mostConflicts = 0.1;
/** Names agree as well as the best up to this. */
const sameName = 0.02;

const place = (name: (typeof featureNames)[number]): number => featureNames.indexOf(name);
const [nameOverlap, valueMissing, rarityMissing] = [
  place('nameOverlap'),
  place('valueMissing'),
  place('rarityMissing'),
];

/** The statements that may be one series, in whatever words; empty for a question without names. */
function mergeWordings(
  { names, terms }: SeriesQuestion,
  matches: readonly StatementMatch[],
): Set<StatementMatch> {
  const merged = new Set<StatementMatch>();
  if (names.length === 0) return merged;
  const best = matches.reduce((most, { features }) => Math.max(most, features[nameOverlap]!), 0);
  let wordsOfRelation = 0;
  terms.slice(0, 30).forEach(({ name, value }, t) => {
    if (!name && !value) wordsOfRelation |= 1 << t;
  });
  const wordings = new Map<number, StatementMatch[]>();
  for (const match of matches) {
    const { features, matched } = match;
    const isOfName = features[nameOverlap]! >= best - sameName && features[valueMissing] === 0;
    if (!isOfName || match.values.size === 0) continue;
    const key = matched & wordsOfRelation;
    const list = wordings.get(key);
    if (list) list.push(match);
    else wordings.set(key, [match]);
  }
  const missing = ({ features }: StatementMatch): number => features[rarityMissing]!;
  const ordered = [...wordings.values()].sort(
    (a, b) => missing(a[0]!) - missing(b[0]!) || b.length - a.length,
  );
  ordered.forEach((wording, at) => {
    const series = [...merged];
    const conflicts = wording.filter((one) => series.some((other) => conflict(one, other)));
    if (at === 0 || conflicts.length <= mostConflicts * wording.length)
      for (const match of wording) merged.add(match);
  });
  return merged;
}

/** Two values for one time, published at once as far as is known. */
function conflict(one: StatementMatch, other: StatementMatch): boolean {
  const [a, b] = [one.passage.record.publishedAt, other.passage.record.publishedAt];
  if (one.passage === other.passage || (a !== undefined && b !== undefined && a !== b))
    return false;
  const [s, t] = [timeOf(one), timeOf(other)];
  if (!s || !t || s.start >= t.end || t.start >= s.end) return false;
  const [x, y] = [s.end - s.start, t.end - t.start];
  if (x > 4 * y || y > 4 * x) return false;
  for (const value of one.values) if (other.values.has(value)) return false;
  return true;
}

const timeOf = ({ statement, passage }: StatementMatch): StatedTime | undefined =>
  statement.times.find(({ source }) => source !== 'compared') ??
  passage.titleTimes[0] ??
  passage.published;
