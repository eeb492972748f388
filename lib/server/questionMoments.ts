// Results of one question as of the times at which something changes, for a static page.
import { parseAskedAt, parseInstant, formatDay } from '../time/instant.js';
import type { RunOptions } from '../records.js';
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

export interface MomentQuestions {
  corpus: CorpusRecord;
  /** The result as it was asked for. */
  result: ResultRecord;
  /** Publication of the newest passage, in epoch milliseconds; absent without any. */
  lastPublished?: number | null | undefined;
  /** Asks again, as of another time. */
  ask(askedAt: number): Promise<ResultRecord>;
  timeline(askedAt: number): Promise<TimelineRecord>;
}

/**
 * Asks again as of the end of the corpus, which hides nothing, and as of the publications and the
 * bounds of validity of the passages; of equal neighbours the first is kept.
 */
export async function questionMoments(
  questions: MomentQuestions,
  { onProgress }: Pick<RunOptions, 'onProgress'> = {},
): Promise<QuestionPageData> {
  const { corpus, result, lastPublished, ask, timeline } = questions;
  const zone = corpus.time_zone;
  const askedAt = Date.parse(result.asked_at);
  const end = lastPublished ? endOfDay(lastPublished, zone) : askedAt;
  const unlimited = end > askedAt ? await ask(end) : result;
  const whole = await timeline(Math.max(end, askedAt));
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
  const known = new Map<string, number>();
  let last = '';
  for (const [done, time] of times.entries()) {
    onProgress?.({ done, total: times.length });
    const asked = time === askedAt ? result : time === end ? unlimited : await ask(time);
    const entries = time === Math.max(end, askedAt) ? whole : await timeline(time);
    const text = JSON.stringify(entries);
    const index = known.get(text) ?? timelines.length;
    if (index === timelines.length) timelines.push(entries);
    known.set(text, index);
    const { evidence, dropped, answer, unanswered } = asked;
    const now = JSON.stringify([evidence, dropped, answer, unanswered, index]);
    if (now !== last || time === askedAt || time === end)
      moments.push({ result: asked, timeline: index });
    last = now;
  }
  const first = moments.findIndex((each) => each.result === result);
  return { corpus, moments, first, timelines, unlimited };
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
