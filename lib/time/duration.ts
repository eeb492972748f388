// Lengths of time as users write them: a number and its unit.
import { invalidArgument } from '../errors.js';
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
export type Duration = `${number}${keyof typeof units}`;

/**
 * The milliseconds of a duration, from 0.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a number without a unit and anything else.
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
