// Rows of the timeline: the passages of a result, those that a filter removed, and those that are
// published later, each with its times as instants.
import { instantOf, type Span, type Stretch } from '@asof/pages/times';
import type {
  DateRecord,
  DroppedRecord,
  EvidenceRecord,
  ResultRecord,
  SeriesRecord,
} from '../http/pageData.js';

export interface DatedStretch extends Stretch {
  granularity: string;
}

export interface Row {
  id: string;
  title: string;
  /** Evidence has a rank; a later passage is hidden as of the time of asking. */
  state: 'evidence' | 'superseded' | 'later';
  rank?: number;
  published?: number | undefined;
  /** The words of its times, as they were received. */
  publishedText?: string | undefined;
  valid?:
    | (Stretch & { fromText: string | null; toText: string | null; ended: boolean })
    | undefined;
  /** The dates that it speaks of, the deciding one first. */
  dates: DatedStretch[];
  evidence?: EvidenceRecord;
  /** Id of what supersedes it, and the reason in words. */
  newer?: string | undefined;
  because?: string | undefined;
  /** The same in a few words, where the successor is in the figure. */
  successor?: string;
  /** Whether it is superseded as of the time of asking. */
  faded: boolean;
  /** Less than 1 % likely to answer: folded. */
  weak?: boolean;
}

export const askedAtOf = (result: ResultRecord): number => Date.parse(result.asked_at);

/**
 * Evidence by rank, then superseded passages, then those published after the time of asking, then
 * evidence that hardly answers.
 */
export function rowsOf(
  result: ResultRecord,
  unlimited: ResultRecord | undefined,
  timeZone: string | undefined,
): Row[] {
  const askedAt = askedAtOf(result);
  const evidence = result.evidence.map((each) => evidenceRow(each, askedAt, timeZone));
  const dropped = (result.dropped ?? []).map((each) => droppedRow(each, askedAt, timeZone));
  const known = new Set([...evidence, ...dropped].map(({ id }) => id));
  const later = (unlimited?.evidence ?? [])
    .filter(({ id }) => !known.has(id))
    .map((each): Row => {
      const { rank: _, ...row } = evidenceRow(each, askedAt, timeZone);
      return { ...row, state: 'later', faded: false, weak: false };
    })
    .filter(({ published }) => published !== undefined && published > askedAt)
    .sort((a, b) => a.published! - b.published!);
  const [weak, strong] = [true, false].map((is) => evidence.filter((row) => row.weak === is));
  const rows = [...strong!, ...dropped, ...later, ...weak!];
  return rows.map((row) => ({ ...row, ...successorWords(row, rows) }));
}

/** What superseded it by its rank, where that is shown too. */
function successorWords({ newer }: Row, rows: readonly Row[]): Pick<Row, 'successor'> {
  const by = newer === undefined ? undefined : rows.find(({ id }) => id === newer);
  if (!by) return {};
  const which = by.rank === undefined ? `“${by.title}”` : `no. ${by.rank}`;
  return { successor: `superseded by ${which}` };
}

function evidenceRow(record: EvidenceRecord, askedAt: number, timeZone?: string): Row {
  const zone = record.time_zone ?? timeZone;
  const { superseded_by: by } = record;
  const from = by && instantOf(by.from, 'start', zone);
  const isClosed = from !== undefined && from <= askedAt;
  return {
    id: record.id,
    title: record.title ?? record.id,
    state: 'evidence',
    rank: record.rank,
    ...timesOf(record, zone, askedAt),
    dates: (record.dates ?? []).flatMap((each) => stretchOf(each, zone) ?? []),
    evidence: record,
    weak: record.rank > 1 && 'membership' in record.scores && record.score < 0.01,
    faded: isClosed,
    ...(isClosed ? { newer: by!.id, because: `superseded by ${by!.id} from ${by!.from}` } : {}),
  };
}

function droppedRow(record: DroppedRecord, askedAt: number, timeZone?: string): Row {
  return {
    id: record.id,
    title: record.title ?? record.id,
    state: 'superseded',
    ...timesOf(record, timeZone, askedAt),
    dates: [],
    faded: true,
    newer: record.newer,
    because: record.because,
  };
}

/** Publication and validity; one that a system derived precedes the stated one. */
function timesOf(
  record: EvidenceRecord | DroppedRecord,
  zone: string | undefined,
  askedAt: number,
): Pick<Row, 'published' | 'publishedText' | 'valid'> {
  const derived = 'validity' in record ? record.validity : undefined;
  const fromText = derived?.from ?? record.valid_from ?? null;
  const toText = derived?.to ?? record.valid_to ?? null;
  const { published_at: publishedText } = record;
  const edge = (text: string | null, which: 'start' | 'end'): number | null =>
    (text === null ? undefined : instantOf(text, which, zone)) ?? null;
  const [from, to] = [edge(fromText, 'start'), edge(toText, 'end')];
  return {
    ...(publishedText === undefined
      ? {}
      : { publishedText, published: instantOf(publishedText, 'start', zone) }),
    ...(from === null && to === null
      ? {}
      : { valid: { from, to, fromText, toText, ended: to !== null && to <= askedAt } }),
  };
}

/** Undefined for a date that is none. */
function stretchOf(
  { start_iso: start, end_iso: end, granularity }: DateRecord,
  zone: string | undefined,
): DatedStretch | undefined {
  const from = start === null ? null : instantOf(start, 'start', zone);
  const to = end === null ? null : instantOf(end, 'end', zone);
  if (from === undefined || to === undefined || (from === null && to === null)) return undefined;
  return { from, to, granularity };
}

export interface SeriesRow extends SeriesRecord {
  name: string;
  stretch: Stretch;
  published?: number | undefined;
}

export const seriesRows = (entries: readonly SeriesRecord[], zone: string | undefined) =>
  entries.map((entry): SeriesRow => {
    const { start_iso: start, end_iso: end, published_at: published } = entry;
    return {
      ...entry,
      name: entry.values.join(', ') || entry.statement,
      stretch: {
        from: start === null ? null : (instantOf(start, 'start', zone) ?? null),
        to: end === null ? null : (instantOf(end, 'end', zone) ?? null),
      },
      published: published === undefined ? undefined : instantOf(published, 'start', zone),
    };
  });

/** Whether the system returned passages published after the time of asking: it has no mask. */
export const showsLater = (result: ResultRecord): boolean =>
  result.evidence.some(
    ({ published_at: text, time_zone: zone }) =>
      text !== undefined && (instantOf(text, 'start', zone) ?? 0) > askedAtOf(result),
  );

const finite = (each: number | null | undefined): each is number =>
  each !== null && each !== undefined && Number.isFinite(each);

/** Times at which a row changes: its publication and the bounds of its validity. */
export const changesOf = (rows: readonly Row[]): number[] =>
  [
    ...new Set(
      rows.flatMap(({ published, valid }) => [published, valid?.from, valid?.to]).filter(finite),
    ),
  ].sort((a, b) => a - b);

/** The window of the question's constraint; undefined without one. */
export function windowOf({ constraint, time_zone: zone }: ResultRecord): Stretch | undefined {
  const { window_start: start, window_end: end, start_iso: from, end_iso: to } = constraint;
  // Around a time, or as of one: the time itself.
  const isItself = (start === null && end === null) || constraint.relation === 'as of';
  const [start_iso, end_iso] = isItself ? [from, to] : [start, end];
  return stretchOf({ start_iso, end_iso, granularity: 'day' }, zone);
}

const day = 86_400_000;

/**
 * The time that a figure of these rows covers: publications, validities, deciding dates, those of
 * superseded passages aside, and the times in `also`, with a margin.
 */
export function domainOf(rows: readonly Row[], also: readonly (number | null)[] = []): Span {
  const near = rows.filter(({ state }) => state !== 'superseded');
  const own = (near.length > 0 ? near : rows).flatMap(({ published, valid, dates: [first] }) => [
    published,
    valid?.from,
    valid?.to,
    ...(first ? [first.from, first.to] : []),
  ]);
  return spanOf([...own, ...also]);
}

/**
 * Where most passages are close together and far from the others: the passages of the shortest time
 * with three fifths of them and the first; undefined where that is no small part of the whole.
 */
export function nearRows(rows: readonly Row[]): Row[] | undefined {
  const dated = rows
    .filter(({ state }) => state !== 'superseded')
    .flatMap((row) => {
      const at = row.published ?? row.valid?.from ?? row.dates[0]?.from;
      return finite(at) ? [{ row, at }] : [];
    })
    .sort((a, b) => a.at - b.at);
  const size = Math.ceil(0.6 * dated.length);
  const first = dated.findIndex(({ row }) => row.rank === 1);
  if (size < 3 || first < 0) return undefined;
  let best = 0;
  const lengthFrom = (start: number): number => dated[start + size - 1]!.at - dated[start]!.at;
  for (let start = 0; start + size <= dated.length; start += 1)
    if (lengthFrom(start) < lengthFrom(best)) best = start;
  const hull = dated.at(-1)!.at - dated[0]!.at;
  if (first < best || first >= best + size || lengthFrom(best) > hull / 20) return undefined;
  return dated.slice(best, best + size).map(({ row }) => row);
}

export function spanOf(instants: readonly (number | null | undefined)[]): Span {
  let [from, to] = [Infinity, -Infinity];
  for (const each of instants.filter(finite)) {
    from = Math.min(from, each);
    to = Math.max(to, each);
  }
  if (from > to) [from, to] = [Date.now() - 365 * day, Date.now()];
  const room = Math.max((to - from) * 0.04, 2 * day);
  return { from: from - room, to: to + room };
}
