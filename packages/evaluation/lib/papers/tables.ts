// Tables of papers as settings files (papers/NAME/TABLE.json): rows, columns, the published cells,
// and the run that each cell needs, merged from what the files say of table, row and column.
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ReadOptions, Settings } from 'asof/papers';
import type { WorkedExample } from './workedExamples.js';

export const paperNames = ['mrag', 'reimplementation', 'tempralm', 'tempo', 're3'] as const;
export type PaperName = (typeof paperNames)[number];

/** Numbers of the data: of a set its questions and their popularity, the others of TEMPO. */
export const counts = [
  'questions',
  'popularity',
  'queries',
  'documents',
  'gold',
  'steps',
  'class',
  'quality',
  'queryTokens',
  'documentTokens',
] as const;

/** What a cell's figure is measured by. Models are named as by the paper. */
export interface PaperRun {
  /** Test collection and queries: "tennis same-year". */
  set?: string;
  system?: string;
  settings?: Settings;
  /** As `parseMetrics` takes it, or seconds; @K is at `k`. */
  metric?: string;
  k?: number;
  /** Of seconds: the stages that count, a pattern of their names. Default: all of a question. */
  stage?: string;
  read?: Pick<ReadOptions, 'mode' | 'passages' | 'fallback'> | undefined;
  /** Passages that the reader reads. Default: the reader's. */
  passages?: number;
  encoder?: string;
  reranker?: string;
  model?: string;
  judge?: string;
  /** Of a time encoder, in systems that fuse. */
  weights?: string;
  /** A fixed pool of answering passages and hard negatives, relevance by answers. */
  pool?: 'answers';
  /** Of rows that one stand-in could take, the one it takes. Default: the first. */
  stands?: boolean;
  /** TEMPO's task and its settings. */
  task?: 'documents' | 'steps' | 'answers';
  variant?: string;
  strategy?: string;
  context?: string;
  reasoning?: string;
  reformulator?: string;
  domain?: string;
  class?: string;
  release?: 'reteco';
  split?: string;
  /** Means over steps instead of queries. */
  average?: 'steps';
  /** A number of the data. */
  count?: (typeof counts)[number];
  /** Subtracted: the same run with these differences. */
  minus?: Partial<PaperRun>;
  example?: WorkedExample;
  /** Why there is no run. */
  cannot?: string;
}

/** A table of a paper as its file has it. */
export interface PaperTable {
  /** Number in the paper: the file's name. */
  table: string;
  /** What its numbers are. */
  of: string;
  columns: readonly string[];
  /** One number a column; null where the paper has none. */
  rows: Readonly<Record<string, readonly (number | null)[]>>;
  /** The paper's numbers are ours times this. Default 1. */
  scale?: number;
  /** In the paper's numbers: ours match within it, and are close within three times that. */
  tolerance: number;
  /** How ours differ from the paper's even where they match. */
  note?: string;
  /** Of all cells. */
  run?: PaperRun;
  /** By row or column, before those of the paper. */
  runs?: Readonly<Record<string, PaperRun>>;
}

/** How ours stands to a component. */
export const componentStates = [
  'as published',
  'differs by choice',
  'missing',
  'cannot run',
] as const;

/** A part of the method, and how ours stands to it. */
export interface PaperComponent {
  /** Section, equation, table or figure. */
  section: string;
  of: string;
  /** File or command. */
  where: string;
  status: (typeof componentStates)[number];
  note?: string;
}

export interface Paper {
  name: PaperName;
  paper: string;
  arxiv?: string;
  figures: readonly { name: string; of: string; status: string }[];
  components: readonly PaperComponent[];
  runs: Readonly<Record<string, PaperRun>>;
  tables: readonly PaperTable[];
}

/** A paper's own file; several tables share lists of columns by name. */
type PaperFile = Omit<Paper, 'name' | 'tables' | 'components'> & {
  columns?: Readonly<Record<string, readonly string[]>>;
};

/** A published cell and its run. */
export interface PlannedCell {
  row: string;
  column: string;
  value: number;
  run: PaperRun;
}

const folder = new URL('../../papers/', import.meta.url);

/** A paper with its tables in their order: numbers first. */
export async function readPaper(name: PaperName): Promise<Paper> {
  const own = new URL(`${name}/`, folder);
  const read = async (file: string): Promise<object> =>
    JSON.parse(await readFile(new URL(file, own), 'utf8')) as object;
  const files = (await readdir(own)).filter((file) => /\.json$/.test(file));
  const tables = files.filter((file) => file !== 'paper.json');
  const paper = (await read('paper.json')) as PaperFile;
  const order = (file: string): string => file.replace(/\d+/g, (digits) => digits.padStart(3, '0'));
  return {
    name,
    ...paper,
    components: componentsOf(await readFile(new URL('./components.tsv', own), 'utf8')),
    tables: await Promise.all(
      tables
        .sort((a, b) => (order(a) < order(b) ? -1 : 1))
        .map(async (file) => {
          const table = (await read(file)) as Omit<PaperTable, 'table' | 'columns'> & {
            columns: string | readonly string[];
          };
          const { columns: named } = table;
          const columns = typeof named === 'string' ? paper.columns![named]! : named;
          return { ...table, table: file.slice(0, -'.json'.length), columns };
        }),
    ),
  };
}

/** Lines of section, component, where, status and, where there is one, a note. */
function componentsOf(text: string): PaperComponent[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [section, of, where, status, note] = line.split('\t') as [
        ...[string, string, string, PaperComponent['status']],
        string?,
      ];
      return { section, of, where, status, ...(note === undefined ? {} : { note }) };
    });
}

/** How many components have which status. */
export function componentCounts({ components }: Pick<Paper, 'components'>): string {
  const counts = componentStates.map(
    (state) => `${components.filter(({ status }) => status === state).length} ${state}`,
  );
  return `${components.length} components: ${counts.join(', ')}`;
}

/** The folder of a paper's own small files. */
export const paperFolder = (name: PaperName): string => fileURLToPath(new URL(`${name}/`, folder));

/** The runs of a name's parts, from its start: "Llama3.1-8B RAG-Concat", "Atlas, 32". */
function mergedOf(name: string, known: Readonly<Record<string, PaperRun>>): PaperRun {
  const merged: PaperRun = {};
  for (let rest = name; rest !== ''; ) {
    const part = Object.keys(known)
      .filter((key) => rest === key || /^[\s,]/.test(rest.slice(key.length)))
      .filter((key) => rest.startsWith(key))
      .sort((a, b) => b.length - a.length)[0];
    if (part === undefined) return merged;
    Object.assign(merged, known[part]);
    rest = rest.slice(part.length).replace(/^[\s,]+(?:\+ )?/, '');
  }
  return merged;
}

/** The cells of a table that the paper has, row by row. */
export function plannedCells({ runs: shared }: Paper, table: PaperTable): PlannedCell[] {
  const { columns, rows, run = {}, runs = {} } = table;
  const known = { ...shared, ...runs };
  const of = (name: string): PaperRun => known[name] ?? mergedOf(name, known);
  return Object.entries(rows).flatMap(([row, values]) =>
    values.flatMap((value, at): PlannedCell[] => {
      if (value === null) return [];
      const column = columns[at]!;
      const merged = { ...run, ...of(row), ...of(column) };
      if (merged.k !== undefined) merged.metric = merged.metric?.replace('@K', `@${merged.k}`);
      const { passages, ...cell } = merged;
      if (cell.read && passages !== undefined) cell.read = { ...cell.read, passages };
      return [{ row, column, value, run: cell }];
    }),
  );
}
