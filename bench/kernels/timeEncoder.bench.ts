// Dates fused into a million rows by Re3's time encoder: the addon by one thread and by all, a
// typed-array TypeScript loop that does the same work, and the time that copying the same bytes
// takes in the same process, which no fusion can beat. Wall clock and processor time: on a busy
// machine the latter is the one to compare. usage: node --import tsx
// bench/kernels/timeEncoder.bench.ts [--rows 1000000] [--dimensions 256] [--width 64] [--plain
// 10000]
import '../../test/selectAddon.js';
import { cpus } from 'node:os';
import { parseArgs } from '../options.js';
import { binding } from '../../lib/binding.js';
import { addon } from '../../test/addon.js';
import type { TimeColumns, TimeNetwork } from '../../binding.js';
import * as oracle from '../../test/oracle/timeEncoder.js';
import { floats } from '../kernelCase.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    dimensions: { type: 'string', default: '256' },
    width: { type: 'string', default: '64' },
    plain: { type: 'string', default: '10000' },
  },
});
const [n, d, width, plainRows] = [values.rows, values.dimensions, values.width, values.plain].map(
  Number,
) as [number, number, number, number];
/** Rows of one call: what the library gives the addon at once. */
const callRows = 1024;
const network: TimeNetwork = {
  kind: 'film',
  dimensions: d,
  waves: 32,
  width,
  meanYear: 1995,
  deviationYear: 25,
};
const parameters = floats(binding.timeParameterCount(network), 3).map((value) => value / 4);

const dates: TimeColumns = {
  year: new Int32Array(n),
  month: new Uint8Array(n),
  day: new Uint8Array(n),
  dayOfYear: new Uint16Array(n),
  mask: new Uint8Array(n),
};
const random = floats(n, 5);
for (let i = 0; i < n; i += 1) {
  const day = new Date(Math.floor((random[i]! + 1) * 20_000) * 864e5);
  dates.year[i] = day.getUTCFullYear();
  dates.month[i] = day.getUTCMonth() + 1;
  dates.day[i] = day.getUTCDate();
  dates.dayOfYear[i] =
    1 + Math.round((day.getTime() - Date.UTC(day.getUTCFullYear(), 0, 1)) / 864e5);
  // a tenth without a date, a half of whole dates
  dates.mask[i] = i % 10 === 0 ? 0 : i % 10 < 3 ? 1 : i % 10 < 5 ? 3 : 15;
}
const part = (from: number, to: number): TimeColumns => ({
  year: dates.year.subarray(from, to),
  month: dates.month.subarray(from, to),
  day: dates.day.subarray(from, to),
  dayOfYear: dates.dayOfYear.subarray(from, to),
  mask: dates.mask.subarray(from, to),
});
const x = floats(n * d, 7);
const out = new Float32Array(n * d);

async function native(threads: number): Promise<number> {
  addon.setThreadCount(threads);
  const encoder = await binding.openTimeEncoder(network, parameters);
  const started = performance.now();
  for (let from = 0; from < n; from += callRows) {
    const to = Math.min(n, from + callRows);
    out.set(
      await binding.fuseTimes(encoder, x.subarray(from * d, to * d), part(from, to)),
      from * d,
    );
  }
  addon.setThreadCount(0);
  return (performance.now() - started) / 1000;
}

/** What a value of one of the four parts of a time adds to the first layer, before its bias. */
function firstLayer(
  flat: (name: string) => Float64Array,
): (part: number, value: number) => Float64Array {
  const sizes = oracle.parts(d);
  const first = flat('first');
  const flatOf = new Map(
    ['frequency', 'phase', 'year', 'yearBias', 'month', 'day', 'dayOfYear'].map((name) => [
      name,
      flat(name),
    ]),
  );
  const starts = [0, 1, 2, 3].map((k) => sizes.slice(0, k).reduce((a, b) => a + b, 0));
  return (k, value) => {
    const size = sizes[k]!;
    const vector = new Float64Array(size);
    const add = (name: string, row: number, by: number): void => {
      const matrix = flatOf.get(name)!;
      for (let c = 0; c < size; c += 1) vector[c]! += by * matrix[row * size + c]!;
    };
    if (k === 0) {
      const normalised = (value - network.meanYear) / network.deviationYear;
      for (let wave = 0; wave < network.waves; wave += 1) {
        add(
          'year',
          wave,
          Math.sin(flatOf.get('frequency')![wave]! * normalised + flatOf.get('phase')![wave]!),
        );
      }
      add('yearBias', 0, 1);
    } else if (k === 2) {
      add('day', value - 1, 1);
    } else {
      const angle = (2 * Math.PI * value) / (k === 1 ? 12 : 366);
      add(k === 1 ? 'month' : 'dayOfYear', 0, Math.sin(angle));
      add(k === 1 ? 'month' : 'dayOfYear', 1, Math.cos(angle));
    }
    const made = new Float64Array(width);
    for (let c = 0; c < size; c += 1)
      for (let j = 0; j < width; j += 1)
        made[j]! += vector[c]! * first[(starts[k]! + c) * width + j]!;
    return made;
  };
}

/**
 * As one would write it with typed arrays: the first layer by tables, then gamma, beta and the
 * fusion row by row.
 */
function plain(rows: number): { seconds: number; out: Float32Array } {
  const matrices = oracle.matricesOf(network, [...parameters]);
  const flat = (name: string): Float64Array => Float64Array.from(matrices[name]!.flat());
  const [gamma, beta, gammaBias, betaBias, bias] = [
    'gamma',
    'beta',
    'gammaBias',
    'betaBias',
    'firstBias',
  ].map(flat) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  const alpha = matrices['alpha']![0]![0]!;
  const projected = firstLayer(flat);
  const years = new Map<number, Float64Array>();
  const [months, days, ofYear] = [12, 31, 366].map((most, k) =>
    Array.from({ length: most + 1 }, (_, v) =>
      v === 0 ? new Float64Array(width) : projected(k + 1, v),
    ),
  );
  const made = new Float32Array(rows * d);
  const started = performance.now();
  const hidden = new Float64Array(width);
  const [t, g, b] = [new Float64Array(d), new Float64Array(d), new Float64Array(d)];
  for (let i = 0; i < rows; i += 1) {
    const mask = dates.mask[i]!;
    if (mask === 0) {
      made.set(x.subarray(i * d, (i + 1) * d), i * d);
      continue;
    }
    const year = dates.year[i]!;
    let ofThis = years.get(year);
    if (!ofThis) years.set(year, (ofThis = projected(0, year)));
    const month = months![mask & 2 ? dates.month[i]! : 0]!;
    const day = days![mask & 4 ? dates.day[i]! : 0]!;
    const doy = ofYear![mask & 8 ? dates.dayOfYear[i]! : 0]!;
    for (let j = 0; j < width; j += 1)
      hidden[j] = Math.max(0, bias[j]! + ofThis[j]! + month[j]! + day[j]! + doy[j]!);
    g.set(gammaBias);
    b.set(betaBias);
    for (let j = 0; j < width; j += 1) {
      const h = hidden[j]!;
      if (h === 0) continue;
      for (let c = 0, at = j * d; c < d; c += 1, at += 1) {
        g[c]! += h * gamma[at]!;
        b[c]! += h * beta[at]!;
      }
    }
    let squares = 0;
    for (let c = 0; c < d; c += 1) {
      const value = (1 + alpha * g[c]!) * x[i * d + c]! + b[c]!;
      t[c] = value;
      squares += value * value;
    }
    const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let c = 0; c < d; c += 1) made[i * d + c] = t[c]! * factor;
  }
  return { seconds: (performance.now() - started) / 1000, out: made };
}

/** Reading and writing as many bytes, in pieces that no cache holds. */
function copying(): number {
  const started = performance.now();
  for (let from = 0; from < n * d; from += 1 << 24)
    out.set(x.subarray(from, Math.min(n * d, from + (1 << 24))), from);
  return (performance.now() - started) / 1000;
}

interface Cost {
  seconds: number;
  /** Of the process: user and system. */
  processor: number;
}

const best = async (work: () => number | Promise<number>): Promise<Cost> => {
  const least: Cost = { seconds: Infinity, processor: Infinity };
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage();
    least.seconds = Math.min(least.seconds, await work());
    const { user, system } = process.cpuUsage(before);
    least.processor = Math.min(least.processor, (user + system) / 1e6);
  }
  return least;
};

const cores = cpus().length;
console.log(`${cpus()[0]!.model}, ${cores} cores, Node ${process.version}, level ${binding.isa()}`);
console.log(
  `${n} rows of ${d}, ${width} hidden units, ${(parameters.length / 1000).toFixed(0)} thousand parameters; best of 3`,
);
const copied = await best(copying);
const one = await best(() => native(1));
const all = await best(() => native(0));
const sample = Math.min(n, plainRows);
const some = plain(sample);
let away = 0;
for (let i = 0; i < some.out.length; i += 1)
  away = Math.max(away, Math.abs(some.out[i]! - out[i]!));
const measured = await best(() => plain(sample).seconds);
const loop: Cost = {
  seconds: (measured.seconds / sample) * n,
  processor: (measured.processor / sample) * n,
};
const line = (name: string, { seconds, processor }: Cost): void => {
  const times = [
    `${seconds.toFixed(2).padStart(7)} s`,
    `${(n / seconds / 1e6).toFixed(2).padStart(5)} million rows/s`,
    `processor ${processor.toFixed(2).padStart(7)} s`,
    `x ${(loop.processor / processor).toFixed(1).padStart(5)} the loop's speed`,
    `${(processor / copied.processor).toFixed(1).padStart(6)} times a copy`,
  ];
  console.log(`${name.padEnd(34)} ${times.join('  ')}`);
};
line('copying the bytes, 1 thread', copied);
line('asof, 1 thread', one);
line(`asof, ${cores} threads`, all);
line(`TypeScript loop (of ${sample} rows)`, loop);
console.log(
  `largest difference of a component between asof and the loop in double: ${away.toExponential(1)}`,
);
