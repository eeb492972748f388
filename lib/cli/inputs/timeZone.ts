// Value of --time-zone.
import { AsOfError } from '../../errors.js';
import { checkTimeZone } from '../../time/timeZone.js';
import { option, UsageError, type Arguments, type Command } from '../command.js';

/** The name as it was given; undefined without the option. */
export function timeZoneOf(invocation: Arguments, command: Command): string | undefined {
  const value = option(invocation, 'time-zone');
  try {
    checkTimeZone(value, '--time-zone');
  } catch (error) {
    throw AsOfError.is(error) ? new UsageError(error.message, command.name) : error;
  }
  return value;
}
