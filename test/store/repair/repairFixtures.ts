// Corpora to damage and repair, and the check of a repair against what was in them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binding } from '../../../lib/binding.js';
import type { StoredPassage } from '../../../lib/records.js';
import { Corpus } from '../../../lib/store/corpus.js';
import { readManifest, type Manifest } from '../../../lib/store/format/manifest.js';
import type { RepairReport } from '../../../lib/store/repair/liveness.js';
import { repairCorpus } from '../../../lib/store/repair/repair.js';
import { contents, copiesOf, hashEncoder, passagesFrom, temporaryFolder } from '../fixtures.js';

export const encoder = hashEncoder();

/** What a repair reports where nothing is lost. */
export const nothingLost = { reindexed: 0, lost: [], lostWithoutId: 0, uncertain: [] };

export const manifestOf = (path: string): Manifest =>
  readManifest(readFileSync(join(path, 'manifest')), path);
export const segments = (path: string): string[] => readdirSync(join(path, 'segments')).sort();
export const inSegments = (path: string, name: string): string => join(path, 'segments', name);

export function flip(file: string, at: number, bit: number): void {
  const bytes = readFileSync(file);
  bytes[at]! ^= 1 << bit;
  writeFileSync(file, bytes);
}

/** Sections of a segment that have bytes. */
export function sectionsOf(file: string) {
  const segment = binding.Segment.open(file);
  const sections = segment.sections().filter(({ bytes }) => bytes > 0);
  segment.close();
  return sections;
}

/** All files but the lock. */
function bytesOf(path: string): Map<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name !== 'lock' && statSync(join(path, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(path, name), 'hex')]));
}

/**
 * A corpus of three segments of 20, 20 and 3 passages, of which some are replaced or deleted, and
 * another one. Call it in a describe.
 */
export function corporaToRepair() {
  const folder = temporaryFolder();
  const truth = new Map<string, StoredPassage>();
  let [whole, other, number] = ['', '', 0];
  before(async () => {
    [whole, other] = [folder.path('whole'), folder.path('other')];
    await using corpus = await Corpus.open(whole, { encoder });
    await corpus.add(passagesFrom(0, 40), { batchSize: 20 });
    await corpus.add(passagesFrom(5, 8, 1));
    await corpus.delete(['p1', 'p2', 'p30']);
    for (const [id, passage] of contents(corpus)) truth.set(id, passage);
    await using second = await Corpus.open(other, { encoder });
    await second.add(passagesFrom(100, 130));
  });
  const out = (): string => folder.path(`repaired-${(number += 1)}`);

  /** Repairs a corpus, and holds the result and the report to the truth. */
  async function repaired(
    path: string,
    options: { encoder?: typeof encoder } = { encoder },
  ): Promise<{ report: RepairReport; out: string; found: Map<string, StoredPassage> }> {
    const before = bytesOf(path);
    const to = out();
    const report = await repairCorpus(path, to, options);
    assert.deepEqual(bytesOf(path), before, 'the damaged corpus was written to');
    await using corpus = await Corpus.open(to, { encoder });
    await corpus.verify();
    const found = contents(corpus);
    assert.equal(report.passages, found.size);
    const [lost, uncertain] = [new Set(report.lost), new Set(report.uncertain)];
    let withoutId = 0;
    for (const [id, passage] of truth) {
      if (!found.has(id)) withoutId += lost.has(id) ? 0 : 1;
      else if (!uncertain.has(id)) assert.deepEqual(found.get(id), passage);
    }
    assert.ok(withoutId <= report.lostWithoutId, `${withoutId} of ${report.lostWithoutId}`);
    for (const id of found.keys()) assert.ok(truth.has(id) || uncertain.has(id), id);
    for (const id of lost) assert.ok(truth.has(id), id);
    return { report, out: to, found };
  }

  return {
    folder,
    truth,
    whole: () => whole,
    other: () => other,
    copy: copiesOf(folder, () => whole),
    out,
    repaired,
  };
}
