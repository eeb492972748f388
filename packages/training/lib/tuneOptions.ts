// Option tuning by grid search or coordinate ascent, with cross-validation: each fold is scored
// with the options that the other folds chose.
import { invalidArgument, mustBe, mustBeWhole, throwIfAborted, seededRandom } from 'asof/kit';
import type { RunOptions } from 'asof';
import type { Settings } from 'asof/papers';

/**
 * Option values by path: `weight`, `relevance.semantic`. Absent options keep the system's value.
 */
export type OptionPoint = Readonly<Record<string, number>>;

/** The score of each question at a point, in a fixed order; undefined if the system refuses it. */
export type TuningObjective = (
  point: OptionPoint,
  options: { signal?: AbortSignal | undefined },
) => Promise<readonly number[] | undefined>;

export interface TuneOptions extends RunOptions {
  /** Starting point. Default: the system's own values. */
  start?: OptionPoint | undefined;
  /**
   * coordinate: coordinate ascent, one option after the other until none improves. grid: every
   * combination. Default coordinate.
   */
  method?: 'coordinate' | 'grid' | undefined;
  /** Cross-validation folds, 2 to 20. Default 5. */
  folds?: number | undefined;
  /** Seed of the assignment of questions to folds. Default 1. */
  seed?: number | undefined;
}

/** Result of tuning; `heldOut` is the unbiased figure, `best` was selected on all questions. */
export interface TuningResult {
  /** The best point on all questions, and its mean on them, which is optimistic. */
  best: { point: OptionPoint; mean: number };
  start: { point: OptionPoint; mean: number };
  /**
   * Cross-validated mean: each question at the point chosen by the other folds; and the number of
   * questions that improve or degrade.
   */
  heldOut: { mean: number; better: number; worse: number };
  folds: {
    /** The best point on the questions outside the fold. */
    point: OptionPoint;
    questions: number;
    /** Means over the fold's questions, at that point and at the start. */
    heldOut: number;
    start: number;
  }[];
  /** All scored points, in order. */
  tried: { point: OptionPoint; mean: number }[];
  refused: OptionPoint[];
}

const mostPoints = 2000;
const mostRounds = 6;

/**
 * Tunes the options of `space`. Ties keep the earlier value, so an option without effect keeps its
 * start. Deterministic by seed. onProgress counts points, with total Infinity for coordinate
 * ascent.
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
  const made: TuningResult['folds'] = [];
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

/** Scores of points, each computed once. */
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

/** The first point with the greatest mean over the questions, within rounding. */
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
  if (!first) {
    yield start;
    return;
  }
  for (const point of gridOf(Object.fromEntries(rest), start))
    for (const value of first[1]) yield { ...point, [first[0]]: value };
}

const sizeOf = (space: Readonly<Record<string, readonly number[]>>): number =>
  Object.values(space).reduce((product, values) => product * values.length, 1);

const mean = (values: readonly number[], questions: readonly number[]): number =>
  questions.reduce((sum, i) => sum + values[i]!, 0) / questions.length;

/** Questions shuffled by seed and dealt round-robin to the folds. */
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
  mustBeWhole({ folds }, 2, 20);
  mustBeWhole({ seed }, 0);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The numeric options of a system, by path: `weight`, `relevance.semantic`. */
export function numericOptions(options: Settings): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const [name, value] of Object.entries(options)) {
    if (name === 'read') continue; // not a setting
    if (typeof value === 'number') numbers[name] = value;
    if (isObject(value))
      for (const [part, inner] of Object.entries(value))
        if (typeof inner === 'number') numbers[`${name}.${part}`] = inner;
  }
  return numbers;
}

/** Settings with numbers set by path; other properties are those of `options`. */
export function optionsAt(
  options: Settings,
  point: Readonly<Record<string, number>>,
): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(point)) {
    const [name, part, ...more] = path.split('.');
    if (!name || part === '' || more.length > 0)
      throw invalidArgument('the name of an option', 'weight or relevance.semantic', path);
    if (part === undefined) settings[name] = value;
    else
      settings[name] = {
        ...(isObject(options[name]) ? options[name] : {}),
        ...(settings[name] as object | undefined),
        [part]: value,
      };
  }
  return settings;
}
