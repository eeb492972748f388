// Dates fused into rows by Re3's time encoder on one thread, against a typed-array TypeScript loop
// that does the same work and against copying the same bytes, which no fusion can beat.
//
// node --import tsx bench/kernels/timeEncoder.bench.ts [--rows 100000] [--dimensions 256]
// [--width 64] [--plain 10000]
// --plain: rows of the loop.
import '../../test/selectAddon.js';
import { parseArgs } from '../options.js';
import { binding } from '../../lib/binding.js';
import { addon } from '../../test/addon.js';
import type { TimeColumns, TimeNetwork } from '../../binding.js';
import * as oracle from '../../test/oracle/timeEncoder.js';
import { contest, floats } from '../contest.js';
import { describeMachine, machine } from '../machine.js';
import { say } from '../report.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
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
  ...{ kind: 'film', dimensions: d, waves: 32, width },
  ...{ meanYear: 1995, deviationYear: 25 },
};
const parameters = floats(binding.timeParameterCount(network), 3).map((value) => value / 4);
const days = Array.from(
  floats(n, 5),
  (value) => new Date(Math.floor((value + 1) * 20_000) * 864e5),
);
const yearStart = (day: Date): number => Date.UTC(day.getUTCFullYear(), 0, 1);
const dates: TimeColumns = {
  year: Int32Array.from(days, (day) => day.getUTCFullYear()),
  month: Uint8Array.from(days, (day) => day.getUTCMonth() + 1),
  day: Uint8Array.from(days, (day) => day.getUTCDate()),
  dayOfYear: Uint16Array.from(days, (day) => 1 + (day.getTime() - yearStart(day)) / 864e5),
  // a tenth without a date, a half of whole dates
  mask: Uint8Array.from(days, (_, i) => [0, 1, 1, 3, 3, 15, 15, 15, 15, 15][i % 10]!),
};
const part = (from: number, to: number): TimeColumns => ({
  year: dates.year.subarray(from, to),
  month: dates.month.subarray(from, to),
  day: dates.day.subarray(from, to),
  dayOfYear: dates.dayOfYear.subarray(from, to),
  mask: dates.mask.subarray(from, to),
});
const x = floats(n * d, 7);
const out = new Float32Array(n * d);

addon.setThreadCount(1);
const encoder = await binding.openTimeEncoder(network, parameters);
async function native(): Promise<void> {
  for (let from = 0; from < n; from += callRows) {
    const to = Math.min(n, from + callRows);
    const rows = x.subarray(from * d, to * d);
    out.set(await binding.fuseTimes(encoder, rows, part(from, to)), from * d);
  }
}

const matrices = oracle.matricesOf(network, [...parameters]);
const flat = (name: string): Float64Array => Float64Array.from(matrices[name]!.flat());
const [gamma, beta, gammaBias, betaBias, bias] = [
  ...[flat('gamma'), flat('beta'), flat('gammaBias')],
  ...[flat('betaBias'), flat('firstBias')],
] as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
const alpha = matrices['alpha']![0]![0]!;

/** What a component of a date adds to the first layer, before its bias. */
function layerOf(time: oracle.Time): Float64Array {
  const vector = oracle.timeVector(oracle.numbers, network, [...parameters], time);
  return Float64Array.from({ length: width }, (_, j) =>
    vector.reduce((sum, value, c) => sum + value * matrices['first']![c]![j]!, 0),
  );
}
const tableOf = (most: number, name: keyof oracle.Time): Float64Array[] =>
  Array.from({ length: most + 1 }, (_, v) =>
    v === 0 ? new Float64Array(width) : layerOf({ [name]: v }),
  );
const [monthLayers, dayLayers, yearDayLayers] = [
  ...[tableOf(12, 'month'), tableOf(31, 'day'), tableOf(366, 'dayOfYear')],
] as [Float64Array[], Float64Array[], Float64Array[]];
const yearLayers = new Map([...new Set(dates.year)].map((year) => [year, layerOf({ year })]));

/** The first layer by tables, then gamma, beta and the fusion row by row. */
function plain(rows: number): Float32Array {
  const made = new Float32Array(rows * d);
  const hidden = new Float64Array(width);
  const [t, g, b] = [new Float64Array(d), new Float64Array(d), new Float64Array(d)];
  for (let i = 0; i < rows; i += 1) {
    const mask = dates.mask[i]!;
    if (mask === 0) {
      made.set(x.subarray(i * d, (i + 1) * d), i * d);
      continue;
    }
    const year = yearLayers.get(dates.year[i]!)!;
    const month = monthLayers[mask & 2 ? dates.month[i]! : 0]!;
    const day = dayLayers[mask & 4 ? dates.day[i]! : 0]!;
    const ofYear = yearDayLayers[mask & 8 ? dates.dayOfYear[i]! : 0]!;
    for (let j = 0; j < width; j += 1)
      hidden[j] = Math.max(0, bias[j]! + year[j]! + month[j]! + day[j]! + ofYear[j]!);
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
  return made;
}

say(`${describeMachine(machine())}\n`);
const loopRows = Math.min(n, plainRows);
await contest(`rows of ${d}, ${width} hidden units`, 'rows', [
  { name: 'copying the bytes', amount: n, run: () => out.set(x) },
  { name: 'asof', amount: n, run: native },
  { name: 'TypeScript loop', amount: loopRows, run: () => void plain(loopRows) },
]);
const away = plain(loopRows).reduce((most, each, i) => Math.max(most, Math.abs(each - out[i]!)), 0);
say(`\nLargest difference of a component between asof and the loop: ${away.toExponential(1)}`);
