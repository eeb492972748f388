// The figures of a paper's cells: one evaluation for all cells of a system over a collection, one
// of TEMPO's for all cells over its data, counts of data, and worked examples.
import { AsOfError, Corpus } from 'asof';
import { answerTokens, throwIfAborted } from 'asof/kit';
import { createSystem } from 'asof/papers';
import { qrelsFromAnswers } from '../answerQrels.js';
import { restrictToPool } from '../candidatePool.js';
import { tempoCorpus } from '../commands/inputs/tempoSets.js';
import { openSets, type SetOptions } from '../commands/inputs/comparisonSets.js';
import type { TestCollection } from '../comparison/testCollection.js';
import { evaluate, type Evaluation } from '../evaluate.js';
import { modelJudge } from '../judges/modelJudge.js';
import { ruleJudge } from '../judges/ruleJudge.js';
import { averageScores } from '../measures/averages.js';
import { parseMetrics } from '../measures/metricNames.js';
import { buildCandidatePool } from '../poolBuilder.js';
import type { TempoData, TempoDomain } from '../tempo/data.js';
import type { StepStrategy } from '../tempo/queries.js';
import { qualityOf } from '../tempo/quality.js';
import type { AnswerContext } from '../tempo/rag.js';
import { readTempo } from '../tempo/read.js';
import type { TempoResult } from '../tempo/result.js';
import { evaluateTempo } from '../tempo/suite.js';
import { classCounts } from '../tempo/tables.js';
import type { QueryVariant } from '../tempo/variants.js';
import { readFile } from 'node:fs/promises';
import type { PaperRun } from './tables.js';
import type { Provisions, ResolvedCell } from './provisions.js';
import { paperSystems } from './paperSystems.js';
import { computedOf } from './workedExamples.js';

export interface MeasureOptions extends SetOptions {
  provisions: Provisions;
  /** Of our own questions, which have none: TEMPO's. */
  askedAt: string | undefined;
}

/** A measured cell: its figure and the number of questions in it, or why it has none. */
export type Figure = { value: number; n?: number } | { why: string };

/** The figure of every cell that runs, in the order of the cells. */
export async function measureCells(
  cells: readonly ResolvedCell[],
  options: MeasureOptions,
): Promise<Map<ResolvedCell, Figure>> {
  const figures = new Map<ResolvedCell, Figure>();
  const pending = cells.filter(({ why }) => why === undefined);
  const groups = new Map<string, ResolvedCell[]>();
  // Cells that read nothing share the run of those that do.
  const reading = pending.filter(({ run }) => run.read);
  for (const cell of [...reading, ...pending.filter(({ run }) => !run.read)]) {
    const own = groupOf(cell.run);
    const shared = cell.run.read
      ? undefined
      : reading.find(({ run }) => groupOf({ ...run, read: undefined }) === own);
    const key = groupOf(shared?.run ?? cell.run);
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  for (const group of groups.values()) {
    throwIfAborted(options.signal);
    const of = await measureOf(group[0]!.run)(group, options);
    group.forEach((cell, at) => figures.set(cell, of[at]!));
  }
  return figures;
}

type Measure = (cells: readonly ResolvedCell[], options: MeasureOptions) => Promise<Figure[]>;

function measureOf({ example, set, count }: PaperRun): Measure {
  if (example)
    return (cells) =>
      Promise.all(cells.map(async ({ run }) => ({ value: await computedOf(run.example!) })));
  if (set === undefined) return measureTempo;
  return count === undefined ? measureCollection : measureQuestions;
}

/** Cells of one key are measured together. */
function groupOf({
  example,
  set,
  system,
  settings,
  read,
  model,
  pool,
  ...tempo
}: PaperRun): string {
  if (example) return 'examples';
  if (set !== undefined && tempo.count !== undefined) return JSON.stringify([set, tempo]);
  if (set !== undefined) return JSON.stringify([set, system, settings, read, model, pool]);
  const { release, split, reasoning, reformulator } = tempo;
  return JSON.stringify(['tempo', release, split, reasoning, reformulator]);
}

/** A system over a collection. */
async function measureCollection(
  cells: readonly ResolvedCell[],
  options: MeasureOptions,
): Promise<Figure[]> {
  const { provisions, signal, terminal } = options;
  const { run } = cells[0]!;
  const set = await collectionOf(run.set!, options);
  if (typeof set === 'string') return cells.map(() => ({ why: set }));
  const corpus = await set.open();
  const bar = terminal.progress(`${run.system} on ${set.name}`, 'questions');
  try {
    const named = [...new Set(cells.map(({ run: { metric } }) => metric!))];
    const metrics = parseMetrics(named.filter((name) => name !== 'seconds').concat('hit@10'));
    const { model, reranker, weights } = provisions;
    const { read: reading } = run;
    // Rules stand in for a model that reads passages.
    const byRules = reading?.mode === 'concatenated' && !model;
    const { passages } = reading ?? {};
    const read = byRules ? ({ mode: 'extract', passages, leastConfidence: 0 } as const) : reading;
    const uses = weights !== undefined && run.system === 're3' ? { weights } : {};
    const given = { corpus, model, reranker, read, settings: { ...run.settings, ...uses } };
    const system = paperSystems[run.system!]?.(given) ?? createSystem(run.system!, given);
    const pooled = run.pool === undefined ? undefined : await answerPool(set, corpus, options);
    const qrels = pooled?.qrels ?? set.qrels;
    const evaluation = await evaluate(
      system,
      run.pool === undefined ? set.queries : set.queries.filter(({ id }) => qrels.has(id)),
      {
        metrics,
        ...set.judgements,
        ...pooled,
        qrels,
        signal,
        onProgress: bar.update,
      },
    );
    const averages = averageScores(evaluation.queries, metrics);
    return cells.map(({ run: { metric, stage } }): Figure => {
      if (metric === 'seconds') return { value: secondsOf(evaluation, stage) };
      const found = averages[metric!];
      return found && found.queries > 0
        ? { value: found.mean, n: found.queries }
        : { why: `no question of ${set.name} has what ${metric} needs` };
    });
  } finally {
    bar.end();
    await corpus.close();
  }
}

/** The number of questions, or the mean views of the pages that they are about. */
async function measureQuestions(
  cells: readonly ResolvedCell[],
  options: MeasureOptions,
): Promise<Figure[]> {
  const { set, split, count } = cells[0]!.run;
  const { views: file } = options.provisions;
  if (count === 'popularity' && file === undefined)
    return cells.map(() => ({ why: 'needs pageviews.tsv in the data: title, views a month' }));
  const sets: TestCollection[] = [];
  for (const part of split === undefined ? ['original', 'perturbed'] : [split]) {
    const found = await collectionOf(`${set}-${part}`, options);
    if (typeof found === 'string') return cells.map(() => ({ why: found }));
    sets.push(found);
  }
  const queries = sets.flatMap((each) => each.queries);
  const figure: Figure =
    count === 'popularity'
      ? await meanViews(sets, await viewsOf(file!))
      : { value: sets.reduce((sum, each) => sum + (each.queriesInSet ?? each.queries.length), 0) };
  return cells.map(() => ('why' in figure ? figure : { n: queries.length, ...figure }));
}

/** Views by lower-case title of lines `title TAB views`. */
async function viewsOf(file: string): Promise<Map<string, number>> {
  const rows = (await readFile(file, 'utf8')).split(/\r?\n/).map((line) => line.split('\t'));
  return new Map(
    rows.flatMap(([title, views = '']) =>
      /^\d/.test(views) ? [[title!.toLowerCase(), Number(views.replaceAll(',', ''))] as const] : [],
    ),
  );
}

async function meanViews(
  sets: readonly TestCollection[],
  views: ReadonlyMap<string, number>,
): Promise<Figure> {
  const found: number[] = [];
  const corpus = await sets[0]!.open();
  try {
    for (const { queries, qrels } of sets)
      for (const { id } of queries) {
        const ids = [...(qrels.get(id) ?? [])].flatMap(([of, grade]) => (grade > 0 ? [of] : []));
        const titles = ids.flatMap((each) => corpus.get(each)?.title?.toLowerCase() ?? []);
        found.push(...titles.flatMap((title) => views.get(title) ?? []).slice(0, 1));
      }
  } finally {
    await corpus.close();
  }
  const sum = found.reduce((total, each) => total + each, 0);
  return found.length === 0
    ? { why: 'pageviews.tsv has none of the pages' }
    : { value: sum / found.length, n: found.length };
}

/** Median of a question, or the mean time of some stages. */
function secondsOf({ latencyMs, trace }: Evaluation, stage: string | undefined): number {
  if (stage === undefined) return latencyMs.p50 / 1000;
  const counted = trace.filter((each) => new RegExp(stage).test(each.stage));
  return counted.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
}

/** The test collection of a set's name, or why there is none. */
async function collectionOf(
  named: string,
  options: MeasureOptions,
): Promise<TestCollection | string> {
  const [name, queries] = named.split(' ') as [string, string | undefined];
  const { folder } = options.provisions.data.get(name)!;
  const file = queries === undefined ? 'queries' : `queries-${queries}`;
  const [set] = await openSets([`${folder!}:${file}`], options);
  const { encoder } = options;
  const { wiki } = options.provisions;
  if (!set) return `${name} has no questions ${file}`;
  return wiki === undefined || name !== 'temprageval'
    ? set
    : { ...set, open: () => Corpus.open(wiki, encoder ? { encoder } : {}) };
}

/** Answering passages and 50 hard negatives of BM25 a question, relevance by answers. */
async function answerPool(
  { queries, qrels: judged }: TestCollection,
  corpus: Corpus,
  { signal }: MeasureOptions,
) {
  const ids = new Set<string>();
  const lexical = createSystem('bm25', { corpus });
  const answering = await qrelsFromAnswers(corpus, queries, { signal });
  const relevant = new Map([...judged, ...answering]);
  for await (const { id } of buildCandidatePool(lexical, queries, relevant, { signal }))
    ids.add(id);
  const all = [...ids];
  const pool = (): readonly string[] => all;
  return { pool, qrels: restrictToPool(answering, pool) };
}

/** TEMPO's tasks: everything that the cells need of one reading of its data. */
async function measureTempo(
  cells: readonly ResolvedCell[],
  options: MeasureOptions,
): Promise<Figure[]> {
  const { provisions, signal, sample, seed, askedAt } = options;
  const { release, split, reasoning, reformulator } = cells[0]!.run;
  const found = (release === 'reteco' ? provisions.tempo.reteco : provisions.tempo.tempo)!;
  const data = await readTempo(found.folder, {
    signal,
    ...(split === undefined ? {} : { split: split as 'train' }),
    ...(reasoning === undefined ? {} : { reasoning }),
  }).catch((fault: unknown) => {
    throwIfAborted(signal);
    const absent = AsOfError.is(fault) && fault.code === 'ERR_NOT_FOUND';
    if (!absent || (reasoning === undefined && split === undefined)) throw fault;
    return `the data has no ${reasoning === undefined ? `split ${split}` : `queries ${reasoning}`}`;
  });
  if (typeof data === 'string') return cells.map(() => ({ why: data }));
  const { model } = provisions;
  const judge = model ? modelJudge(model) : ruleJudge();
  const runs = cells.flatMap(({ run }) => [run, ...(run.minus ? [{ ...run, ...run.minus }] : [])]);
  const some = <T>(of: (run: PaperRun) => T | undefined): T[] => [
    ...new Set(runs.flatMap((run) => of(run) ?? [])),
  ];
  const systems = some(({ system }) => system);
  const metrics = some(({ metric, count }) =>
    count === undefined && metric !== 'answer_coverage' ? metric : undefined,
  );
  const contexts = some(({ task, context }) => (task === 'answers' ? context : undefined));
  const measured = runs.some(({ task }) => task !== undefined);
  const bar = options.terminal.progress('TEMPO', 'queries');
  const result = measured
    ? await evaluateTempo(data, {
        systems: systems.length > 0 ? systems : ['bm25'],
        metrics: parseMetrics(metrics.length > 0 ? metrics : ['ndcg@10']),
        open: (domain) => tempoCorpus(domain, options),
        variants: some(({ task, variant = 'baseline' }) =>
          task === 'documents' ? (variant as QueryVariant) : undefined,
        ),
        strategies: some(({ strategy }) => strategy as StepStrategy | undefined),
        contexts: contexts as AnswerContext[],
        judge,
        answerModel: model,
        ...(reformulator === undefined ? {} : { reformulator: model }),
        askedAt,
        k: Math.max(100, ...metrics.map((name) => Number(name.split('@')[1] ?? 0))),
        ...(sample === undefined ? {} : { sample, seed }),
        signal,
        onProgress: bar.update,
      }).finally(() => bar.end())
    : undefined;
  const slow = new Map<string, number | null>();
  for (const count of ['quality', 'documentTokens'] as const)
    if (runs.some((run) => run.count === count))
      for (const domain of data.domains)
        slow.set(
          `${count} ${domain.name}`,
          count === 'quality'
            ? (await qualityOf(domain, judge, signal)).mean
            : await documentTokens(domain, signal),
        );
  return cells.map(({ run }) => {
    const one = run.count === undefined ? meanOf(run, result!) : countOf(run, data, slow);
    if ('why' in one || !run.minus) return one;
    const other = meanOf({ ...run, ...run.minus }, result!);
    return 'why' in other ? other : { ...one, value: one.value - other.value };
  });
}

/** A mean of TEMPO's result. */
function meanOf(run: PaperRun, { rows }: TempoResult): Figure {
  const { task, system, metric, variant = 'baseline', strategy, context, domain, average } = run;
  const setting = task === 'documents' ? variant : task === 'steps' ? strategy : context;
  const row = rows.find(
    (each) =>
      each.task === task &&
      each.setting === setting &&
      each.over === (average ?? 'queries') &&
      (context === 'none' || context === 'oracle' || each.system === system),
  );
  if (!row) return { why: `the data has nothing for ${task} ${setting}` };
  const { class: named } = run;
  const means =
    named === 'macro'
      ? row.class_macro
      : named !== undefined
        ? row.classes[named]
        : domain === 'macro' || domain === undefined
          ? row.macro
          : row.domains[domain];
  const found = means?.[metric!];
  return found && found.n > 0
    ? { value: found.mean, n: found.n }
    : { why: 'the data has no such queries' };
}

/** Mean tokens of a domain's documents; null without any. */
async function documentTokens(
  domain: TempoDomain,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  let [tokens, documents] = [0, 0];
  for await (const { text } of domain.documents({ signal })) {
    tokens += answerTokens(text).length;
    documents += 1;
  }
  return documents === 0 ? null : tokens / documents;
}

/** A number of the data itself; `slow` are those that take a judge or every document. */
function countOf(
  { count, domain, class: named }: PaperRun,
  data: TempoData,
  slow: ReadonlyMap<string, number | null>,
): Figure {
  const domains =
    domain === 'all' || domain === undefined || domain === 'macro'
      ? data.domains
      : data.domains.filter(({ name }) => name === domain);
  if (domains.length === 0) return { why: 'the data lacks the domain' };
  const queries = domains.flatMap((each) => each.queries);
  const mean = (values: readonly number[]): Figure =>
    values.length === 0
      ? { why: 'the data has none' }
      : { value: values.reduce((sum, each) => sum + each, 0) / values.length, n: values.length };
  if (count === 'class') return { value: classCounts(data)[named!] ?? 0 };
  if (count === 'queries') return { value: queries.length };
  if (count === 'documents')
    return { value: domains.reduce((sum, each) => sum + (each.documentCount ?? 0), 0) };
  if (count === 'gold') return mean(queries.map(({ relevant }) => relevant.length));
  if (count === 'steps')
    return mean(queries.flatMap(({ steps }) => (steps.length > 0 ? [steps.length] : [])));
  if (count === 'queryTokens') return mean(queries.map(({ text }) => answerTokens(text).length));
  return mean(domains.flatMap(({ name }) => slow.get(`${count} ${name}`) ?? []));
}
