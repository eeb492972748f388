// Candidates that a later one supersedes: a later publication restates what a statement says of one
// time, or, where the latest of all times is asked for, a member is older than that of the first.
import { droppedPassage, type DroppedPassage } from '../../retrieval/candidate.js';
import type { StoredPassage } from '../../records.js';
import { formatDay } from '../../time/instant.js';
import { placeOfGreatest, type CascadeResult } from './cascade.js';
import type { StatementMatch } from '../features/features.js';
import type { MemberTable } from '../members/members.js';
import type { SeriesQuestion } from '../question/question.js';
import { isRevision, subjectOf, termsOf } from '../members/restatements.js';
import { agree } from './credibility.js';

/** The candidate of what supersedes each superseded one. */
export type Superseded = ReadonlyMap<number, number>;

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
  timeZone?: string,
): DroppedPassage[] {
  const superseded = new Map(restatedCandidates(table, result));
  const { members } = result;
  const first = placeOfGreatest(result.scores);
  const statement = wholeStatements(table);
  result.outdated.forEach((share, candidate) => {
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
