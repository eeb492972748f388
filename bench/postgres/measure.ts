// Asks a system the same questions over one corpus or another: wall and processor times, and the
// results, to be compared.
import type { System } from '../../lib/systems/system.js';
import type { PostgresServer } from '../../packages/postgres/test/servers.js';
import { processorMs } from './corpora.js';

export const k = 10;

export interface Ask {
  text: string;
  askedAt?: string;
}

export interface Measured {
  ms: number[];
  /** Processor time of a question, in milliseconds: of the servers and of this process. */
  serverMs: number;
  clientMs: number;
  results: { id: string; score: number }[][];
  /** Questions of which a scan was not exact. */
  approximate: number;
}

export async function measure(
  system: System,
  questions: readonly Ask[],
  warm: readonly Ask[],
  servers: readonly PostgresServer[] = [],
): Promise<Measured> {
  for (const question of warm) await system.run(question, { k });
  const measured: Measured = { ms: [], serverMs: 0, clientMs: 0, results: [], approximate: 0 };
  const [usage, used] = [process.cpuUsage(), processorMs(servers)];
  for (const question of questions) {
    const started = performance.now();
    const { evidence, scan } = await system.run(question, { k });
    measured.ms.push(performance.now() - started);
    measured.results.push(evidence.map(({ id, score }) => ({ id, score })));
    if (scan && !scan.exact) measured.approximate += 1;
  }
  const { user, system: kernel } = process.cpuUsage(usage);
  measured.clientMs = (user + kernel) / 1000 / questions.length;
  measured.serverMs = (processorMs(servers) - used) / questions.length;
  return measured;
}

/** How results agree with those of another corpus, or of an exact search. */
export function agreement(
  { results }: Pick<Measured, 'results'>,
  { results: expected }: Pick<Measured, 'results'>,
): { same: number; difference: number; recall: number } {
  let [same, difference, found, wanted] = [0, 0, 0, 0];
  results.forEach((list, at) => {
    const scores = new Map(expected[at]!.map(({ id, score }) => [id, score]));
    if (list.map(({ id }) => id).join() === expected[at]!.map(({ id }) => id).join()) same += 1;
    for (const { id, score } of list) {
      const other = scores.get(id);
      if (other === undefined) continue;
      found += 1;
      difference = Math.max(difference, Math.abs(score - other));
    }
    wanted += scores.size;
  });
  return { same, difference, recall: wanted === 0 ? 1 : found / wanted };
}
