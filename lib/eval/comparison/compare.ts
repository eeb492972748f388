// Systems compared over sets of questions: every cell measured alike, one question at a time,
// tested against a baseline and described with all that its figures depend on. It reads no files of
// sets and prints nothing; what a result holds is in result.ts.
import type { Exactness } from '../../retrieval/flatScan.js';
import { AsOfError, invalidArgument, throwIfAborted } from '../../errors.js';
import type { Progress } from '../../records.js';
import type { Corpus } from '../../store/corpus.js';
import { createSystem, systemNames, type SystemOptions } from '../../papers/registry.js';
import type { Settings } from '../../systems/settings.js';
import { checkPassageCount, type System } from '../../systems/system.js';
import { evaluationDepth, type EvaluateOptions } from '../evaluate.js';
import type { Qrels } from '../files/trec.js';
import type { Metric, MetricOptions } from '../measures/metricNames.js';
import type { PerturbOptions } from '../perturbation/perturbQuestion.js';
import { perturbQuestions, type PerturbedQuestions } from '../perturbation/perturbQuestions.js';
import { runKey, measureRun, type RunRecord, type RunStore } from './runStore.js';
import { robustnessCurves } from './robustnessCurves.js';
import {
  summarizeRun,
  questionDetails,
  groupCounts,
  queryGroups,
  sampleQueries,
} from './summaries.js';
import { codeDigest, packageVersion } from './identity.js';
import { comparisonMachine } from './machine.js';
import { checkRounds } from './pairedTest.js';
import type { CollectionQuery, TestCollection } from './testCollection.js';
import {
  comparisonFormat,
  lowerIsBetter,
  significanceTests,
  type SystemDescription,
  type Comparison,
  type Correction,
  type SignificanceTest,
} from './result.js';
import { correctPValues, testRuns, type SignificanceOptions } from './significance.js';

export interface CompareOptions extends Pick<SystemOptions, 'model' | 'reranker' | 'read'> {
  /** Names that `createSystem` takes. */
  systems: readonly string[];
  metrics: readonly Metric[];
  /** How `metrics` were parsed, where that was said; printed with the result. */
  metricOptions?: MetricOptions;
  /** The system that the others are tested against. Default: the first. */
  baseline?: string;
  /** Default 'randomisation'. */
  test?: SignificanceTest;
  /** Default 'holm'. */
  correction?: Correction;
  /** Relabellings or resamples of a test, 100 to 1,000,000. Default 10,000. */
  rounds?: number;
  /** Of the tests and of which questions are shown. Default 1. */
  seed?: number;
  /**
   * Passages to ask for, 1 to 10,000. Default: the largest cutoff of the metrics, 100 where one has
   * none.
   */
  k?: number;
  /** The grade from which a document is relevant. Default 1. */
  relevantFrom?: number;
  exactness?: Exactness;
  /** Questions of each set whose candidates the result has: a sample by the seed. Default 20. */
  shown?: number;
  /**
   * Asks dated questions again with other time constraints that keep their answers, for
   * `perturbation`; default: does not. `perQuestion` is 4 there where it is not given, and `seed`
   * that of the comparison.
   */
  perturb?: PerturbOptions;
  /** Options of systems by name, as a settings file has them. */
  settings?: Readonly<Record<string, Settings>>;
  /** Where finished cells are kept and found again. Default: nowhere. */
  store?: RunStore;
  /** The command that the result was made by, for who reads it. */
  command?: string;
  /** How many questions of each set were asked for, for who reads it. */
  sample?: number;
  signal?: AbortSignal;
  /** Questions asked in all cells together; cells that were kept count at once. */
  onProgress?: (progress: Progress & { set: string; system: string }) => void;
}

/**
 * Compares systems. A set's questions without judgements count in no metric that reads some.
 * Errors: ERR_INVALID_ARGUMENT for an unknown system or baseline, a set without a judged question,
 * sets of one name; what a system throws, with set, system and question before its message;
 * ERR_ABORTED, with finished cells in the store.
 */
export async function compare(
  sets: readonly TestCollection[],
  options: CompareOptions,
): Promise<Comparison> {
  checkComparison(sets, options);
  const {
    systems,
    metrics,
    baseline = systems[0]!,
    seed = 1,
    rounds = 10_000,
    relevantFrom = 1,
    signal,
  } = options;
  const { test = 'randomisation', correction = 'holm', k = evaluationDepth(metrics) } = options;
  const [started, used] = [performance.now(), process.cpuUsage()];
  const result: Comparison = {
    format: comparisonFormat,
    made_at: new Date().toISOString(),
    asof: packageVersion(),
    node: process.version,
    machine: comparisonMachine(),
    seed,
    ...(options.sample === undefined ? {} : { sample: options.sample }),
    k,
    relevant_from: relevantFrom,
    metrics: metrics.map(({ name }) => name),
    lower_is_better: metrics.map(({ name }) => name).filter(lowerIsBetter),
    ...(options.metricOptions ? { metric_options: { ...options.metricOptions } } : {}),
    baseline,
    rounds,
    encoder: '',
    ...(options.reranker ? { reranker: options.reranker.id } : {}),
    ...(options.model ? { model: options.model.id } : {}),
    command: options.command ?? '',
    seconds: 0,
    sets: [],
    systems: [],
    cells: [],
    significance: [],
    questions: [],
  };
  const significance: SignificanceOptions = {
    baseline,
    test,
    correction,
    rounds,
    seed,
    ...(signal ? { signal } : {}),
  };
  const perturbed = await perturbSets(sets, result, options);
  const progress = progressOf(sets, perturbed, options);
  const code = options.store ? codeDigest() : '';
  for (const set of sets) {
    throwIfAborted(signal);
    const corpus = await set.open();
    try {
      await compareOn(set, corpus, {
        result,
        options,
        k,
        code,
        significance,
        perturbed: perturbed.get(set.name),
        progress,
      });
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

interface Comparing {
  result: Comparison;
  options: CompareOptions;
  k: number;
  code: string;
  significance: SignificanceOptions;
  perturbed: PerturbedQuestions | undefined;
  progress: ReturnType<typeof progressOf>;
}

// Making forms takes longer than many a system needs to answer them, and one set may be compared
// system by system.
const knownForms = new WeakMap<
  readonly CollectionQuery[],
  { how: string; qrels: Qrels | undefined; forms: PerturbedQuestions }
>();

async function formsOf(
  queries: readonly CollectionQuery[],
  { qrels, signal, ...how }: NonNullable<Parameters<typeof perturbQuestions>[1]>,
): Promise<PerturbedQuestions> {
  const known = knownForms.get(queries);
  if (known?.how === JSON.stringify(how) && known.qrels === qrels) return known.forms;
  const forms = await perturbQuestions(queries, {
    ...how,
    ...(qrels ? { qrels } : {}),
    ...(signal ? { signal } : {}),
  });
  knownForms.set(queries, { how: JSON.stringify(how), qrels, forms });
  return forms;
}

/** The forms of each set's dated questions, where they are asked for and it has some. */
async function perturbSets(
  sets: readonly TestCollection[],
  result: Comparison,
  { perturb, signal }: CompareOptions,
): Promise<Map<string, PerturbedQuestions>> {
  const found = new Map<string, PerturbedQuestions>();
  if (!perturb) return found;
  const { seed = result.seed, perQuestion = 4 } = perturb;
  Object.assign(result, { perturb: { seed, per_question: perQuestion }, perturbation: [] });
  for (const { name, queries, qrels } of sets) {
    const forms = await formsOf(queries, {
      ...perturb,
      seed,
      perQuestion,
      qrels,
      ...(signal ? { signal } : {}),
    });
    if (forms.forms.length > 0) found.set(name, forms);
  }
  return found;
}

/** All cells of one set, added to the result. */
async function compareOn(set: TestCollection, corpus: Corpus, comparing: Comparing): Promise<void> {
  const { result, options, significance, perturbed, progress } = comparing;
  const { metrics } = options;
  const groups = queryGroups(set.queries);
  const { encoder, passages } = corpus.info();
  if (result.encoder !== '' && result.encoder !== encoder.id) {
    throw invalidArgument(
      'sets',
      `corpora of one encoder, ${result.encoder}`,
      encoder.id,
      'Compare encoders in a comparison each.',
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
    groups: groupCounts(groups),
    ...(perturbed ? { perturbed: perturbedCounts(perturbed) } : {}),
  });
  const shown = sampleQueries(set.queries, options.shown ?? 20, result.seed, set.name);
  const asked = { set, shown, encoder: encoder.id };
  const forms = perturbed && {
    set: { ...set, queries: perturbed.forms, qrels: perturbed.qrels, judgements: {} },
    shown: [],
    encoder: encoder.id,
  };
  const records: { system: string; record: RunRecord }[] = [];
  for (const name of options.systems) {
    const system = systemOf(name, corpus, options);
    addSystem(result.systems, describedSystem(system));
    const step = progress(set.name, name);
    const record = await recordOf(system, asked, comparing, step);
    records.push({ system: name, record });
    result.cells.push(summarizeRun(set.name, name, record, metrics, groups, result.seed));
    if (!forms) continue;
    const { queries } = await recordOf(system, forms, comparing, (done) =>
      step(set.queries.length + done),
    );
    result.perturbation!.push(
      ...robustnessCurves(
        { set: set.name, system: name },
        result.metrics,
        record.queries,
        queries,
        perturbed,
      ),
    );
  }
  const scored = records.map(({ system, record }) => ({ system, queries: record.queries }));
  result.significance.push(...(await testRuns(set.name, result.metrics, scored, significance)));
  result.questions!.push(...questionDetails(set, shown, records, result.relevant_from));
}

function perturbedCounts({ forms }: PerturbedQuestions): { questions: number; forms: number } {
  return {
    questions: new Set(forms.map(({ originalId }) => originalId)).size,
    forms: forms.length,
  };
}

const describedSystem = (system: System): SystemDescription => ({
  name: system.name,
  options: { ...system.options },
  composition: String(system),
});

interface Asked {
  set: TestCollection;
  shown: readonly CollectionQuery[];
  encoder: string;
}

/**
 * A system's answers to a set's questions: kept ones where nothing that they depend on has changed.
 */
async function recordOf(
  system: System,
  asked: Asked,
  comparing: Comparing,
  step: (done: number) => void,
): Promise<RunRecord> {
  const { set, shown, encoder } = asked;
  const { result, options, k, code } = comparing;
  const { metrics, signal, exactness, store } = options;
  const evaluated: EvaluateOptions = {
    metrics,
    k,
    qrels: set.qrels,
    relevantFrom: result.relevant_from,
    onProgress: ({ done }) => step(done),
    ...set.judgements,
    ...(exactness ? { exactness } : {}),
    ...(signal ? { signal } : {}),
  };
  const key = runKey({
    code,
    set: set.sha256,
    queries: set.queries.map(({ id, text }) => [id, text]),
    shown: shown.map(({ id }) => id),
    ...describedSystem(system),
    metrics: result.metrics,
    k,
    of: result.metric_options,
    relevantFrom: result.relevant_from,
    exactness,
    encoder,
    reranker: result.reranker,
    model: result.model,
  });
  const record =
    (await store?.read(key)) ?? (await measured(system, set, shown, evaluated, key, store));
  step(set.queries.length);
  return record;
}

async function measured(
  system: System,
  set: TestCollection,
  shown: readonly CollectionQuery[],
  options: EvaluateOptions,
  key: string,
  store: RunStore | undefined,
): Promise<RunRecord> {
  const of = (fault: unknown): unknown => {
    if (!AsOfError.is(fault) || fault.code === 'ERR_ABORTED') return fault;
    return new AsOfError(fault.code, `Set ${set.name}, system ${system.name}: ${fault.message}`, {
      cause: fault,
      details: fault.details,
    });
  };
  const { text, askedAt } = set.queries[0]!;
  const { k, signal } = options;
  // What is read and computed once is not one question's time.
  const warm = { k: k!, ...(signal ? { signal } : {}) };
  await system
    .run(askedAt === undefined ? { text } : { text, askedAt }, warm)
    .catch((fault: unknown) => Promise.reject(of(fault)));
  const ids = new Set(shown.map(({ id }) => id));
  const record = await measureRun(system, set.queries, ids, options).catch((fault: unknown) =>
    Promise.reject(of(fault)),
  );
  await store?.write(key, record);
  return record;
}

function systemOf(
  name: string,
  corpus: Corpus,
  { settings, model, reranker, read }: CompareOptions,
): System {
  return createSystem(name, {
    corpus,
    ...(settings?.[name] ? { settings: settings[name] } : {}),
    ...(read ? { read } : {}),
    ...(model ? { model } : {}),
    ...(reranker ? { reranker } : {}),
  });
}

/** A system's options can differ with the corpus: each form is named once. */
function addSystem(known: SystemDescription[], system: SystemDescription): void {
  const written = JSON.stringify(system);
  if (!known.some((each) => JSON.stringify(each) === written)) known.push(system);
}

function progressOf(
  sets: readonly TestCollection[],
  perturbed: ReadonlyMap<string, PerturbedQuestions>,
  { systems, onProgress }: CompareOptions,
) {
  const asked = sets.map(
    ({ name, queries }) => queries.length + (perturbed.get(name)?.forms.length ?? 0),
  );
  const total = systems.length * asked.reduce((sum, each) => sum + each, 0);
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

/** Throws what `compare` would before it opens a corpus: ERR_INVALID_ARGUMENT, ERR_ABORTED. */
export function checkComparison(sets: readonly TestCollection[], options: CompareOptions): void {
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object { systems, metrics, ... }', options);
  const {
    systems,
    metrics,
    baseline,
    shown = 20,
    rounds = 10_000,
    test = 'randomisation',
    correction = 'holm',
  } = options;
  throwIfAborted(options.signal);
  if (!Array.isArray(sets) || sets.length === 0)
    throw invalidArgument('sets', 'at least one set of questions', sets);
  if (!Array.isArray(systems) || systems.length === 0)
    throw invalidArgument('systems', `some of ${systemNames.join(', ')}`, systems);
  const unknown = systems.find((name) => !systemNames.includes(name));
  if (unknown !== undefined)
    throw invalidArgument('systems', `some of ${systemNames.join(', ')}`, unknown);
  if (new Set(systems).size < systems.length)
    throw invalidArgument('systems', 'each system once', systems.join(', '));
  if (!Array.isArray(metrics) || metrics.length === 0)
    throw invalidArgument('metrics', "one at least, as parseMetrics('hit@1') reads", metrics);
  checkPassageCount(options.k ?? evaluationDepth(metrics));
  if (baseline !== undefined && !systems.includes(baseline)) {
    throw invalidArgument(
      'baseline',
      `one of the systems compared, ${systems.join(', ')}`,
      baseline,
      'Add it to them.',
    );
  }
  if (!Number.isInteger(shown) || shown < 0)
    throw invalidArgument('shown', 'a whole number from 0', shown);
  checkRounds(rounds);
  if (!significanceTests.includes(test))
    throw invalidArgument('test', significanceTests.join(' or '), test);
  correctPValues([], correction);
  const names = new Set<string>();
  for (const { name, queries, qrels } of sets) {
    if (names.has(name)) throw invalidArgument('sets', 'each set once', name);
    names.add(name);
    if (!Array.isArray(queries) || queries.length === 0)
      throw invalidArgument('sets', `questions in ${name}`, 'none');
    if (!queries.some(({ id }) => (qrels?.get(id)?.size ?? 0) > 0)) {
      const remedy = 'Check that its qrels have the ids of its queries.';
      throw invalidArgument(
        'sets',
        `judgements of the questions of ${name}`,
        'none for any of them',
        remedy,
      );
    }
  }
}
