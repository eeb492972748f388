// Rows of passages as the tables hold them: what the local writer puts into a segment, by passage.
import { AsOfError, type StoredPassage, type Encoder } from 'asof';
import {
  valueIn,
  declaredFields,
  type PassageSchema,
  type PreparedPassage,
  eachRowTerms,
  rowsOf,
  layOutRows,
  type Rows,
  type Analyzer,
} from 'asof/kit';
import type { Field } from './copyBinary.js';
import { parts } from './schema.js';

/** What rows are made with. */
export interface RowMakers {
  schema: PassageSchema;
  encoder: Encoder;
  analyzer: Analyzer;
}

/** Terms of a row: how often it has each, and its tokens. */
export interface RowTerms {
  part: number;
  counts: ReadonlyMap<string, number>;
  length: number;
}

export interface Row extends RowTerms {
  /** After row, passage and length: the columns of `rowColumns`. */
  fields: readonly Field[];
}

export const rowColumns = [
  ...['row', 'passage', 'length', 'part', 'v', 'sentence', 'published', 'valid_start'],
  ...['valid_end', 'first_start', 'first_end', 'more_start', 'more_end'],
  ...['first_granularity', 'more_granularity'],
];
const passageColumns = ['passage', 'id', 'hash', 'record', 'fields'];
export const allPassageColumns = [...passageColumns, 'published', 'valid_from', 'valid_to'];

/** Rows of each passage: the whole, then its sentences if it has several. */
export async function rowsOfPassages(
  passages: readonly PreparedPassage[],
  { schema, encoder, analyzer }: RowMakers,
  signal: AbortSignal | undefined,
): Promise<Row[][]> {
  const { rows, columns, vectors } = await rowsOf(schema, passages, encoder, signal);
  const terms = await termsOf(
    rows,
    passages.map(({ stored }) => stored),
    analyzer,
    signal,
  );
  const result: Row[][] = passages.map(() => []);
  const d = encoder.dimensions;
  for (let row = 0; row < rows.rows; row += 1) {
    const own = result[rows.rowPassage[row]!]!;
    const [from, to] = [columns.contentOffset[row]!, columns.contentOffset[row + 1]!];
    const first = (times: Float64Array): Field => (from === to ? null : { float8: times[from]! });
    const more = (times: Float64Array): Field =>
      to - from < 2 ? null : { float8s: times.subarray(from + 1, to) };
    const precisions = columns.contentGranularity.subarray(from, to);
    own.push({
      ...terms[row]!,
      fields: [
        { int2: terms[row]!.part },
        { vector: vectors.subarray(row * d, (row + 1) * d) },
        { int4: own.length },
        number(columns.published[row]!),
        number(columns.validStart[row]!),
        number(columns.validEnd[row]!),
        first(columns.contentStart),
        first(columns.contentEnd),
        more(columns.contentStart),
        more(columns.contentEnd),
        from === to ? null : { int2: precisions[0]! },
        to - from < 2 ? null : { int2s: precisions.subarray(1) },
      ],
    });
  }
  return result;
}

/** Terms of all rows of stored passages. */
export async function termsOfStored(
  passages: readonly StoredPassage[],
  { schema, analyzer }: RowMakers,
  signal: AbortSignal | undefined,
): Promise<RowTerms[]> {
  const rows = await layOutRows(passages, schema.sentences ?? true, signal);
  return termsOf(rows, passages, analyzer, signal);
}

async function termsOf(
  rows: Rows,
  passages: readonly StoredPassage[],
  analyzer: Analyzer,
  signal: AbortSignal | undefined,
): Promise<RowTerms[]> {
  const result: RowTerms[] = [];
  let [counts, length] = [new Map<string, number>(), 0];
  await eachRowTerms(rows, passages, analyzer, signal, {
    push(terms) {
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      length += terms.length;
    },
    end(row) {
      const { multiSentence, passages: wholes } = rows;
      const part = row < multiSentence ? parts.whole : row < wholes ? parts.single : parts.sentence;
      result.push({ part, counts, length });
      [counts, length] = [new Map<string, number>(), 0];
    },
  });
  return result;
}

const number = (value: number): Field => (Number.isNaN(value) ? null : { float8: value });
const time = (value: number | undefined): Field => (value === undefined ? null : { float8: value });

/** Of the columns of `allPassageColumns`, after the number. */
export const passageFields = (
  { stored, hash, record }: PreparedPassage,
  schema: PassageSchema,
): Field[] => [
  { text: stored.id },
  { bytes: hash },
  { text: record },
  { jsonb: JSON.stringify(fieldValues(stored, schema)) },
  time(stored.publishedAt),
  time(stored.validFrom),
  time(stored.validTo),
];

function fieldValues(stored: StoredPassage, schema: PassageSchema): Record<string, unknown> {
  const values = Object.keys(schema.fields).map((name) => [name, valueIn(stored, name, schema)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Record<
    string,
    unknown
  >;
}

/** Refuses what the tables cannot hold. @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkStorable({ stored, index }: PreparedPassage, schema: PassageSchema): void {
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
  for (const name of Object.keys(declaredFields(schema.fields))) {
    const value = valueIn(stored, name, schema);
    if (Array.isArray(value) && value.some((keyword: string) => keyword.includes('\0')))
      refuse(`metadata.${name}`, `keywords without U+0000, ${remedy}`);
  }
}
