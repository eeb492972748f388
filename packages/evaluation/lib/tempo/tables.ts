// TEMPO's tables: means by domain (macro), over all queries (micro) and by reasoning class.
import { averageScores, averageByGroup } from '../measures/averages.js';
import { toMetricMeans } from '../comparison/summaries.js';
import { breakdownClass, classOrder, type ClassForm } from './names.js';
import type { TempoData } from './data.js';
import type { TempoRow, TempoTable } from './result.js';

/** Scores of a query with its groups. */
export type TempoQueryScores = NonNullable<TempoRow['queries']>[number];

/** A metric of a table. */
export interface TableMetric {
  name: string;
  rounded?(mean: number): number;
}

/** Means by domain and by class: `macro` counts each domain once, `micro` each query. */
export function tempoTable(
  scored: readonly TempoQueryScores[],
  metrics: readonly TableMetric[],
): TempoTable {
  // Ids are not unique across domains.
  const numbered = scored.map(({ values }, at) => ({ id: String(at), values }));
  const read = metrics as Parameters<typeof averageScores>[1];
  const domains = averageByGroup(numbered, read, (at) => scored[Number(at)]!.domain);
  const classes = averageByGroup(numbered, read, (at) => scored[Number(at)]!.class);
  const ordered = [...classes.groups].sort(
    ([a], [b]) => classOrder(a) - classOrder(b) || (a < b ? -1 : 1),
  );
  return {
    domains: Object.fromEntries(
      [...domains.groups].map(([name, averages]) => [name, toMetricMeans(averages)]),
    ),
    macro: toMetricMeans(domains.macro),
    micro: toMetricMeans(averageScores(numbered, read)),
    classes: Object.fromEntries(ordered.map(([name, averages]) => [name, toMetricMeans(averages)])),
    class_macro: toMetricMeans(classes.macro),
  };
}

/** Number of queries by class. */
export function classCounts(data: TempoData, form: ClassForm = 'reported'): Record<string, number> {
  const { domains } = data;
  const counts = new Map<string, number>();
  for (const { annotation } of domains.flatMap(({ queries }) => queries)) {
    const name = breakdownClass(annotation?.primaryClass, form);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(
    [...counts].sort(([a], [b]) => classOrder(a) - classOrder(b) || (a < b ? -1 : 1)),
  );
}
