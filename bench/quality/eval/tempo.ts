// TEMPO's tasks on the corpus of our own and, with --data, on TEMPO's own data, against the paper's
// figures for BM25: `node --import tsx bench/quality/eval/tempo.ts [--data DIR [--domains
// law,travel] [--sample N]] [--systems bm25,dense,hybrid] [--keep DIR]`. Questions are asked on a
// fixed day. It shows that the machinery works where the data is not; figures on our corpus of 48
// documents say nothing of systems.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from '../../options.js';
import {
  evaluateTempo,
  judgeRun,
  parseMetrics,
  readTempo,
  ruleJudge,
  type TempoData,
  type TempoOptions,
  type TempoResult,
} from '../../../packages/evaluation/lib/index.js';
import {
  annotatePassages,
  annotateQueries,
} from '../../../packages/evaluation/lib/tempo/annotator.js';
import { ruleAnnotator } from '../../../packages/evaluation/lib/tempo/ruleAnnotator.js';
import { guidanceOf } from '../../../packages/evaluation/lib/tempo/annotation.js';
import { stepStrategies } from '../../../packages/evaluation/lib/tempo/queries.js';
import type { TempoDomain } from '../../../packages/evaluation/lib/tempo/data.js';
import type { TempoRow } from '../../../packages/evaluation/lib/tempo/result.js';
import { Corpus, type Passage } from '../../../lib/index.js';
import { queryVariants } from '../../../lib/time/question/variants.js';
import { renderTempo } from '../../../packages/evaluation/lib/commands/tables/tempoTables.js';
import { createTerminal } from '../../../lib/cli/terminal.js';
import { describeMachine, machine } from '../../machine.js';
import { workFolder } from '../sets/sets.js';
import { paperTables } from '../papers.js';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    domains: { type: 'string' },
    sample: { type: 'string' },
    keep: { type: 'string' },
    systems: { type: 'string', default: 'bm25,dense,hybrid' },
  },
});
const fixture = fileURLToPath(new URL('../../../test/eval/tempo/', import.meta.url));
const askedAt = '2026-01-01';
const work = workFolder('tempo-bench', values.keep);
console.log(describeMachine(machine()));

const metrics = [
  'ndcg@10',
  'recall@10',
  'precision@10',
  'map@10',
  'mrr',
  'tp@10',
  'tr@10',
  'tc@10',
  'ndcg_fc@10',
];
const [ours, lines] = [
  await readTempo(join(fixture, 'corpusParquet')),
  await readTempo(join(fixture, 'corpus')),
];
const told = ({ domains }: TempoData): string =>
  JSON.stringify(domains.map(({ files: _, ...domain }) => domain));
console.log(
  `\n## Our corpus\n\nparquet and JSON lines say ${told(ours) === told(lines) ? 'the same' : 'different things'}`,
);
console.log(await annotationByRules(ours));
console.log(await verdictsByRules(ours));
for (const tempo of ['paper', 'code'] as const) {
  const tasks = tempo === 'code' ? { variants: ['baseline'] as const } : everything();
  const result = await run(ours, 'own', {
    metrics: parseMetrics(metrics, { tempo }),
    tempo,
    ...tasks,
  });
  console.log(`\n### By the ${tempo}'s definitions\n`);
  await print(result);
}

if (values.data === undefined)
  console.log("\n## TEMPO's data\n\nnot run: name its folder with --data DIR");
else {
  const data = await readTempo(
    values.data,
    values.domains === undefined ? {} : { domains: values.domains.split(',') },
  );
  const sample = values.sample === undefined ? {} : { sample: Number(values.sample) };
  const result = await run(data, 'tempo', {
    metrics: parseMetrics(metrics.slice(0, 5)),
    ...everything(),
    contexts: [],
    ...sample,
  });
  console.log("\n## TEMPO's data\n");
  await print(result);
  console.log(besideThePaper(result));
}

function everything(): Pick<TempoOptions, 'variants' | 'strategies' | 'contexts'> {
  return {
    variants: queryVariants,
    strategies: stepStrategies,
    contexts: ['none', 'oracle', 'retrieved'],
  };
}

function run(
  data: TempoData,
  name: string,
  options: Omit<TempoOptions, 'systems' | 'open'>,
): Promise<TempoResult> {
  return evaluateTempo(data, {
    systems: values.systems.split(','),
    open: (domain) => opened(domain, name),
    judge: ruleJudge(),
    askedAt,
    ...options,
  });
}

async function opened(domain: TempoDomain, name: string): Promise<Corpus> {
  const corpus = await Corpus.open(join(work, `${name}-${domain.name}.asof`));
  if (corpus.info().passages !== domain.documentCount) await corpus.add(domain.documents());
  return corpus;
}

async function print(result: TempoResult): Promise<void> {
  const terminal = createTerminal({ json: false });
  await terminal.print(renderTempo(result, ['ndcg@10'], { ...terminal, columns: 120 }));
}

async function annotationByRules({ domains }: TempoData): Promise<string> {
  const count = { queries: 0, temporal: 0, classes: 0, passages: 0, scopes: 0 };
  for (const domain of domains) {
    const documents = new Map<string, Passage>();
    for await (const each of domain.documents()) documents.set(each.id, each);
    const annotator = ruleAnnotator();
    const annotated = (await annotateQueries(annotator, domain.queries)).queries;
    const marked = (
      await annotatePassages(annotator, domain.queries, (id) => documents.get(id), {
        negatives: true,
      })
    ).queries;
    domain.queries.forEach(({ annotation, passageAnnotations }, at) => {
      const by = annotated[at]!.annotation;
      count.queries += 1;
      count.temporal += Number(by.isTemporal === annotation?.isTemporal);
      count.classes += Number(by.primaryClass === annotation?.primaryClass);
      for (const { document, scope } of marked[at]!.annotation) {
        const theirs = passageAnnotations.find((each) => each.document === document)?.scope;
        count.passages += 1;
        const same = (end: 'start' | 'end'): boolean =>
          scope[end].slice(0, 4) === theirs?.[end].slice(0, 4);
        count.scopes += Number(same('start') && same('end'));
      }
    });
  }
  return (
    `annotated by rules as in the corpus: temporal or not ${count.temporal} of ${count.queries}, class ${count.classes} of ${count.queries}, ` +
    `from which year to which ${count.scopes} of ${count.passages} passages`
  );
}

/**
 * How many gold documents and hard negatives the rules say help with the requested time.
 */
async function verdictsByRules({ domains }: TempoData): Promise<string> {
  const found = { gold: [0, 0], negatives: [0, 0] } as Record<
    'gold' | 'negatives',
    [helps: number, of: number]
  >;
  for (const domain of domains) {
    const documents = new Map<string, Passage>();
    for await (const each of domain.documents()) documents.set(each.id, each);
    for (const { id, text, annotation, relevant, negatives } of domain.queries.filter(
      (query) => query.annotation?.isTemporal,
    )) {
      const ids = [...relevant, ...negatives];
      const question = { id, text, askedAt, guidance: guidanceOf(annotation!) };
      const ranked = new Map([[id, ids.map((each) => ({ id: each, score: 1 }))]]);
      const {
        queries: [judged],
      } = await judgeRun(ruleJudge(), [question], ranked, (each) => documents.get(each), {
        depth: ids.length,
      });
      judged!.documents.forEach(({ verdict }, at) => {
        const kind = found[at < relevant.length ? 'gold' : 'negatives'];
        kind[0] += verdict;
        kind[1] += 1;
      });
    }
  }
  const { gold, negatives } = found;
  return `judged by rules to help with the requested time: gold documents ${gold.join(' of ')}, hard negatives ${negatives.join(' of ')}`;
}

/**
 * Our BM25 against the paper's, in points: the same parameters (0.9 and 0.4) over analyzers that
 * differ.
 */
function besideThePaper({ rows }: TempoResult): string {
  const tables = paperTables().find(({ paper }) => paper === 'TEMPO')?.tables ?? [];
  const points = (row: TempoRow | undefined, domain?: string): string => {
    const found = (domain === undefined ? row?.macro : row?.domains[domain])?.['ndcg@10'];
    return found === undefined ? 'not run' : (100 * found.mean).toFixed(1);
  };
  const bm25 = (task: string, setting: string): TempoRow | undefined =>
    rows.find(
      (row) =>
        row.system === 'bm25' &&
        row.task === task &&
        row.setting === setting &&
        row.over === 'queries',
    );
  const lines = [
    "\nbm25 against the paper's, ndcg@10 in points",
    'table  cell                       paper   ours',
  ];
  const add = (table: string, cell: string, paper: number | null | undefined, own: string): void =>
    void lines.push(
      `${table.padEnd(6)} ${cell.padEnd(26)} ${String(paper ?? '-').padStart(5)} ${own.padStart(7)}`,
    );
  const byDomain = {
    3: ['documents', 'baseline'],
    19: ['steps', 'step-only'],
    20: ['steps', 'query+step'],
    21: ['steps', 'query+all'],
  } as const;
  for (const [number, [task, setting]] of Object.entries(byDomain)) {
    const table = tables.find((each) => each.table === number);
    const column = table?.columns.indexOf('BM25') ?? -1;
    for (const [name, cells] of Object.entries(table?.rows ?? {})) {
      add(
        number,
        name,
        cells[column],
        /^av/i.test(name)
          ? points(bm25(task, setting))
          : points(bm25(task, setting), name.toLowerCase()),
      );
    }
  }
  const variants = tables.find((each) => each.table === '5');
  for (const [at, variant] of queryVariants.entries())
    add('5', variant, variants?.rows['BM25']?.[at], points(bm25('documents', variant)));
  return lines.join('\n');
}
