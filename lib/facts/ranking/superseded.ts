// Candidates that a later one supersedes: a later publication restates what a statement says of one
// time, or, where the latest of all times is asked for, a member is older than that of the first.
import { droppedPassage, type Candidate, type DroppedPassage } from '../../retrieval/candidate.js';
import type { StoredPassage } from '../../records.js';
import { formatDay } from '../../time/instant.js';
import { sigmoid, type CascadeResult } from './cascade.js';
import type { StatementMatch } from '../features/features.js';
import type { MemberTable } from '../members/members.js';
import type { SeriesQuestion } from '../question/question.js';
import { isRevision, subjectOf, termsOf } from '../members/restatements.js';
import { agree } from './credibility.js';

/** Log-odds below those of the first from which a statement is rather of another series. */
const sameSeries = 4;

/** The candidate of what supersedes each superseded one. */
export type Superseded = ReadonlyMap<number, number>;

/** By candidate: the member that gives it most of its probability; -1 without one. */
export function winningMembers({ parts, winners }: CascadeResult, candidates: number): number[] {
  return Array.from({ length: candidates }, (_, candidate) => {
    let best = 0;
    parts.forEach((part, interpretation) => {
      if (part[candidate]! > parts[best]![candidate]!) best = interpretation;
    });
    return winners[best]![candidate]!;
  });
}

/**
 * By candidate: the probability that its member began and ended before that of the likeliest
 * candidate and is of the same series. Without one for questions of a past or a neighbour's time.
 */
export function outdatedShares(
  question: SeriesQuestion,
  { times }: MemberTable,
  result: CascadeResult,
  members: readonly number[],
): number[] {
  const first = isLatestQuery(question, result) ? members[likeliest(result.scores)]! : -1;
  const newest = first < 0 ? undefined : times[first];
  return members.map((member) => {
    const own = member < 0 ? undefined : times[member];
    if (!own || !newest) return 0;
    const isOlder = own.start < newest.start && own.end < newest.end;
    return isOlder ? sigmoid(result.relative[member]! - result.relative[first]! + sameSeries) : 0;
  });
}

/** Whether the latest of all times is asked for, not that of a past one. */
function isLatestQuery({ operator, askedAt }: SeriesQuestion, { state }: CascadeResult): boolean {
  const isBounded = operator.neighbour !== undefined || operator.window.end <= askedAt;
  return !isBounded && (operator.order === 'latest' || state > 0.5);
}

function likeliest(scores: ArrayLike<number>): number {
  let first = 0;
  for (let each = 1; each < scores.length; each += 1)
    if (scores[each]! > scores[first]!) first = each;
  return first;
}

/** Candidates whose statement a later publication restates with another value. */
export function restatedCandidates(table: MemberTable, result: CascadeResult): Superseded {
  const restated = new Map<number, number>();
  const statement = wholeStatements(table);
  for (let candidate = 0; candidate < table.candidates; candidate += 1) {
    // By content for the operator: publications are of different times.
    const member = result.winners[0]![candidate]!;
    if (member < 0 || result.relative[member]! <= 0) continue;
    // The newest alone: a value that came back stands again.
    const newest = table.restatements[member]!.find(
      (each) => each.isSameSeries && result.relative[each.member]! > 0,
    );
    if (!newest || table.candidate[newest.member] === candidate) continue;
    const [own, newer] = [statement(member), statement(newest.member)];
    const saysSame = isRevision(own, newer)
      ? hasSameTerms(own, newer)
      : agree(own.slots, newer.slots);
    if (!saysSame) restated.set(candidate, table.candidate[newest.member]!);
  }
  return restated;
}

/** Whether a revision says no more and no less. */
function hasSameTerms(one: StatementMatch, other: StatementMatch): boolean {
  const [terms, others] = [termsOf(one), termsOf(other)];
  return terms.size === others.size && [...terms].every((term) => others.has(term));
}

/** Of a member the statement that is its whole passage, of a long one its sentence. */
function wholeStatements({ matches, match, candidate }: MemberTable) {
  const wholes = new Map(
    matches.filter(({ statement }) => statement.whole).map((each) => [each.candidate, each]),
  );
  return (member: number): StatementMatch =>
    wholes.get(candidate[member]!) ?? matches[match[member]!]!;
}

/** What a version in force supersedes (Re3 section 3.4): restated, or with another value. */
export function supersededCandidates(
  question: SeriesQuestion,
  table: MemberTable,
  result: CascadeResult,
  candidates: readonly Candidate[],
  timeZone?: string,
): DroppedPassage[] {
  const superseded = new Map(restatedCandidates(table, result));
  const members = winningMembers(result, candidates.length);
  const first = likeliest(result.scores);
  const statement = wholeStatements(table);
  outdatedShares(question, table, result, members).forEach((share, candidate) => {
    if (share <= 0.5 || superseded.has(candidate)) return;
    const [own, newest] = [statement(members[candidate]!), statement(members[first]!)];
    const [subject, other] = [subjectOf(own), subjectOf(newest)];
    const isOutdated =
      (subject === other || subject === '' || other === '') &&
      publishedAt(own) < publishedAt(newest) &&
      !agree(own.slots, newest.slots);
    if (isOutdated) superseded.set(candidate, first);
  });
  return droppedFor(table, superseded, timeZone);
}

const publishedAt = ({ passage }: StatementMatch): number => passage.record.publishedAt ?? NaN;

/** The superseded candidates, each with what supersedes it. */
export function droppedFor(
  { matches }: MemberTable,
  superseded: Superseded,
  timeZone?: string,
): DroppedPassage[] {
  const recordOf = (candidate: number): StoredPassage =>
    matches.find((each) => each.candidate === candidate)!.passage.record;
  return [...superseded].map(([candidate, by]): DroppedPassage => {
    const { id: newer, publishedAt } = recordOf(by);
    const published =
      publishedAt === undefined ? '' : `, published ${formatDay(publishedAt, timeZone)}`;
    const because = `superseded by ${newer}${published}`;
    return droppedPassage(recordOf(candidate), because, newer);
  });
}
