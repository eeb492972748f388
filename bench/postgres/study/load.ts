// Loads the rows of the study into one wide table, `base`, by COPY.
import { once } from 'node:events';
import { CopyWriter, type Field } from '../../../lib/postgres/copyBinary.js';
import { copyFrom, type Client } from './client.js';
import type { StudyRows } from './rows.js';

export const baseColumns = `
  row int not null, passage int not null, part int2 not null, length int4 not null,
  published float8, valid_start float8, valid_end float8,
  content_start float8[], content_end float8[],
  terms text[] not null, counts int2[] not null, v vector(256) not null`;

const number = (value: number): Field => (Number.isNaN(value) ? null : { float8: value });

/** Row numbers; later ones are taken modulo the rows there are. */
export function fieldsOf(rows: StudyRows, row: number): Field[] {
  const from = rows.contentOffset[row]!;
  const to = rows.contentOffset[row + 1]!;
  const d = rows.dimensions;
  return [
    { int4: row },
    { int4: rows.rowPassage[row]! },
    { int2: rows.part[row]! },
    { int4: rows.lengths[row]! },
    number(rows.published[row]!),
    number(rows.validStart[row]!),
    number(rows.validEnd[row]!),
    from === to ? null : { float8s: rows.contentStart.subarray(from, to) },
    from === to ? null : { float8s: rows.contentEnd.subarray(from, to) },
    { texts: rows.terms[row]! },
    { int2s: rows.counts[row]! },
    { vector: rows.vectors.subarray(row * d, (row + 1) * d) },
  ];
}

export async function copyRows(
  client: Client,
  table: string,
  count: number,
  fields: (row: number) => Field[],
): Promise<number> {
  const start = performance.now();
  const stream = copyFrom(`copy ${table} from stdin (format binary)`);
  void client.query(stream);
  const done = once(stream, 'finish');
  const writer = new CopyWriter();
  for (let row = 0; row < count; row += 1) {
    writer.row(fields(row));
    if (writer.bytes > 1 << 18 && !stream.write(writer.take())) await once(stream, 'drain');
  }
  stream.end(writer.end());
  await done;
  return (performance.now() - start) / 1000;
}

/** The same as text. */
export async function copyText(
  client: Client,
  table: string,
  count: number,
  fields: (row: number) => Field[],
): Promise<number> {
  const start = performance.now();
  const stream = copyFrom(`copy ${table} from stdin`);
  void client.query(stream);
  const done = once(stream, 'finish');
  let lines = '';
  for (let row = 0; row < count; row += 1) {
    lines += `${fields(row).map(textOf).join('\t')}\n`;
    if (lines.length < 1 << 18) continue;
    if (!stream.write(lines)) await once(stream, 'drain');
    lines = '';
  }
  stream.end(lines);
  await done;
  return (performance.now() - start) / 1000;
}

function textOf(field: Field): string {
  if (field === null) return '\\N';
  if ('vector' in field) return `[${field.vector.join(',')}]`;
  const [value] = Object.values(field) as [number | string | ArrayLike<number | string | bigint>];
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(value);
  const each = Array.from(value, (one) =>
    typeof one === 'string' ? `"${escaped(one)}"` : String(one),
  );
  return `{${each.join(',')}}`;
}

const escaped = (text: string): string => text.replace(/\\/g, '\\\\').replace(/"/g, '\\\\"');
