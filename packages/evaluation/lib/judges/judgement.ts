// Relevance judge interface, its judgements (TEMPO appendices C.2, G.1 and G.3), and their lines in
// a judgements file.
import { mustBe, writeAtomically } from 'asof/kit';
import type { TimeInput } from 'asof';
import type { TempoDefinition } from '../measures/temporal.js';

/** Temporal focus of a question, as named by the published judge. */
export const temporalFocuses = [
  'duration',
  'specific_time',
  'recency',
  'change_over_time',
  'none',
] as const;
export type TemporalFocus = (typeof temporalFocuses)[number];

export interface JudgeQuestion {
  id: string;
  text: string;
  /** Default: now. */
  askedAt?: TimeInput | undefined;
  /** TEMPO's query-level annotation, as guidance for the judge. */
  guidance?:
    | {
        isTemporal?: boolean | undefined;
        /** The primary temporal reasoning class, such as trends_changes_and_cross_period. */
        reasoningClass?: string | undefined;
        /** Required times of the evidence, as words. */
        keyTimeAnchors?: readonly string[] | undefined;
      }
    | undefined;
}

export interface JudgeDocument {
  id: string;
  text: string;
  title?: string | undefined;
  publishedAt?: TimeInput | undefined;
  validFrom?: TimeInput | undefined;
  validTo?: TimeInput | undefined;
}

/** Appendix C.2.1. */
export interface IntentJudgement {
  temporal: boolean;
  focus: TemporalFocus;
  /** Temporal words of the question. */
  keywords: string[];
  /** Reason of a missing judgement by a model; the question then counts as not temporal. */
  fault?: string | undefined;
}

/** Appendix C.2.2: whether a document helps with the temporal side of a question. */
export interface RelevanceJudgement {
  verdict: 0 | 1;
  reason: string;
  /** Appendix C.2.3: required periods with evidence in the document, if the question has any. */
  periods?: string[] | undefined;
}

/** 0 to 100. */
export interface ScoreJudgement {
  score: number;
  reason: string;
}

/** A system's answer with its references (appendix G.3). */
export interface JudgeAnswer {
  question: string;
  answer: string;
  /** Alternative references; the best covered counts. */
  references: readonly string[];
}

/**
 * A question with its retrieval plan and the documents annotated as its evidence (appendix G.1).
 */
export interface JudgeInstance {
  question: JudgeQuestion;
  /** Steps in order. May be empty. */
  plan: readonly string[];
  documents: readonly JudgeDocument[];
}

/**
 * Judges one thing at a time. Every judgement may reject with ERR_ABORTED, and a model's with
 * ERR_MODEL_FAILED.
 */
export interface RelevanceJudge {
  /** Name of the judge, recorded in every line as `by`. */
  readonly id: string;
  intent(question: JudgeQuestion, signal?: AbortSignal): Promise<IntentJudgement>;
  relevance(
    question: JudgeQuestion,
    intent: IntentJudgement,
    document: JudgeDocument,
    signal?: AbortSignal,
  ): Promise<RelevanceJudgement>;
  evidence(
    question: JudgeQuestion,
    intent: IntentJudgement,
    periods: readonly string[],
    document: JudgeDocument,
    signal?: AbortSignal,
  ): Promise<Required<RelevanceJudgement>>;
  /** Share of the reference that an answer covers, 0 to 100. */
  answerCoverage(answer: JudgeAnswer, signal?: AbortSignal): Promise<ScoreJudgement>;
  /** How well plan and documents serve the question, 0 to 100. */
  dataQuality(instance: JudgeInstance, signal?: AbortSignal): Promise<ScoreJudgement>;
}

/** The judgements of one question. */
export interface QueryJudgement {
  id: string;
  /** Whether temporal measures include it. */
  temporal: boolean;
  focus: TemporalFocus;
  crossPeriod: boolean;
  /** Required periods; empty unless crossPeriod. */
  periods: string[];
  documents: (RelevanceJudgement & { id: string })[];
  /** Judged coverage of the answer, if any. */
  answerCoverage?: number | undefined;
  by: string;
  reason: string;
}

/**
 * A judged question as lines of a judgements file: the query, then its documents by rank. In the
 * code's definition coverage is two flags (baseline, comparison), else a list of periods.
 */
export function judgementLines(
  query: QueryJudgement,
  definition: TempoDefinition = 'paper',
): Record<string, unknown>[] {
  const { id, temporal, crossPeriod, periods, documents, by, reason, answerCoverage } = query;
  const named = (covered: readonly string[]): Record<string, unknown> =>
    definition === 'code'
      ? {
          covers_baseline: covered.includes(periods[0]!),
          covers_comparison: covered.includes(periods[1]!),
        }
      : { periods: covered };
  return [
    {
      query_id: id,
      temporal,
      cross_period: crossPeriod,
      ...(crossPeriod ? { periods } : {}),
      ...(answerCoverage === undefined ? {} : { answer_coverage: answerCoverage }),
      by,
      reason,
    },
    ...documents.map((each) => ({
      query_id: id,
      doc_id: each.id,
      verdict: each.verdict,
      ...(each.periods ? named(each.periods) : {}),
      by,
      reason: each.reason,
    })),
  ];
}

/** Writes a judgements file atomically. Errors: ERR_STORAGE, ERR_ABORTED. */
export async function writeJudgements(
  path: string,
  queries: readonly QueryJudgement[],
  options: { tempo?: TempoDefinition | undefined; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  mustBe('an array', { queries });
  mustBe('an object', { options });
  const { tempo = 'paper', signal } = options;
  const lines = queries.map((query) =>
    judgementLines(query, tempo)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  await writeAtomically(path, 'judgements', lines, signal ? { signal } : {});
}
