// Files of a family: built from its packages where they are missing, indexed, and read with their
// judgments.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Corpus, type Passage } from '../../../lib/index.js';
import { faultsOf, Random, writeFamily, type FamilyDefinition } from './family.js';
import { unpack } from './sources.js';

export interface FamilyQuery {
  id: string;
  text: string;
  class: string;
  asked_at?: string;
  entity?: string;
  answers?: string[];
  unanswerable?: boolean;
}

export interface JudgedQueries {
  queries: FamilyQuery[];
  relevant: Map<string, Set<string>>;
  outdated: Map<string, Set<string>>;
  entities: Map<string, Set<string>>;
}

/** The files of a family, built where they are missing. */
export function buildFamily({ name, sources, build }: FamilyDefinition, work: string): string {
  const folder = join(work, name);
  if (existsSync(join(folder, 'entities.tsv'))) return folder;
  const family = build(
    sources.map((source) => unpack(join(work, 'packages'), source)),
    new Random(20),
  );
  const faults = faultsOf(family);
  if (faults.length > 0) throw new Error(`The family ${name} has faults: ${faults.join('; ')}.`);
  writeFamily(folder, family);
  return folder;
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
    const { id, text, title, ...times } = JSON.parse(line) as Record<string, string>;
    return {
      id,
      text,
      ...(title === undefined ? {} : { title }),
      ...(times['published_at'] === undefined ? {} : { publishedAt: times['published_at'] }),
      ...(times['valid_from'] === undefined ? {} : { validFrom: times['valid_from'] }),
      ...(times['valid_to'] === undefined ? {} : { validTo: times['valid_to'] }),
    } as Passage;
  });
  if (corpus.info().passages !== passages.length) await corpus.add(passages);
  return corpus;
}

export function judgments(folder: string): JudgedQueries {
  const table = (file: string, separator: string, key: number, value: number) => {
    const map = new Map<string, Set<string>>();
    for (const line of lines(folder, file)) {
      const cells = line.split(separator);
      const set = map.get(cells[key]!) ?? new Set();
      map.set(cells[key]!, set.add(cells[value]!));
    }
    return map;
  };
  return {
    queries: lines(folder, 'queries.jsonl').map((line) => JSON.parse(line) as FamilyQuery),
    relevant: table('qrels.tsv', ' ', 0, 2),
    outdated: table('outdated.tsv', ' ', 0, 2),
    entities: table('entities.tsv', '\t', 0, 1),
  };
}
