// Files of a family: indexed, and read with their judgments.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Corpus } from '../../../lib/index.js';

export interface FamilyQuery {
  id: string;
  text: string;
  class: string;
  asked_at?: string;
  entity?: string;
  answers?: string[];
  unanswerable: boolean;
}

export interface JudgedQueries {
  queries: FamilyQuery[];
  relevant: Map<string, Set<string>>;
  outdated: Map<string, Set<string>>;
  entities: Map<string, Set<string>>;
}

interface FamilyPassage {
  id: string;
  text: string;
  title?: string;
  published_at?: string;
  valid_from?: string;
  valid_to?: string;
}

/** A folder of a family, or `FOLDER:NAME` for its queries-NAME.jsonl and qrels-NAME.tsv. */
export interface FamilyFiles {
  name: string;
  folder: string;
  queries: string;
  qrels: string;
}

export function familyFiles(given: string): FamilyFiles {
  const [folder, variant] = given.split(':') as [string, string?];
  const name = basename(folder);
  if (variant === undefined) return { name, folder, queries: 'queries.jsonl', qrels: 'qrels.tsv' };
  const own = `qrels-${variant}.tsv`;
  return {
    name: `${name} ${variant}`,
    folder,
    queries: `queries-${variant}.jsonl`,
    qrels: existsSync(join(folder, own)) ? own : 'qrels.tsv',
  };
}

function lines(folder: string, file: string): string[] {
  const path = join(folder, file);
  const text = existsSync(path)
    ? readFileSync(path, 'utf8')
    : existsSync(`${path}.gz`)
      ? gunzipSync(readFileSync(`${path}.gz`)).toString()
      : '';
  return text.split('\n').filter((line) => line !== '');
}

/** The part of a collection of several corpora (a file PARTS): what precedes the colon of an id. */
const partOf = (id: string): string => id.slice(0, Math.max(0, id.indexOf(':')));

/**
 * The corpora of a family, indexed below `work` where that was not done, each with its questions:
 * one, or one a part.
 */
export async function* familyCorpora(
  { folder }: FamilyFiles,
  { queries, relevant }: JudgedQueries,
  work: string,
): AsyncGenerator<{ corpus: Corpus; queries: FamilyQuery[] }> {
  const passages = lines(folder, 'passages.jsonl').map((line) => {
    const { id, text, title, ...times } = JSON.parse(line) as FamilyPassage;
    const { published_at: publishedAt, valid_from: validFrom, valid_to: validTo } = times;
    return { id, text, title, publishedAt, validFrom, validTo };
  });
  const parts = existsSync(join(folder, 'PARTS'))
    ? [...new Set(passages.map(({ id }) => partOf(id)))]
    : [undefined];
  for (const part of parts) {
    using corpus = await Corpus.open(
      join(
        work,
        part === undefined ? `${basename(folder)}.asof` : `${basename(folder)}-${part}.asof`,
      ),
    );
    const own = passages.filter(({ id }) => part === undefined || partOf(id) === part);
    if (corpus.info().passages !== own.length) await corpus.add(own);
    const ofPart = ({ id }: FamilyQuery): boolean => {
      const [first = ''] = relevant.get(id) ?? [];
      return part === undefined || partOf(first) === part;
    };
    yield { corpus, queries: queries.filter(ofPart) };
  }
}

export function judgments({ folder, ...files }: FamilyFiles): JudgedQueries {
  const table = (file: string, separator: RegExp, key: number, value: number) => {
    const map = new Map<string, Set<string>>();
    for (const line of lines(folder, file)) {
      const cells = line.split(separator);
      if (value === 2 && cells[3] === '0') continue;
      const set = map.get(cells[key]!) ?? new Set();
      map.set(cells[key]!, set.add(cells[value]!));
    }
    return map;
  };
  const relevant = table(files.qrels, /[ \t]/, 0, 2);
  return {
    queries: lines(folder, files.queries)
      .map((line) => JSON.parse(line) as FamilyQuery)
      .map((query) => ({ ...query, unanswerable: !relevant.has(query.id) })),
    relevant,
    outdated: table('outdated.tsv', /[ \t]/, 0, 2),
    entities: table('entities.tsv', /\t/, 0, 1),
  };
}
