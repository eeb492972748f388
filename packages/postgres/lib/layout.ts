// Rows of the tables: what a passage and its rows are in columns.
import { AsOfError } from 'asof';
import { fieldValues, type PreparedPassage } from 'asof/kit';
import type { Field } from './copyBinary.js';
import type { IndexedPassage } from './remoteTypes.js';
import { type CorpusSettings, parts } from './schema.js';

export const rowColumns = [
  ...['row', 'passage', 'length', 'part', 'v', 'sentence', 'published', 'valid_start'],
  ...['valid_end', 'first_start', 'first_end', 'more_start', 'more_end'],
  ...['first_granularity', 'more_granularity'],
];
const passageColumns = ['passage', 'id', 'hash', 'record', 'fields'];
export const allPassageColumns = [...passageColumns, 'published', 'valid_from', 'valid_to'];

/** Of a row, after its number: `rowColumns`. */
export function rowFields(
  passage: number,
  row: IndexedPassage['rows'][number],
  sentence: number,
): Field[] {
  const { contentStart, contentEnd, contentGranularity } = row;
  const count = contentStart.length;
  const first = (times: Float64Array): Field => (count === 0 ? null : { float8: times[0]! });
  const more = (times: Float64Array): Field => (count < 2 ? null : { float8s: times.subarray(1) });
  return [
    { int8: passage },
    { int4: row.length },
    { int2: parts[row.part] },
    { vector: row.vector },
    { int4: sentence },
    number(row.published),
    number(row.validStart),
    number(row.validEnd),
    first(contentStart),
    first(contentEnd),
    more(contentStart),
    more(contentEnd),
    count === 0 ? null : { int2: contentGranularity[0]! },
    count < 2 ? null : { int2s: contentGranularity.subarray(1) },
  ];
}

const number = (value: number): Field => (Number.isNaN(value) ? null : { float8: value });
const time = (value: number | undefined): Field => (value === undefined ? null : { float8: value });

/** Of the columns of `allPassageColumns`, after the number. */
export const passageFields = (
  { stored, hash, record }: PreparedPassage,
  settings: CorpusSettings,
): Field[] => [
  { text: stored.id },
  { bytes: hash },
  { text: record },
  { jsonb: JSON.stringify(fieldValues(stored, settings)) },
  time(stored.publishedAt),
  time(stored.validFrom),
  time(stored.validTo),
];

/** Refuses what the tables cannot hold. @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkStorable({ stored, index }: PreparedPassage, settings: CorpusSettings): void {
  const { id, series, supersedes } = stored;
  const refuse = (argument: string, message: string): never => {
    throw new AsOfError(
      'ERR_INVALID_ARGUMENT',
      `Passage ${index ?? 0} (id ${JSON.stringify(id.slice(0, 60))}): Expected ${message}`,
      { details: { argument, id, ...(index === undefined ? {} : { index }) } },
    );
  };
  const remedy = 'received one. PostgreSQL has no text with it: remove it.';
  for (const [field, key] of Object.entries({ id, series, supersedes }))
    if (key?.includes('\0')) refuse(field, `${field} to be without U+0000, ${remedy}`);
  for (const [name, value] of Object.entries(fieldValues(stored, settings))) {
    if (typeof value === 'object' && value.some((keyword) => keyword.includes('\0')))
      refuse(`metadata.${name}`, `keywords without U+0000, ${remedy}`);
  }
}
