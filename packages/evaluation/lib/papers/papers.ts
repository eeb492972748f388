// A paper's tables with ours beside the published cells: what each needs, what is there, what runs.
import { locateData, filesBelow, type LocatedData, type PaperData } from './data/data.js';
import { nobel, revisedFacts, timeQa } from './data/collections.js';
import { re2Domains } from './data/re2Domains.js';
import { locateTempo } from './data/tempo.js';
import { tempRagEval } from './data/tempRagEval.js';
import { tennis } from './data/tennis.js';
import { measureCells, type Figure, type MeasureOptions } from './measure.js';
import { resolveCells, type Need, type Provisions, type ResolvedCell } from './provisions.js';
import { plannedCells, type Paper, type PaperTable } from './tables.js';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

export const paperData: readonly PaperData[] = [
  tennis,
  tempRagEval,
  timeQa,
  nobel,
  revisedFacts,
  ...re2Domains,
];

export type Verdict = 'match' | 'close' | 'differ' | 'other data' | 'not run';

/** A published cell with ours. */
export interface PaperCell {
  row: string;
  column: string;
  paper: number;
  ours?: number;
  /** Questions in ours. */
  n?: number;
  verdict: Verdict;
  /** Why it is not run. */
  why?: string;
  /** Whether another cell runs what this one would with its stand-ins. */
  repeated?: true;
  /** What ran in place of what the paper names. */
  stand_ins?: { kind: Need['kind']; name: string; by: string }[];
}

export interface TableReport extends Pick<PaperTable, 'table' | 'of' | 'tolerance' | 'note'> {
  columns: readonly string[];
  rows: readonly string[];
  needs: Need[];
  cells: PaperCell[];
}

export type ReportOptions = Omit<MeasureOptions, 'provisions'> & {
  data: string | undefined;
} & Pick<Provisions, 'reranker' | 'model' | 'weights'>;

export interface PaperReport {
  data: LocatedData[];
  tables: TableReport[];
}

/** Measures what runs of the tables. Errors: those of files, systems and models; ERR_ABORTED. */
export async function reportTables(
  paper: Paper,
  tables: readonly PaperTable[],
  options: ReportOptions,
): Promise<PaperReport> {
  const { data, keep: work, signal, encoder, reranker, model, weights } = options;
  const planned = tables.map((table) => plannedCells(paper, table));
  const files = data === undefined ? [] : await filesBelow(data, signal);
  const named = new Set(planned.flat().map(({ run }) => run.set?.split(' ')[0]));
  const located: LocatedData[] = [];
  for (const each of paperData.filter(({ name }) => named.has(name)))
    located.push(await locateData(each, { data, files, work, signal }));
  const inData = async (name: string): Promise<string | undefined> => {
    const path = join(data ?? '', name);
    return data !== undefined && (await stat(path).catch(() => undefined)) ? path : undefined;
  };
  const provisions: Provisions = {
    data: new Map(located.map((each) => [each.name, each])),
    tempo: await locateTempo(data, files, work),
    encoder,
    reranker,
    model,
    weights,
    wiki: await inData('wiki.asof'),
    views: await inData('pageviews.tsv'),
  };
  const resolved = planned.map((cells) => resolveCells(cells, provisions));
  const figures = await measureCells(resolved.flat(), { ...options, provisions });
  return {
    data: located,
    tables: tables.map((table, at) => reportOf(table, resolved[at]!, figures, provisions)),
  };
}

function reportOf(
  { table, of, tolerance, note, columns, rows, scale = 1 }: PaperTable,
  cells: readonly ResolvedCell[],
  figures: ReadonlyMap<ResolvedCell, Figure>,
  provisions: Provisions,
): TableReport {
  const needs = new Map(
    cells.flatMap((cell) => cell.needs.map((need) => [`${need.kind} ${need.name}`, need] as const)),
  );
  const reported = cells.map((cell): PaperCell => {
    const { row, column, value, why, repeated, needs: own } = cell;
    const found: Figure = why === undefined ? figures.get(cell)! : { why };
    if ('why' in found) {
      const { why: reason } = found;
      const others = repeated ? { repeated } : {};
      return { row, column, paper: value, verdict: 'not run', why: reason, ...others };
    }
    const ours = found.value * scale;
    const standIns = own.filter(({ is }) => is === 'stand-in');
    return {
      row,
      column,
      paper: value,
      ours,
      ...(found.n === undefined ? {} : { n: found.n }),
      verdict: isComparable(cell, provisions) ? verdictOf(ours, value, tolerance) : 'other data',
      ...(standIns.length > 0
        ? { stand_ins: standIns.map(({ kind, name, by }) => ({ kind, name, by })) }
        : {}),
    };
  });
  return {
    ...{ table, of, tolerance, columns, rows: Object.keys(rows) },
    ...(note === undefined ? {} : { note }),
    needs: [...needs.values()],
    cells: reported,
  };
}

function isComparable({ run }: ResolvedCell, { data, tempo, wiki }: Provisions): boolean {
  if (run.example) return true;
  if (run.set === undefined) return tempo[run.release ?? 'tempo']?.comparable ?? false;
  const name = run.set.split(' ')[0]!;
  return data.get(name)!.comparable || (name === 'temprageval' && wiki !== undefined);
}

/** Within the tolerance, within three times that, or not; rounding of the last digit aside. */
export function verdictOf(ours: number, paper: number, tolerance: number): Verdict {
  const off = Math.abs(ours - paper) - 1e-9;
  return off <= tolerance ? 'match' : off <= 3 * tolerance ? 'close' : 'differ';
}

/** Why cells of a table that somebody asked for were not run; nothing where all were. */
export function notRun({ cells }: TableReport): string[] {
  return [
    ...new Set(cells.flatMap(({ why, repeated }) => (why === undefined || repeated ? [] : [why]))),
  ];
}
