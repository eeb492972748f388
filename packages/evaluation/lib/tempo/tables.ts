// Rows of TEMPO's tables, collected over domains and tasks: means by domain (macro), over all
// queries (micro) and by reasoning class.
import { averageScores, averageByGroup, type QueryScores } from '../measures/averages.js';
import { toMetricMeans } from '../comparison/summaries.js';
import { breakdownClass, classOrder, type ClassForm } from './names.js';
import type { TempoData, TempoDomain } from './data.js';
import type { TempoRow, TempoTable } from './result.js';

/** Scores of a query with its groups. */
type TempoQueryScores = NonNullable<TempoRow['queries']>[number];

/** A metric of a table. */
interface TableMetric {
  name: string;
  rounded?(mean: number): number;
}

/** Means by domain and by class: `macro` counts each domain once, `micro` each query. */
function tempoTable(
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

interface RowScores {
  row: Pick<TempoRow, 'task' | 'system' | 'setting' | 'over'>;
  metrics: readonly TableMetric[];
  scored: TempoQueryScores[];
  empty: number;
  unjudged: number;
}

/** The scores of one domain for one row. */
interface RowPart {
  metrics: readonly TableMetric[];
  scores: readonly (QueryScores & { query?: string })[];
  /** Queries without text in the variant, and queries beyond a model's budget. */
  empty?: number;
  unjudged?: number;
}

export class RowCollector {
  readonly #rows = new Map<string, RowScores>();

  constructor(private readonly classes: ClassForm) {}

  add(row: RowScores['row'], domain: TempoDomain, part: RowPart): void {
    const { metrics, scores, empty = 0, unjudged = 0 } = part;
    const classOf = new Map(
      domain.queries.map(({ id, annotation }) => [
        id,
        breakdownClass(annotation?.primaryClass, this.classes),
      ]),
    );
    const key = JSON.stringify(row);
    const entry = this.#rows.get(key) ?? { row, metrics, scored: [], empty: 0, unjudged: 0 };
    entry.scored.push(
      ...scores.map(({ id, values, query }) => ({
        id,
        values,
        domain: domain.name,
        class: classOf.get(query ?? id)!,
      })),
    );
    entry.empty += empty;
    entry.unjudged += unjudged;
    this.#rows.set(key, entry);
  }

  /** The rows in the order of their first part, with the values of every query on request. */
  rows(perQuery: boolean): TempoRow[] {
    return [...this.#rows.values()].map(({ row, metrics, scored, empty, unjudged }) => ({
      ...row,
      n: scored.length,
      ...(empty > 0 ? { empty } : {}),
      ...(unjudged > 0 ? { unjudged } : {}),
      ...tempoTable(scored, metrics),
      ...(perQuery ? { queries: scored } : {}),
    }));
  }
}
