// BEIR folders: corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv. Times and answers, for which BEIR
// has no field, are read from and written to the records' metadata.
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AsOfError, type Passage } from 'asof';
import { beirMetadata, beirPassage, beirTime } from '@asof/documents';
import {
  mustBe,
  throwIfAborted,
  excerpt,
  invalidLine,
  readJsonLines,
  stringField,
  type LineLocation,
  writeAtomically,
  listField,
} from 'asof/kit';
import type { EvaluationQuery } from '../evaluate.js';
import { readQrels, type Qrels } from './trec.js';

/**
 * Reads a folder; `split` is one of its qrels, default test. The metadata `asked_at` and `answers`
 * of queries and `published_at`, `valid_from` and `valid_to` of passages are interpreted, other
 * metadata is kept. `passages` streams the file. Errors: ERR_NOT_FOUND, ERR_INVALID_INPUT by file
 * and line.
 */
export async function readBeir(
  folder: string,
  options: { split?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<{
  queries: EvaluationQuery[];
  qrels: Qrels;
  passages: () => AsyncGenerator<Passage>;
}> {
  mustBe('an object', { options });
  throwIfAborted(options.signal);
  const reading = options.signal ? { signal: options.signal } : {};
  const qrels = await readQrels(await beirQrels(folder, options.split), reading);
  const queries = await readBeirQueries(folder, reading);
  return {
    queries,
    qrels,
    passages: () => readJsonLines(join(folder, 'corpus.jsonl'), beirPassage, reading),
  };
}

/**
 * The queries of a folder, judged or not. Errors: as `readBeir`; ERR_INVALID_INPUT for a duplicate
 * id.
 */
export async function readBeirQueries(
  folder: string,
  options: { signal?: AbortSignal } = {},
): Promise<EvaluationQuery[]> {
  mustBe('an object', { options });
  mustBe('a string', { folder });
  const queries = new Map<string, EvaluationQuery>();
  const shape = (record: Record<string, unknown>, where: LineLocation): EvaluationQuery => {
    const query = queryOf(record, where);
    if (queries.has(query.id))
      throw invalidLine(where, 'each query id once', `${excerpt(query.id)} again`);
    return query;
  };
  for await (const query of readJsonLines(join(folder, 'queries.jsonl'), shape, options))
    queries.set(query.id, query);
  return [...queries.values()];
}

/**
 * Resolves a path of judgements: a file, or the split of a BEIR folder. Errors: ERR_NOT_FOUND,
 * which lists the splits.
 */
export async function beirQrels(path: string, split = 'test'): Promise<string> {
  const found = path === '-' ? undefined : await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return path;
  const splits = (await readdir(join(path, 'qrels')).catch(() => []))
    .filter((name) => name.endsWith('.tsv'))
    .map((name) => name.slice(0, -4));
  if (splits.includes(split)) return join(path, 'qrels', `${split}.tsv`);
  const has = splits.length === 0 ? 'no qrels/*.tsv' : `the splits ${splits.sort().join(', ')}`;
  throw new AsOfError(
    'ERR_NOT_FOUND',
    `Expected a BEIR folder with qrels/${split}.tsv at ${path}, found ${has}. Name an existing split.`,
    {
      details: { file: path },
    },
  );
}

/**
 * Writes a folder for `readBeir` and other tools, `qrels` by split. The folder
 * is created on demand, and files are
 * replaced atomically. Errors: ERR_STORAGE, ERR_ABORTED; those of `passages` and `queries`.
 */
export async function writeBeir(
  folder: string,
  content: {
    queries: Iterable<EvaluationQuery>;
    passages: AsyncIterable<Passage> | Iterable<Passage>;
    qrels: Readonly<Record<string, Qrels>>;
  },
  options: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  mustBe('a string', { folder });
  mustBe('an object', { content, options });
  const { queries, passages, qrels } = content;
  mustBe('an object', { qrels });
  await mkdir(join(folder, 'qrels'), { recursive: true }).catch((cause: Error) => {
    const message = `Expected to write a BEIR folder at ${folder}, the system refused: ${cause.message}. Check its permissions and free space.`;
    throw new AsOfError('ERR_STORAGE', message, { cause, details: { file: folder } });
  });
  const write = (name: string, lines: AsyncIterable<string> | Iterable<string>): Promise<void> =>
    writeAtomically(join(folder, name), 'a BEIR folder', inChunks(lines), options);
  await write('corpus.jsonl', formatLines(passages, passageLine));
  await write('queries.jsonl', formatLines(queries, queryLine));
  for (const [split, judged] of Object.entries(qrels))
    await write(join('qrels', `${split}.tsv`), qrelsLines(judged));
}

function queryOf(record: Record<string, unknown>, where: LineLocation): EvaluationQuery {
  const metadata = beirMetadata(record, where);
  const askedAt = beirTime(metadata, 'asked_at', where);
  const lists = (['answers', 'gold_evidence'] as const).map((name) =>
    listField<string>(metadata, name, where, {
      of: 'texts',
      is: (each) => typeof each === 'string',
    }),
  );
  return {
    id: stringField(record, '_id', where),
    text: stringField(record, 'text', where),
    ...(askedAt === undefined ? {} : { askedAt }),
    ...(lists[0] ? { answers: lists[0] } : {}),
    ...(lists[1] ? { goldEvidence: lists[1] } : {}),
  };
}

function queryLine({ id, text, askedAt, answers, goldEvidence }: EvaluationQuery): string {
  const metadata = {
    ...(askedAt === undefined ? {} : { asked_at: askedAt }),
    ...(answers === undefined ? {} : { answers }),
    ...(goldEvidence === undefined ? {} : { gold_evidence: goldEvidence }),
  };
  return `${JSON.stringify({ _id: id, text, metadata })}\n`;
}

function passageLine({
  id,
  title = '',
  text,
  publishedAt,
  validFrom,
  validTo,
  metadata,
}: Passage): string {
  const times = { published_at: publishedAt, valid_from: validFrom, valid_to: validTo };
  const given = Object.entries(times).filter(([, value]) => value !== undefined);
  return `${JSON.stringify({ _id: id, title, text, metadata: { ...metadata, ...Object.fromEntries(given) } })}\n`;
}

function* qrelsLines(qrels: Qrels): Generator<string> {
  yield 'query-id\tcorpus-id\tscore\n';
  for (const [query, judged] of qrels) {
    for (const [document, grade] of judged) {
      for (const id of [query, document]) {
        if (/^[^\t\r\n]+$/.test(id)) continue;
        throw new AsOfError(
          'ERR_INVALID_INPUT',
          `Expected ids without tabs and line ends, received ${excerpt(id)}. Rename it.`,
        );
      }
      yield `${query}\t${document}\t${grade}\n`;
    }
  }
}

async function* formatLines<T>(
  items: AsyncIterable<T> | Iterable<T>,
  line: (item: T) => string,
): AsyncGenerator<string> {
  for await (const item of items) yield line(item);
}

/** Lines joined into chunks, to limit the number of writes. */
async function* inChunks(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let pending = '';
  for await (const line of lines) {
    pending += line;
    if (pending.length < 1 << 16) continue;
    yield pending;
    pending = '';
  }
  yield pending;
}
