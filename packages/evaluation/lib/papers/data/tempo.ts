// TEMPO's data for its tables: a folder as published, RETECO's release, RETECO's sample of five
// queries, or our own small corpus.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { paperFolder } from '../tables.js';

interface Found {
  folder: string;
  label: string;
  /** Whether figures on it may be held against the paper's. */
  comparable: boolean;
}

/** TEMPO's and RETECO's data as found. */
export interface LocatedTempo {
  tempo?: Found;
  reteco?: Found;
  missing: Readonly<Record<'tempo' | 'reteco', string>>;
}

const missing = {
  tempo:
    'huggingface.co/datasets/tempo26/Tempo, its folders documents, examples and steps (or ' +
    "RETECO's sample, docs/sample_data/track1_tempo of github.com/DataScienceUIBK/RETECO)",
  reteco: "RETECO's release, a folder track1_tempo with its domains",
} as const;

/** SHA-256 of the four files of RETECO's sample at 2493303. */
const sampleFiles: Readonly<Record<string, string>> = {
  'documents.jsonl': '2e27f09da6126cd6c2a2dc99760f1c41df35d13afb17e3ea5126d17832e2de19',
  'examples.jsonl': 'f4030e4a3d9f692427c60d109ff07421531ba211a7e239a37308b4621d3b4769',
  'steps.jsonl': 'b774a91daf706a7bea1807da62cc003277a0325583f3bb5b4d955e2d24479b01',
};

/** Finds the data among the files of a folder; without one our own corpus. */
export async function locateTempo(
  data: string | undefined,
  files: readonly string[],
  work: string,
): Promise<LocatedTempo> {
  if (data === undefined) {
    const folder = join(paperFolder('tempo'), 'corpus');
    const label = 'a small corpus of inventions: 48 documents, 14 queries, 4 domains';
    return { tempo: { folder, label, comparable: false }, missing };
  }
  const located: LocatedTempo = { missing };
  const published = files.find((file) => /(?:^|\/)examples\/\w+(?:[-\d\w/]*)\.\w+$/.test(file));
  if (published !== undefined) {
    const folder = join(data, published.replace(/(?:^|\/)examples\/.*$/, ''));
    located.tempo = { folder, label: 'as published', comparable: true };
  }
  const release = files.find((file) => /(?:^|\/)track1_tempo\/\w+\/examples_\w+\.\w+$/.test(file));
  if (release !== undefined) {
    const folder = join(data, dirname(dirname(release)));
    located.reteco = { folder, label: "RETECO's release", comparable: true };
  }
  const sample = files.find((file) =>
    /(?:^|\/)(?:reteco_sample|track1_tempo)\/examples\.jsonl$/.test(file),
  );
  if (sample !== undefined && !located.tempo)
    located.tempo = await madeOfSample(join(data, dirname(sample)), work);
  return located;
}

interface SampleRow {
  id: string;
  gold_ids?: string[];
  [name: string]: unknown;
}

/** The sample in TEMPO's form: its documents name their domain ("law/0a1b_12.txt"). */
async function madeOfSample(source: string, work: string): Promise<Found> {
  const texts = await Promise.all(
    Object.keys(sampleFiles).map((name) => readFile(join(source, name))),
  );
  const digests = texts.map((text) => createHash('sha256').update(text).digest('hex'));
  const known = Object.values(sampleFiles).every((digest, at) => digest === digests[at]);
  const folder = join(work, 'sets', digests[0]!.slice(0, 12), 'tempo');
  for (const [at, part] of ['documents', 'examples', 'steps'].entries()) {
    const rows = texts[at]!.toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as SampleRow);
    const byDomain = new Map<string, SampleRow[]>();
    for (const row of rows) {
      const domain = (row.gold_ids?.[0] ?? row.id).split('/')[0]!;
      byDomain.set(domain, [...(byDomain.get(domain) ?? []), row]);
    }
    await mkdir(join(folder, part), { recursive: true });
    for (const [domain, own] of byDomain)
      await writeFile(
        join(folder, part, `${domain}.jsonl`),
        own.map((row) => `${JSON.stringify(row)}\n`).join(''),
      );
  }
  const version = known ? '' : ', another version of its files';
  const label = `RETECO's sample of five queries and 26 gold documents: a smoke test${version}`;
  return { folder, label, comparable: false };
}
