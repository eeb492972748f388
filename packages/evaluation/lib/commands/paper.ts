// `asof paper`: a paper's tables with ours beside the published figures.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Command,
  UsageError,
  countOption,
  encoderChoice,
  ensureFolder,
  listOption,
  modelChoice,
  option,
  rerankerChoice,
  type Invocation,
} from 'asof/command';
import { notRun, reportTables } from '../papers/papers.js';
import { paperNames, readPaper, type Paper, type PaperName } from '../papers/tables.js';
import { renderPaper } from './tables/paperTables.js';

export const command: Command = {
  name: 'paper',
  summary: "A paper's tables: what each needs, and ours beside the published figures.",
  positionals: ['[NAME]'],
  options: {
    data: {
      value: 'DIR',
      help:
        "folder with the sources' files, or TEMPO's data; default: small collections of " +
        'inventions',
    },
    table: { value: 'N,...', multiple: true, help: 'tables, default all of the paper' },
    keep: {
      value: 'WORK',
      help: 'folder of the collections made and their corpora, default a temporary one',
    },
    weights: {
      value: 'FILE',
      help: "re3's time encoder, of asof train re3; default the package",
    },
    sample: { value: 'N', help: 'a random sample of N questions of each set' },
    seed: { value: 'N', help: 'random seed of samples, default 1' },
    ...modelChoice.options,
    ...encoderChoice.options,
    reranker: rerankerChoice.option,
  },
  details:
    `NAME is ${paperNames.join(', ')}; without it all are listed. ` +
    'A cell runs where its data and models are there; another encoder, reranker or model than ' +
    'the paper has stands in for it and is named. Of cells that a stand-in would run alike, one ' +
    'does.\n' +
    'Exit status 1 if a cell of a table that --table names could not run; with --data, of any ' +
    'table.',
  example: 'asof paper tempralm --data tennis/ --table 2',
  failure: '1 failure, or a table that was asked for could not run in full',
};

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal, positionals } = invocation;
  const [named] = positionals;
  if (named === undefined) return list(invocation);
  const paper = await readPaper(paperNameOf(named));
  const tables = tablesOf(paper, listOption(invocation, 'table'));
  const [data, kept] = [option(invocation, 'data'), option(invocation, 'keep')];
  const opened = modelChoice.open(invocation);
  const reranker = await rerankerChoice.open(invocation);
  const keep = kept ?? (await mkdtemp(join(tmpdir(), 'asof-paper-')));
  try {
    await ensureFolder(keep);
    const report = await reportTables(paper, tables, {
      ...{ data, keep, signal, terminal, reranker, groupBy: [], askedAt: undefined },
      model: opened.options.model,
      encoder: await encoderChoice.open(invocation),
      weights: option(invocation, 'weights'),
      sample: countOption(invocation, 'sample'),
      seed: countOption(invocation, 'seed') ?? 1,
    });
    if (terminal.json)
      await terminal.printJson({
        paper: paper.paper,
        components: paper.components,
        figures: paper.figures,
        ...report,
      });
    else await terminal.print(renderPaper(paper, report, terminal));
    if (data === undefined && listOption(invocation, 'table') === undefined) return 0;
    const lacking = report.tables.filter((each) => notRun(each).length > 0);
    for (const each of lacking)
      terminal.say(`asof: table ${each.table}: not run in full: ${notRun(each).join('; ')}`);
    return lacking.length > 0 ? 1 : 0;
  } finally {
    if (kept === undefined) await rm(keep, { recursive: true, force: true });
  }
}

function paperNameOf(named: string): PaperName {
  const name = paperNames.find((each) => each === named);
  if (name !== undefined) return name;
  throw new UsageError(
    `NAME must be one of ${paperNames.join(', ')}; received ${JSON.stringify(named)}.`,
  );
}

/** @throws UsageError for a table that the paper does not have */
function tablesOf({ paper, tables }: Paper, named: string[] | undefined): Paper['tables'] {
  if (named === undefined) return tables;
  const known = tables.map(({ table }) => table);
  const unknown = named.find((each) => !known.includes(each));
  if (unknown !== undefined)
    throw new UsageError(
      `--table must be some of ${known.join(', ')}, of ${paper}; received ${JSON.stringify(unknown)}.`,
    );
  return tables.filter(({ table }) => named.includes(table));
}

/** The papers with their tables and the number of their cells. */
async function list({ terminal }: Invocation): Promise<number> {
  const papers = await Promise.all(paperNames.map(readPaper));
  const cells = ({ tables }: Paper): number =>
    tables.reduce(
      (sum, { rows }) =>
        sum +
        Object.values(rows)
          .flat()
          .filter((value) => value !== null).length,
      0,
    );
  const summaries = papers.map((each) => ({
    name: each.name,
    paper: each.paper,
    tables: each.tables.map(({ table, of }) => ({ table, of })),
    cells: cells(each),
  }));
  if (terminal.json) await terminal.printJson(summaries);
  else
    await terminal.print(
      summaries
        .map(
          ({ name, paper, tables, cells: count }) =>
            `${terminal.style(name, 'bold')}: ${paper}, ${count.toLocaleString('en-US')} cells\n` +
            tables.map(({ table, of }) => `  ${table}: ${of}\n`).join(''),
        )
        .join('\n'),
    );
  return 0;
}
