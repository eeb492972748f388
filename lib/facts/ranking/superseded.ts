// Candidates that a later one supersedes: a later publication restates what a statement says of one
// time, or, where the latest of all times is asked for, a member is older than that of the first.
import { droppedPassage, type DroppedPassage } from '../../retrieval/candidate.js';
import type { StoredPassage } from '../../records.js';
import { formatDay } from '../../time/instant.js';
import { placeOfGreatest, type CascadeResult } from './cascade.js';
import type { StatementMatch } from '../features/matches.js';
import type { MemberTable } from '../members/members.js';
import type { SeriesQuestion } from '../question/question.js';
import { restatementsInSeries } from '../members/restatements.js';
import { agree } from './credibility.js';

/** The candidate of what supersedes each superseded one. */
export type Superseded = ReadonlyMap<number, number>;

/** Candidates whose statement a later publication restates with another value. */
export function restatedCandidates(table: MemberTable, result: CascadeResult): Superseded {
  const restated = new Map<number, number>();
  for (let candidate = 0; candidate < table.candidates; candidate += 1) {
    // By content for the operator: publications are of different times.
    const member = result.winners[0]![candidate]!;
    if (member < 0 || result.relative[member]! <= 0) continue;
    // The newest alone: a value that came back stands again.
    const newest = restatementsInSeries(table, member).find((each) => result.relative[each]! > 0);
    if (newest === undefined || table.candidate[newest] === candidate) continue;
    const [own, newer] = [statementOf(table, member), statementOf(table, newest)];
    const { isRevision, hasSameTerms } = own.likeness(newer);
    const saysSame = isRevision ? hasSameTerms : agree(own.slots, newer.slots);
    if (!saysSame) restated.set(candidate, table.candidate[newest]!);
  }
  return restated;
}

/** Of a member the statement that is its whole passage, of a long one its sentence. */
const statementOf = ({ matches, match, candidate }: MemberTable, member: number): StatementMatch =>
  matches.wholeOf(candidate[member]!) ?? matches.at(match[member]!);

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
  result.outdated.forEach((share, candidate) => {
    if (share <= 0.5 || superseded.has(candidate)) return;
    const own = statementOf(table, members[candidate]!);
    const newest = statementOf(table, members[first]!);
    const isOutdated =
      (own.likeness(newest).hasSameSubject || !own.hasSubject || !newest.hasSubject) &&
      publishedAt(own) < publishedAt(newest) &&
      !agree(own.slots, newest.slots);
    if (isOutdated) superseded.set(candidate, first);
  });
  return droppedFor(table, superseded, timeZone);
}

const publishedAt = ({ passage }: StatementMatch): number => passage.publishedAt;

/** The superseded candidates, each with what supersedes it. */
export function droppedFor(
  { matches }: MemberTable,
  superseded: Superseded,
  timeZone?: string,
): DroppedPassage[] {
  const recordOf = (candidate: number): StoredPassage => matches.passages[candidate]!.record;
  return [...superseded].map(([candidate, by]): DroppedPassage => {
    const { id: newer, publishedAt } = recordOf(by);
    const published =
      publishedAt === undefined ? '' : `, published ${formatDay(publishedAt, timeZone)}`;
    const because = `superseded by ${newer}${published}`;
    return droppedPassage(recordOf(candidate), because, newer);
  });
}
