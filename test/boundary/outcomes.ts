// What a call of the addon ends with, and whether an error is one that asof raises on purpose.
import { binding } from '../../lib/binding.js';
import { AsOfError, errorCodes } from '../../lib/errors.js';
import type { Call } from './calls.js';

export type Outcome = { value: unknown } | { error: unknown };

/** Calls an export and waits for its promise; what was thrown or rejected is an outcome too. */
export async function outcomeOf(name: string, call: Call, args: unknown[]): Promise<Outcome> {
  const exported = (binding as unknown as Record<string, any>)[name];
  try {
    return { value: call.constructs ? new exported(...args) : await exported(...args) };
  } catch (error) {
    return { error };
  }
}

/** Whether an error is one that asof raises on purpose, with a message that says something. */
export function isDeliberate(error: unknown): boolean {
  return (
    AsOfError.is(error) &&
    errorCodes.includes(error.code) &&
    error.code !== 'ERR_INTERNAL' &&
    error.message.length > 20
  );
}
