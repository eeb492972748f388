// TEMPO's tasks on one domain: query to documents, query to step to documents, answers.
import type { Progress, Corpus, System } from 'asof';
import { removeExcluded } from '../evaluate.js';
import type { QueryScores } from '../measures/averages.js';
import { roundToFiveDecimals } from '../measures/temporal.js';
import type { TempoDomain, TempoQuery } from './data.js';
import type { TempoOptions } from './options.js';
import type { StepStrategy } from './queries.js';
import { answerMeasures, scoreAnswers, type AnswerContext } from './rag.js';
import {
  askedAtOf,
  excludedIds,
  scoreDocuments,
  scoreSteps,
  type TempoRetrievalOptions,
} from './retrieval.js';
import type { RowCollector } from './tables.js';

/** One domain under evaluation. */
export interface DomainContext {
  domain: TempoDomain;
  corpus: Corpus;
  options: TempoOptions;
  /** Options of every retrieval. */
  retrieval: TempoRetrievalOptions;
  /** Those of steps. */
  stepRetrieval: TempoRetrievalOptions;
  rows: RowCollector;
  progress: ReturnType<typeof progressCounter>;
}

/** Runs all tasks of a system. */
export async function runTasks(system: System, context: DomainContext): Promise<void> {
  await documentTask(system, context);
  await stepTask(system, context);
  if (context.options.contexts?.includes('retrieved')) await retrievedAnswers(system, context);
}

async function documentTask(
  system: System,
  { domain, corpus, options, retrieval, rows, progress }: DomainContext,
): Promise<void> {
  const { variants = ['baseline'], variantBy, judge, tempo } = options;
  const documents = (id: string) => corpus.get(id);
  const judging = judge ? { judge: { judge, documents, tempo } } : {};
  for (const variant of variants) {
    const { queries, run, empty, unjudged } = await scoreDocuments(system, domain, {
      ...retrieval,
      variant,
      onProgress: progress(domain, 'documents', domain.queries.length),
      variantBy,
      ...judging,
    });
    await options.onRun?.(run, { domain: domain.name, system: system.name, variant });
    rows.add(
      { task: 'documents', system: system.name, setting: variant, over: 'queries' },
      domain,
      {
        metrics: retrieval.metrics,
        scores: queries,
        empty,
        unjudged,
      },
    );
  }
}

async function stepTask(
  system: System,
  { domain, options, stepRetrieval, rows, progress }: DomainContext,
): Promise<void> {
  const metrics = stepRetrieval.metrics.filter(({ source }) => source === 'judgements');
  if (metrics.length === 0) return;
  for (const strategy of options.strategies ?? []) {
    const { queries, steps, run } = await scoreSteps(system, domain, strategy, {
      ...stepRetrieval,
      metrics,
      onProgress: progress(domain, 'steps', stepRankings(domain, strategy)),
    });
    await options.onRun?.(run, { domain: domain.name, system: system.name, strategy });
    const row = { task: 'steps', system: system.name, setting: strategy } as const;
    rows.add({ ...row, over: 'queries' }, domain, { metrics, scores: queries });
    const scores = options.tempo === 'code' ? steps.map(roundedStep) : steps;
    rows.add({ ...row, over: 'steps' }, domain, { metrics, scores });
  }
}

/** A step's values as the published code keeps them. */
const roundedStep = <Step extends QueryScores>(step: Step): Step => ({
  ...step,
  values: Object.fromEntries(
    Object.entries(step.values).map(([name, value]) => [name, roundToFiveDecimals(value)]),
  ),
});

async function retrievedAnswers(system: System, context: DomainContext): Promise<void> {
  const { options, retrieval } = context;
  const { contextDepth: k = 10, signal } = options;
  await answerTask('retrieved', system.name, context, async (query) => {
    const excluded = excludedIds(query, retrieval.excluded);
    const text = retrieval.texts?.get(query.id) ?? query.text;
    const { evidence } = await system.run(
      { text, ...askedAtOf(options) },
      { k: k + excluded.length, signal },
    );
    return removeExcluded({ ...query, excluded }, evidence, k);
  });
}

/** Answers from the contexts that need no system: none, and the gold documents. */
export async function answersWithoutRetrieval(context: DomainContext): Promise<void> {
  const { contexts = [] } = context.options;
  if (contexts.includes('none')) await answerTask('none', '', context, async () => []);
  const gold = async ({ relevant }: TempoQuery) =>
    relevant.map((id) => context.corpus.get(id)).filter((passage) => passage !== undefined);
  if (contexts.includes('oracle')) await answerTask('oracle', '', context, gold);
}

async function answerTask(
  setting: AnswerContext,
  system: string,
  { domain, options, rows, progress }: DomainContext,
  contextOf: Parameters<typeof scoreAnswers>[1],
): Promise<void> {
  const { judge, answerModel: model, signal } = options;
  const { queries, left } = await scoreAnswers(domain.queries, contextOf, {
    judge: judge!,
    onProgress: progress(domain, 'answers', domain.queries.length),
    model,
    ...askedAtOf(options),
    signal,
  });
  rows.add({ task: 'answers', system, setting, over: 'queries' }, domain, {
    metrics: answerMeasures.map((name) => ({ name })),
    scores: queries,
    unjudged: left,
  });
}

/** Rankings that a strategy retrieves: one per query for query+all, else one per step. */
const stepRankings = ({ queries }: TempoDomain, strategy: StepStrategy): number =>
  queries.reduce(
    (sum, { steps }) => sum + (strategy === 'query+all' ? Math.min(1, steps.length) : steps.length),
    0,
  );

/** Progress over all tasks of all domains. */
export function progressCounter(
  domains: readonly TempoDomain[],
  { systems, variants = ['baseline'], strategies = [], contexts = [], onProgress }: TempoOptions,
) {
  const retrieved = contexts.includes('retrieved') ? systems.length : 0;
  const total = domains.reduce((sum, domain) => {
    const steps = strategies.reduce((all, strategy) => all + stepRankings(domain, strategy), 0);
    const answers = contexts.filter((each) => each !== 'retrieved').length + retrieved;
    return (
      sum +
      systems.length * (variants.length * domain.queries.length + steps) +
      answers * domain.queries.length
    );
  }, 0);
  let before = 0;
  let current = 0;
  return (domain: TempoDomain, task: string, size: number) => {
    before += current;
    current = size;
    return ({ done }: Progress): void =>
      onProgress?.({ done: before + done, total, domain: domain.name, task });
  };
}
