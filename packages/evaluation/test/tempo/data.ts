// What the tests of TEMPO's tasks share: the corpus of our own, read, and systems that give what a
// test says.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AsOfError } from '../../../../lib/index.js';
import {
  readTempo,
  type EvaluableSystem,
  type ReadTempoOptions,
  type TempoData,
} from '../../lib/index.js';
import type { TempoDomain, TempoQuery } from '../../lib/tempo/data.js';

const here = dirname(fileURLToPath(import.meta.url));
export const corpusFolder = join(here, '../../papers/tempo/corpus');
export const parquetFolder = join(here, 'corpusParquet');

export async function domainOf(name: string): Promise<TempoDomain> {
  return (await readTempo(corpusFolder, { domains: [name] })).domains[0]!;
}

/** A system that remembers what it was asked. */
export interface AskedOf extends EvaluableSystem {
  asked: { text: string; k: number; askedAt?: unknown }[];
}

/** One that ranks what a script says. */
export function rankingBy(script: (text: string) => readonly string[]): AskedOf {
  const asked: AskedOf['asked'] = [];
  return {
    name: 'scripted',
    asked,
    async run({ text, askedAt }, { k = 10 } = {}) {
      asked.push({ text, k, ...(askedAt === undefined ? {} : { askedAt }) });
      return {
        evidence: script(text)
          .slice(0, k)
          .map((id, at) => ({ id, score: 1 / (at + 1), text: '' })),
      };
    },
  };
}

export const query = (id: string, more: Partial<TempoQuery> = {}): TempoQuery => ({
  id,
  text: `What of ${id}?`,
  domain: 'law',
  relevant: ['a'],
  answers: [],
  excluded: [],
  negatives: [],
  passageAnnotations: [],
  steps: [],
  ...more,
});

export const domain = (queries: readonly TempoQuery[]): TempoDomain => ({
  name: 'law',
  queries,
  stepsWithoutGold: 0,
  files: [],
  async *documents() {},
});

/** The ids of all documents of all domains. */
export async function idsOf({ domains }: TempoData): Promise<string[]> {
  const ids: string[] = [];
  for (const domain of domains) for await (const { id } of domain.documents()) ids.push(id);
  return ids;
}

/** A copy of the corpus for each test of a suite, to change and to read. */
export function copiedFolder() {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'asof-tempo-'));
    cpSync(corpusFolder, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const at = (file: string): string => join(folder, file);
  return {
    at,
    read: (options: ReadTempoOptions = {}) => readTempo(folder, options),
    /** Changes the rows of a file. */
    change(file: string, edit: (rows: Record<string, any>[]) => unknown): void {
      const rows = readFileSync(at(file), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, any>);
      edit(rows);
      writeFileSync(at(file), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    },
    async refuses(code: string, message: RegExp, options: ReadTempoOptions = {}): Promise<void> {
      await assert.rejects(readTempo(folder, options), (fault: AsOfError) => {
        assert.equal(fault.code, code, fault.message);
        assert.match(fault.message, message);
        return true;
      });
    },
  };
}
