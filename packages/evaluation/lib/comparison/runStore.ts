// Store of finished runs, keyed by everything that their figures depend on.
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { QueryScores } from '../measures/averages.js';
import type { RankedPassage } from './result.js';
import { writeAtomically } from 'asof/kit';

/** A finished run: the scores of every question, and the candidates of the sampled ones. */
export interface RunRecord {
  queries: QueryScores[];
  latency_ms: { p50: number; p99: number };
  recall: [k: number, value: number][];
  shown: { id: string; milliseconds: number; top: RankedPassage[] }[];
}

/** Key-value store of JSON values. */
export interface RunStore {
  read(key: string): Promise<object | undefined>;
  write(key: string, record: object): Promise<void>;
}

/** Runs as JSON files of a folder, created on the first write; an unreadable file is a miss. */
export function runFolder(folder: string): RunStore {
  const file = (key: string): string => join(folder, `${key}.json`);
  return {
    async read(key) {
      try {
        return JSON.parse(await readFile(file(key), 'utf8')) as object;
      } catch {
        return undefined;
      }
    },
    async write(key, record) {
      await mkdir(folder, { recursive: true });
      await writeAtomically(file(key), 'a run', [JSON.stringify(record)]);
    },
  };
}

/** The key of a run: a digest of everything that its figures depend on. */
export function runKey(dependencies: Record<string, unknown>): string {
  return createHash('sha256').update(JSON.stringify(dependencies)).digest('hex').slice(0, 32);
}
