// Files of a family: indexed, and read with their judgments.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

function lines(folder: string, file: string): string[] {
  const path = join(folder, file);
  const text = existsSync(path)
    ? readFileSync(path, 'utf8')
    : existsSync(`${path}.gz`)
      ? gunzipSync(readFileSync(`${path}.gz`)).toString()
      : '';
  return text.split('\n').filter((line) => line !== '');
}

/** The corpus of a family, indexed below `work` where that was not done. */
export async function openFamily(folder: string, name: string, work: string): Promise<Corpus> {
  const corpus = await Corpus.open(join(work, `${name}.asof`));
  const passages = lines(folder, 'passages.jsonl').map((line) => {
    const { id, text, title, ...times } = JSON.parse(line) as FamilyPassage;
    const { published_at: publishedAt, valid_from: validFrom, valid_to: validTo } = times;
    return { id, text, title, publishedAt, validFrom, validTo };
  });
  if (corpus.info().passages !== passages.length) await corpus.add(passages);
  return corpus;
}

export function judgments(folder: string): JudgedQueries {
  const table = (file: string, separator: RegExp, key: number, value: number) => {
    const map = new Map<string, Set<string>>();
    for (const line of lines(folder, file)) {
      const cells = line.split(separator);
      const set = map.get(cells[key]!) ?? new Set();
      map.set(cells[key]!, set.add(cells[value]!));
    }
    return map;
  };
  const relevant = table('qrels.tsv', /[ \t]/, 0, 2);
  return {
    queries: lines(folder, 'queries.jsonl')
      .map((line) => JSON.parse(line) as FamilyQuery)
      .map((query) => ({ ...query, unanswerable: !relevant.has(query.id) })),
    relevant,
    outdated: table('outdated.tsv', /[ \t]/, 0, 2),
    entities: table('entities.tsv', /\t/, 0, 1),
  };
}
