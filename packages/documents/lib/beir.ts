// Records of BEIR folders. Times, for which BEIR has no field, are in the metadata.
import type { Passage, TimeInput } from 'asof';
import { excerpt, invalidLine, stringField, type LineLocation } from 'asof/kit';

const clocks = {
  published_at: 'publishedAt',
  valid_from: 'validFrom',
  valid_to: 'validTo',
} as const;

/** A line of corpus.jsonl as a passage. Errors: ERR_INVALID_INPUT. */
export function beirPassage(record: Record<string, unknown>, where: LineLocation): Passage {
  const title = stringField(record, 'title', where, 'allowed');
  const given = beirMetadata(record, where);
  const rest = Object.fromEntries(
    Object.entries(given).filter(([name]) => !Object.hasOwn(clocks, name)),
  );
  const times = Object.entries(clocks).flatMap(([name, field]) => {
    const value = beirTime(given, name, where);
    return value === undefined ? [] : [[field, value] as const];
  });
  return {
    id: stringField(record, '_id', where),
    text: stringField(record, 'text', where),
    ...(title === undefined || title === '' ? {} : { title }),
    ...Object.fromEntries(times),
    ...(Object.keys(rest).length > 0 ? { metadata: rest } : {}),
  };
}

/** The metadata of a record. Errors: ERR_INVALID_INPUT. */
export function beirMetadata(
  record: Record<string, unknown>,
  where: LineLocation,
): Record<string, unknown> {
  const metadata = record['metadata'] ?? {};
  if (typeof metadata !== 'object' || Array.isArray(metadata)) {
    throw invalidLine(where, '"metadata" to be an object', excerpt(JSON.stringify(metadata)));
  }
  return metadata as Record<string, unknown>;
}

/** A time of the metadata; undefined where there is none. Errors: ERR_INVALID_INPUT. */
export function beirTime(
  record: Record<string, unknown>,
  name: string,
  where: LineLocation,
): TimeInput | undefined {
  return typeof record[name] === 'number'
    ? record[name]
    : stringField(record, name, where, 'allowed');
}
