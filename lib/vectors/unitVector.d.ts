import type { AsOfError } from '../errors.js';
/** A vector as input. */
export type VectorInput = Float32Array | readonly number[];
/**
 * A copy of a vector in f32, scaled to length 1. `invalid` creates the error for another value:
 * the name of what is wrong, what was expected, what was received and what to do.
 */
export declare function unitVector(name: string, value: unknown, dimensions: number, invalid: (name: string, expected: string, received: unknown, remedy: string) => AsOfError): Float32Array;
