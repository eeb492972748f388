// Ranking by series: the passages by the probability that one of their statements is the member of
// the series that the question asks for. Restatements supersede; where the latest of
// all is asked for, older members of the first's series stand behind other series.
import type { Candidate, Candidates } from '../../retrieval/candidate.js';
import { stage, type Stage } from '../../pipeline.js';
import { noneInputs, noneProbability, notThen, reasonOf } from './answerable.js';
import { cascade, sigmoid, type CascadeResult } from './cascade.js';
import { checkReranker } from '../../vectors/reranker.js';
import { candidateMembers } from '../members/candidates.js';
import { checkCredibility, memberCredibility, type Credibility } from './credibility.js';
import { featureNames, firstTimed, width } from '../features/features.js';
import type { StatementMatch } from '../features/matches.js';
import { hasSentenceRows } from '../../store/format/manifest.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import type { Snapshot } from '../../store/views/snapshot.js';
import type { MemberTable } from '../members/members.js';
import type { Ranker } from './model.js';
import { MemberValidity, overReason } from './validity.js';
import { judgedLogOdds, rerankerScores, type Reranking } from './reranking.js';
import { droppedFor, restatedCandidates } from './superseded.js';

export interface RankBySeriesOptions {
  credibility?: Credibility | undefined;
  reranking?: Reranking | undefined;
}

/**
 * Scores are probabilities that the passage answers, 0 to 1. Columns: `scan`, the previous score,
 * and `membership`, the probability that its best statement is of the series that is asked for.
 * Notes: members; series, the probability that their order counts; none, that no passage answers.
 */
export function rankBySeries(
  ranker: Ranker,
  { credibility, reranking }: RankBySeriesOptions = {},
): Stage<Candidates, Candidates> {
  if (credibility) checkCredibility(credibility);
  if (reranking) checkReranker(reranking.reranker);
  return stage(`rankBySeries(${ranker.id})`, async (candidates, { signal, note }) => {
    const { query, hits, shortlistSize = hits.length } = candidates;
    if (hits.length === 0) return candidates;
    const shortlist = byId(query.snapshot, hits.slice(0, shortlistSize));
    const { question, table } = await candidateMembers(query, shortlist, { signal });
    const believed = { credibility: credibility && memberCredibility(table, credibility) };
    await yieldToEventLoop(signal);
    const unjudged = cascade(table, ranker.weights, believed);
    const scores =
      reranking && (await rerankerScores(query, shortlist, unjudged, reranking, signal));
    if (reranking) note('by', reranking.reranker.id);
    const judged = scores && judgedLogOdds(scores, shortlist.length);
    const result = judged ? cascade(table, ranker.weights, { ...believed, judged }) : unjudged;
    const sentenceRows = hasSentenceRows(query.snapshot.manifest);
    note('members', table.match.length);
    const none =
      result.best < 0 ? 1 : noneProbability(ranker.weights.none, noneInputs(table, result));
    note('none', none);
    const restated = restatedCandidates(table, result);
    note('series', result.series);
    const validities = new MemberValidity(question, table, result);
    await yieldToEventLoop(signal);
    const ranked = shortlist.map((each, candidate): Candidate => {
      const score = Math.exp(result.scores[candidate]!);
      const member = result.members[candidate]!;
      return {
        ...ranking(withScore(each, scores?.get(candidate)), {
          ...{ table, result, ranker, sentenceRows, member, score },
          judged: judged?.[candidate] ?? 0,
        }),
        validity: () => validities.of(member),
      };
    });
    await yieldToEventLoop(signal);
    const order = [...ranked.keys()].filter((candidate) => !restated.has(candidate));
    order.sort(
      (a, b) =>
        ranked[b]!.score - ranked[a]!.score || (shortlist[a]!.id < shortlist[b]!.id ? -1 : 1),
    );
    const kept = order.map((candidate) => ranked[candidate]!);
    const { timeZone } = query.snapshot;
    const ofFirst = kept[0]?.validity?.();
    const reason =
      (ofFirst && overReason(ofFirst, timeZone)) ??
      (none > 0.5 ? reasonOf(table, result) : undefined);
    const around = reason?.startsWith(notThen) ? validities.around(timeZone) : '';
    const dropped = droppedFor(table, restated, timeZone);
    return {
      query,
      hits: [...kept, ...behind(hits.slice(shortlistSize), kept.at(-1)?.score ?? 1)],
      ...(dropped.length > 0 || candidates.dropped
        ? { dropped: [...(candidates.dropped ?? []), ...dropped] }
        : {}),
      calibrated: true,
      ...(reason === undefined ? {} : { unanswered: reason + around }),
    };
  });
}

const withScore = (each: Candidate, reranker: number | undefined): Candidate =>
  reranker === undefined ? each : { ...each, scores: { ...each.scores, reranker } };

/** In an order that depends neither on ranks nor on the segments that the candidates lie in. */
function byId(snapshot: Snapshot, hits: readonly Candidate[]): Candidate[] {
  const ids = snapshot.ids(
    hits.map(({ segment }) => segment),
    hits.map(({ passage }) => passage),
  );
  const places = [...hits.keys()].sort((a, b) => (ids[a]! < ids[b]! ? -1 : 1));
  return places.map((at) => ({ ...hits[at]!, id: ids[at]! }));
}

interface RankedMember {
  table: MemberTable;
  result: CascadeResult;
  ranker: Ranker;
  /** Whether the row of a statement is that of its sentence. */
  sentenceRows: boolean;
  member: number;
  score: number;
  /** Log-odds by a reranker. */
  judged: number;
}

function ranking(
  { id, segment, passage, row, score: scan, scores, interval }: Candidate,
  ranked: RankedMember,
): Candidate {
  const { table, result, sentenceRows, member, score } = ranked;
  const isByTime = member >= 0 && isTimed(table, result, member);
  const logOdds = isByTime ? result.logOdds : result.evidence;
  const match = member < 0 ? undefined : table.matches.at(table.match[member]!);
  const isPassageRow = match === undefined || match.row === row;
  return {
    id,
    segment,
    passage,
    row: match?.row ?? row,
    ...(sentenceRows || !match ? {} : sentenceOf(match)),
    score,
    scores: {
      scan,
      ...scores,
      membership: member < 0 ? 0 : sigmoid(logOdds[member]!),
    },
    shares: () => sharesOf(ranked),
    ...(interval === undefined || !isPassageRow ? {} : { interval }),
  };
}

/** The sentence of a statement; none of a title, and of a passage as a whole. */
function sentenceOf({ passage, statement }: StatementMatch): Pick<Candidate, 'sentence'> {
  const { span, whole, isTitle } = statement;
  if (whole || isTitle) return {};
  return { sentence: passage.record.text.slice(span.start, span.end) };
}

/** Whether the time of a candidate's member counts. */
const isTimed = (
  { hasOperator, candidate }: MemberTable,
  { isOrdered }: CascadeResult,
  member: number,
): boolean => hasOperator || isOrdered[candidate[member]!] === 1;

/** The log-odds of membership by feature, and `order` the rest: together the score's logarithm. */
function sharesOf({
  table,
  ranker,
  result,
  member,
  score,
  judged,
}: RankedMember): Record<string, number> {
  const logarithm = Math.log(score);
  if (member < 0) return { order: logarithm };
  const shares = featureNames
    .slice(0, isTimed(table, result, member) ? width : firstTimed)
    .map((name, f) => {
      const value = table.features[member * width + f]!;
      return [name, ranker.weights.features[f]! * value] as const;
    })
    .filter(([, share]) => share !== 0)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const sum = shares.reduce((total, [, share]) => total + share, judged);
  return {
    ...Object.fromEntries(shares),
    ...(judged === 0 ? {} : { reranker: judged }),
    order: logarithm - sum,
  };
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
