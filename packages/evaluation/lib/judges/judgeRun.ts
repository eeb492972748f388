// Judgement of a run: the intent of every question, then its top documents, with progress, abort
// and a call budget. Caching is the model's, so that a repeated run continues where it stopped.
import { AsOfError, type RunOptions } from 'asof';
import { invalidArgument, mustBe, mustBeWhole, throwIfAborted } from 'asof/kit';
import type { Run } from '../files/trec.js';
import { tempoDefinitions, type TempoDefinition } from '../measures/temporal.js';
import { isBudgetExhausted } from './budget.js';
import type {
  JudgeAnswer,
  JudgeDocument,
  JudgeInstance,
  IntentJudgement,
  RelevanceJudge,
  QueryJudgement,
  JudgeQuestion,
  ScoreJudgement,
} from './judgement.js';
import { isCrossPeriod, periodsOf } from './periods.js';

export interface JudgeRunOptions extends RunOptions {
  /** Top documents judged per question. Default 10, the paper's cutoff. */
  depth?: number | undefined;
  /**
   * Definition of cross-period questions, of their periods and of what fails. Default paper: any
   * number of periods.
   */
  tempo?: TempoDefinition | undefined;
  /** Concurrent questions, for models that process several requests at once. Default 1. */
  concurrency?: number | undefined;
  /** Answers to judge too, by question. */
  answers?: ReadonlyMap<string, Omit<JudgeAnswer, 'question'>> | undefined;
}

/**
 * Judges the top documents of a run. Documents of non-temporal questions are skipped. onProgress
 * counts documents. `queries` are the completely judged questions in input order, `left` is the
 * number of those beyond the budget.
 * @throws AsOfError ERR_INVALID_ARGUMENT; ERR_NOT_FOUND for a document of the run that `documents`
 * does not have (an empty text by the code's definition); ERR_ABORTED; errors of the judge, except
 * an exhausted budget (`budgetedModel`).
 * @example const { queries } = await judgeRun(ruleJudge(), questions, run, (id) =>
 * passages.get(id));
 */
export async function judgeRun(
  judge: RelevanceJudge,
  questions: readonly JudgeQuestion[],
  run: Run,
  documents: (id: string) => JudgeDocument | undefined,
  options: JudgeRunOptions = {},
): Promise<{ queries: QueryJudgement[]; left: number }> {
  mustBe('an object', { judge, options });
  mustBe('an array', { questions });
  mustBe('a Map', { run });
  const { depth = 10, tempo = 'paper', concurrency = 1, answers, signal, onProgress } = options;
  mustBeWhole({ depth, concurrency }, 1);
  if (!tempoDefinitions.includes(tempo))
    throw invalidArgument('tempo', `one of ${tempoDefinitions.join(', ')}`, tempo);
  throwIfAborted(signal);
  const ranked = questions.map(({ id }) =>
    (run.get(id) ?? []).slice(0, depth).map((each) => documentFor(each.id, id, documents, tempo)),
  );
  const total = ranked.reduce((sum, each) => sum + each.length, 0);
  let done = 0;
  const advance = (by: number): void => onProgress?.({ done: (done += by), total });
  const queries = await judgeConcurrently(questions, concurrency, async (question, at) =>
    judgeQuestion(judge, question, ranked[at]!, {
      tempo,
      answer: answers?.get(question.id),
      signal,
      advance,
    }),
  );
  return { queries, left: questions.length - queries.length };
}

/**
 * Quality judgements of instances: how well plan and documents serve the question (appendix G.1).
 */
export interface InstanceJudgements {
  /** Judged instances, in input order. */
  instances: (ScoreJudgement & { id: string; by: string })[];
  /** Number of instances not judged within the budget. */
  left: number;
}

/**
 * Judges the quality of instances. onProgress counts instances. Errors: ERR_INVALID_ARGUMENT;
 * ERR_ABORTED; errors of the judge, except an exhausted budget (`budgetedModel`).
 * @example const { instances } = await judgeInstances(ruleJudge(), [{ question, plan: ['dates of
 * the reform'], documents }]);
 */
export async function judgeInstances(
  judge: RelevanceJudge,
  instances: readonly JudgeInstance[],
  options: Pick<JudgeRunOptions, 'concurrency' | 'signal' | 'onProgress'> = {},
): Promise<InstanceJudgements> {
  const { concurrency = 1, signal, onProgress } = options;
  mustBeWhole({ concurrency }, 1);
  let done = 0;
  const judged = await judgeConcurrently(instances, concurrency, async (instance) => {
    throwIfAborted(signal);
    const { score, reason } = await judge.dataQuality(instance, signal);
    onProgress?.({ done: (done += 1), total: instances.length });
    return { id: instance.question.id, score, reason, by: judge.id };
  });
  return { instances: judged, left: instances.length - judged.length };
}

/** Judgements in the order of the items, without those beyond the budget. */
async function judgeConcurrently<Item, Judged extends object>(
  items: readonly Item[],
  concurrency: number,
  judgeOne: (item: Item, at: number) => Promise<Judged>,
): Promise<Judged[]> {
  const judged = new Array<Judged | undefined>(items.length);
  let next = 0;
  let spent = false;
  const work = async (): Promise<void> => {
    while (!spent && next < items.length) {
      const at = next++;
      try {
        judged[at] = await judgeOne(items[at]!, at);
      } catch (error) {
        if (!isBudgetExhausted(error)) {
          next = items.length; // other workers stop after their current item
          throw error;
        }
        spent = true;
      }
    }
  };
  const workers = await Promise.allSettled(
    Array.from({ length: Math.min(concurrency, Math.max(1, items.length)) }, work),
  );
  const failed = workers.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return judged.filter((each) => each !== undefined);
}

interface QuestionJob {
  tempo: TempoDefinition;
  answer: Omit<JudgeAnswer, 'question'> | undefined;
  signal: AbortSignal | undefined;
  advance: (by: number) => void;
}

async function judgeQuestion(
  judge: RelevanceJudge,
  question: JudgeQuestion,
  documents: readonly JudgeDocument[],
  { tempo, answer, signal, advance }: QuestionJob,
): Promise<QueryJudgement> {
  const intent = await judge.intent(question, signal);
  // The code ends at a failed intent, whatever the guidance says.
  const ended = tempo === 'code' && intent.fault !== undefined;
  const temporal = !ended && (intent.temporal || question.guidance?.isTemporal === true);
  const crossPeriod = temporal && isCrossPeriod(question, intent.focus, tempo);
  const periods = crossPeriod ? periodsOf(question, tempo) : [];
  const judged: QueryJudgement['documents'] = [];
  for (const document of temporal ? documents : []) {
    throwIfAborted(signal);
    const judgement = crossPeriod
      ? await judge.evidence(question, intent, periods, document, signal)
      : await judge.relevance(question, intent, document, signal);
    judged.push({ id: document.id, ...judgement });
    advance(1);
  }
  if (!temporal) advance(documents.length);
  const coverage =
    answer && (await judge.answerCoverage({ question: question.text, ...answer }, signal)).score;
  return {
    id: question.id,
    temporal,
    focus: intent.focus,
    crossPeriod,
    periods,
    documents: judged,
    by: judge.id,
    reason: reasonOf(intent, temporal),
    ...(coverage === undefined ? {} : { answerCoverage: coverage }),
  };
}

function reasonOf({ focus, keywords, fault, temporal }: IntentJudgement, counted: boolean): string {
  if (fault !== undefined) return fault;
  const words = keywords.length > 0 ? `: ${keywords.join(', ')}` : '';
  return counted && !temporal ? 'annotated as temporal' : `${focus}${words}`;
}

function documentFor(
  id: string,
  query: string,
  documents: Parameters<typeof judgeRun>[3],
  tempo: TempoDefinition,
): JudgeDocument {
  const document = documents(id);
  if (document) return document;
  if (tempo === 'code') return { id, text: '' };
  const message = `Expected a document ${JSON.stringify(id)}, which the run has for question ${JSON.stringify(query)}, found none.`;
  throw new AsOfError('ERR_NOT_FOUND', `${message} Pass the documents that the run retrieved.`, {
    details: { document: id, query },
  });
}
