// Comparison of systems over test collections: every run measured alike, one question at a time,
// tested against a baseline and summarised with everything that its figures depend on.
import { invalidArgument, throwIfAborted, buildInfo } from 'asof/kit';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Corpus } from 'asof';
import { evaluationDepth } from '../evaluate.js';
import type { PerturbedQuestions } from '../perturbation/perturbQuestions.js';
import { evaluatedSystem } from '../systems.js';
import { checkComparison, type CompareOptions } from './compareOptions.js';
import { ResamplingDraws } from './pairedTest.js';
import { PerturbationCache } from './perturbationCache.js';
import { comparisonFormat, lowerIsBetter, type Comparison } from './result.js';
import type { RunRecord } from './runStore.js';
import { testRuns, type SignificanceOptions } from './significance.js';
import { describeSystem, storedRun, type RunRequest } from './storedRun.js';
import {
  groupCounts,
  queryGroups,
  sampleQueries,
  summarizeRun,
  questionDetails,
} from './summaries.js';
import type { TestCollection } from './testCollection.js';
import { robustnessCurves } from './robustnessCurves.js';

/** State shared by the runs of a comparison. */
interface ComparisonContext {
  result: Comparison;
  options: CompareOptions;
  /** Digest of the code; '' without a store. */
  code: string;
  draws: ResamplingDraws;
  significance: SignificanceOptions;
  /** Forms of dated questions, by collection. */
  perturbed: ReadonlyMap<string, PerturbedQuestions>;
  progress: ReturnType<typeof progressCounter>;
}

/**
 * Compares systems. Questions without judgements count in no metric that reads judgements.
 * @throws AsOfError ERR_INVALID_ARGUMENT for an unknown system or baseline, a collection without a
 * judged question, two collections of one name; errors of a system, with collection, system and
 * question before the message; ERR_ABORTED, with finished runs in the store.
 */
export async function compare(
  sets: readonly TestCollection[],
  options: CompareOptions,
): Promise<Comparison> {
  checkComparison(sets, options);
  const { seed = 1, rounds = 10_000, signal, systems, baseline = systems[0]! } = options;
  const { test = 'randomisation', correction = 'holm' } = options;
  const [started, used] = [performance.now(), process.cpuUsage()];
  const result = emptyResult(options, { baseline, rounds, seed });
  const draws = new ResamplingDraws();
  const perturbed = await perturbCollections(sets, result, options);
  const context: ComparisonContext = {
    result,
    options,
    code: options.store ? buildInfo().digest([join(import.meta.dirname, '..')]) : '',
    draws,
    significance: {
      baseline,
      test,
      correction,
      rounds,
      seed,
      draws,
      signal,
    },
    perturbed,
    progress: progressCounter(sets, perturbed, options),
  };
  for (const set of sets) {
    throwIfAborted(signal);
    const corpus = await set.open();
    try {
      await compareOnCollection(set, corpus, context);
    } finally {
      await corpus.close();
    }
  }
  const { user, system } = process.cpuUsage(used);
  Object.assign(result, {
    seconds: (performance.now() - started) / 1000,
    processor_seconds: (user + system) / 1e6,
  });
  return result;
}

function emptyResult(
  options: CompareOptions,
  { baseline, rounds, seed }: Pick<Comparison, 'baseline' | 'rounds' | 'seed'>,
): Comparison {
  const { metrics, sample, metricOptions, reranker, model, command = '' } = options;
  const names = metrics.map(({ name }) => name);
  const { version, level, threads } = buildInfo();
  return {
    format: comparisonFormat,
    made_at: new Date().toISOString(),
    asof: version,
    node: process.version,
    machine: {
      processor: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      memory_gib: Math.round(totalmem() / 2 ** 30),
      level,
      threads,
      load: Number(loadavg()[0]!.toFixed(1)), // before the comparison, which adds to it
    },
    seed,
    ...(sample === undefined ? {} : { sample }),
    k: options.k ?? evaluationDepth(metrics),
    relevant_from: options.relevantFrom ?? 1,
    metrics: names,
    lower_is_better: names.filter(lowerIsBetter),
    ...(metricOptions ? { metric_options: { ...metricOptions } } : {}),
    baseline,
    rounds,
    encoder: '',
    ...(reranker ? { reranker: reranker.id } : {}),
    ...(model ? { model: model.id } : {}),
    command,
    seconds: 0,
    sets: [],
    systems: [],
    cells: [],
    significance: [],
    questions: [],
  };
}

/** The forms of each collection's dated questions, where `perturb` is set and there are any. */
async function perturbCollections(
  sets: readonly TestCollection[],
  result: Comparison,
  { perturb, perturbationCache = new PerturbationCache(), signal }: CompareOptions,
): Promise<Map<string, PerturbedQuestions>> {
  const perturbed = new Map<string, PerturbedQuestions>();
  if (!perturb) return perturbed;
  const { seed = result.seed, perQuestion = 4 } = perturb;
  Object.assign(result, { perturb: { seed, per_question: perQuestion }, perturbation: [] });
  for (const { name, queries, qrels } of sets) {
    const forms = await perturbationCache.perturb(queries, {
      ...perturb,
      seed,
      perQuestion,
      qrels,
      signal,
    });
    if (forms.forms.length > 0) perturbed.set(name, forms);
  }
  return perturbed;
}

/** Adds the runs of all systems on one collection to the result. */
async function compareOnCollection(
  set: TestCollection,
  corpus: Corpus,
  context: ComparisonContext,
): Promise<void> {
  const { result, options, code, draws, significance, progress } = context;
  const groups = queryGroups(set.queries);
  const perturbed = context.perturbed.get(set.name);
  const encoder = addCollection(result, set, corpus, groupCounts(groups), perturbed);
  const shown = sampleQueries(set.queries, options.shown ?? 20, result.seed, set.name);
  const request: RunRequest = { set, shown, encoder, result, options, code };
  const records: { system: string; record: RunRecord }[] = [];
  for (const name of options.systems) {
    const system = evaluatedSystem(name, corpus, options);
    addSystem(result.systems, describeSystem(system));
    const onStep = progress(set.name, name);
    const record = await storedRun(system, request, onStep);
    records.push({ system: name, record });
    result.cells.push(
      summarizeRun(set.name, name, record, {
        metrics: options.metrics,
        groups,
        seed: result.seed,
        draws,
      }),
    );
    if (!perturbed) continue;
    const forms = { ...set, queries: perturbed.forms, qrels: perturbed.qrels, judgements: {} };
    const { queries } = await storedRun(system, { ...request, set: forms, shown: [] }, (done) =>
      onStep(set.queries.length + done),
    );
    const run = { set: set.name, system: name };
    result.perturbation!.push(
      ...robustnessCurves(run, result.metrics, record.queries, queries, perturbed),
    );
  }
  const scores = records.map(({ system, record }) => ({ system, queries: record.queries }));
  result.significance.push(...(await testRuns(set.name, result.metrics, scores, significance)));
  result.questions!.push(...questionDetails(set, shown, records, result.relevant_from));
}

/** Adds the collection to the result and returns the id of its corpus's encoder. */
function addCollection(
  result: Comparison,
  set: TestCollection,
  corpus: Corpus,
  groups: Record<string, Record<string, number>>,
  perturbed: PerturbedQuestions | undefined,
): string {
  const { encoder, passages } = corpus.info();
  if (result.encoder !== '' && result.encoder !== encoder.id) {
    throw invalidArgument(
      'sets',
      `corpora of one encoder, ${result.encoder}`,
      encoder.id,
      'Run one comparison per encoder.',
    );
  }
  if (passages === 0)
    throw invalidArgument('sets', `passages in the corpus of ${set.name}`, 'none');
  result.encoder = encoder.id;
  result.sets.push({
    name: set.name,
    queries: set.queries.length,
    queries_in_set: set.queriesInSet ?? set.queries.length,
    passages,
    sha256: set.sha256,
    groups,
    ...(perturbed ? { perturbed: perturbedCounts(perturbed) } : {}),
  });
  return encoder.id;
}

function perturbedCounts({ forms }: PerturbedQuestions): { questions: number; forms: number } {
  return {
    questions: new Set(forms.map(({ originalId }) => originalId)).size,
    forms: forms.length,
  };
}

/** Adds a system unless it is listed: its options can differ with the corpus. */
function addSystem(systems: Comparison['systems'], system: Comparison['systems'][number]): void {
  const json = JSON.stringify(system);
  if (!systems.some((each) => JSON.stringify(each) === json)) systems.push(system);
}

function progressCounter(
  sets: readonly TestCollection[],
  perturbed: ReadonlyMap<string, PerturbedQuestions>,
  { systems, onProgress }: CompareOptions,
) {
  const sizes = sets.map(
    ({ name, queries }) => queries.length + (perturbed.get(name)?.forms.length ?? 0),
  );
  const total = systems.length * sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  let current = 0;
  return (set: string, system: string): ((done: number) => void) => {
    before += current;
    current = 0;
    return (done) => {
      current = done;
      onProgress?.({ done: before + done, total, set, system });
    };
  };
}
