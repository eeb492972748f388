// Means by question group, within one collection or over all; over all, each question counts once.
import type { Comparison, RunSummary } from '../../comparison/result.js';

/** Minimum number of questions of a reported mean. */
export const few = 5;

export type SetRuns = Pick<Comparison, 'sets' | 'cells'>;

export interface GroupRow {
  value: string;
  /** Maximum number of measured questions over the systems. */
  n: number;
  /** In the order of the selected systems. */
  means: (number | undefined)[];
}

/**
 * The groupings of questions with more than one value over all collections.
 */
export function groupNames({ sets }: SetRuns): string[] {
  const values = new Map<string, Set<string>>();
  for (const { groups } of sets) {
    for (const [by, counts] of Object.entries(groups ?? {})) {
      for (const value of Object.keys(counts))
        values.set(by, (values.get(by) ?? new Set()).add(value));
    }
  }
  return [...values].filter(([, of]) => of.size > 1).map(([by]) => by);
}

/** Rows by number of questions, most first. */
export function groupRows(
  { sets, cells }: SetRuns,
  asked: { by: string; metric: string; systems: readonly string[]; set?: string },
): GroupRow[] {
  const { by, metric, systems, set } = asked;
  const only = new Map(
    sets.flatMap(({ name, groups }) => {
      const values = Object.keys(groups?.[by] ?? {});
      return values.length === 1 ? [[name, values[0]!] as const] : [];
    }),
  );
  const rows = new Map<string, { sum: number; n: number }[]>();
  for (const cell of cells) {
    const at = systems.indexOf(cell.system);
    if (at < 0 || (set !== undefined && cell.set !== set)) continue;
    for (const { value, mean, n } of partsOf(cell, by, metric, only.get(cell.set))) {
      const row = rows.get(value) ?? systems.map(() => ({ sum: 0, n: 0 }));
      row[at] = { sum: row[at]!.sum + mean * n, n: row[at]!.n + n };
      rows.set(value, row);
    }
  }
  return [...rows]
    .map(([value, row]) => ({
      value,
      n: Math.max(...row.map(({ n }) => n)),
      means: row.map(({ sum, n }) => (n === 0 ? undefined : sum / n)),
    }))
    .sort((a, b) => b.n - a.n);
}

/**
 * The groups of a run; a collection with a single group value counts as one group.
 */
function partsOf(
  { groups = [], metrics }: RunSummary,
  by: string,
  metric: string,
  only: string | undefined,
): { value: string; mean: number; n: number }[] {
  const whole = metrics[metric];
  if (only !== undefined) return whole ? [{ value: only, mean: whole.mean, n: whole.n }] : [];
  return groups.flatMap((group) => {
    const found = group.by === by ? group.metrics[metric] : undefined;
    return found ? [{ value: group.value, mean: found.mean, n: found.n }] : [];
  });
}
