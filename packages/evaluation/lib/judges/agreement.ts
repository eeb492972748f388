// Agreement of two judges: share of equal labels, Cohen's kappa and the confusion matrix.
import { invalidArgument, mustBe } from 'asof/kit';
import type { TemporalJudgements } from '../files/judgements.js';
import type { QueryJudgement } from './judgement.js';

/** How often two judges agree, with Cohen's kappa. */
export interface Agreement {
  /** Number of items judged by both. */
  pairs: number;
  /** Share of equal labels, 0 to 1; absent without pairs. */
  agreed?: number | undefined;
  /**
   * (agreed - chance) / (1 - chance), with chance agreement from the marginal label frequencies; 1
   * is perfect agreement, 0 chance. Absent if both judges always give the same label.
   */
  kappa?: number | undefined;
  labels: readonly string[];
  /** Counts: the first judge's label by row, the second's by column. */
  confusion: readonly (readonly number[])[];
}

/**
 * Agreement of two lists of labels, place by place. Errors: ERR_INVALID_ARGUMENT for lists of
 * unequal length.
 */
export function agreement(
  first: readonly string[],
  second: readonly string[],
  given?: readonly string[],
): Agreement {
  const labels = given ?? [...new Set([...first, ...second])].sort();
  if (first.length !== second.length)
    throw invalidArgument('second', `${first.length} labels, one for each of the first`, second);
  const confusion = labels.map(() => labels.map(() => 0));
  first.forEach((label, at) => {
    const [row, column] = [labels.indexOf(label), labels.indexOf(second[at]!)];
    if (row < 0 || column < 0)
      throw invalidArgument('labels', `to have ${row < 0 ? label : second[at]}`, labels);
    confusion[row]![column]! += 1;
  });
  const pairs = first.length;
  if (pairs === 0) return { pairs, labels, confusion };
  const sum = (values: readonly number[]): number =>
    values.reduce((total, each) => total + each, 0);
  const agreed = sum(labels.map((_, at) => confusion[at]![at]!)) / pairs;
  const chance =
    sum(labels.map((_, at) => sum(confusion[at]!) * sum(confusion.map((row) => row[at]!)))) /
    pairs ** 2;
  return {
    pairs,
    agreed,
    ...(chance < 1 ? { kappa: (agreed - chance) / (1 - chance) } : {}),
    labels,
    confusion,
  };
}

/** Agreement of two judges by kind of judgement. */
export interface JudgeAgreement {
  /** Of questions: temporal or not. */
  temporal: Agreement;
  /** Of questions that both count as temporal: whether they need several periods. */
  crossPeriod: Agreement;
  /** Of documents that both judged. */
  verdict: Agreement;
  /**
   * Of those documents and the periods common to both judges: whether the document covers the
   * period.
   */
  coverage: Agreement;
}

const truths = ['no', 'yes'];

/** Agreement of two sets of judgements on their common questions and documents. */
export function judgeAgreement(
  first: TemporalJudgements,
  second: TemporalJudgements,
): JudgeAgreement {
  mustBe('a Map', { first, second });
  const pairs = {
    temporal: new LabelPairs(),
    crossPeriod: new LabelPairs(),
    verdict: new LabelPairs(),
    coverage: new LabelPairs(),
  };
  for (const [id, one] of first) {
    const other = second.get(id);
    if (!other) continue;
    pairs.temporal.add(one.temporal, other.temporal);
    if (one.temporal && other.temporal)
      pairs.crossPeriod.add(one.periods !== undefined, other.periods !== undefined);
    const periods = (one.periods ?? []).filter((period) => other.periods?.includes(period));
    for (const [document, a] of one.documents) {
      const b = other.documents.get(document);
      if (!b) continue;
      pairs.verdict.add(a.relevant, b.relevant);
      for (const period of periods)
        pairs.coverage.add(a.periods.includes(period), b.periods.includes(period));
    }
  }
  return {
    temporal: pairs.temporal.agreement(),
    crossPeriod: pairs.crossPeriod.agreement(),
    verdict: pairs.verdict.agreement(),
    coverage: pairs.coverage.agreement(),
  };
}

/** Judged questions in the form of a judgements file. */
export function toTemporalJudgements(queries: readonly QueryJudgement[]): TemporalJudgements {
  return new Map(
    queries.map(({ id, temporal, crossPeriod, periods, documents }) => [
      id,
      {
        temporal,
        ...(crossPeriod ? { periods } : {}),
        documents: new Map(
          documents.map((each) => [
            each.id,
            { relevant: each.verdict === 1, periods: each.periods ?? [] },
          ]),
        ),
      },
    ]),
  );
}

class LabelPairs {
  private readonly first: string[] = [];
  private readonly second: string[] = [];

  add(one: boolean, other: boolean): void {
    this.first.push(truths[Number(one)]!);
    this.second.push(truths[Number(other)]!);
  }

  agreement(): Agreement {
    return agreement(this.first, this.second, truths);
  }
}
