// A comparison with everything that one has but dates' scores: four systems on the town, as `asof
// compare --perturb` makes it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, parseMetrics, type Comparison } from '../../lib/index.js';
import { writeTown } from './town.js';

const folder = mkdtempSync(join(tmpdir(), 'asof-comparison-'));
const result = await compare([await writeTown(join(folder, 'town.asof'))], {
  systems: ['bm25', 'dense', 'mrag', 'hybrid'],
  metrics: parseMetrics('hit@1,hit@5,mrr@10,ndcg@10,recall@10'),
  rounds: 200,
  shown: 4,
  perturb: { perQuestion: 1 },
  read: { mode: 'extract', passages: 5 },
});
rmSync(folder, { recursive: true });

export const sample = (): Comparison => structuredClone(result);
