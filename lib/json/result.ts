// The result of a question as JSON, whose field names are stable: of `asof ask --json`, of the
// server, and of agents' tools.
import type { DroppedPassage, Evidence } from '../reading/evidence.js';
import type { SystemResult } from '../systems/system.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { formatInstant } from '../time/instant.js';
import { intervalIso, toTimeQuestionRecord } from '../time/records.js';
import { formatLast, formatTimestamp } from '../time/timeFormat.js';
import { closingJson } from './passage.js';

/** A result by name of its system. */
export function resultJson(result: SystemResult, system: string): Record<string, unknown> {
  return {
    question: result.question.text,
    asked_at: formatInstant(result.question.askedAt),
    ...(result.question.timeZone === undefined ? {} : { time_zone: result.question.timeZone }),
    constraint: constraintJson(result.question),
    ...resolvedJson(result.question),
    system,
    evidence: result.evidence.map(evidenceJson),
    ...(result.dropped
      ? { dropped: result.dropped.map((each) => droppedJson(each, result.evidence[0]?.timeZone)) }
      : {}),
    ...(result.answer
      ? {
          answer: result.answer.text,
          ...(result.answer.items ? { answer_items: result.answer.items } : {}),
          answer_sentence: result.answer.sentence ?? null,
          answer_evidence: result.answer.evidence,
          ...(result.answer.confidence === undefined
            ? {}
            : { answer_confidence: result.answer.confidence }),
        }
      : {}),
    ...(result.unanswered === undefined ? {} : { answer: null, unanswered: result.unanswered }),
    ...(result.missingShards ? { missing_shards: result.missingShards } : {}),
    ...(result.scan ? { scan: result.scan } : {}),
    trace: result.trace,
  };
}

/** The constraint as `asof time question` prints it, and the clock it reads. */
export function constraintJson(question: ParsedQuestion): Record<string, unknown> {
  const { id: _, ...record } = toTimeQuestionRecord(null, question);
  return { ...record, clock: question.constraint.clock };
}

/** The event whose time a system found, with that time and the passage that tells it. */
function resolvedJson({ resolved, timeZone }: ParsedQuestion): Record<string, unknown> {
  if (!resolved) return {};
  const { phrase, interval, passage, confidence, asked } = resolved;
  const { start_iso: start, end_iso: end } = intervalIso(interval, timeZone);
  return { resolved: { phrase, start, end, passage, confidence, asked } };
}

/** Times as in evidence. */
function droppedJson(dropped: DroppedPassage, timeZone?: string): Record<string, unknown> {
  const { publishedAt, validFrom, validTo, ...others } = dropped;
  return {
    ...others,
    ...(publishedAt === undefined ? {} : { published_at: formatTimestamp(publishedAt, timeZone) }),
    ...(validFrom === undefined ? {} : { valid_from: formatTimestamp(validFrom, timeZone) }),
    ...(validTo === undefined ? {} : { valid_to: formatLast(validTo, timeZone) }),
  };
}

/** Dates of evidence, the deciding one first. */
function datesJson({ dates = [], timeZone }: Evidence): Record<string, unknown>[] {
  return dates.map((interval) => ({
    ...intervalIso(interval, timeZone),
    granularity: interval.granularity,
  }));
}

/** A passage as `asof ask --json` prints it. */
export function evidenceJson(evidence: Evidence): Record<string, unknown> {
  const { timeZone } = evidence;
  return {
    id: evidence.id,
    rank: evidence.rank,
    score: evidence.score,
    scores: evidence.scores,
    ...(evidence.shares === undefined ? {} : { shares: evidence.shares }),
    ...(evidence.title === undefined ? {} : { title: evidence.title }),
    text: evidence.text,
    ...(evidence.sentence === undefined ? {} : { sentence: evidence.sentence }),
    ...(evidence.dates === undefined ? {} : { dates: datesJson(evidence) }),
    ...(evidence.publishedAt === undefined
      ? {}
      : { published_at: formatTimestamp(evidence.publishedAt, timeZone) }),
    ...(evidence.validFrom === undefined
      ? {}
      : { valid_from: formatTimestamp(evidence.validFrom, timeZone) }),
    ...(evidence.validTo === undefined ? {} : { valid_to: formatLast(evidence.validTo, timeZone) }),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(evidence.validity === undefined
      ? {}
      : { validity: validityJson(evidence.validity, timeZone) }),
    ...(evidence.chunk === undefined ? {} : { chunk: evidence.chunk }),
    ...(evidence.series === undefined ? {} : { series: evidence.series }),
    ...(evidence.supersededBy === undefined
      ? {}
      : { superseded_by: closingJson(evidence.supersededBy, timeZone) }),
    ...(evidence.neighbours === undefined ? {} : { neighbours: evidence.neighbours }),
  };
}

/** A validity window with its source: `rule` distinguishes given and derived ones. */
function validityJson(
  { window, rule, clock, ignored }: NonNullable<Evidence['validity']>,
  timeZone: string | undefined,
): Record<string, unknown> {
  const [start, end] = [window?.start ?? -Infinity, window?.end ?? Infinity];
  return {
    rule,
    clock,
    from: Number.isFinite(start) ? formatTimestamp(start, timeZone) : null,
    to: Number.isFinite(end) ? formatLast(end, timeZone) : null,
    ...(ignored ? { ignored } : {}),
  };
}
