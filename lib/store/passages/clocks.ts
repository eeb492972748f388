// Entries of a record's metadata that hold the times of its passage, for stores of frameworks.
import { checkOptionNames, invalidArgument } from '../../errors.js';
import type { Passage, TimeInput } from '../../records.js';

/**
 * Entries of metadata that hold the times, in the forms of `Passage.publishedAt`. Default:
 * `publishedAt`, `validFrom` and `validTo`.
 */
export interface Clocks {
  publishedAt?: string | undefined;
  validFrom?: string | undefined;
  validTo?: string | undefined;
}

export const clockNames = ['publishedAt', 'validFrom', 'validTo'] as const;

/** @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkClocks(clocks: Clocks = {}): Required<Clocks> {
  checkOptionNames('clocks', clocks, clockNames);
  const { publishedAt = 'publishedAt', validFrom = 'validFrom', validTo = 'validTo' } = clocks;
  const checked = { publishedAt, validFrom, validTo };
  for (const name of clockNames)
    if (typeof checked[name] !== 'string')
      throw invalidArgument(`clocks.${name}`, 'the name of an entry of metadata', checked[name]);
  return checked;
}

/** The times of a record as those of a passage, which checks them. */
export function timesOf(
  metadata: Record<string, unknown>,
  clocks: Required<Clocks>,
): Pick<Passage, (typeof clockNames)[number]> {
  const of = (name: keyof Clocks): TimeInput | undefined =>
    (metadata[clocks[name]] ?? undefined) as TimeInput | undefined;
  return { publishedAt: of('publishedAt'), validFrom: of('validFrom'), validTo: of('validTo') };
}
