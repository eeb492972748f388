// Decay with the distance of a row's time from an origin: the functions of Elasticsearch's
// function_score and of Milvus's decay ranker, as options of a search and as a form of the scan.
import { checkOptionNames, invalidArgument } from '../errors.js';
import type { TimeInput } from '../records.js';
import type { Clock } from './constraint.js';
import { parseAskedAt } from './instant.js';
import type { Instant } from './interval.js';
import { decayKinds, type DecayForm, type TemporalForm } from './temporalForms.js';
import { dayMilliseconds, yearMilliseconds } from './civil.js';

const units = {
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: dayMilliseconds,
  w: 7 * dayMilliseconds,
  y: yearMilliseconds,
} as const;

/**
 * A length of time with its unit: '30d', '12h', '2w', '1.5y'. Units are ms, s, min, h, d (24
 * hours), w and y (365.2425 days).
 */
type Duration = `${number}${keyof typeof units}`;

/**
 * The milliseconds of a duration, from 0.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a number without a unit and anything else
 */
export function parseDuration(value: unknown, name: string): number {
  const match =
    typeof value === 'string' ? /^(\d+(?:\.\d+)?)(ms|s|min|h|d|w|y)$/.exec(value) : null;
  const milliseconds = match ? Number(match[1]) * units[match[2] as keyof typeof units] : NaN;
  if (milliseconds <= Number.MAX_SAFE_INTEGER) return milliseconds;
  throw invalidArgument(
    name,
    `a number with a unit (${Object.keys(units).join(', ')}), up to 285,000y`,
    value,
    "Write '30d' for thirty days.",
  );
}

/**
 * A value from 1 at the origin down to `floor`, which multiplies the relevance of a row or is added
 * to it. With u half-lives of distance beyond the offset: exponential 2^-u, gaussian 2^-(u^2),
 * linear max(0, 1 - u / 2).
 */
export interface Decay {
  shape: (typeof decayKinds)[number];
  /** Distance beyond the offset at which the value is 0.5: '30d'. Above 0. */
  halfLife: Duration;
  /** Distance up to which the value is 1. Default '0d'. */
  offset?: Duration | undefined;
  /** No value is below it: 0 to less than 1. Default 0. */
  floor?: number | undefined;
  /**
   * The time that is compared. Of an interval that contains the origin the distance is 0, else that
   * of its nearer end; of several times of a row the nearest counts. Default 'published'.
   */
  clock?: Clock | undefined;
  /** Value of rows without that time, 0 to 1. Default 0.5, as at the half-life. */
  undated?: number | undefined;
  /**
   * Time from which distances count, before and after alike; a date alone is its end. Default: the
   * question's `askedAt`; of vector searches `asOf`, else now.
   */
  origin?: TimeInput | undefined;
  /**
   * `product`: relevance s times the value c (s (2 - c) for s < 0, so that a better time never
   * lowers a row). `sum`: s + weight c. Default 'product'.
   */
  combine?: 'product' | 'sum' | undefined;
  /** Of a sum: above 0. Default 1. */
  weight?: number | undefined;
}

const names: readonly (keyof Decay)[] = [
  'shape',
  'halfLife',
  'offset',
  'floor',
  'clock',
  'undated',
  'origin',
  'combine',
  'weight',
];
const clocks: readonly Clock[] = ['content', 'published', 'validity'];

/** The form of a decay by time of asking. @throws AsOfError ERR_INVALID_ARGUMENT */
export function decayFormAt(decay: Decay): (askedAt: Instant) => TemporalForm {
  if (typeof decay !== 'object' || decay === null)
    throw invalidArgument(
      'decay',
      "an object such as { shape: 'exponential', halfLife: '30d' }",
      decay,
    );
  checkOptionNames('decay', decay, names);
  const { shape, halfLife, offset = '0d', floor = 0, clock = 'published', undated = 0.5 } = decay;
  const { origin, combine = 'product', weight } = decay;
  mustBeOneOf('decay.shape', decayKinds, shape);
  mustBeOneOf('decay.clock', clocks, clock);
  mustBeOneOf('decay.combine', ['product', 'sum'], combine);
  const halfLifeMs = parseDuration(halfLife, 'decay.halfLife');
  if (halfLifeMs === 0) throw invalidArgument('decay.halfLife', 'a duration above 0', halfLife);
  if (!(floor >= 0 && floor < 1))
    throw invalidArgument('decay.floor', 'a number from 0 to less than 1', floor);
  if (!(undated >= 0 && undated <= 1))
    throw invalidArgument('decay.undated', 'a number from 0 to 1', undated);
  if (weight !== undefined && (combine !== 'sum' || !(weight > 0 && weight < Infinity))) {
    throw invalidArgument(
      'decay.weight',
      "a number above 0, with combine: 'sum'",
      combine === 'sum' ? weight : `${weight} with combine: '${combine}'`,
    );
  }
  const from = origin === undefined ? undefined : parseAskedAt(origin, 'decay.origin');
  const form: Omit<DecayForm, 'at'> = {
    kind: shape,
    clock,
    halfLifeMs,
    offsetMs: parseDuration(offset, 'decay.offset'),
    floor,
    outside: Math.max(floor, undated),
  };
  return (askedAt) => {
    const at = from ?? askedAt;
    return combine === 'sum'
      ? { combine, ...form, at, weight: weight ?? 1 }
      : { combine, ...form, at };
  };
}

function mustBeOneOf(name: string, values: readonly string[], value: unknown): void {
  if (!values.includes(value as string))
    throw invalidArgument(name, `one of ${values.join(', ')}`, value);
}
