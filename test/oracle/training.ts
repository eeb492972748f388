// The adapter's loss, its gradient, the order of examples and AdamW in float64, straight from the
// equations. Imports nothing.

export interface AdapterRun {
  dimensions: number;
  rank: number;
  shared: boolean;
  /** Rows by number. */
  rows: readonly (readonly number[])[];
  question: readonly number[];
  positive: readonly number[];
  negative: readonly number[];
  margin: readonly number[];
}

export interface Schedule {
  seed: number;
  groups: readonly number[];
  batch: number;
  steps: number;
  warmup: number;
  rate: number;
  decay: number;
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** A and B of a side, B as d x r. */
function matrices(
  run: AdapterRun,
  parameters: readonly number[],
  set: number,
): { a: number[][]; b: number[][] } {
  const { dimensions: d, rank: r } = run;
  const from = (run.shared ? 0 : set) * 2 * r * d;
  const a = Array.from({ length: r }, (_, k) => parameters.slice(from + k * d, from + (k + 1) * d));
  const b = Array.from({ length: d }, (_, c) =>
    Array.from({ length: r }, (_, k) => parameters[from + r * d + k * d + c]!),
  );
  return { a, b };
}

/** x + B A x, of length one; zeros stay. */
export function adapted(
  run: AdapterRun,
  parameters: readonly number[],
  set: number,
  x: readonly number[],
): number[] {
  const { a, b } = matrices(run, parameters, set);
  const h = a.map((row) => dot(row, x));
  const y = x.map((value, c) => value + dot(b[c]!, h));
  const norm = Math.sqrt(dot(y, y));
  return y.map((value) => (norm === 0 ? 0 : value / norm));
}

/** The mean loss of some triplets: what finite differences are taken of. */
export function loss(
  run: AdapterRun,
  parameters: readonly number[],
  examples: readonly number[],
): number {
  const total = examples.reduce((sum, example) => {
    const u = adapted(run, parameters, 0, run.rows[run.question[example]!]!);
    const near = dot(u, adapted(run, parameters, 1, run.rows[run.positive[example]!]!));
    const far = dot(u, adapted(run, parameters, 1, run.rows[run.negative[example]!]!));
    return sum + Math.max(0, run.margin[example]! - (near - far));
  }, 0);
  return total / examples.length;
}

/** The gradient by the chain rule. */
export function gradient(
  run: AdapterRun,
  parameters: readonly number[],
  examples: readonly number[],
): number[] {
  const { dimensions: d, rank: r } = run;
  const all = parameters.map(() => 0);
  const push = (set: number, x: readonly number[], du: readonly number[]): void => {
    const { a, b } = matrices(run, parameters, set);
    const h = a.map((row) => dot(row, x));
    const y = x.map((value, c) => value + dot(b[c]!, h));
    const norm = Math.sqrt(dot(y, y));
    if (norm === 0) return;
    const u = y.map((value) => value / norm);
    const dy = du.map((value, c) => (value - dot(du, u) * u[c]!) / norm);
    const from = (run.shared ? 0 : set) * 2 * r * d;
    for (let k = 0; k < r; k += 1) {
      const dh = dot(
        dy,
        b.map((row) => row[k]!),
      );
      for (let c = 0; c < d; c += 1) {
        all[from + k * d + c]! += dh * x[c]!;
        all[from + r * d + k * d + c]! += h[k]! * dy[c]!;
      }
    }
  };
  for (const example of examples) {
    const [q, p, n] = [run.question, run.positive, run.negative].map(
      (column) => run.rows[column[example]!]!,
    ) as [number[], number[], number[]];
    const [uq, up, un] = [
      adapted(run, parameters, 0, q),
      adapted(run, parameters, 1, p),
      adapted(run, parameters, 1, n),
    ];
    if (run.margin[example]! - (dot(uq, up) - dot(uq, un)) <= 0) continue;
    const weight = 1 / examples.length;
    push(
      0,
      q,
      un.map((value, c) => weight * (value - up[c]!)),
    );
    push(
      1,
      p,
      uq.map((value) => -weight * value),
    );
    push(
      1,
      n,
      uq.map((value) => weight * value),
    );
  }
  return all;
}

const mask = (1n << 64n) - 1n;

function splitMix(seed: bigint): () => bigint {
  let state = seed & mask;
  return () => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let mixed = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & mask;
    return mixed ^ (mixed >> 31n);
  };
}

/** A as drawn by the seed, B zero. */
export function initial(run: AdapterRun, seed: number): number[] {
  const { dimensions: d, rank: r } = run;
  const next = splitMix(BigInt(seed));
  const draw = (): number => Math.sqrt(3 / d) * (2 * (Number(next() >> 40n) / 2 ** 24) - 1);
  const set = (): number[] => [
    ...Array.from({ length: r * d }, draw),
    ...new Array<number>(r * d).fill(0),
  ];
  return run.shared ? set() : [...set(), ...set()];
}

/** The examples of a step, group by group. */
export function batchOf({ seed, groups, batch }: Schedule, step: number): number[] {
  let first = 0;
  return groups.flatMap((size, g) => {
    const share = Math.floor(batch / groups.length) + (g < batch % groups.length ? 1 : 0);
    const shuffled = (epoch: number): number[] => {
      const mixed =
        (BigInt(seed) ^ ((BigInt(epoch * 64 + g + 1) * 0xd1342543de82ef95n) & mask)) & mask;
      const next = splitMix(splitMix(mixed)());
      const order = Array.from({ length: size }, (_, i) => offset + i);
      for (let left = size; left > 1; left -= 1) {
        const other = Number(((next() >> 32n) * BigInt(left)) >> 32n);
        [order[left - 1], order[other]] = [order[other]!, order[left - 1]!];
      }
      return order;
    };
    const offset = first;
    first += size;
    const orders = new Map<number, number[]>();
    return Array.from({ length: share }, (_, i) => step * share + i).map((place) => {
      const epoch = Math.floor(place / size);
      const order = orders.get(epoch) ?? shuffled(epoch);
      orders.set(epoch, order);
      return order[place % size]!;
    });
  });
}

/** Parameters after all steps, and the loss of each. */
export function train(
  run: AdapterRun,
  schedule: Schedule,
): { parameters: number[]; losses: number[] } {
  const { steps, warmup, rate, decay } = schedule;
  const parameters = initial(run, schedule.seed);
  const first = parameters.map(() => 0);
  const second = parameters.map(() => 0);
  const losses: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    const examples = batchOf(schedule, step);
    losses.push(loss(run, parameters, examples));
    const slope = gradient(run, parameters, examples);
    const now =
      step < warmup ? (rate * (step + 1)) / warmup : (rate * (steps - step)) / (steps - warmup);
    slope.forEach((g, i) => {
      first[i] = 0.9 * first[i]! + 0.1 * g;
      second[i] = 0.999 * second[i]! + 0.001 * g * g;
      const moved =
        first[i] /
        (1 - 0.9 ** (step + 1)) /
        (Math.sqrt(second[i] / (1 - 0.999 ** (step + 1))) + 1e-8);
      parameters[i]! -= now * (moved + decay * parameters[i]!);
    });
  }
  return { parameters, losses };
}
