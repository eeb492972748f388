// Results of one question as of the times at which something changes, for a static page.
import { parseAskedAt, toJson } from 'asof/kit';
import {
  type Question,
  type RunOptions,
  type StoredCorpus,
  type AskOptions,
  type System,
  type SystemResult,
  timeline,
} from 'asof';
import { formatDay, parseInstant } from 'asof/time';
import type {
  CorpusRecord,
  EvidenceRecord,
  MomentRecord,
  QuestionPageData,
  ResultRecord,
  TimelineRecord,
} from './pageData.js';

/** Times that a page has results of, at most. */
export const mostMoments = 24;

export interface MomentQuestion {
  corpus: StoredCorpus;
  /** Name of the corpus on the page. */
  name: string;
  system: System;
  question: Question;
  options: AskOptions;
  /** The result as of the time that the page shows first. */
  result: SystemResult;
}

/** What the API would reply, as of any time. */
interface Replies {
  ask(askedAt: number): Promise<ResultRecord>;
  timeline(askedAt: number): Promise<TimelineRecord>;
}

/**
 * Asks again as of the end of the corpus, which hides nothing, and as of the publications and the
 * bounds of validity of the passages; of equal neighbours the first is kept.
 */
export async function questionMoments(
  asked: MomentQuestion,
  { onProgress }: Pick<RunOptions, 'onProgress'> = {},
): Promise<QuestionPageData> {
  const info = await asked.corpus.info();
  const zone = info.timeZone;
  const corpus: CorpusRecord = {
    name: asked.name,
    passages: info.passages,
    time_zone: zone,
    spans: toJson.spans(info),
  };
  const result = toJson.result(asked.result, asked.system.name) as unknown as ResultRecord;
  const askedAt = asked.result.question.askedAt;
  const lastPublished = info.spans.published?.[1];
  const end = Math.max(askedAt, lastPublished ? endOfDay(lastPublished, zone) : askedAt);
  const replies = repliesOf(asked, zone);
  const unlimited = end > askedAt ? await replies.ask(end) : result;
  const known = new Map([
    [end, unlimited],
    [askedAt, result],
  ]);
  const whole = await replies.timeline(end);
  const passages = [result, unlimited].flatMap(({ evidence }) => evidence);
  const groups = changesIn(passages, whole, zone);
  const always = [askedAt, end];
  const near = hullOf([...groups[0]!, ...groups[1]!, ...always]);
  const times = chosenTimes(
    groups.map((group) => group.filter((each) => each >= near.from && each <= near.to)),
    always,
  );
  const moments: MomentRecord[] = [];
  const timelines: TimelineRecord[] = [];
  const indices = new Map<string, number>();
  let last = '';
  for (const [done, time] of times.entries()) {
    onProgress?.({ done, total: times.length });
    const reply = known.get(time) ?? (await replies.ask(time));
    const entries = time === end ? whole : await replies.timeline(time);
    const text = JSON.stringify(entries);
    const index = indices.get(text) ?? timelines.length;
    if (index === timelines.length) timelines.push(entries);
    indices.set(text, index);
    const { evidence, dropped, answer, unanswered } = reply;
    const now = JSON.stringify([evidence, dropped, answer, unanswered, index]);
    if (now !== last || known.has(time)) moments.push({ result: reply, timeline: index });
    last = now;
  }
  const first = moments.findIndex((each) => each.result === result);
  return { corpus, moments, first, timelines, unlimited };
}

function repliesOf({ corpus, system, question, options }: MomentQuestion, zone: string): Replies {
  const { where, asRecorded, signal } = options;
  return {
    ask: async (askedAt) =>
      toJson.result(
        await system.run({ ...question, askedAt }, options),
        system.name,
      ) as unknown as ResultRecord,
    timeline: async (askedAt) =>
      toJson.timeline(
        question.text,
        await timeline(corpus, { ...question, askedAt }, { where, asRecorded, signal }),
        zone,
      ) as unknown as TimelineRecord,
  };
}

/** The last millisecond of a day, as a date alone means it; an instant within one as it is. */
function endOfDay(instant: number, zone: string): number {
  const day = formatDay(instant, zone);
  return parseInstant(day, 'start', 'day', zone) === instant
    ? parseAskedAt(day, 'day', zone)
    : instant;
}

const hullOf = (times: readonly number[]): { from: number; to: number } => ({
  from: times.reduce((least, each) => Math.min(least, each)),
  to: times.reduce((most, each) => Math.max(most, each)),
});

/** Times of change, those of the passages before those of the series. */
function changesIn(
  passages: readonly EvidenceRecord[],
  { entries }: TimelineRecord,
  zone: string,
): number[][] {
  const at = (text: string | null | undefined): number[] =>
    typeof text === 'string' ? [parseAskedAt(text, 'time', zone)] : [];
  const after = (text: string | null | undefined): number[] =>
    typeof text === 'string' ? [endOfDay(parseInstant(text, 'end', 'time', zone), zone)] : [];
  return [
    passages.flatMap((each) => at(each.published_at)),
    passages.flatMap((each) => [...at(each.valid_from), ...after(each.valid_to)]),
    entries.flatMap((each) => at(each.published_at)),
    entries.flatMap((each) => at(each.start_iso)),
  ];
}

/** All of `always`, then groups in turn, of one that is too large evenly spaced ones; ascending. */
function chosenTimes(groups: readonly number[][], always: readonly number[]): number[] {
  const chosen = new Set(always);
  for (const group of groups) {
    const fresh = [...new Set(group)].filter((each) => !chosen.has(each)).sort((a, b) => a - b);
    const room = mostMoments - chosen.size;
    const step = Math.max(1, fresh.length / Math.max(1, room));
    for (let nth = 0; nth < Math.min(room, fresh.length); nth += 1)
      chosen.add(fresh[Math.floor(nth * step)]!);
  }
  return [...chosen].sort((a, b) => a - b);
}
