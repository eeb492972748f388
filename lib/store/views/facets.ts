// Facets: how many passages of a view have each value of a field.
import { binding, withCancellation } from '../../binding.js';
import { invalidArgument } from '../../errors.js';
import type { Fields, ValueCount } from '../fields/types.js';
import type { Snapshot } from './snapshot.js';

/** Values of a facet. */
export const mostFacetValues = 100;

/**
 * Of each field the values that most passages have, the most frequent first, equally frequent ones
 * by their code points.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a field that is not there or has no values to count
 */
export async function countFacets(
  snapshot: Snapshot,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<Record<string, ValueCount[]>> {
  const { fields } = snapshot.manifest;
  for (const name of names) checkFacet(name, fields);
  const counted = names.map(async (name) => [name, await countValues(snapshot, name, signal)]);
  return Object.fromEntries(await Promise.all(counted)) as Record<string, ValueCount[]>;
}

async function countValues(
  { segments, manifest, remote }: Snapshot,
  name: string,
  signal: AbortSignal | undefined,
): Promise<ValueCount[]> {
  if (remote) return remote.countValues(name, mostFacetValues, signal);
  const { values, counts } = await withCancellation(signal, (cancellation) =>
    binding.countValues(
      segments.map(({ segment }) => segment),
      segments.map(({ liveDocs }) => liveDocs ?? null),
      Object.keys(manifest.fields).indexOf(name),
      mostFacetValues,
      cancellation,
    ),
  );
  return values.map((value, at) => ({ value, count: counts[at]! }));
}

function checkFacet(name: string, fields: Fields): void {
  const known = Object.keys(fields).filter((each) => !/^(?:number|time)$/.test(fields[each]!));
  if (known.includes(name)) return;
  const expected = `fields of keywords or booleans: ${known.join(', ')}`;
  throw invalidArgument(
    'facets',
    expected,
    name,
    'Fields are declared by alterFields, or --add of asof fields.',
  );
}
