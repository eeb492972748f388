// Options and files of `asof eval`, checked before the corpus is opened.
import { beirQrels } from '../../files/beir.js';
import { readQrels, type Qrels } from '../../files/trec.js';
import { parseMetrics, type Metric } from '../../measures/metricNames.js';
import type { DatedQuestion } from '../../perturbation/perturbQuestion.js';
import type { ReadOptions } from 'asof/papers';
import { type Exactness, maxPassages } from 'asof/kit';
import type { Device } from 'asof/models';
import {
  UsageError,
  countOption,
  listOption,
  option,
  requiredOption,
  type Invocation,
  namesModel,
  settingsOf,
  systemsWith,
  type SettingsFile,
  checkOutput,
  whole,
  modelUsersOf,
  type ModelUsers,
  readingOf,
  deviceOf,
  exactnessOf,
} from 'asof/command';
import { answerMetrics, command, evaluableMetrics, rankingMetrics } from '../eval.js';
import { formsOf } from '../options/perturbation.js';
import { readAuxiliaryJudgements, type AuxiliaryInput } from './auxiliaryJudgements.js';
import { readPool, readQueries } from '../../files/queries.js';
import { readGroups, type QueryGroups } from './queryGroups.js';
import { relevanceOption } from './relevance.js';

/** Sources of metrics that need neither relevance judgements nor answers. */
const independentSources: ReadonlySet<string> = new Set([
  'temporal judgements',
  'later versions',
  'passages and time',
  'passages and evidence',
]);

export interface EvaluationInput {
  names: readonly string[];
  file: SettingsFile | undefined;
  /** File of the TREC run. */
  output: string | undefined;
  queries: readonly DatedQuestion[];
  groups: QueryGroups | undefined;
  qrels: Qrels | undefined;
  /** Whether passages that contain an answer are the relevant ones. */
  byAnswers: boolean;
  auxiliary: AuxiliaryInput;
  metrics: readonly Metric[];
  k: number | undefined;
  relevantFrom: number;
  exactness: Exactness | undefined;
  device: Device | undefined;
  candidates: Awaited<ReturnType<typeof readPool>> | undefined;
  /** Perturbed forms of each query. */
  forms: number | undefined;
  read: ReadOptions;
  users: ModelUsers;
}

/** @throws UsageError for options that exclude each other; the errors of the files. */
export async function readEvaluation(invocation: Invocation): Promise<EvaluationInput> {
  const { signal } = invocation;
  const file = await settingsOf(invocation);
  const names = systemsWith(listOption(invocation, 'system'), file, command);
  const output = option(invocation, 'run');
  if (output !== undefined && names.length > 1)
    throw new UsageError('--run writes one ranking: name one --system.', command.name);
  await checkOutput(output, 'run');
  const queries = await queriesOf(invocation);
  const groups =
    option(invocation, 'group-by') === undefined
      ? undefined
      : await readGroups(invocation, command);
  const byAnswers = relevanceOption(invocation, command);
  const qrels = await qrelsOf(invocation);
  const auxiliary = await readAuxiliaryJudgements(invocation, command);
  const metrics = metricsOf(invocation, { queries, qrels, byAnswers, auxiliary });
  const k = depthOf(invocation, metrics);
  const relevantFrom = countOption(invocation, command, 'relevant-from') ?? 1;
  const exactness = exactnessOf(invocation, command);
  const device = deviceOf(invocation, command);
  const poolFile = option(invocation, 'pool');
  const candidates = poolFile === undefined ? undefined : await readPool(poolFile, signal);
  const forms = formsOf(invocation, command, 'perturbed');
  const read = await readingOf(invocation, command, namesModel(invocation));
  const users = modelUsersOf(names, read, file, invocation, command);
  return {
    ...{ names, file, output, queries, groups, qrels, byAnswers, auxiliary, metrics },
    ...{ k, relevantFrom, exactness, device, candidates, forms, read, users },
  };
}

async function queriesOf(invocation: Invocation): Promise<DatedQuestion[]> {
  const path = requiredOption(invocation, command, 'queries');
  const limit = countOption(invocation, command, 'limit') ?? Infinity;
  const queries = await readQueries(path, limit, invocation.signal);
  if (queries.length === 0) throw new UsageError(`${path} has no queries.`, command.name);
  return queries;
}

async function qrelsOf(invocation: Invocation): Promise<Qrels | undefined> {
  const path = option(invocation, 'qrels');
  if (path === undefined) return undefined;
  const file = await beirQrels(path, option(invocation, 'split'));
  return readQrels(file, { signal: invocation.signal });
}

/** --metrics, by default those that the judgements and answers allow. */
function metricsOf(
  invocation: Invocation,
  input: Pick<EvaluationInput, 'queries' | 'qrels' | 'byAnswers' | 'auxiliary'>,
): Metric[] {
  const { queries, qrels, byAnswers, auxiliary } = input;
  const hasAnswers = queries.some(({ answers }) => answers!.length > 0);
  const defaults = [
    ...(byAnswers
      ? evaluableMetrics
      : [...(qrels ? rankingMetrics : []), ...(hasAnswers ? answerMetrics : [])]),
    ...auxiliary.defaultMetrics,
  ];
  const named = listOption(invocation, 'metrics');
  const metrics = parseMetrics(named ?? (defaults.length > 0 ? defaults : rankingMetrics), {
    tempo: auxiliary.tempo,
  });
  if (!qrels && !hasAnswers && !metrics.some(({ source }) => independentSources.has(source))) {
    throw new UsageError(
      'Nothing to measure by: the queries have no answers, and --qrels is not given.',
      command.name,
    );
  }
  return metrics;
}

/** -k; without it the largest cutoff applies, which a system must be able to return. */
function depthOf(invocation: Invocation, metrics: readonly Metric[]): number | undefined {
  const k = countOption(invocation, command, 'k', { most: maxPassages });
  const deepest = metrics.find(({ cutoff = 0 }) => cutoff > maxPassages);
  if (k !== undefined || !deepest) return k;
  throw new UsageError(
    `${deepest.name} needs more than the ${whole(maxPassages)} passages that a system returns: ` +
      'lower it, or give -k.',
    command.name,
  );
}
