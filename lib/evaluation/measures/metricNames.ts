// The names of metrics: `ndcg@10` and what each name reads and computes. It knows nothing of averaging or of systems.
import { AsOfError } from '../../errors.js';
import { answerRecall, exactMatch, tokenF1 } from './answers.js';
import {
  averagePrecision, binaryPreference, hit, normalizedGain, precision, rPrecision, recall, reciprocalRank, type JudgedRanking,
} from './ranking.js';

/** What a metric may read of one query. */
export interface QueryEvidence {
  /** Present where the query has judgements. */
  judged?: JudgedRanking;
  /** The passages shown, best first; absent where only a run file is known. */
  passages?: readonly { title?: string; text: string }[];
  /** The expected answers, at least one; absent where the query has none. */
  answers?: readonly string[];
  /** The answer given; absent where the system gives none. Of a list, its items. */
  answer?: string | readonly string[];
}

export type MetricSource = 'judgements' | 'passages and answers' | 'given and expected answers';

export interface Metric {
  /** As written in tables and JSON: `ndcg@10`. */
  name: string;
  source: MetricSource;
  /** Absent where the whole ranking is read. */
  cutoff?: number;
  /** Undefined where the query lacks what the metric reads: such a query is not counted in its average. */
  of(query: QueryEvidence): number | undefined;
}

interface Family {
  cutoff: 'required' | 'optional' | 'none';
  source: MetricSource;
  of(query: QueryEvidence, k: number | undefined): number | undefined;
}

function onJudged(cutoff: Family['cutoff'], measure: (ranking: JudgedRanking, k: number) => number): Family {
  return { cutoff, source: 'judgements', of: ({ judged }, k) => judged && measure(judged, k ?? Infinity) };
}

/** A measure of one answer, and how those of a list's items make one. A system that gave no answer to a question that has one was wrong. */
function onAnswer(measure: (answer: string, expected: readonly string[]) => number, joined: (values: readonly number[]) => number): Family {
  const of = ({ answer, answers }: QueryEvidence): number | undefined => {
    if (!answers) return undefined;
    const items = typeof answer === 'string' ? [answer] : (answer ?? []);
    return items.length === 0 ? 0 : joined(items.map((item) => measure(item, answers)));
  };
  return { cutoff: 'none', source: 'given and expected answers', of };
}

const least = (values: readonly number[]): number => Math.min(...values);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const families: Readonly<Record<string, Family>> = {
  hit: onJudged('required', hit),
  recall: onJudged('required', recall),
  precision: onJudged('required', precision),
  mrr: onJudged('optional', reciprocalRank),
  map: onJudged('optional', averagePrecision),
  ndcg: onJudged('optional', normalizedGain),
  rprec: onJudged('none', rPrecision),
  bpref: onJudged('none', binaryPreference),
  answer_recall: {
    cutoff: 'required',
    source: 'passages and answers',
    of: ({ passages, answers }, k) => (passages && answers ? answerRecall(passages, answers, k!) : undefined),
  },
  // Of a list every item must be expected; a single wrong one makes the answer wrong.
  em: onAnswer(exactMatch, least),
  f1: onAnswer(tokenF1, mean),
  abstained: { cutoff: 'none', source: 'given and expected answers', of: ({ answer, answers }) => answers && (answer === undefined ? 1 : 0) },
};

const cutoffMax = 1_000_000;

/** Every metric as it is written, for help and errors: `hit@k`, `mrr`, `mrr@k`, ... */
export const metricForms: readonly string[] = Object.entries(families).flatMap(([name, { cutoff }]) =>
  cutoff === 'required' ? [`${name}@k`] : cutoff === 'optional' ? [name, `${name}@k`] : [name],
);

/** Reads one name, such as `ndcg@10` or `map`. Errors: ERR_INVALID_ARGUMENT, which lists all names. */
export function parseMetric(written: string): Metric {
  const match = /^([a-z_0-9]+?)(?:@(\d+))?$/.exec(written.trim().toLowerCase());
  const family = match && Object.hasOwn(families, match[1]!) ? families[match[1]!] : undefined;
  const k = match?.[2] === undefined ? undefined : Number(match[2]);
  if (!match || !family) throw unknownMetric(written, 'which is none');
  if (family.cutoff === 'none' && k !== undefined) throw unknownMetric(written, 'which takes no cutoff');
  if (family.cutoff === 'required' && k === undefined) throw unknownMetric(written, `which needs a cutoff (${match[1]}@10)`);
  if (k !== undefined && (k < 1 || k > cutoffMax)) throw unknownMetric(written, `whose cutoff is outside 1 to ${cutoffMax}`);
  const name = k === undefined ? match[1]! : `${match[1]}@${k}`;
  return { name, source: family.source, ...(k === undefined ? {} : { cutoff: k }), of: (query) => family.of(query, k) };
}

/** Reads a list such as `hit@1,ndcg@10`, each metric once, in the order written. */
export function parseMetrics(written: string | readonly string[]): Metric[] {
  const names = (typeof written === 'string' ? [written] : written).flatMap((each) => each.split(',')).map((each) => each.trim());
  const metrics = names.filter((name) => name !== '').map(parseMetric);
  if (metrics.length === 0) throw unknownMetric(String(written), 'which names none');
  return [...new Map(metrics.map((metric) => [metric.name, metric])).values()];
}

function unknownMetric(written: string, why: string): AsOfError {
  const message = `Expected metrics out of ${metricForms.join(', ')} (k a whole number), received ${JSON.stringify(written)}, ${why}.`;
  return new AsOfError('ERR_INVALID_ARGUMENT', message, { details: { argument: 'metrics' } });
}
