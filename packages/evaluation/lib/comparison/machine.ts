// Description of the machine, taken before the work begins so that its load excludes the
// comparison.
import { cpus, loadavg, totalmem } from 'node:os';
import { binding } from 'asof/kit';
import type { Comparison } from './result.js';

export function comparisonMachine(): Comparison['machine'] {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    level: binding.isa(),
    threads: binding.threadCount(),
    load: Number(loadavg()[0]!.toFixed(1)),
  };
}
