// Re3's time encoder in float64, straight from the equations of section 3.3 and appendix C: time
// vectors, fused rows, the loss of equations 10 to 13. Written over an algebra, so that the same
// lines give numbers, and gradients by a tape. Imports nothing.

/** What a formula needs of its numbers. */
export interface Algebra<T> {
  of(value: number): T;
  add(a: T, b: T): T;
  multiply(a: T, b: T): T;
  /** f(a), where `slope` is its derivative. */
  apply(a: T, f: (value: number) => number, slope: (value: number) => number): T;
  value(a: T): number;
}

export const numbers: Algebra<number> = {
  of: (v) => v,
  add: (a, b) => a + b,
  multiply: (a, b) => a * b,
  apply: (a, f) => f(a),
  value: (a) => a,
};

/** Numbers that remember how they were made. */
export interface Node {
  value: number;
  parents: readonly [Node, number][];
  gradient: number;
}

export class Tape implements Algebra<Node> {
  private readonly nodes: Node[] = [];
  private node(value: number, parents: readonly [Node, number][]): Node {
    const made = { value, parents, gradient: 0 };
    this.nodes.push(made);
    return made;
  }
  of = (value: number): Node => this.node(value, []);
  add = (a: Node, b: Node): Node =>
    this.node(a.value + b.value, [
      [a, 1],
      [b, 1],
    ]);
  multiply = (a: Node, b: Node): Node =>
    this.node(a.value * b.value, [
      [a, b.value],
      [b, a.value],
    ]);
  apply = (a: Node, f: (value: number) => number, slope: (value: number) => number): Node =>
    this.node(f(a.value), [[a, slope(a.value)]]);
  value = (a: Node): number => a.value;
  /** Fills the gradients of everything that `end` was made of. */
  back(end: Node): void {
    end.gradient = 1;
    for (const node of this.nodes.toReversed())
      for (const [parent, slope] of node.parents) parent.gradient += slope * node.gradient;
  }
}

export interface Network {
  kind: 'film' | 'concatenated' | 'direct' | 'absolute';
  dimensions: number;
  waves: number;
  width: number;
  meanYear: number;
  deviationYear: number;
}

/** Masked components undefined; the day of year is given where the date is whole. */
export interface Time {
  year?: number;
  month?: number;
  day?: number;
  dayOfYear?: number;
}

/** Sizes of the four parts of D: the first D mod 4 have one more. */
export const parts = (d: number): number[] =>
  [0, 1, 2, 3].map((k) => Math.floor(d / 4) + (k < d % 4 ? 1 : 0));

const learns = ({ kind }: Network): boolean => kind === 'film' || kind === 'concatenated';
export const featuresOf = (network: Network): number =>
  learns(network) ? network.dimensions : network.kind === 'direct' ? 8 : 64;

/** The parameters' matrices, in the order in which they lie. */
export function matricesOf<T>(network: Network, parameters: readonly T[]): Record<string, T[][]> {
  const { dimensions: d, waves, width, kind } = network;
  const [y, m, day, doy] = parts(d) as [number, number, number, number];
  const film = kind === 'film';
  const shapes: [string, number, number][] = [
    ...(learns(network)
      ? ([
          ['frequency', 1, waves],
          ['phase', 1, waves],
          ['year', waves, y],
          ['yearBias', 1, y],
          ['month', 2, m],
          ['day', 31, day],
          ['dayOfYear', 2, doy],
        ] as [string, number, number][])
      : []),
    ['first', featuresOf(network), width],
    ...(film
      ? ([
          ['firstBias', 1, width],
          ['gamma', width, d],
          ['gammaBias', 1, d],
          ['beta', width, d],
          ['betaBias', 1, d],
          ['alpha', 1, 1],
        ] as [string, number, number][])
      : []),
  ];
  let at = 0;
  const made: Record<string, T[][]> = {};
  for (const [name, rows, columns] of shapes) {
    made[name] = Array.from({ length: rows }, (_, row) =>
      parameters.slice(at + row * columns, at + (row + 1) * columns),
    );
    at += rows * columns;
  }
  made['total'] = new Array(at).fill([]) as T[][];
  return made;
}

export const parameterCount = (network: Network): number =>
  matricesOf(network, [])['total']!.length;

const daysBeforeYear = (year: number): number =>
  365 * year + Math.ceil(year / 4) - Math.ceil(year / 100) + Math.ceil(year / 400);
const leap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/**
 * Days since 0000-01-01; a date that is no day counts as the 16th of its month or the 2nd of July.
 */
function daysOf({ year, month, day }: Time): number {
  const lengths = [31, leap(year!) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const [m, d] = month === undefined ? [7, 2] : [month, day ?? 16];
  return daysBeforeYear(year!) + lengths.slice(0, m - 1).reduce((a, b) => a + b, 0) + d - 1;
}

/** e_time: equations 4 to 7, or appendix C's alternatives. */
export function timeVector<T>(
  algebra: Algebra<T>,
  network: Network,
  parameters: readonly T[],
  time: Time,
): T[] {
  const { of, add, multiply, apply } = algebra;
  const matrices = matricesOf(network, parameters);
  const zeros = (count: number): T[] => Array.from({ length: count }, () => of(0));
  const combine = (
    weights: readonly T[],
    rows: readonly (readonly T[])[],
    start: readonly T[],
  ): T[] =>
    start.map((first, c) =>
      weights.reduce((sum, weight, r) => add(sum, multiply(weight, rows[r]![c]!)), first),
    );
  const normalised =
    time.year === undefined ? 0 : (time.year - network.meanYear) / network.deviationYear;
  if (network.kind === 'direct') {
    const raw = (value: number | undefined, most: number): T[] =>
      value === undefined ? zeros(2) : [of(value / most), of(1)];
    return [
      ...(time.year === undefined ? zeros(2) : [of(normalised), of(1)]),
      ...raw(time.month, 12),
      ...raw(time.day, 31),
      ...raw(time.dayOfYear, 366),
    ];
  }
  if (network.kind === 'absolute') {
    if (time.year === undefined) return zeros(64);
    const days = daysOf(time);
    return Array.from({ length: 32 }, (_, k) => days / 10000 ** (k / 32)).flatMap((angle) => [
      of(Math.sin(angle)),
      of(Math.cos(angle)),
    ]);
  }
  const [y, m, d, doy] = parts(network.dimensions) as [number, number, number, number];
  const cycle = (value: number | undefined, period: number, rows: T[][], size: number): T[] => {
    if (value === undefined) return zeros(size);
    const angle = (2 * Math.PI * value) / period;
    return combine([of(Math.sin(angle)), of(Math.cos(angle))], rows, zeros(size));
  };
  const yearPart = (): T[] => {
    const hidden = matrices['frequency']![0]!.map((f, k) =>
      apply(add(multiply(f, of(normalised)), matrices['phase']![0]![k]!), Math.sin, Math.cos),
    );
    return combine(hidden, matrices['year']!, matrices['yearBias']![0]!);
  };
  return [
    ...(time.year === undefined ? zeros(y) : yearPart()),
    ...cycle(time.month, 12, matrices['month']!, m),
    ...(time.day === undefined ? zeros(d) : matrices['day']![time.day - 1]!),
    ...cycle(time.dayOfYear, 366, matrices['dayOfYear']!, doy),
  ];
}

export function dot<T>({ of, add, multiply }: Algebra<T>, a: readonly T[], b: readonly T[]): T {
  return a.reduce((sum, value, i) => add(sum, multiply(value, b[i]!)), of(0));
}

export function unit<T>(algebra: Algebra<T>, row: readonly T[]): T[] {
  const squares = dot(algebra, row, row);
  if (algebra.value(squares) === 0) return [...row];
  const factor = algebra.apply(
    squares,
    (v) => 1 / Math.sqrt(v),
    (v) => -0.5 * v ** -1.5,
  );
  return row.map((value) => algebra.multiply(value, factor));
}

/**
 * A row with its date: equations 8 and 9, or the concatenation, brought to length one; without a
 * date the row as it is.
 */
export function fused<T>(
  algebra: Algebra<T>,
  network: Network,
  parameters: readonly T[],
  time: Time,
  row: readonly number[],
): T[] {
  const { of, add, multiply, apply } = algebra;
  const x = row.map(of);
  const film = network.kind === 'film';
  const untimed =
    network.kind === 'absolute'
      ? time.year === undefined
      : Object.values(time).every((value) => value === undefined);
  if (untimed) return film ? x : [...x, ...Array.from({ length: network.width }, () => of(0))];
  const matrices = matricesOf(network, parameters);
  const vector = timeVector(algebra, network, parameters, time);
  const map = (input: readonly T[], rows: readonly (readonly T[])[], bias: readonly T[]): T[] =>
    bias.map((first, c) =>
      input.reduce((sum, value, r) => add(sum, multiply(value, rows[r]![c]!)), first),
    );
  if (!film)
    return unit(algebra, [
      ...x,
      ...map(
        vector,
        matrices['first']!,
        Array.from({ length: network.width }, () => of(0)),
      ),
    ]);
  const hidden = map(vector, matrices['first']!, matrices['firstBias']![0]!).map((value) =>
    apply(
      value,
      (v) => Math.max(0, v),
      (v) => (v > 0 ? 1 : 0),
    ),
  );
  const gamma = map(hidden, matrices['gamma']!, matrices['gammaBias']![0]!);
  const beta = map(hidden, matrices['beta']!, matrices['betaBias']![0]!);
  const alpha = matrices['alpha']![0]![0]!;
  return unit(
    algebra,
    x.map((value, c) => add(multiply(add(of(1), multiply(alpha, gamma[c]!)), value), beta[c]!)),
  );
}

/**
 * How far floats may be from `fused`, component by component, to first order: the tables of the
 * first layer are rounded and their rows added in float, gamma and beta are sums of `width`
 * products in float (rounded twice each at the oldest level), the fusion is in double.
 */
export function fusedBound(
  network: Network,
  parameters: readonly number[],
  time: Time,
  row: readonly number[],
): number[] {
  const u = 2 ** -24;
  const matrices = matricesOf(network, parameters);
  const film = network.kind === 'film';
  const vector = timeVector(numbers, network, parameters, time).map(Math.abs);
  const sums = matrices['first']![0]!.map((_, j) =>
    vector.reduce(
      (sum, value, c) => sum + value * Math.abs(matrices['first']![c]![j]!),
      film ? Math.abs(matrices['firstBias']![0]![j]!) : 0,
    ),
  );
  const y = fused(numbers, network, parameters, time, row);
  const away = sums.map((sum) => 6 * u * sum);
  const mapped = (rows: readonly (readonly number[])[], bias: readonly number[]): number[] =>
    bias.map((first, c) =>
      sums.reduce(
        (total, sum, j) =>
          total + Math.abs(rows[j]![c]!) * (away[j]! + 2 * (network.width + 2) * u * sum),
        u * Math.abs(first),
      ),
    );
  const alpha = film ? Math.abs(matrices['alpha']![0]![0]!) : 0;
  const gamma = film ? mapped(matrices['gamma']!, matrices['gammaBias']![0]!) : [];
  const moved = film
    ? mapped(matrices['beta']!, matrices['betaBias']![0]!).map(
        (beta, c) => beta + alpha * gamma[c]! * Math.abs(row[c]!),
      )
    : [...row.map(() => 0), ...away];
  const length = lengthBefore(network, parameters, time, row);
  const turned = Math.sqrt(moved.reduce((sum, value) => sum + value * value, 0));
  return y.map(
    (value, c) =>
      (1.5 * (moved[c]! + Math.abs(value) * turned)) / length + 2 * u * Math.abs(value) + 1e-30,
  );
}

/** |t| before it is brought to one. */
function lengthBefore(
  network: Network,
  parameters: readonly number[],
  time: Time,
  row: readonly number[],
): number {
  let squares = 0;
  const watching: Algebra<number> = { ...numbers, apply: (a, f) => ((squares = a), f(a)) };
  fused(watching, network, parameters, time, row);
  return Math.sqrt(squares);
}
