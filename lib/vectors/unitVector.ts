// Vectors that passages and questions bring with them: checked, and scaled to length 1.
import type { AsOfError } from '../errors.js';

/** A vector as input. */
export type VectorInput = Float32Array | readonly number[];

/** Deviation from length 1 up to which a vector is kept bit for bit: rounding to f32. */
const roundingError = 1e-6;

/**
 * A copy of a vector in f32, scaled to length 1. `invalid` creates the error for another value:
 * the name of what is wrong, what was expected, what was received and what to do.
 */
export function unitVector(
  name: string,
  value: unknown,
  dimensions: number,
  invalid: (name: string, expected: string, received: unknown, remedy: string) => AsOfError,
): Float32Array {
  const remedy = `Give what the model of the corpus returns: ${dimensions} numbers.`;
  const isList = value instanceof Float32Array || Array.isArray(value);
  if (!isList || value.length !== dimensions)
    throw invalid(name, `a Float32Array or array of ${dimensions} numbers`, value, remedy);
  const vector = new Float32Array(dimensions);
  let squares = 0;
  for (let at = 0; at < dimensions; at += 1) {
    const component: unknown = value[at];
    vector[at] = typeof component === 'number' ? component : NaN;
    if (!Number.isFinite(vector[at]))
      throw invalid(`${name}[${at}]`, 'a finite number of 32 bits', component, remedy);
    squares += vector[at]! * vector[at]!;
  }
  if (squares === 0)
    throw invalid(name, 'a vector that has a direction', value, 'Leave out what is only zeros.');
  const length = Math.sqrt(squares);
  if (Math.abs(length - 1) > roundingError)
    for (let at = 0; at < dimensions; at += 1) vector[at]! /= length;
  return vector;
}
