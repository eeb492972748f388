// Results, passages and what a corpus holds as JSON, whose field names are stable: of commands, of
// the server, and of agents' tools.
import type { DroppedPassage, Evidence } from '../reading/evidence.js';
import type { StoredPassage } from '../records.js';
import type { StoredCorpusInfo } from '../store/info.js';
import type { PassageVersion } from '../store/views/history.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { formatDay, formatInstant } from '../time/instant.js';
import { intervalIso, toTimeQuestionRecord, toTimeTagRecord } from '../time/records.js';
import { formatLast, formatTimestamp } from '../time/timeFormat.js';
import type { Conflict } from './conflicts.js';
import type { SystemResult } from './system.js';
import type { TimelineEntry } from './timeline.js';

type Json = Record<string, unknown>;

/** The fields that are there. */
const present = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

type Times = Partial<Record<'publishedAt' | 'validFrom' | 'validTo', number | undefined>>;

/** Times of a passage; of the end of its validity the last day, where that is a day. */
const timesJson = ({ publishedAt, validFrom, validTo }: Times, timeZone?: string): Json => ({
  published_at: publishedAt === undefined ? undefined : formatTimestamp(publishedAt, timeZone),
  valid_from: validFrom === undefined ? undefined : formatTimestamp(validFrom, timeZone),
  valid_to: validTo === undefined ? undefined : formatLast(validTo, timeZone),
});

/** The result of the system of a name. */
function resultJson(result: SystemResult, system: string): Json {
  const { question, evidence, dropped, answer, unanswered } = result;
  return present({
    question: question.text,
    asked_at: formatInstant(question.askedAt),
    time_zone: question.timeZone,
    constraint: constraintJson(question),
    resolved: resolvedJson(question),
    system,
    evidence: evidence.map(evidenceJson),
    dropped: dropped?.map((each) => droppedJson(each, evidence[0]?.timeZone)),
    answer: unanswered === undefined ? answer?.text : null,
    answer_items: answer?.items,
    answer_sentence: answer && (answer.sentence ?? null),
    answer_evidence: answer?.evidence,
    answer_confidence: answer?.confidence,
    answer_span_confidence: answer?.spanConfidence,
    answer_validity: answer?.validity && validityJson(answer.validity, evidence[0]?.timeZone),
    unanswered,
    facets: result.facets,
    exact: result.exact,
    missing_shards: result.missingShards,
    scan: result.scan,
    trace: result.trace,
  });
}

/** The constraint as `asof time question` prints it, and the clock it reads. */
function constraintJson(question: ParsedQuestion): Json {
  const { id: _, ...record } = toTimeQuestionRecord(null, question);
  return { ...record, clock: question.constraint.clock };
}

/** The event whose time a system found, with that time and the passage that tells it. */
function resolvedJson({ resolved, timeZone }: ParsedQuestion): Json | undefined {
  if (!resolved) return undefined;
  const { phrase, interval, passage, confidence, asked } = resolved;
  const { start_iso: start, end_iso: end } = intervalIso(interval, timeZone);
  return { phrase, start, end, passage, confidence, asked };
}

function droppedJson(dropped: DroppedPassage, timeZone?: string): Json {
  const { publishedAt: _, validFrom: __, validTo: ___, ...others } = dropped;
  return present({ ...others, ...timesJson(dropped, timeZone) });
}

/** A passage as `asof ask --json` prints it. */
function evidenceJson(evidence: Evidence): Json {
  const { timeZone, dates, validity, supersededBy } = evidence;
  return present({
    id: evidence.id,
    rank: evidence.rank,
    score: evidence.score,
    scores: evidence.scores,
    shares: evidence.shares,
    title: evidence.title,
    text: evidence.text,
    sentence: evidence.sentence,
    // The deciding one first.
    dates: dates?.map((each) => ({
      ...intervalIso(each, timeZone),
      granularity: each.granularity,
    })),
    ...timesJson(evidence, timeZone),
    time_zone: timeZone,
    validity: validity && validityJson(validity, timeZone),
    chunk: evidence.chunk,
    series: evidence.series,
    superseded_by: supersededBy && closingJson(supersededBy, timeZone),
    highlights: evidence.highlights,
    neighbours: evidence.neighbours,
  });
}

/** A validity window with the state at the time asked for, or with the rule that derived it. */
function validityJson(
  { window, ...others }: NonNullable<Evidence['validity']>,
  timeZone: string | undefined,
): Json {
  const [start, end] = [window?.start ?? -Infinity, window?.end ?? Infinity];
  return present({
    ...others,
    from: Number.isFinite(start) ? formatTimestamp(start, timeZone) : null,
    to: Number.isFinite(end) ? formatLast(end, timeZone) : null,
  });
}

/** Indexed again, into a corpus of the same time zone, it is the same passage. */
function passageJson(passage: StoredPassage, timeZone?: string): Json {
  const { id, text, title, metadata, chunk, series, supersedes, supersededBy } = passage;
  return present({
    id,
    text,
    title,
    ...timesJson(passage, timeZone),
    metadata,
    chunk,
    series,
    supersedes,
    superseded_by: supersededBy && closingJson(supersededBy, timeZone),
  });
}

/** How a passage was closed by the next one of its series. */
const closingJson = (
  { id, from, validTo }: NonNullable<StoredPassage['supersededBy']>,
  timeZone?: string,
): Json =>
  present({ id, from: formatTimestamp(from, timeZone), ...timesJson({ validTo }, timeZone) });

/** A version of a passage, with when it was recorded and why it ended. */
const versionJson = (
  { passage, recordedAt, endedAt, endedBy }: PassageVersion,
  timeZone?: string,
): Json => ({
  ...passageJson(passage, timeZone),
  recorded_at: formatInstant(recordedAt),
  ...(endedAt === undefined ? {} : { ended_at: formatInstant(endedAt), ended_by: endedBy }),
});

/** First and last day of each clock, both inclusive; an open end is null. */
export type SpansJson = Record<string, { start_iso: string | null; end_iso: string | null }>;

function infoJson(info: StoredCorpusInfo): Json {
  const { timeZone, ...others } = info;
  return { ...others, time_zone: timeZone, spans: spansJson(info) };
}

/** The intervals of content and validity are half-open. */
function spansJson(info: StoredCorpusInfo): SpansJson {
  const day = (instant: number | null): string | null =>
    instant === null ? null : formatDay(instant, info.timeZone);
  return Object.fromEntries(
    Object.entries(info.spans).map(([clock, [start, end]]) => {
      const last =
        end === null || clock === 'published' ? end : Math.max(start ?? -Infinity, end - 1);
      return [clock, { start_iso: day(start), end_iso: day(last) }];
    }),
  );
}

/** Ends are inclusive where they are days, null where open. */
const timelineJson = (
  question: string,
  entries: readonly TimelineEntry[] & Pick<SystemResult, 'missingShards'>,
  timeZone: string,
): Json =>
  present({
    question,
    missing_shards: entries.missingShards,
    entries: entries.map(({ start, end, publishedAt, ...others }) =>
      present({
        start_iso: start === undefined ? null : formatTimestamp(start, timeZone),
        end_iso: end === undefined ? null : formatLast(end, timeZone),
        ...others,
        ...timesJson({ publishedAt }, timeZone),
      }),
    ),
  });

const conflictsJson = (conflicts: readonly Conflict[], timeZone: string): Json[] =>
  conflicts.map(({ earlier, ...conflict }) => ({
    ...conflict,
    earlier: earlier.map(({ start, end, ...others }) =>
      present({
        ...others,
        start_iso: start === undefined ? undefined : formatTimestamp(start, timeZone),
        end_iso: end === undefined ? undefined : formatLast(end, timeZone),
      }),
    ),
  }));

/** A value as JSON, by its kind. */
export const toJson = {
  result: resultJson,
  evidence: evidenceJson,
  constraint: constraintJson,
  timeline: timelineJson,
  conflicts: conflictsJson,
  passage: passageJson,
  version: versionJson,
  info: infoJson,
  spans: spansJson,
  timeTag: toTimeTagRecord,
  timeQuestion: toTimeQuestionRecord,
};
