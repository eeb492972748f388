// The value of --where.
import { invalidArgument } from '../../errors.js';
import type { Where } from '../../store/fields/where.js';
import { option, UsageError, type Arguments, type Command } from '../command.js';

/** The filter of --where; its fields are checked against the corpus. */
export function whereOf(invocation: Arguments, command: Command): Where | undefined {
  const value = option(invocation, 'where');
  if (value === undefined) return undefined;
  try {
    return JSON.parse(value) as Where;
  } catch (cause) {
    const { message } = invalidArgument('--where', 'JSON', value);
    throw new UsageError(`${message} ${String(cause)}`, command.name);
  }
}
