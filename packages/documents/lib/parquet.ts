// Parquet rows through hyparquet, an optional peer, one row group in memory at a time.
import { open, stat } from 'node:fs/promises';
import { AsOfError } from 'asof';
import { throwIfAborted, importPeer, type LineLocation } from 'asof/kit';

interface AsyncBuffer {
  byteLength: number;
  slice(start: number, end?: number): Promise<ArrayBuffer>;
}

interface Metadata {
  row_groups: readonly {
    num_rows: bigint;
    columns: readonly { meta_data?: { codec: string } }[];
  }[];
}

/** The used interface of hyparquet. */
export interface ParquetReader {
  parquetMetadataAsync(file: AsyncBuffer): Promise<Metadata>;
  parquetSchema(metadata: Metadata): { children: readonly { element: { name: string } }[] };
  parquetReadObjects(options: {
    file: AsyncBuffer;
    metadata: Metadata;
    columns?: readonly string[];
    rowStart: number;
    rowEnd: number;
    compressors?: unknown;
  }): Promise<Record<string, unknown>[]>;
}

/** Rows per read: about 200 MB of long documents. */
const sliceRows = 50_000;

export interface ParquetOptions {
  /** Required columns; of other columns only those in `optional` are read. */
  needed: readonly string[];
  optional?: readonly string[] | 'all' | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * The rows of a file with their number, from 1. Missing columns of `optional` are omitted. Errors:
 * ERR_NOT_FOUND; ERR_NATIVE_UNAVAILABLE without hyparquet; ERR_INVALID_INPUT for another format, a
 * truncated file, and missing required columns.
 */
export async function* parquetRows(
  path: string,
  options: ParquetOptions,
): AsyncGenerator<{ record: Record<string, unknown>; where: LineLocation }> {
  const { needed, optional = [], signal } = options;
  throwIfAborted(signal);
  await checkStart(path);
  const reader = await importReader<ParquetReader>('hyparquet', path);
  const file = await fileBuffer(path);
  try {
    const metadata = await unbroken(path, () => reader.parquetMetadataAsync(file.buffer));
    const names = reader.parquetSchema(metadata).children.map(({ element }) => element.name);
    const missing = needed.filter((name) => !names.includes(name));
    if (missing.length > 0) throw missingColumns(path, needed, names);
    const columns =
      optional === 'all' ? names : [...needed, ...optional.filter((name) => names.includes(name))];
    const compressors = await compressorsFor(metadata, path);
    let first = 0;
    for (const { num_rows: rows } of metadata.row_groups) {
      const end = first + Number(rows);
      for (let rowStart = first; rowStart < end; rowStart += sliceRows) {
        throwIfAborted(signal);
        const rowEnd = Math.min(end, rowStart + sliceRows);
        const read = {
          file: file.buffer,
          metadata,
          columns,
          rowStart,
          rowEnd,
          ...(compressors ? { compressors } : {}),
        };
        const records = await unbroken(path, () => reader.parquetReadObjects(read));
        for (const [at, record] of records.entries()) {
          yield {
            record: plain(record) as Record<string, unknown>,
            where: { file: path, line: rowStart + at + 1 },
          };
        }
      }
      first = end;
    }
  } finally {
    await file.close();
  }
}

function missingColumns(
  path: string,
  needed: readonly string[],
  names: readonly string[],
): AsOfError {
  const found = names.length === 0 ? 'none' : names.slice(0, 12).join(', ');
  const message = `${path}: Expected the columns ${needed.join(', ')}, received ${found}. Is it the file of another part of the data?`;
  return new AsOfError('ERR_INVALID_INPUT', message, {
    details: { file: path, needed, received: names },
  });
}

/** hyparquet contains Snappy; other codecs are in hyparquet-compressors. */
async function compressorsFor({ row_groups: groups }: Metadata, path: string): Promise<unknown> {
  const codecs = new Set(
    groups.flatMap(({ columns }) =>
      columns.map(({ meta_data: data }) => data?.codec ?? 'UNCOMPRESSED'),
    ),
  );
  const other = [...codecs].find((codec) => codec !== 'UNCOMPRESSED' && codec !== 'SNAPPY');
  if (other === undefined) return undefined;
  const { compressors } = await importReader<{ compressors: unknown }>(
    'hyparquet-compressors',
    path,
    ` (compressed by ${other.toLowerCase()})`,
  );
  return compressors;
}

/** @throws AsOfError ERR_NATIVE_UNAVAILABLE with the package to install. */
export function importReader<T>(name: string, path: string, why = ''): Promise<T> {
  const remedy = `Do: npm install ${name} (or keep the data as JSON lines, which need nothing)`;
  return importPeer(name, `to read ${path}${why}`, remedy, { file: path });
}

/**
 * Rejects other formats before hyparquet reads the file, such as Git LFS pointers.
 */
async function checkStart(path: string): Promise<void> {
  const file = await open(path).catch((cause: unknown) => {
    const message = `Expected a parquet file at ${path}, found no readable file. Check the path.`;
    throw new AsOfError('ERR_NOT_FOUND', message, { cause, details: { file: path } });
  });
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(40), 0, 40, 0);
    const start = buffer.toString('latin1', 0, bytesRead);
    if (start.startsWith('PAR1')) return;
    const pointer = start.startsWith('version https://git-lfs');
    const received = pointer
      ? 'a Git LFS pointer'
      : bytesRead === 0
        ? 'an empty file'
        : 'another kind of file';
    const remedy = pointer ? 'Fetch the file itself: git lfs pull.' : 'Fetch it again.';
    throw new AsOfError(
      'ERR_INVALID_INPUT',
      `Expected ${path} to be a parquet file, received ${received}. ${remedy}`,
      { details: { file: path } },
    );
  } finally {
    await file.close();
  }
}

async function fileBuffer(
  path: string,
): Promise<{ buffer: AsyncBuffer; close: () => Promise<void> }> {
  const [file, { size }] = [await open(path), await stat(path)];
  const slice = async (start: number, end = size): Promise<ArrayBuffer> => {
    const bytes = Buffer.from(new ArrayBuffer(Math.max(0, end - start)));
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await file.read(
        bytes,
        at,
        Math.min(bytes.length - at, 1 << 30),
        start + at,
      );
      if (bytesRead === 0) throw new Error(`it ends at byte ${start + at}, before ${end}`);
      at += bytesRead;
    }
    return bytes.buffer;
  };
  return { buffer: { byteLength: size, slice }, close: () => file.close() };
}

async function unbroken<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (AsOfError.is(cause)) throw cause;
    const message = `Expected ${path} to be a whole parquet file, received one that cannot be read: ${reason(cause)}. Fetch it again.`;
    throw new AsOfError('ERR_INVALID_INPUT', message, { cause, details: { file: path } });
  }
}

const reason = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Converts 64-bit integers to numbers and dates to ISO 8601, recursively. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as Iterable<unknown>, plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}
