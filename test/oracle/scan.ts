// The fused scan in float64, row by row and straight from the definitions in docs/architecture.md
// and lib/time/temporalForms.ts. It shares no code with the scan, knows no ticks, tiles or bounds,
// and is as slow as it is plain.
import type { Clock } from '../../lib/time/constraint.js';
import type { Mask, TemporalForm } from '../../lib/time/temporalForms.js';
import { decayFunctions, nearestDistance, spline, type DecayKind } from './temporal.js';

export interface OracleRow {
  passage: number;
  vector: number[];
  published?: number;
  validity?: [start: number, end: number];
  content?: [start: number, end: number][];
}

export interface OracleSegment {
  /** Ascending: the id of passage p. */
  ids: string[];
  /** M of the row order. */
  multiSentence: number;
  rows: OracleRow[];
  visible?: boolean[];
}

export interface OracleQuery {
  vector?: number[];
  semanticWeight: number;
  lexical?: number[][];
  lexicalWeight: number;
  mask?: Mask;
  form: TemporalForm;
}

export interface OracleOptions {
  scope: 'passages' | 'sentences' | 'all';
  pool: boolean;
}

export interface OracleHit {
  segment: number;
  row: number;
  passage: number;
  id: string;
  relevance: number;
  score: number;
  temporal?: number;
}

export interface OracleAnswer {
  /** Everything that is not masked, best first: score, id, row; pooled where asked. */
  ranking: OracleHit[];
  scanned: number;
  masked: number;
}

const day = 86_400_000;

/** A row's times by a clock; an instant starts and ends at once. */
function times(
  row: OracleRow,
  clock: Clock | 'validity or content' | 'validity or published',
): [number, number][] {
  if (clock === 'validity or content' || clock === 'validity or published') {
    return row.validity === undefined
      ? times(row, clock === 'validity or content' ? 'content' : 'published')
      : [row.validity];
  }
  if (clock === 'published')
    return row.published === undefined ? [] : [[row.published, row.published]];
  if (clock === 'validity') return row.validity === undefined ? [] : [row.validity];
  return row.content ?? [];
}

function hidden(row: OracleRow, mask: Mask): boolean {
  if (
    mask.publishedUntil !== undefined &&
    row.published !== undefined &&
    row.published > mask.publishedUntil
  )
    return true;
  if (!mask.window) return false;
  const from = mask.window.start;
  const to = mask.window.end === from ? from + 1 : mask.window.end;
  return !times(row, mask.window.clock).some(([start, last]) => {
    const end = last === start ? start + 1 : last; // an instant is the millisecond that it opens
    if (mask.window!.relation === 'overlaps') return start < to && end > from;
    if (mask.window!.relation === 'within') return start >= from && end <= to;
    return start <= from && end >= to;
  });
}

function recencyOracle(
  row: OracleRow,
  clock: Clock,
  at: number,
  floorDays: number,
): number | undefined {
  const ends =
    clock === 'published'
      ? [row.published]
      : clock === 'validity'
        ? [row.validity?.[1]]
        : (row.content ?? []).map(([, end]) => end);
  const known = ends.filter((end) => end !== undefined);
  if (known.length === 0) return undefined;
  const days = (at - Math.max(...known)) / day;
  return 1 / (days < floorDays ? floorDays : days);
}

function meanAndDeviation(values: number[]): [number, number] {
  if (values.length === 0) return [0, 0];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.every((value) => value === values[0])) return [values[0]!, 0];
  return [
    mean,
    Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length),
  ];
}

export function scanOracle(
  segments: OracleSegment[],
  query: OracleQuery,
  { scope, pool }: OracleOptions,
): OracleAnswer {
  const kept: { segment: number; index: number; row: OracleRow; id: string; relevance: number }[] =
    [];
  let scanned = 0;
  segments.forEach(({ ids, multiSentence, rows, visible }, segment) => {
    rows.forEach((row, index) => {
      if (scope === 'passages' && index >= ids.length) return;
      if (scope === 'sentences' && index < multiSentence) return;
      scanned += 1;
      if ((visible && !visible[row.passage]) || hidden(row, query.mask ?? {})) return;
      const similarity = query.vector
        ? query.vector.reduce((sum, value, c) => sum + value * row.vector[c]!, 0)
        : 0;
      const lexical = query.lexical ? query.lexical[segment]![index]! : 0;
      kept.push({
        segment,
        index,
        row,
        id: ids[row.passage]!,
        relevance: query.semanticWeight * similarity + query.lexicalWeight * lexical,
      });
    });
  });
  const { form } = query;
  let temporal: (row: OracleRow) => number | undefined = () => undefined;
  if (form.combine !== 'none' && form.kind in decayFunctions) {
    const { kind, clock, at, halfLifeMs, offsetMs, floor, outside } = form as typeof form & {
      kind: DecayKind;
    };
    temporal = (row) => {
      const distance = nearestDistance(times(row, clock), at);
      return distance === undefined
        ? outside
        : Math.max(floor, decayFunctions[kind](distance, halfLifeMs, offsetMs, 0.5));
    };
  }
  if (form.combine === 'product' && form.kind === 'spline') {
    const { lines, outside, clock } = form;
    const drawn = lines.map(({ window: { start, end }, atStart, atEnd, longestMs = Infinity }) => ({
      longestMs,
      line: {
        start,
        end: start === end ? end + 1 : end,
        atStart,
        atEnd,
        outside: -Infinity,
        unitMs: 0,
      },
    }));
    const interval = (each: readonly [number, number]): number =>
      Math.max(
        -Infinity,
        ...drawn
          .filter(({ longestMs }) => each[1] - each[0] <= longestMs)
          .map(({ line }) => spline([each], line)),
      );
    temporal = (row) => {
      const values = times(row, clock)
        .map(interval)
        .map((value) => (value === -Infinity ? outside : value));
      return values.length > 0 ? Math.max(...values) : outside;
    };
  }
  if (form.combine === 'sum' && form.kind === 'recency') {
    const [mean, deviation] = meanAndDeviation(kept.map(({ relevance }) => relevance));
    const recencies = kept
      .map(({ row }) => recencyOracle(row, form.clock, form.at, form.floorDays))
      .filter((x) => x !== undefined);
    const [recencyMean, recencyDeviation] = meanAndDeviation(recencies);
    temporal = (row) => {
      const x = recencyOracle(row, form.clock, form.at, form.floorDays);
      return x === undefined || recencyDeviation === 0
        ? mean
        : mean + ((x - recencyMean) / recencyDeviation) * deviation;
    };
  }
  const hits = kept.map(({ segment, index, row, id, relevance }): OracleHit => {
    const t = temporal(row);
    let score = relevance;
    if (form.combine === 'product') score = relevance < 0 ? relevance * (2 - t!) : relevance * t!;
    if (form.combine === 'sum') score = relevance + form.weight * t!;
    return {
      segment,
      row: index,
      passage: row.passage,
      id,
      relevance,
      score,
      ...(t === undefined ? {} : { temporal: t }),
    };
  });
  hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.row - b.row));
  const seen = new Set<string>();
  const ranking = pool ? hits.filter(({ id }) => !seen.has(id) && seen.add(id)) : hits;
  return { ranking, scanned, masked: scanned - kept.length };
}
