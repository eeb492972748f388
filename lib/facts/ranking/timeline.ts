// Timeline of a series: its members in the order of their times, each with what it states, until
// when that holds, and the earlier publications that it supersedes.
import { sigmoid, type CascadeResult } from './cascade.js';
import type { Matches, StatementMatch } from '../features/matches.js';
import type { MemberTable } from '../members/members.js';
import { isMainTime, type StatedTime } from '../../statements/statements.js';
import type { TextWord } from '../../statements/textWords.js';
import type { Span } from '../../statements/words.js';

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
  /** Its part of the statement, where that lists several. */
  item?: Span | undefined;
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
  return members.map((member): TimelineEntry => {
    const { match, time, logOdds, evidence, supersedes } = member;
    const { record } = match.passage;
    const next = members.find((each) => each.time.start > time.start)?.time.start;
    const until = time.range ? time.end : next;
    return {
      ...(Number.isFinite(time.start) ? { start: time.start } : {}),
      ...(until === undefined || !Number.isFinite(until) ? {} : { end: until }),
      values: writtenValues(member),
      statement: statementText(member),
      probability: sigmoid(logOdds),
      ...(record.publishedAt === undefined ? {} : { publishedAt: record.publishedAt }),
      evidence,
      supersedes,
    };
  });
}

function statementText({ match: { statement, passage }, item }: Member): string {
  const { span, isTitle } = statement;
  const { title = '', text } = passage.record;
  if (!item) return (isTitle ? title : text).slice(span.start, span.end);
  return text.slice(item.start, item.end).replace(/^[\s|,;•*-]+|[\s|,;]+$/g, '');
}

/** The likeliest statement of each passage and time; a sentence rather than a whole passage. */
function likelyMembers(table: MemberTable, { relative }: CascadeResult): Member[] {
  const { matches, match, interpretation } = table;
  const best = new Map<string, Member>();
  const likely = new Map<StatementMatch, number>();
  for (let at = 0; at < match.length; at += 1) {
    const logOdds = relative[at]!;
    if (interpretation[at] !== 0 || logOdds <= 0) continue;
    const time = table.timeOf(at);
    const own = matches.at(match[at]!);
    likely.set(own, Math.max(logOdds, likely.get(own) ?? 0));
    if (!time || !isMainTime(time)) continue;
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
  const lists = listedMembers(matches, likely);
  // What a passage lists it does not state as one.
  const others = [...best.values()].filter(
    ({ match: { candidate }, time }) =>
      !lists.some(
        (each) =>
          each.match.candidate === candidate &&
          time.start < each.time.end &&
          each.time.start < time.end,
      ),
  );
  return [...others, ...lists];
}

/** By passage the members of its longest list, in a statement or under a heading without a time. */
function listedMembers(matches: Matches, likely: ReadonlyMap<StatementMatch, number>): Member[] {
  const lists = new Map<number, Member[]>();
  const offer = (candidate: number, list: Member[]): void => {
    if (list.length > (lists.get(candidate)?.length ?? 0)) lists.set(candidate, list);
  };
  for (const [match, logOdds] of likely) {
    const { candidate, statement, passage } = match;
    offer(candidate, membersOfList(match, logOdds));
    const isFirst = !statement.whole && statement.span.start === passage.statements[0]!.span.start;
    if (!isFirst || !isHeading(match)) continue;
    const below = [...matches].filter(
      (each) =>
        each.candidate === candidate && !each.statement.whole && each.statement.times.length > 0,
    );
    const members = below.flatMap((each): Member[] => {
      const list = membersOfList(each, logOdds);
      const time = each.statement.times.find(({ source }) => source === 'own');
      if (list.length > 0 || !time || each.slots.size === 0) return list;
      const evidence = [each.passage.record.id];
      return [{ match: each, time, logOdds, values: each.slots, evidence, supersedes: [] }];
    });
    if (members.length >= leastListed) offer(candidate, members);
  }
  return [...lists.values()].flat();
}

/** Whether a statement has the question's words, one more at most, and no time. */
function isHeading({ statement: { times, words }, matched }: StatementMatch): boolean {
  let asked = 0;
  for (let bits = matched; bits !== 0; bits &= bits - 1) asked += 1;
  return times.length === 0 && words.length <= asked + 1;
}

/** Least number of members that make a list. */
const leastListed = 3;

/**
 * The members that a statement lists, each with a time and values of its own: "A (1990–1998), B
 * (1998–2005) and C (since 2005)". Empty of a statement that is no list.
 */
function membersOfList(match: StatementMatch, logOdds: number): Member[] {
  const { statement, passage, slots } = match;
  const { times, span, words, isTitle } = statement;
  if (isTitle) return [];
  const byMention = new Map<number, StatedTime>();
  for (const time of times)
    if (time.at !== undefined && (time.range || !byMention.has(time.at)))
      byMention.set(time.at, time);
  if (byMention.size < leastListed) return [];
  const placed = [...words].filter(({ term }) => slots.has(term));
  const mentions = [...byMention].sort(([a], [b]) => a - b);
  const isNamedFirst = placed.some(({ start }) => start < mentions[0]![0]);
  const items = mentions.map(([at, time], nth): { time: StatedTime; item: Span } => {
    const [before, after] = [mentions[nth - 1]?.[0], mentions[nth + 1]?.[0]];
    return isNamedFirst
      ? { time, item: { start: before ?? span.start, end: at } }
      : { time, item: { start: at, end: after ?? span.end } };
  });
  const members = items.map(({ time, item }): Member => {
    const own = placed.filter(({ start }) => start >= item.start && start < item.end);
    const values = new Set(own.map(({ term }) => term));
    const first = Math.min(...own.map(({ start }) => start));
    const shown = isNamedFirst
      ? { start: first, end: closeOf(passage.record.text, item.end, span.end) }
      : item;
    const evidence = [passage.record.id];
    return { match, time, item: shown, logOdds, values, evidence, supersedes: [] };
  });
  const differ = new Set(members.flatMap(({ values }) => [...values].join(' ')));
  return members.every(({ values }) => values.size > 0) && differ.size >= leastListed
    ? members
    : [];
}

/** The end of a date's item: its bracket, or what stands before the next separator. */
function closeOf(text: string, from: number, to: number): number {
  const rest = text.slice(from, to);
  const end = /[)\]]|[,;|](?=\s)|\n|$/.exec(rest)!;
  return from + end.index + (/[)\]]/.test(end[0]) ? 1 : 0);
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
function writtenValues({ match, values, item }: Member): string[] {
  const { statement, passage } = match;
  const { record, title } = passage;
  const { start, end } = item ?? { start: 0, end: Infinity };
  const words = [...statement.words].filter((word) => word.start >= start && word.start < end);
  const own = statement.isTitle ? [] : writtenIn(record.text, words, values);
  return own.length > 0 ? own : writtenIn(record.title ?? '', title, values);
}

function writtenIn(text: string, words: Iterable<TextWord>, values: ReadonlySet<string>): string[] {
  const spans: { start: number; end: number }[] = [];
  for (const { term, start, end } of words) {
    if (!values.has(term)) continue;
    const last = spans.at(-1);
    if (last && /^[\s.]{0,2}$/.test(text.slice(last.end, start))) last.end = end;
    else spans.push({ start, end });
  }
  return [...new Set(spans.map(({ start, end }) => text.slice(start, end)))];
}
