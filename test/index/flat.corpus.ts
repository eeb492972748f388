// Random corpora and queries for the tests of the flat scan: rows in the order of
// native/index/segment/segment.hpp, times from small palettes so that bounds are met exactly, and
// their packing for the addon. Seeded, so that a failure repeats.
import { binding } from '../../lib/binding.js';
import type { MemoryRows, SectionArray, Storage } from '../../binding.js';
import type { ScanQuery, ScanSegment } from '../../lib/retrieval/flatScan.js';
import type { Mask, TemporalForm } from '../../lib/time/temporalForms.js';
import type { OracleQuery, OracleRow, OracleSegment } from '../oracle/scan.js';
import { decayKinds } from '../oracle/temporal.js';

export const day = 86_400_000;

/** A small generator (xorshift32): numbers in [0, 1). */
export function generator(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  };
}

export interface CorpusShape {
  seed: number;
  segments: number;
  passages: number;
  dimensions: number;
  /** Vectors and lexical scores are small whole numbers, so that similarities are exact. */
  whole: boolean;
  /** The coarseness of times in ms, which decides how clocks are packed. */
  unit: number;
  wide: boolean;
  /** Some passages are hidden by a bitmap. */
  hide: boolean;
}

export class Draw {
  next: () => number;
  constructor(readonly shape: CorpusShape) {
    this.next = generator(shape.seed);
  }
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }
  chance(p: number): boolean {
    return this.next() < p;
  }
  pick<T>(values: readonly T[]): T {
    return values[this.integer(0, values.length - 1)]!;
  }
  /** An instant near the year 2000, of 40 different ones. */
  instant(): number {
    return 10_957 * day + this.integer(-20, 20) * this.shape.unit;
  }
  interval(): [number, number] {
    const [a, b] = [this.instant(), this.instant()];
    return [Math.min(a, b), Math.max(a, b)];
  }
  component(): number {
    return this.shape.whole ? this.integer(-3, 3) : Math.fround(this.next() * 2 - 1);
  }
  vector(): number[] {
    return Array.from({ length: this.shape.dimensions }, () => this.component());
  }
}

/**
 * What the case of this number draws from, where cases of one seed are many; its shape is to be
 * filled in. `changed` may replace its numbers.
 */
export function drawOf(
  seed: number,
  number: number,
  changed: (next: () => number) => () => number = (next) => next,
): Draw {
  const own = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b);
  const draw = new Draw({
    seed: own,
    segments: 0,
    passages: 0,
    dimensions: 0,
    whole: false,
    unit: day,
    wide: false,
    hide: false,
  });
  for (let i = 0; i < 8; i += 1) draw.next(); // neighbours in seed begin alike
  draw.next = changed(draw.next);
  return draw;
}

export function drawSegment(draw: Draw, index: number): OracleSegment {
  const count = draw.integer(0, draw.shape.passages);
  const multiSentence = draw.integer(0, count);
  // Ids are spread over segments and ascend within one, as the store numbers passages.
  const ids = Array.from({ length: count }, (_, p) => `p${String(p * 7 + index).padStart(6, '0')}`);
  const passages = Array.from({ length: count }, (_, p) => p);
  const several = new Set(
    passages
      .map((p) => ({ p, at: draw.next() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, multiSentence)
      .map(({ p }) => p),
  );
  const order = [
    ...passages.filter((p) => several.has(p)),
    ...passages.filter((p) => !several.has(p)),
  ];
  for (const p of passages)
    if (several.has(p)) for (let i = draw.integer(2, 4); i > 0; i -= 1) order.push(p);
  const published = new Map(
    passages.map((p) => [p, draw.chance(0.8) ? draw.instant() : undefined]),
  );
  const validity = new Map(
    passages.map((p) => [p, draw.chance(0.7) ? draw.interval() : undefined]),
  );
  for (const span of validity.values()) {
    if (span && draw.chance(0.2)) span[0] = -Infinity;
    if (span && draw.chance(0.2)) span[1] = Infinity;
  }
  const rows = order.map((passage): OracleRow => {
    const row: OracleRow = { passage, vector: draw.vector() };
    if (published.get(passage) !== undefined) row.published = published.get(passage)!;
    if (validity.get(passage)) row.validity = validity.get(passage)!;
    if (draw.chance(0.8))
      row.content = Array.from({ length: draw.integer(0, 3) }, () => draw.interval());
    return row;
  });
  return {
    ids,
    multiSentence,
    rows,
    ...(draw.shape.hide ? { visible: passages.map(() => draw.chance(0.7)) } : {}),
  };
}

/** The segment's rows as the addon takes them, a column a property. */
export function columnsOf({ rows }: OracleSegment) {
  const offset = [0];
  for (const { content } of rows) offset.push(offset.at(-1)! + (content?.length ?? 0));
  const intervals = rows.flatMap(({ content }) => content ?? []);
  return {
    vectors: Float32Array.from(rows.flatMap(({ vector }) => vector)),
    rowPassage: Uint32Array.from(rows.map(({ passage }) => passage)),
    published: Float64Array.from(rows.map(({ published }) => published ?? NaN)),
    validStart: Float64Array.from(rows.map(({ validity }) => validity?.[0] ?? NaN)),
    validEnd: Float64Array.from(rows.map(({ validity }) => validity?.[1] ?? NaN)),
    contentOffset: Uint32Array.from(offset),
    contentStart: Float64Array.from(intervals.map(([start]) => start)),
    contentEnd: Float64Array.from(intervals.map(([, end]) => end)),
  };
}

/**
 * The sections of segment.hpp with one row a passage, times in days (or milliseconds, where
 * wide).
 */
export function segmentSections(
  { rows, ids, multiSentence }: OracleSegment,
  dimensions: number,
  wide: boolean,
): Record<string, SectionArray> {
  const unit = wide ? 1 : day;
  const tick = (value: number | undefined): number | bigint => {
    const reach = wide ? 2n ** 63n : 2n ** 31n;
    const whole =
      value === undefined
        ? -reach
        : value === Infinity
          ? reach - 1n
          : value === -Infinity
            ? 1n - reach
            : BigInt(value / unit);
    return wide ? whole : Number(whole);
  };
  const ticks = (values: (number | undefined)[]): SectionArray =>
    wide
      ? BigInt64Array.from(values.map(tick) as bigint[])
      : Int32Array.from(values.map(tick) as number[]);
  const offset = [0];
  for (const { content } of rows) offset.push(offset.at(-1)! + (content?.length ?? 0));
  const times = rows.flatMap(({ content }) => content ?? []);
  return {
    counts: BigUint64Array.from(
      [ids.length, multiSentence, rows.length, times.length, dimensions, 256, 0, 0].map(BigInt),
    ),
    'vectors.f32': Float32Array.from(rows.flatMap(({ vector }) => vector)),
    'rows.passage': Uint32Array.from(rows.map(({ passage }) => passage)),
    'clock.encoding': Float64Array.of(unit, 0, unit, 0, unit, 0),
    'clock.published': ticks(rows.map(({ published }) => published)),
    'clock.valid_start': ticks(rows.map(({ validity }) => validity?.[0])),
    'clock.valid_end': ticks(rows.map(({ validity }) => validity?.[1])),
    'clock.content_offset': Uint32Array.from(offset),
    'clock.content_start': ticks(times.map(([start]) => start)),
    'clock.content_end': ticks(times.map(([, end]) => end)),
  };
}

export function memoryRows(
  segment: OracleSegment,
  dimensions: number,
  wide: boolean,
  storage: Storage = 'f32',
): MemoryRows {
  return new binding.MemoryRows({
    passages: segment.ids.length,
    multiSentence: segment.multiSentence,
    dimensions,
    wide,
    storage,
    ...columnsOf(segment),
  });
}

/** A bit a passage, set where it is shown. */
export function visibleOf({ visible }: OracleSegment): Uint8Array | undefined {
  if (!visible) return undefined;
  const bits = new Uint8Array(Math.ceil(visible.length / 8));
  visible.forEach((shown, p) => shown && (bits[p >> 3]! |= 1 << (p % 8)));
  return bits;
}

export function scanSegment(
  segment: OracleSegment,
  dimensions: number,
  wide: boolean,
  storage: Storage = 'f32',
): ScanSegment {
  const rows = memoryRows(segment, dimensions, wide, storage);
  const visible = visibleOf(segment);
  return { rows, ...(visible ? { liveDocs: visible } : {}) };
}

export function drawMask(draw: Draw): Mask {
  const mask: Mask = {};
  if (draw.chance(0.5))
    mask.publishedUntil = draw.chance(0.1) ? Infinity : draw.instant() + draw.integer(-1, 1);
  if (draw.chance(0.5)) {
    const [start, end] = draw.interval();
    mask.window = {
      start: draw.chance(0.2) ? -Infinity : start + draw.integer(-1, 0),
      end: draw.chance(0.2) ? Infinity : end + draw.integer(0, 1),
      clock: draw.pick(['content', 'published', 'validity'] as const),
      relation: draw.pick(['overlaps', 'within', 'contains'] as const),
    };
  }
  return mask;
}

export function drawForm(draw: Draw): TemporalForm {
  const clock = draw.pick(['content', 'published', 'validity'] as const);
  const kind = draw.integer(0, 3);
  if (kind === 0) return { combine: 'none' };
  if (kind === 3) return drawDecay(draw);
  if (kind === 1) {
    const line = () => {
      const [start, end] = draw.interval();
      const [atStart, atEnd] = draw.pick([
        [0.6, 1],
        [1, 0.6],
        [1, 1],
        [0, 2],
        [0.3, 0.3],
      ] as const);
      const open = draw.integer(0, 9);
      const longest =
        draw.integer(0, 2) === 0 ? { longestMs: draw.integer(0, 40) * draw.shape.unit } : {};
      return {
        atStart,
        atEnd,
        ...longest,
        window: { start: open === 0 ? -Infinity : start, end: open === 1 ? Infinity : end },
      };
    };
    const lines = Array.from({ length: draw.pick([1, 1, 2, 8]) }, line);
    return {
      combine: 'product',
      kind: 'spline',
      clock: draw.pick([clock, clock, 'validity or content', 'validity or published'] as const),
      lines,
      outside: draw.pick([0.5, 0, 0.8]),
    };
  }
  const at = draw.instant() + draw.integer(0, 30) * draw.shape.unit;
  return {
    combine: 'sum',
    kind: 'recency',
    clock,
    at,
    floorDays: draw.pick([1, 0.5, 7]),
    weight: draw.pick([1, 2.5, -1, 0]),
  };
}

/** Decays of every kind, clock and combination, at half-lives of a millisecond to many years. */
export function drawDecay(draw: Draw): TemporalForm {
  const { unit } = draw.shape;
  const floor = draw.pick([0, 0, 0.2, 0.99]);
  const form = {
    kind: draw.pick(decayKinds),
    clock: draw.pick(['published', 'validity', 'content'] as const),
    at: draw.instant() + draw.integer(-5, 25) * unit,
    halfLifeMs: draw.pick([3 * unit, 8 * unit, 40 * unit, 1, 100_000 * 365.2425 * day]),
    offsetMs: draw.pick([0, 0, 2 * unit, 1000 * unit]),
    floor,
    outside: Math.max(floor, draw.pick([0.5, 0, 1])),
  } as const;
  return draw.chance(0.6)
    ? { combine: 'product', ...form }
    : { combine: 'sum', ...form, weight: draw.pick([1, 0.3, 2.5, -1, 0]) };
}

export function drawQuery(draw: Draw, segments: OracleSegment[]): OracleQuery {
  const weights = {
    semanticWeight: draw.pick([1, 1, 0.5, 2, 0, -1]),
    lexicalWeight: draw.pick([1, 0.25]),
  };
  const query: OracleQuery = { ...weights, mask: drawMask(draw), form: drawForm(draw) };
  if (draw.chance(0.9)) query.vector = draw.vector();
  if (draw.chance(0.4)) {
    const score = (): number =>
      draw.chance(0.5) ? 0 : draw.shape.whole ? draw.integer(0, 5) : Math.fround(draw.next() * 5);
    query.lexical = segments.map(({ rows }) => rows.map(score));
  }
  return query;
}

export function scanQuery({
  vector,
  semanticWeight,
  lexical,
  lexicalWeight,
  mask,
  form,
}: OracleQuery): ScanQuery {
  return {
    semanticWeight,
    lexicalWeight,
    form,
    ...(mask ? { mask } : {}),
    ...(vector ? { vector: Float32Array.from(vector) } : {}),
    ...(lexical ? { lexical: lexical.map((scores) => Float32Array.from(scores)) } : {}),
  };
}

/** Two small segments in memory. */
export const smallShape = {
  seed: 5,
  segments: 2,
  passages: 400,
  dimensions: 8,
  whole: false,
  unit: day,
  wide: false,
  hide: true,
};

/** Segments and scan queries of `smallShape` with the changes. */
export function drawWorld(
  changes: Partial<typeof smallShape> = {},
  count = 12,
): { segments: OracleSegment[]; queries: ScanQuery[] } {
  const draw = new Draw({ ...smallShape, ...changes });
  const segments = Array.from({ length: draw.shape.segments }, (_, s) => drawSegment(draw, s));
  return {
    segments,
    queries: Array.from({ length: count }, () => scanQuery(drawQuery(draw, segments))),
  };
}

/** What a refused call rejects with. */
export const refusal = (message: RegExp, code = 'ERR_INVALID_ARGUMENT') => ({
  name: code === 'ERR_ABORTED' ? 'AbortError' : 'AsOfError',
  code,
  message,
});
