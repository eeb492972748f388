// Ranking by series: the passages by the probability that one of their statements is the member of
// the series that the question asks for. Restatements supersede; where the latest of
// all is asked for, older members of the first's series stand behind other series.
import type { Candidate, Candidates, DroppedPassage } from '../../retrieval/candidate.js';
import { stage, type Stage } from '../../pipeline.js';
import { formatDay } from '../../time/instant.js';
import { noneInputs, noneProbability, reasonOf } from './answerable.js';
import { cascade, logSum, sigmoid, type CascadeResult } from './cascade.js';
import { candidateMembers } from './candidates.js';
import { featureNames, width } from './features.js';
import type { MemberTable } from './members.js';
import type { Ranker } from './model.js';
import type { SeriesQuestion } from './question.js';

/** What an older member of the first's series loses, in log-probability. */
const outdatedLoss = 12;
/** Log-odds below those of the first from which a statement is rather of another series. */
const sameSeries = 4;

/**
 * Scores are probabilities that the passage answers, 0 to 1; the score of the scan is kept as the
 * column `scan`, the probability that its best statement is of the series that is asked for as
 * `membership`. Notes: members, none (probability that no passage answers).
 */
export function rankBySeries(ranker: Ranker): Stage<Candidates, Candidates> {
  return stage(`rankBySeries(${ranker.id})`, async (candidates, { signal, note }) => {
    const { query, hits, shortlistSize = hits.length } = candidates;
    if (hits.length === 0) return candidates;
    // The order of candidates does not count.
    const shortlist = hits
      .slice(0, shortlistSize)
      .sort((a, b) => a.segment - b.segment || a.passage - b.passage);
    const { question, table } = await candidateMembers(query, shortlist, signal);
    const result = cascade(table, ranker.weights);
    const total = logSum([...result.scores, result.none]);
    note('members', table.match.length);
    const none =
      result.best < 0 ? 1 : noneProbability(ranker.weights.none, noneInputs(table, result));
    note('none', none);
    const superseded = supersededCandidates(table, result);
    const members = shortlist.map((_, candidate) => winnerOf(result, candidate));
    const first = asksState(question, result) ? firstMember(result, members) : -1;
    const ranked = shortlist.map((each, candidate): Candidate => {
      const member = members[candidate]!;
      const loss = outdatedLoss * outdatedShare(table, result, member, first);
      const score = Math.exp(result.scores[candidate]! - total - loss);
      return ranking(each, { table, result, ranker, member, score });
    });
    const order = [...ranked.keys()].filter((candidate) => !superseded.has(candidate));
    order.sort(
      (a, b) =>
        ranked[b]!.score - ranked[a]!.score || (shortlist[a]!.id < shortlist[b]!.id ? -1 : 1),
    );
    const kept = order.map((candidate) => ranked[candidate]!);
    const dropped = [...superseded].map(
      ([candidate, newer]): DroppedPassage => droppedFor(table, shortlist, candidate, newer),
    );
    return {
      query,
      hits: [...kept, ...behind(hits.slice(shortlistSize), kept.at(-1)?.score ?? 1)],
      ...(dropped.length > 0 || candidates.dropped
        ? { dropped: [...(candidates.dropped ?? []), ...dropped] }
        : {}),
      calibrated: true,
      ...(none > 0.5 ? { unanswered: reasonOf(table, result) } : {}),
    };
  });
}

/** The member that gives a candidate most of its probability; -1 without one. */
function winnerOf({ parts, winners }: CascadeResult, candidate: number): number {
  let best = 0;
  parts.forEach((part, interpretation) => {
    if (part[candidate]! > parts[best]![candidate]!) best = interpretation;
  });
  return winners[best]![candidate]!;
}

/** Whether the latest of all times is asked for, not that of a past one. */
function asksState({ operator, askedAt }: SeriesQuestion, { state }: CascadeResult): boolean {
  const isBounded = operator.neighbour !== undefined || operator.window.end <= askedAt;
  return !isBounded && (operator.order === 'latest' || state > 0.5);
}

/** The member of the likeliest candidate. */
function firstMember({ scores }: CascadeResult, members: readonly number[]): number {
  let first = 0;
  for (let each = 1; each < scores.length; each += 1)
    if (scores[each]! > scores[first]!) first = each;
  return members[first]!;
}

/** Probability that a member is an older one of the first's series: it began and ended before. */
function outdatedShare(
  { times }: MemberTable,
  { relative }: CascadeResult,
  member: number,
  first: number,
): number {
  if (member < 0 || first < 0) return 0;
  const [own, newest] = [times[member], times[first]];
  if (!own || !newest) return 0;
  const isOlder = own.start < newest.start && own.end < newest.end;
  return isOlder ? sigmoid(relative[member]! - relative[first]! + sameSeries) : 0;
}

/** Candidates whose statement a later publication restates, and that publication's candidate. */
function supersededCandidates(table: MemberTable, result: CascadeResult): Map<number, number> {
  const superseded = new Map<number, number>();
  for (let candidate = 0; candidate < table.candidates; candidate += 1) {
    // By content for the operator: publications are of different times.
    const member = result.winners[0]![candidate]!;
    if (member < 0 || result.relative[member]! <= 0) continue;
    const own = table.matches[table.match[member]!]!;
    const newer = table.restatements[member]!.find(
      (each) =>
        each.isSameSeries &&
        result.relative[each.member]! > 0 &&
        differ(own.values, table.matches[table.match[each.member]!]!.values),
    );
    if (newer && table.candidate[newer.member] !== candidate)
      superseded.set(candidate, table.candidate[newer.member]!);
  }
  return superseded;
}

/** Versions that say the same are no conflict. */
const differ = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
  for (const value of one) if (other.has(value)) return false;
  return true;
};

function droppedFor(
  { matches }: MemberTable,
  hits: readonly Candidate[],
  candidate: number,
  newer: number,
): DroppedPassage {
  const record = matches.find((each) => each.candidate === newer)!.passage.record;
  const published =
    record.publishedAt === undefined ? '' : `, published ${formatDay(record.publishedAt)}`;
  return {
    id: hits[candidate]!.id,
    because: `restated by ${record.id}${published}`,
    newer: record.id,
  };
}

interface RankedMember {
  table: MemberTable;
  result: CascadeResult;
  ranker: Ranker;
  member: number;
  score: number;
}

function ranking(
  { id, segment, passage, row, score: scan, scores, interval }: Candidate,
  { table, result, ranker, member, score }: RankedMember,
): Candidate {
  const match = member < 0 ? undefined : table.matches[table.match[member]!];
  const isPassageRow = match === undefined || match.statement.row === row;
  return {
    id,
    segment,
    passage,
    row: match?.statement.row ?? row,
    score,
    scores: {
      scan,
      ...scores,
      membership: member < 0 ? 0 : sigmoid(result.logOdds[member]!),
    },
    shares: () => sharesOf(table, ranker, member, score),
    ...(interval === undefined || !isPassageRow ? {} : { interval }),
  };
}

/**
 * What each feature adds to the log-odds of membership, and `order` the rest: together the
 * logarithm of the score.
 */
function sharesOf(
  { features }: MemberTable,
  { weights }: Ranker,
  member: number,
  score: number,
): Record<string, number> {
  const logarithm = Math.log(score);
  if (member < 0) return { order: logarithm };
  const shares = featureNames
    .map((name, f) => [name, weights.features[f]! * features[member * width + f]!] as const)
    .filter(([, share]) => share !== 0)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const sum = shares.reduce((total, [, share]) => total + share, 0);
  return { ...Object.fromEntries(shares), order: logarithm - sum };
}

/** Candidates in their order, their scores scaled down to `floor`. */
function behind(rest: readonly Candidate[], floor: number): Candidate[] {
  const top = rest[0]?.score ?? 0;
  return rest.map((each) => ({
    ...each,
    id: each.id,
    score: floor * Math.exp(each.score - top),
    scores: { scan: each.score, ...each.scores },
  }));
}
