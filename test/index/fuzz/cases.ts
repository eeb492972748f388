// What the fuzzer of scans asks: corpora and batches that a seed and a number give again. Sizes lie
// where the scan changes its ways (blocks of 256 rows, batches of 8, 16 and 32, samples from 16,384
// rows on), times and vectors come from few values so that bounds are met and scores tie, and some
// rows are zeros, copies of others or not finite. It expects nothing.
import type { Storage } from '../../../binding.js';
import type { Exactness } from '../../../lib/retrieval/scanReport.js';
import type { ScanOptions } from '../../../lib/retrieval/flatScan.js';
import type { VectorTimes } from '../../../lib/retrieval/vectorTimes.js';
import type { Mask, TemporalForm } from '../../../lib/time/temporalForms.js';
import type { OracleQuery, OracleRow, OracleSegment } from '../../oracle/scan.js';
import { type Input, redrawn } from '../../fuzz/inputs.js';
import { type Draw, drawForm, drawMask, drawOf } from '../flat.corpus.js';

export interface ScanCase {
  dimensions: number;
  wide: boolean;
  segments: OracleSegment[];
  queries: OracleQuery[];
  options: ScanOptions;
  /** Ways to keep the rows, a list of storages that segments take in turn. */
  storages: readonly Storage[][];
  threads: number;
  /** All vectors are whole numbers so small that similarities are exact. */
  whole: boolean;
  /** Some vectors are not finite. */
  odd: boolean;
  /** What a person reads of it. */
  summary: string;
}

type Vectors = 'whole' | 'normal' | 'clustered' | 'decaying' | 'scaled' | 'heavy';
const day = 86_400_000;

/** What all vectors of a case have in common. */
class Maker {
  private readonly centres: number[][];
  private readonly scales: number[];
  constructor(
    readonly draw: Draw,
    readonly kind: Vectors,
    readonly dimensions: number,
  ) {
    this.centres = Array.from({ length: 5 }, () => this.plain());
    this.scales = Array.from({ length: dimensions }, (_, c) =>
      kind === 'decaying' ? 1 / (1 + c) : 1,
    );
  }

  private plain(): number[] {
    return Array.from(
      { length: this.dimensions },
      () => this.draw.next() + this.draw.next() + this.draw.next() - 1.5,
    );
  }

  vector(): number[] {
    const { draw, kind } = this;
    if (kind === 'whole') return Array.from({ length: this.dimensions }, () => draw.integer(-2, 2));
    const own = this.plain();
    const centre = kind === 'clustered' ? draw.pick(this.centres) : undefined;
    const size = kind === 'scaled' ? 2 ** draw.integer(-20, 20) : 1;
    // Of heavy ones the first component leaves integers little to say of the others.
    if (kind === 'heavy') own[0] = 400 + draw.next();
    return own.map((value, c) =>
      Math.fround((centre ? centre[c]! + value / 50 : value) * this.scales[c]! * size),
    );
  }
}

/** Zeros, copies and values that are no finite numbers, in some rows. */
function spoil(draw: Draw, rows: OracleRow[], copies: boolean, odd: boolean): void {
  if (rows.length === 0) return;
  const first = rows[draw.integer(0, rows.length - 1)]!;
  for (const row of rows) {
    if (copies && draw.chance(0.1))
      row.vector = draw.chance(0.2) ? row.vector.map(() => 0) : [...first.vector];
    if (odd && draw.chance(0.02))
      row.vector[draw.integer(0, row.vector.length - 1)] = draw.pick([NaN, Infinity, -Infinity]);
  }
}

/**
 * The best rows of a query stand side by side, or in every fourth unit of 32 rows, where a sample
 * has many of them or none: estimates of thresholds are wrong.
 */
function gather(draw: Draw, rows: OracleRow[], query: readonly number[] | undefined): void {
  if (!query) return;
  const [from, length, inUnits] = [8 * 256, draw.pick([20, 90, 400]), draw.chance(0.5)];
  for (const [at, row] of rows.entries()) {
    if (inUnits ? at > 1024 || (at >> 5) % 4 !== 2 : at < from || at >= from + length) continue;
    row.vector = row.vector.map((value, c) => Math.fround(value + 9 * query[c]!));
  }
}

interface SegmentShape {
  index: number;
  passages: number;
  sentences: boolean;
  sorted: boolean;
}

/**
 * Rows of passages, then sentences of some; times that ascend with the passage's number, or at
 * random.
 */
function segmentOf(
  draw: Draw,
  maker: Maker,
  { index, passages, sentences, sorted }: SegmentShape,
): OracleSegment {
  const ids = Array.from(
    { length: passages },
    (_, p) => `p${String(p * 7 + index).padStart(7, '0')}`,
  );
  const order = ids.map((_, p) => p);
  const multiSentence = sentences ? draw.integer(0, passages) : 0;
  for (let p = 0; p < multiSentence; p += 1)
    for (let i = draw.integer(2, 4); i > 0; i -= 1) order.push(p);
  const instant = (p: number): number =>
    sorted
      ? 10_957 * day + Math.floor((p / passages) * 40 - 20 + draw.integer(-1, 1)) * draw.shape.unit
      : draw.instant();
  const span = (p: number): [number, number] => {
    const start = instant(p);
    return [
      draw.chance(0.05) ? -Infinity : start,
      draw.chance(0.05) ? Infinity : start + draw.pick([0, 1, 1, 3, 12]) * draw.shape.unit,
    ];
  };
  const known = {
    published: draw.pick([0, 0.9, 1]),
    validity: draw.pick([0, 0.5, 1]),
    content: draw.pick([0, 0.8, 1]),
  };
  const of = order.map((_, at) =>
    at < passages ? { at: instant(at), held: span(at) } : undefined,
  );
  const dated = ids.map(() => [draw.chance(known.published), draw.chance(known.validity)]);
  const rows = order.map((passage): OracleRow => {
    const row: OracleRow = { passage, vector: maker.vector() };
    if (dated[passage]![0]) row.published = of[passage]!.at;
    if (dated[passage]![1]) row.validity = of[passage]!.held;
    if (draw.chance(known.content))
      row.content = Array.from({ length: draw.pick([0, 1, 1, 1, 3]) }, () => span(passage));
    return row;
  });
  return {
    ids,
    multiSentence,
    rows,
    ...(draw.shape.hide ? { visible: ids.map(() => draw.chance(0.7)) } : {}),
  };
}

/** Forms as drawForm gives them, and the weights that leave a scan's ways of their own. */
function formOf(draw: Draw): TemporalForm {
  const form = drawForm(draw);
  if (form.combine === 'sum' && form.kind === 'recency')
    return {
      ...form,
      weight: draw.pick([1, 0.05, 0.3, 4, -1, -0.05, 0]),
      floorDays: draw.pick([1, 0.5, 7, 100]),
    };
  if (form.combine === 'product' && form.kind === 'spline')
    return { ...form, outside: draw.pick([0, 0.5, 0.8, 1, 1.5, 2]) };
  return form;
}

function maskOf(draw: Draw): Mask {
  const mask = drawMask(draw);
  // One in two of a few units, which keeps a hundredth to a fifth of the rows.
  if (mask.window && draw.chance(0.5))
    mask.window.end = Math.max(mask.window.start, 0) + draw.integer(0, 6) * draw.shape.unit;
  return mask.window && !(mask.window.start <= mask.window.end) ? {} : mask;
}

/**
 * A batch that shares its times, one in which each query has its own, or some of both; with words
 * in few.
 */
function queriesOf(
  draw: Draw,
  maker: Maker,
  segments: OracleSegment[],
  count: number,
): OracleQuery[] {
  const sharing = draw.pick([1, 1, 0.8, 0]);
  const words = draw.pick([0, 0, 0, 0.3, 1]);
  const [share, stretch] = [draw.pick([0.3, 0.05, 0.01]), draw.pick([1, 1, 5, 40, 300])];
  let worded = false;
  const score = (_: OracleRow, at: number): number => {
    if (at % stretch === 0) worded = draw.chance(share);
    return worded ? draw.integer(1, 12) / 2 : 0;
  };
  const scores = words === 0 ? [] : segments.map(({ rows }) => rows.map(score));
  const known = segments.flatMap(({ rows }) => rows.slice(0, 9)).map(({ vector }) => vector);
  const near = known.filter((vector) => vector.every(Number.isFinite));
  const vector = (): number[] =>
    near.length > 0 && draw.chance(0.2) ? [...draw.pick(near)] : maker.vector();
  const [timed, masked] = [draw.chance(0.7), draw.chance(0.5)];
  const times = (): { mask: Mask; form: TemporalForm } => ({
    mask: masked ? maskOf(draw) : {},
    form: timed ? formOf(draw) : { combine: 'none' },
  });
  const shared = times();
  const beyondFloats = timed || words > 0 ? [] : [1e39, 1e300];
  const weight = draw.pick([1, 1, 1, 0.5, 3, 0, -1, ...beyondFloats]);
  const weights = draw.pick([[weight], [weight], [1, 0.5, 2], [1, 1, -1, 0]]);
  return Array.from(
    { length: count },
    (): OracleQuery => ({
      semanticWeight: draw.pick(weights),
      lexicalWeight: draw.pick([1, 0.25, 0.02, -0.1]),
      ...(draw.chance(sharing) ? shared : times()),
      ...(draw.chance(0.98) ? { vector: vector() } : {}),
      ...(draw.chance(words) ? { lexical: scores } : {}),
    }),
  );
}

/** The query's times as searches by vectors take them. */
export function vectorTimes({ mask = {}, form }: OracleQuery): VectorTimes {
  const { publishedUntil, window } = mask;
  return {
    form,
    ...(publishedUntil === undefined || publishedUntil === Infinity
      ? {}
      : { asOf: publishedUntil }),
    ...(window
      ? {
          interval: { start: window.start, end: window.end },
          relation: window.relation,
          clock: window.clock,
        }
      : {}),
  };
}

export function drawCase({ seed, number, changed }: Input): { drawn: ScanCase; draws: number } {
  let draws = 0;
  const draw = drawOf(seed, number, (next) => {
    const own = redrawn(next, { changed });
    return () => ((draws += 1), own());
  });
  const kind = draw.pick<Vectors>([
    ...(['whole', 'whole', 'normal', 'clustered', 'decaying', 'scaled', 'heavy'] as const),
  ]);
  const size = draw.pick(['small', 'small', 'middle', 'middle', 'large'] as const);
  const dimensions =
    size === 'large'
      ? draw.pick([3, 16, 24, 40])
      : draw.pick([1, 2, 8, 16, 17, 33, 64, 70, 129, 200]);
  const segmentCount = draw.pick([1, 1, 1, 2, 3]);
  const most = { small: 40, middle: 2_500, large: 24_000 }[size];
  Object.assign(draw.shape, {
    dimensions,
    unit: draw.pick([day, day, 60_000, 1_001, 1]),
    wide: draw.chance(0.2),
    hide: draw.chance(0.2),
  });
  const [sorted, sentences, odd] = [draw.chance(0.5), draw.chance(0.3), draw.chance(0.2)];
  const maker = new Maker(draw, kind, dimensions);
  const passages = (): number =>
    size === 'small'
      ? draw.integer(0, most)
      : draw.integer(size === 'large' && segmentCount === 1 ? 17_000 : 1, most);
  const segments = Array.from({ length: segmentCount }, (_, index) =>
    segmentOf(draw, maker, {
      index,
      passages: Math.ceil(passages() / segmentCount / (sentences ? 2.5 : 1)),
      sentences,
      sorted,
    }),
  );
  const copies = draw.chance(0.4);
  for (const { rows } of segments) spoil(draw, rows, copies, odd);
  const queries = queriesOf(
    draw,
    maker,
    segments,
    draw.pick([1, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 70]),
  );
  if (size === 'large' && draw.chance(0.5))
    for (const { rows } of segments) gather(draw, rows, draw.pick(queries).vector);
  const options: ScanOptions = {
    k: draw.pick([0, 1, 3, 10, 10, 37, 100, 100, 1_000, 30_000]),
    pool: draw.chance(0.25),
    scope: sentences
      ? draw.pick(['passages', 'sentences', 'all'] as const)
      : draw.pick(['passages', 'all'] as const),
    exactness: draw.pick<Exactness>(['certified']),
  };
  const mixed = Array.from({ length: 3 }, () =>
    draw.pick<Storage>(['f32', 'bf16', 'int8', 'int4']),
  );
  const storages: Storage[][] = [
    ['f32'],
    ['int8'],
    ['int4'],
    ['bf16'],
    ...(segmentCount > 1 ? [mixed] : []),
  ];
  const count = segments.map(({ rows }) => rows.length).join(' + ');
  const summary = `${queries.length} queries, ${count} rows x ${dimensions}, ${kind}, ${JSON.stringify(options)}`;
  const drawn: ScanCase = {
    dimensions,
    wide: draw.shape.wide,
    segments,
    queries,
    options,
    storages,
    threads: draw.integer(1, 3),
    whole: kind === 'whole',
    odd,
    summary,
  };
  return { drawn, draws };
}
