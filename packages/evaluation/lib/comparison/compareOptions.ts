// Options of a comparison and their validation, before any corpus is opened.
import { invalidArgument, mustBeWhole, throwIfAborted, maxPassages } from 'asof/kit';
import type { Progress, AskOptions } from 'asof';
import { evaluationDepth } from '../evaluate.js';
import { isEmptyList } from '../isEmptyList.js';
import { checkMetrics, type Metric } from '../measures/metricNames.js';
import type { TempoDefinition } from '../measures/temporal.js';
import type { PerturbOptions } from '../perturbation/perturbQuestion.js';
import { checkSystemNames, type EvaluatedSystemOptions } from '../systems.js';
import { checkRounds } from './pairedTest.js';
import type { PerturbationCache } from './perturbationCache.js';
import { significanceTests, type Correction, type SignificanceTest } from './result.js';
import type { RunStore } from './runStore.js';
import { correctPValues } from './significance.js';
import type { TestCollection } from './testCollection.js';

export interface CompareOptions extends EvaluatedSystemOptions {
  /** Names that `createSystem` takes. */
  systems: readonly string[];
  metrics: readonly Metric[];
  /** The options that `metrics` were parsed with; recorded in the result. */
  metricOptions?: { tempo?: TempoDefinition | undefined } | undefined;
  /** The system that the others are tested against. Default: the first. */
  baseline?: string | undefined;
  /** Default 'randomisation'. */
  test?: SignificanceTest | undefined;
  /** Default 'holm'. */
  correction?: Correction | undefined;
  /** Relabellings or resamples of a test, 100 to 1,000,000. Default 10,000. */
  rounds?: number | undefined;
  /** Seed of the tests and of the sample of questions. Default 1. */
  seed?: number | undefined;
  /**
   * Passages to retrieve per question, 1 to 10,000. Default: the largest cutoff of the metrics, 100
   * for a metric without one.
   */
  k?: number | undefined;
  /** The grade from which a document is relevant. Default 1. */
  relevantFrom?: number | undefined;
  exactness?: AskOptions['exactness'] | undefined;
  /** Questions per collection whose top passages are recorded, sampled by seed. Default 20. */
  shown?: number | undefined;
  /**
   * Measures robustness under temporal perturbation, recorded as `perturbation`. Default: off.
   * `perQuestion` defaults to 4 here, and `seed` to that of the comparison.
   */
  perturb?: PerturbOptions | undefined;
  /** Store of finished runs. Default: none. */
  store?: RunStore | undefined;
  /**
   * Shared by comparisons of the same collections. Default: one per comparison.
   * @internal
   */
  perturbationCache?: PerturbationCache;
  /** The command line, recorded in the result. */
  command?: string | undefined;
  /** The requested sample size per collection, recorded in the result. */
  sample?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Questions over all runs; stored runs count at once. */
  onProgress?: ((progress: Progress & { set: string; system: string }) => void) | undefined;
}

/** The checks of `compare` before it opens a corpus: ERR_INVALID_ARGUMENT, ERR_ABORTED. */
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
  if (isEmptyList(sets)) throw invalidArgument('sets', 'at least one test collection', sets);
  checkSystemNames(systems, options.reranker);
  if (new Set(systems).size < systems.length)
    throw invalidArgument('systems', 'each system once', systems.join(', '));
  checkMetrics(metrics);
  mustBeWhole({ k: options.k ?? evaluationDepth(metrics) }, 1, maxPassages);
  if (baseline !== undefined && !systems.includes(baseline)) {
    throw invalidArgument(
      'baseline',
      `one of the compared systems, ${systems.join(', ')}`,
      baseline,
      'Add it to the systems.',
    );
  }
  mustBeWhole({ shown }, 0);
  checkRounds(rounds);
  if (!significanceTests.includes(test))
    throw invalidArgument('test', significanceTests.join(' or '), test);
  correctPValues([], correction);
  const names = new Set<string>();
  for (const { name, queries, qrels } of sets) {
    if (names.has(name)) throw invalidArgument('sets', 'each set once', name);
    names.add(name);
    if (isEmptyList(queries)) throw invalidArgument('sets', `questions in ${name}`, 'none');
    if (!queries.some(({ id }) => (qrels?.get(id)?.size ?? 0) > 0)) {
      const expected = `judgements of the questions of ${name}`;
      const remedy = 'Check that its qrels have the ids of its queries.';
      throw invalidArgument('sets', expected, 'none', remedy);
    }
  }
}
