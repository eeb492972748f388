// TREC qrels and runs, and BEIR's tab-separated qrels. Blank lines and lines that start with # are
// skipped; malformed lines are rejected by file and line number.
import { AsOfError } from 'asof';
import {
  mustBe,
  excerpt,
  invalidLine,
  readLines,
  writeAtomically,
  type LineLocation,
} from 'asof/kit';

type Line = LineLocation & { text: string };

/**
 * Query id -> document id -> grade. A grade below zero means pooled and not judged, as in
 * trec_eval.
 */
export type Qrels = Map<string, Map<string, number>>;

/** A document of a ranking. */
export interface RankedDocument {
  id: string;
  score: number;
}

/** Query id -> documents, best first. */
export type Run = Map<string, RankedDocument[]>;

/**
 * Reads judgements. A line is TREC's `query iteration document grade`, blank-separated, or BEIR's
 * `query<TAB>document<TAB>grade` with an optional header `query-id corpus-id score`. Errors:
 * ERR_INVALID_INPUT for malformed lines, grades other than whole numbers, and duplicates.
 */
export async function readQrels(
  path: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Qrels> {
  const qrels: Qrels = new Map();
  let first = true;
  for await (const line of contentLines(path, options)) {
    const parsed = qrelsFields(line);
    const heading = first && isBeirHeader(parsed);
    first = false;
    if (heading) continue;
    const [query, document, written] = parsed;
    const grade = /^[+-]?\d{1,9}(\.0+)?$/.test(written) ? Number(written) : NaN;
    if (Number.isNaN(grade)) throw invalidLine(line, 'a whole number as grade', excerpt(written));
    const judged = qrels.get(query) ?? new Map<string, number>();
    if (judged.has(document)) throw duplicateDocument(line, { query, id: document });
    qrels.set(query, judged.set(document, grade));
  }
  return qrels;
}

/**
 * Reads a TREC run: `query Q0 document rank score tag`. As in trec_eval, ranks and fields after the
 * tag are ignored, and documents are ordered by `compareRanked`. Returns the tag of the last line.
 * Errors: ERR_INVALID_INPUT for malformed lines, scores that are not finite, and duplicates.
 */
export async function readRun(
  path: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<{ run: Run; tag: string }> {
  const run: Run = new Map();
  const seen = new Map<string, Set<string>>();
  let tag = '';
  for await (const line of contentLines(path, options)) {
    const read = runLine(line);
    const ids = seen.get(read.query) ?? new Set<string>();
    if (ids.has(read.id)) throw duplicateDocument(line, read);
    seen.set(read.query, ids.add(read.id));
    const documents = run.get(read.query);
    if (documents) documents.push({ id: read.id, score: read.score });
    else run.set(read.query, [{ id: read.id, score: read.score }]);
    tag = read.tag;
  }
  for (const documents of run.values()) documents.sort(compareRanked);
  return { run, tag };
}

/** One query of a run, best first. */
export interface QueryRanking {
  query: string;
  documents: RankedDocument[];
  /** Tag of its last line. */
  tag: string;
}

/**
 * Streams the queries of a TREC run, one in memory at a time; otherwise as `readRun`. Errors: also
 * ERR_INVALID_INPUT, with `details.grouped` false, if the lines are not grouped by query.
 */
export async function* runByQuery(
  path: string,
  options: { signal?: AbortSignal } = {},
): AsyncGenerator<QueryRanking> {
  const finished = new Set<string>();
  let current: (QueryRanking & { ids: Set<string> }) | undefined;
  const ranked = ({ query, documents, tag }: QueryRanking): QueryRanking => ({
    query,
    documents: documents.sort(compareRanked),
    tag,
  });
  for await (const line of contentLines(path, options)) {
    const { query, id, score, tag } = runLine(line);
    if (current?.query !== query) {
      if (current) {
        finished.add(current.query);
        yield ranked(current);
      }
      if (finished.has(query)) throw notGrouped(line, query);
      current = { query, documents: [], tag, ids: new Set() };
    }
    if (current.ids.has(id)) throw duplicateDocument(line, { query, id });
    current.ids.add(id);
    current.documents.push({ id, score });
    current.tag = tag;
  }
  if (current) yield ranked(current);
}

function runLine(line: Line): { query: string; id: string; score: number; tag: string } {
  const fields = line.text.trim().split(/\s+/);
  if (fields.length < 6)
    throw invalidLine(
      line,
      'six fields: query Q0 document rank score tag',
      `${fields.length} in ${excerpt(line.text)}`,
    );
  const [query, , id, , written, tag] = fields as [string, string, string, string, string, string];
  const score = Number(written);
  if (!Number.isFinite(score))
    throw invalidLine(line, 'a finite number as score', excerpt(written));
  return { query, id, score, tag };
}

function duplicateDocument(line: Line, { query, id }: { query: string; id: string }): AsOfError {
  return invalidLine(
    line,
    'each document once for a query',
    `${excerpt(id)} again for ${excerpt(query)}`,
    'Remove one of the two lines.',
  );
}

function notGrouped({ file, line }: Line, query: string): AsOfError {
  const message = `${file}:${line}: Expected lines grouped by query, received ${excerpt(query)} again. Sort the run by query.`;
  return new AsOfError('ERR_INVALID_INPUT', message, { details: { file, line, grouped: false } });
}

/**
 * trec_eval's order: score descending (compared in double precision), then document id descending
 * by its UTF-8 bytes.
 */
export function compareRanked(a: RankedDocument, b: RankedDocument): number {
  if (a.score !== b.score) return b.score - a.score;
  return compareCodePoints(b.id, a.id);
}

/**
 * Writes a run in TREC form, in the given order. trec_eval orders by score, so a score that does
 * not decrease strictly in single precision, which some tools use, is written as the next single
 * below its predecessor. Returns the number of adjusted scores. The file is replaced atomically.
 * Errors: ERR_INVALID_INPUT for an id or tag with white space; ERR_STORAGE.
 */
export async function writeRun(
  path: string,
  run: Run,
  tag: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<number> {
  mustBe('a Map', { run });
  mustBe('an object', { options });
  let moved = 0;
  function* queries(): Generator<string> {
    for (const [query, documents] of run) {
      const scores = fallingScores(documents.map((each) => each.score));
      moved += scores.filter((score, index) => score !== documents[index]!.score).length;
      const line = ({ id }: RankedDocument, index: number): string => {
        const blank = [query, id, tag].find((field) => !/^\S+$/.test(field));
        const expected = 'ids without white space, which a TREC run cannot carry';
        if (blank !== undefined)
          throw invalidLine({ file: path, line: index + 1 }, expected, excerpt(blank));
        return `${query} Q0 ${id} ${index + 1} ${scores[index]!} ${tag}\n`;
      };
      yield documents.map(line).join('');
    }
  }
  await writeAtomically(path, 'a run', queries(), options);
  return moved;
}

/**
 * Each score if it is below its predecessor in single precision, else the next single below that.
 * Scores out of the range of singles (not finite, or beyond 1e30) are replaced by a countdown to 1.
 */
function fallingScores(scores: readonly number[]): number[] {
  if (!scores.every((score) => Math.abs(score) < 1e30))
    return scores.map((_, index) => scores.length - index);
  let previous = Infinity;
  return scores.map((score) => {
    const single = Math.fround(score);
    const falls = single < previous;
    previous = falls ? single : nextSingleBelow(previous);
    return falls ? score : previous;
  });
}

function nextSingleBelow(value: number): number {
  const single = new Float32Array([value]);
  const bits = new Int32Array(single.buffer);
  if (value === 0)
    bits[0] = 0x80000001 | 0; // the largest negative subnormal
  else bits[0] = bits[0]! + (value > 0 ? -1 : 1);
  return single[0]!;
}

async function* contentLines(
  path: string,
  options: { signal?: AbortSignal },
): AsyncGenerator<Line> {
  for await (const line of readLines(path, options)) {
    if (line.text.trim() !== '' && !line.text.startsWith('#')) yield line;
  }
}

function qrelsFields(line: Line): [query: string, document: string, grade: string] {
  const byTab = line.text.split('\t').map((field) => field.trim());
  if (byTab.length === 3 && byTab.every((field) => field !== ''))
    return byTab as [string, string, string];
  const fields = line.text.trim().split(/\s+/);
  if (fields.length === 4) return [fields[0]!, fields[2]!, fields[3]!];
  throw invalidLine(
    line,
    "TREC judgements (query 0 document grade) or BEIR's (query, document and grade between tabs)",
    excerpt(line.text),
  );
}

function isBeirHeader(fields: readonly string[]): boolean {
  return /^query[-_ ]?id$/i.test(fields[0]!) && !/^[+-]?\d/.test(fields[2]!);
}

/**
 * Order of the UTF-8 bytes, which is the order of code points; JS `<` compares UTF-16 units, which
 * differs above U+FFFF.
 */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) {
      const leftHigh = left >= 0xd800 && left <= 0xdfff;
      const rightHigh = right >= 0xd800 && right <= 0xdfff;
      return leftHigh === rightHigh ? left - right : leftHigh ? 1 : -1;
    }
  }
  return a.length - b.length;
}
