// Rows of TEMPO's tables, collected over domains and tasks.
import type { QueryScores } from '../measures/averages.js';
import type { TempoDomain } from './data.js';
import { breakdownClass, type ClassForm } from './names.js';
import type { TempoRow } from './result.js';
import { type TableMetric, type TempoQueryScores, tempoTable } from './tables.js';

interface RowScores {
  row: Pick<TempoRow, 'task' | 'system' | 'setting' | 'over'>;
  metrics: readonly TableMetric[];
  scored: TempoQueryScores[];
  empty: number;
  unjudged: number;
}

export type RowKey = RowScores['row'];

/** The scores of one domain for one row. */
export interface RowPart {
  metrics: readonly TableMetric[];
  scores: readonly (QueryScores & { query?: string })[];
  /** Queries without text in the variant, and queries beyond a model's budget. */
  empty?: number;
  unjudged?: number;
}

export class RowCollector {
  readonly #rows = new Map<string, RowScores>();

  constructor(private readonly classes: ClassForm) {}

  add(row: RowKey, domain: TempoDomain, part: RowPart): void {
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
