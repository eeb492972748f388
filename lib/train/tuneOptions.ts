// Option tuning by grid search or coordinate ascent, with cross-validation: each fold is scored
// with the options that the other folds chose.
import { invalidArgument, mustBe, throwIfAborted } from '../errors.js';
import type { RunOptions } from '../records.js';
import { seededRandom } from '../text/random.js';

/**
 * Options by path: `weight`, `relevance.semantic`. One that is absent stays as the system has it.
 */
export type OptionPoint = Readonly<Record<string, number>>;

/**
 * The value of each question under a point, always in the same order; undefined where the system
 * refuses the point.
 */
export type TuningObjective = (
  point: OptionPoint,
  options: { signal?: AbortSignal },
) => Promise<readonly number[] | undefined>;

export interface TuneOptions extends RunOptions {
  /** Where the search begins: the values in use. Default: nothing set. */
  start?: OptionPoint;
  /**
   * coordinate: best value of one option after the other, until none helps. grid: every
   * combination. Default coordinate.
   */
  method?: 'coordinate' | 'grid';
  /** Parts of the questions, 2 to 20. Default 5. */
  folds?: number;
  /** Which questions fall together. Default 1. */
  seed?: number;
}

/** One held-out part of a search. */
export interface TuningFold {
  /** What the questions outside the fold chose. */
  point: OptionPoint;
  questions: number;
  /** Means over the fold's own questions: of that point, and of the start. */
  heldOut: number;
  start: number;
}

/** What a search found; `heldOut` is the figure to trust, `best` was chosen on all questions. */
export interface TuningResult {
  /** What all questions choose, and its mean over them: it was chosen on them, so it flatters. */
  best: { point: OptionPoint; mean: number };
  start: { point: OptionPoint; mean: number };
  /**
   * The mean over all questions, each under the point that the other folds chose; and how many of
   * them got better or worse by it.
   */
  heldOut: { mean: number; better: number; worse: number };
  folds: TuningFold[];
  /** Every point that was scored, in that order. */
  tried: { point: OptionPoint; mean: number }[];
  refused: OptionPoint[];
}

const mostPoints = 2000;
const mostRounds = 6;

/**
 * Searches `space`. Equal means leave things as they are, so an option without effect keeps its
 * start. Deterministic by seed. onProgress counts points; a coordinate search does not know its
 * total and gives Infinity.
 * @throws AsOfError ERR_INVALID_ARGUMENT for an empty space, too many points or folds, too few
 * questions, a refused start.
 */
export async function tuneOptions(
  objective: TuningObjective,
  space: Readonly<Record<string, readonly number[]>>,
  options: TuneOptions = {},
): Promise<TuningResult> {
  mustBe('a function', { objective });
  mustBe('an object', { space, options });
  const { start = {}, method = 'coordinate', folds = 5, seed = 1 } = options;
  checkSpace(space, method, folds, seed);
  const scored = new PointScores(objective, options, method === 'grid' ? sizeOf(space) : Infinity);
  const values = await scored.of(start);
  if (!values) throw invalidArgument('start', 'settings that the system takes', start);
  if (values.length < folds)
    throw invalidArgument('questions', `at least ${folds}, one for each fold`, values.length);
  const all = values.map((_, i) => i);
  const choose = (questions: readonly number[]): Promise<OptionPoint> =>
    method === 'grid'
      ? bestOf(scored, [start, ...gridOf(space, start)], questions)
      : coordinateAscent(scored, space, start, questions);
  const best = await choose(all);
  const parts = partition(all, folds, seed);
  const made: TuningFold[] = [];
  const held = new Array<number>(all.length);
  for (const part of parts) {
    const inside = new Set(part);
    const point = await choose(all.filter((i) => !inside.has(i)));
    const under = (await scored.of(point))!;
    for (const i of part) held[i] = under[i]!;
    made.push({
      point,
      questions: part.length,
      heldOut: mean(under, part),
      start: mean(values, part),
    });
  }
  return {
    best: { point: best, mean: mean((await scored.of(best))!, all) },
    start: { point: start, mean: mean(values, all) },
    heldOut: {
      mean: mean(held, all),
      better: all.filter((i) => held[i]! > values[i]!).length,
      worse: all.filter((i) => held[i]! < values[i]!).length,
    },
    folds: made,
    ...scored.report(all),
  };
}

/** Asks for each point once. */
class PointScores {
  private readonly known = new Map<
    string,
    { point: OptionPoint; values: readonly number[] | undefined }
  >();

  constructor(
    private readonly objective: TuningObjective,
    private readonly options: RunOptions,
    private readonly total: number,
  ) {}

  async of(point: OptionPoint): Promise<readonly number[] | undefined> {
    const key = JSON.stringify(Object.entries(point).sort(([a], [b]) => (a < b ? -1 : 1)));
    const found = this.known.get(key);
    if (found) return found.values;
    const { signal, onProgress } = this.options;
    throwIfAborted(signal);
    const values = await this.objective(point, signal ? { signal } : {});
    this.known.set(key, { point, values });
    onProgress?.({ done: this.known.size, total: this.total });
    return values;
  }

  report(all: readonly number[]): Pick<TuningResult, 'tried' | 'refused'> {
    const known = [...this.known.values()];
    return {
      tried: known.flatMap(({ point, values }) =>
        values ? [{ point, mean: mean(values, all) }] : [],
      ),
      refused: known.flatMap(({ point, values }) => (values ? [] : [point])),
    };
  }
}

async function coordinateAscent(
  scored: PointScores,
  space: Readonly<Record<string, readonly number[]>>,
  start: OptionPoint,
  questions: readonly number[],
): Promise<OptionPoint> {
  let at = start;
  for (let round = 0; round < mostRounds; round += 1) {
    const before = at;
    for (const [path, values] of Object.entries(space)) {
      at = await bestOf(
        scored,
        [at, ...values.map((value) => ({ ...at, [path]: value }))],
        questions,
      );
    }
    if (at === before) break;
  }
  return at;
}

/**
 * The first of the points with the greatest mean over the questions; differences in the last digits
 * are none.
 */
async function bestOf(
  scored: PointScores,
  points: readonly OptionPoint[],
  questions: readonly number[],
): Promise<OptionPoint> {
  let best: { point: OptionPoint; value: number } | undefined;
  for (const point of points) {
    const values = await scored.of(point);
    if (!values) continue;
    const value = mean(values, questions);
    if (!best || value > best.value + 1e-12) best = { point, value };
  }
  return best!.point;
}

function* gridOf(
  space: Readonly<Record<string, readonly number[]>>,
  start: OptionPoint,
): Generator<OptionPoint> {
  const [first, ...rest] = Object.entries(space);
  if (!first) return yield start;
  for (const point of gridOf(Object.fromEntries(rest), start))
    for (const value of first[1]) yield { ...point, [first[0]]: value };
}

const sizeOf = (space: Readonly<Record<string, readonly number[]>>): number =>
  Object.values(space).reduce((product, values) => product * values.length, 1);

const mean = (values: readonly number[], questions: readonly number[]): number =>
  questions.reduce((sum, i) => sum + values[i]!, 0) / questions.length;

/** Shuffled by seed, dealt out one by one. */
function partition(all: readonly number[], folds: number, seed: number): number[][] {
  const dealt = seededRandom(seed, 'folds').shuffled(all);
  return Array.from({ length: folds }, (_, fold) =>
    dealt.filter((_, i) => i % folds === fold).sort((a, b) => a - b),
  );
}

function checkSpace(
  space: Readonly<Record<string, readonly number[]>>,
  method: string,
  folds: number,
  seed: number,
): void {
  const entries = Object.entries(space);
  if (entries.length === 0)
    throw invalidArgument('space', 'at least one option with values to try', space);
  for (const [path, values] of entries) {
    if (values.length === 0 || !values.every(Number.isFinite))
      throw invalidArgument(`the values of ${path}`, 'finite numbers, at least one', values);
  }
  if (method !== 'coordinate' && method !== 'grid')
    throw invalidArgument('method', 'coordinate or grid', method);
  if (method === 'grid' && sizeOf(space) > mostPoints) {
    throw invalidArgument(
      'space',
      `at most ${mostPoints} combinations for a grid`,
      sizeOf(space),
      'Try fewer values, or the method coordinate.',
    );
  }
  if (!Number.isInteger(folds) || folds < 2 || folds > 20)
    throw invalidArgument('folds', 'a whole number from 2 to 20', folds);
  if (!Number.isInteger(seed) || seed < 0)
    throw invalidArgument('seed', 'a whole number of at least 0', seed);
}
