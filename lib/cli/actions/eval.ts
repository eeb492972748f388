// `asof eval`: metrics of systems over queries.
import { evaluate, type Evaluation, type EvaluateOptions } from '../../eval/evaluate.js';
import { writeRun } from '../../eval/files/trec.js';
import { averageByGroup } from '../../eval/measures/averages.js';
import type { PerturbedQuestions } from '../../eval/perturbation/perturbQuestions.js';
import { createSystem } from '../../papers/registry.js';
import type { SearchableCorpus } from '../../store/joinedCorpora.js';
import type { System } from '../../systems/system.js';
import type { TextModel } from '../../text/textModel.js';
import type { TimeExtractor } from '../../time/timeExtractor.js';
import type { Reranker } from '../../vectors/reranker.js';
import { option, type Invocation } from '../command.js';
import { command } from '../commands/eval.js';
import { openCorpus } from '../inputs/corpus.js';
import { openReranker } from '../inputs/encoders.js';
import { readEvaluation, type EvaluationInput } from '../inputs/evaluation.js';
import { openModel } from '../inputs/model.js';
import { openExtractor } from '../inputs/timeExtractor.js';
import { perturbation, perturbedOf } from '../inputs/perturbation.js';
import { relevanceOf, type RelevanceReport } from '../inputs/relevance.js';
import { asRecordedOf } from '../options/asRecorded.js';
import { settingsFor } from '../options/settings.js';
import {
  evaluationJson,
  renderEvaluations,
  type ReportedOptions,
  type SystemEvaluation,
} from '../tables/evaluationTables.js';
import { counted } from '../tables/layout.js';
import type { Terminal } from '../terminal.js';

/** The models that systems of an evaluation use. */
interface Models {
  model?: TextModel;
  reranker?: Reranker;
  extractor?: TimeExtractor;
}

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal } = invocation;
  const input = await readEvaluation(invocation);
  const { queries, metrics, device } = input;
  await using opened = await openModel(invocation, command);
  await using times = await openExtractor(invocation, command, input.names);
  const reranker = await openReranker(invocation);
  const models: Models = {
    ...opened.options,
    ...times.options,
    reranker,
  };
  const corpus = await openCorpus(invocation.positionals[0]!, invocation, {
    create: false,
    device,
  });
  try {
    const relevance = await relevanceOf(corpus, queries, input, {
      signal,
      terminal,
      ...asRecordedOf(invocation),
    });
    const options: EvaluateOptions = {
      metrics,
      relevantFrom: input.relevantFrom,
      signal,
      ...input.auxiliary.judgements,
      ...relevance.settings,
      k: input.k,
      exactness: input.exactness,
      ...asRecordedOf(invocation),
    };
    const systems = input.names.map((name) =>
      createSystem(name, { corpus, ...settingsFor(name, input.file), read: input.read, ...models }),
    );
    const perturbed =
      input.forms === undefined
        ? undefined
        : await perturbedOf(queries, input.forms, options, command);
    const evaluations: SystemEvaluation[] = [];
    for (const system of systems)
      evaluations.push(await evaluateSystem(system, input, { options, perturbed, terminal }));
    if (input.output !== undefined)
      await writeRanking(input.output, evaluations[0]!.evaluation, signal, terminal);
    const reported = reportedOptions(invocation, input, relevance.options, corpus);
    await print(evaluations, { input, reported, models }, invocation);
    return 0;
  } finally {
    await corpus.close();
  }
}

async function evaluateSystem(
  system: System,
  { queries, metrics, groups, forms }: EvaluationInput,
  {
    options,
    perturbed,
    terminal,
  }: { options: EvaluateOptions; perturbed: PerturbedQuestions | undefined; terminal: Terminal },
): Promise<SystemEvaluation> {
  const bar = terminal.progress(system.name, 'queries');
  const evaluation = await evaluate(system, queries, {
    ...options,
    onProgress: bar.update,
  }).finally(() => bar.end());
  const byGroup = groups?.groupOf && averageByGroup(evaluation.queries, metrics, groups.groupOf);
  const change =
    perturbed && (await perturbation({ system, evaluation }, perturbed, forms!, options));
  return {
    system,
    evaluation,
    ...(byGroup ? { byGroup } : {}),
    ...(change ? { perturbed: change } : {}),
  };
}

async function writeRanking(
  path: string,
  evaluation: Evaluation,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  const name = evaluation.system.replace(/\s+/g, '_');
  const lowered = await writeRun(path, evaluation.run, name, { signal });
  if (lowered > 0) {
    terminal.say(
      `asof: ${path}: ${counted(lowered, 'score', 'scores')} lowered to the next single-precision ` +
        'number, so that equal scores keep this ranking',
    );
  }
}

function reportedOptions(
  invocation: Invocation,
  { groups, auxiliary, exactness, device }: EvaluationInput,
  relevance: RelevanceReport,
  corpus: SearchableCorpus,
): ReportedOptions {
  return {
    ...relevance,
    ...(groups?.by === undefined ? {} : { group_by: groups.by }),
    ...auxiliary.reported,
    ...(option(invocation, 'encoder') === undefined ? {} : { encoder: corpus.encoder.id }),
    ...(exactness ? { exactness } : {}),
    ...(device ? { device } : {}),
  };
}

async function print(
  evaluations: readonly SystemEvaluation[],
  {
    input,
    reported,
    models,
  }: { input: EvaluationInput; reported: ReportedOptions; models: Models },
  { terminal, flags }: Invocation,
): Promise<void> {
  const { names, metrics, relevantFrom, users } = input;
  const { model, reranker } = models;
  if (terminal.json) {
    const reports = evaluations.map((each, at) => {
      const name = names[at]!;
      const own: ReportedOptions = {
        ...(model && users.model.includes(name) ? { model: model.id } : {}),
        ...(reranker && users.reranker.includes(name) ? { reranker: reranker.id } : {}),
      };
      const options = { relevant_from: relevantFrom, ...reported, ...own };
      return evaluationJson(each, options, flags.has('per-query'));
    });
    return terminal.printJson(reports.length === 1 ? reports[0] : reports);
  }
  const all: ReportedOptions = {
    ...reported,
    ...(model ? { model: model.id } : {}),
    ...(reranker ? { reranker: reranker.id } : {}),
  };
  const metricNames = metrics.map(({ name }) => name);
  return terminal.print(
    renderEvaluations(evaluations, metricNames, { reported: all, users }, terminal),
  );
}
