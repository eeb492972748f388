// Timeline of a series: its members in the order of their times, each with what it states, until
// when that holds, and the earlier publications that it supersedes.
import { sigmoid, type CascadeResult } from './cascade.js';
import type { StatementMatch } from '../features/features.js';
import type { MemberTable } from '../members/members.js';
import type { StatedTime } from '../statements/statements.js';
import type { WordRange } from '../statements/textWords.js';

/** A member of a series. Times are milliseconds since 1970, UTC. */
export interface TimelineEntry {
  /** When it began, or the time that it is of; absent where only its end is stated. */
  start?: number | undefined;
  /** Until when it held, exclusive: its own end, else the start of the next one, if any. */
  end?: number | undefined;
  /** Numbers and names of the statement that vary in the series, in its order. */
  values: string[];
  statement: string;
  /** Probability that the statement belongs to the series, 0.5 to 1. */
  probability: number;
  publishedAt?: number | undefined;
  /** Ids of the passages that state it, that of `statement` first. */
  evidence: string[];
  /** Ids of passages that stated something else for the same time and were published before. */
  supersedes: string[];
}

interface Member {
  match: StatementMatch;
  time: StatedTime;
  logOdds: number;
  /** Terms of its varying values. */
  values: ReadonlySet<string>;
  evidence: string[];
  supersedes: string[];
}

/** The members that are likelier of the series than not, in the order of time. */
export function timelineOf(table: MemberTable, result: CascadeResult): TimelineEntry[] {
  const byTime = new Map<string, Member[]>();
  for (const member of varying(likelyMembers(table, result))) {
    const key = `${member.time.start} ${member.time.end}`;
    const list = byTime.get(key);
    if (list) list.push(member);
    else byTime.set(key, [member]);
  }
  const members = statesOf([...byTime.values()].flatMap(standingMembers));
  return members.map(({ match, time, logOdds, values, evidence, supersedes }): TimelineEntry => {
    const { record } = match.passage;
    const next = members.find((each) => each.time.start > time.start)?.time.start;
    const until = time.range ? time.end : next;
    return {
      ...(Number.isFinite(time.start) ? { start: time.start } : {}),
      ...(until === undefined || !Number.isFinite(until) ? {} : { end: until }),
      values: writtenValues(match, values),
      statement: statementText(match),
      probability: sigmoid(logOdds),
      ...(record.publishedAt === undefined ? {} : { publishedAt: record.publishedAt }),
      evidence,
      supersedes,
    };
  });
}

function statementText({ statement, passage: { record } }: StatementMatch): string {
  const { span, isTitle } = statement;
  return ((isTitle ? record.title : record.text) ?? '').slice(span.start, span.end);
}

/** Times that a statement is of; others it compares with, or tells of something else. */
const isMain = ({ source }: StatedTime): boolean =>
  source === 'own' || source === 'title' || source === 'valid' || source === 'published';

/** The likeliest statement of each passage and time; a sentence rather than a whole passage. */
function likelyMembers(
  { matches, match, interpretation, times }: MemberTable,
  { relative }: CascadeResult,
): Member[] {
  const best = new Map<string, Member>();
  for (let at = 0; at < match.length; at += 1) {
    const time = times[at];
    const logOdds = relative[at]!;
    if (interpretation[at] !== 0 || logOdds <= 0 || !time || !isMain(time)) continue;
    const own = matches[match[at]!]!;
    const key = `${own.candidate} ${time.start} ${time.end}`;
    const known = best.get(key);
    const isOfTitle = own.statement.isTitle || known?.match.statement.isTitle;
    const values = known && isOfTitle ? new Set([...known.values, ...own.slots]) : own.slots;
    if (known && (own.statement.whole || logOdds <= known.logOdds)) {
      if (own.statement.isTitle) known.values = values;
      continue;
    }
    const evidence = [own.passage.record.id];
    best.set(key, { match: own, time, logOdds, values, evidence, supersedes: [] });
  }
  return [...best.values()];
}

/** What most members have is the measure, what few have the value. */
function varying(members: readonly Member[]): Member[] {
  const counts = new Map<string, number>();
  for (const { values } of members)
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = Math.max(1, members.length / 2);
  return members.map((member) => ({
    ...member,
    values: new Set([...member.values].filter((value) => counts.get(value)! <= most)),
  }));
}

const publication = ({ match }: Member): number => match.passage.record.publishedAt ?? -Infinity;

const agree = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
  for (const value of one) if (other.has(value)) return true;
  return one.size === 0 || other.size === 0;
};

/** Of the members of one time each value once, without those that a later publication restates. */
function standingMembers(members: readonly Member[]): Member[] {
  const standing: Member[] = [];
  const sorted = [...members].sort(
    (a, b) => publication(b) - publication(a) || b.logOdds - a.logOdds,
  );
  for (const member of sorted) {
    const same = standing.find(({ values }) => agree(values, member.values));
    const isOld = Number.isFinite(publication(member));
    const newer = isOld && standing.find((each) => publication(each) > publication(member));
    if (same) same.evidence.push(...member.evidence);
    else if (newer) newer.supersedes.push(...member.evidence);
    else standing.push(member);
  }
  return standing;
}

/** How much of its state a time tells: both ends, its beginning, its end. */
const certainty = ({ time: { start, range } }: Member): number =>
  start === -Infinity ? 0 : range ? 2 : 1;

/** Statements of one value at overlapping times tell of one state, with the times of the surest. */
function statesOf(members: readonly Member[]): Member[] {
  const states: Member[] = [];
  for (const member of [...members].sort((a, b) => certainty(b) - certainty(a))) {
    const same = states.find(
      ({ time, values }) =>
        (time.range || member.time.range) &&
        member.time.start < time.end &&
        member.time.end > time.start &&
        values.size > 0 &&
        member.values.size > 0 &&
        agree(values, member.values),
    );
    if (!same) states.push(member);
    else {
      same.evidence.push(...member.evidence.filter((id) => !same.evidence.includes(id)));
      same.supersedes.push(...member.supersedes);
    }
  }
  const place = ({ time: { start, end } }: Member): number =>
    Number.isFinite(start) ? start : Number.isFinite(end) ? end : -Infinity;
  return states.sort((a, b) => place(a) - place(b) || b.time.end - a.time.end);
}

/** The values as written in the statement, else in the title; neighbouring words together. */
function writtenValues(
  { statement, passage: { record, title } }: StatementMatch,
  values: ReadonlySet<string>,
): string[] {
  const own = statement.isTitle ? [] : writtenIn(record.text, statement.words, values);
  return own.length > 0 ? own : writtenIn(record.title ?? '', title, values);
}

function writtenIn(text: string, words: WordRange, values: ReadonlySet<string>): string[] {
  const spans: { start: number; end: number }[] = [];
  for (const { term, start, end } of words) {
    if (!values.has(term)) continue;
    const last = spans.at(-1);
    if (last && /^[\s.]{0,2}$/.test(text.slice(last.end, start))) last.end = end;
    else spans.push({ start, end });
  }
  return [...new Set(spans.map(({ start, end }) => text.slice(start, end)))];
}
