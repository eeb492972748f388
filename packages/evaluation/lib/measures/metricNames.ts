// Metric names such as `ndcg@10`, and the measure that each name stands for.
import { AsOfError } from 'asof';
import { invalidArgument, mustBe } from 'asof/kit';
import { isEmptyList } from '../isEmptyList.js';
import { answerRecall, exactMatch, tokenF1 } from './answers.js';
import type { MetricInput } from './metricInput.js';
import { mean } from './mean.js';
import {
  averagePrecision,
  bpref,
  success,
  ndcg,
  precision,
  rPrecision,
  recall,
  reciprocalRank,
  type GradedRanking,
} from './ranking.js';
import {
  roundToFiveDecimals,
  ndcgAtFullCoverage,
  temporalCoverage,
  temporalPrecision,
  temporalRecall,
  temporalRelevance,
  tempoDefinitions,
  tempoNdcg,
  type TempoDefinition,
  type TemporalRanking,
} from './temporal.js';
import { cleanWithin, allFactsWithin, anyWithin, type VersionRanking } from './versions.js';
import { violationRate } from './violations.js';

export type { MetricInput };

/** A measure of a query, as `parseMetric` reads it. */
export interface Metric {
  /** Name in tables and JSON: `ndcg@10`. */
  name: string;
  source:
    | 'judgements'
    | 'temporal judgements'
    | 'temporal judgements and judgements'
    | 'versions'
    | 'later versions'
    | 'facts'
    | 'passages and time'
    | 'passages and answers'
    | 'passages and evidence'
    | 'given and expected answers';
  /** Absent for metrics of the whole ranking. */
  cutoff?: number | undefined;
  /**
   * Undefined for a query to which the metric does not apply, which is excluded from its average.
   */
  of(query: MetricInput): number | undefined;
  /** Rounding of the mean, if the definition requires one. */
  rounded?: ((mean: number) => number) | undefined;
}

interface Family {
  cutoff: 'required' | 'optional' | 'none';
  source: Metric['source'];
  of(query: MetricInput, k: number | undefined, tempo: TempoDefinition): number | undefined;
  /** Whether TEMPO defines it, so that its code rounds the value. */
  tempo?: true;
}

function onJudged(
  cutoff: Family['cutoff'],
  measure: (ranking: GradedRanking, k: number) => number,
): Family {
  return {
    cutoff,
    source: 'judgements',
    of: ({ judged }, k) => judged && measure(judged, k ?? Infinity),
  };
}

/**
 * A measure of one answer, and the aggregation over the items of a list. A missing answer to an
 * answerable question scores 0.
 */
function onAnswer(
  measure: (answer: string, expected: readonly string[]) => number,
  joined: (values: readonly number[]) => number,
): Family {
  const of = ({ answer, answers }: MetricInput): number | undefined => {
    if (!answers) return undefined;
    const items = typeof answer === 'string' ? [answer] : (answer ?? []);
    return items.length === 0 ? 0 : joined(items.map((item) => measure(item, answers)));
  };
  return { cutoff: 'none', source: 'given and expected answers', of };
}

function onTime(
  measure: (ranking: TemporalRanking, k: number, tempo: TempoDefinition) => number | undefined,
): Family {
  const of: Family['of'] = ({ temporal }, k, tempo) => temporal && measure(temporal, k!, tempo);
  return { cutoff: 'required', source: 'temporal judgements', of, tempo: true };
}

function onVersions(
  measure: (ranking: VersionRanking, k: number) => number | undefined,
  source: Metric['source'] = 'versions',
): Family {
  return { cutoff: 'required', source, of: ({ versions }, k) => versions && measure(versions, k!) };
}

const least = (values: readonly number[]): number => Math.min(...values);

const families: Readonly<Record<string, Family>> = {
  hit: onJudged('required', success),
  recall: onJudged('required', recall),
  precision: onJudged('required', precision),
  mrr: onJudged('optional', reciprocalRank),
  map: onJudged('optional', averagePrecision),
  ndcg: onJudged('optional', ndcg),
  rprec: onJudged('none', rPrecision),
  bpref: onJudged('none', bpref),
  tp: onTime(({ verdicts }, k, tempo) => temporalPrecision(verdicts, k, tempo)),
  tr: onTime(({ verdicts }, k, tempo) => temporalRelevance(verdicts, k, tempo)),
  tc: onTime(({ covered, required }, k, tempo) => temporalCoverage(covered, required, k, tempo)),
  ndcg_fc: {
    cutoff: 'required',
    source: 'temporal judgements and judgements',
    of: (query, k, tempo) => {
      const { temporal } = query;
      return (
        temporal &&
        ndcgAtFullCoverage(
          baseNdcg(query, k!, tempo),
          temporalCoverage(temporal.covered, temporal.required, k!, tempo),
        )
      );
    },
    tempo: true,
  },
  temporal_recall: {
    cutoff: 'required',
    source: 'judgements',
    of: ({ ids, relevant }, k, tempo) =>
      ids && relevant ? temporalRecall(ids, relevant(), k!, tempo) : undefined,
    tempo: true,
  },
  current: onVersions(({ current }, k) => anyWithin(current, k)),
  outdated: onVersions(({ outdated }, k) => anyWithin(outdated, k)),
  clean: onVersions(cleanWithin),
  all: onVersions(allFactsWithin, 'facts'),
  future: {
    cutoff: 'required',
    source: 'later versions',
    of: ({ future }, k) => future && anyWithin(future, k!),
  },
  violation: {
    cutoff: 'required',
    source: 'passages and time',
    of: ({ contradicting }, k) => contradicting && violationRate(contradicting, k!),
  },
  answer_recall: {
    cutoff: 'required',
    source: 'passages and answers',
    of: ({ passages, answers }, k) =>
      passages && answers ? answerRecall(passages, answers, k!) : undefined,
  },
  // MRAG's ER@k contains a supporting sentence as AR@k contains an answer.
  evidence_recall: {
    cutoff: 'required',
    source: 'passages and evidence',
    of: ({ passages, goldEvidence }, k) =>
      passages && goldEvidence ? answerRecall(passages, goldEvidence, k!) : undefined,
  },
  // Every item of a list must be expected; a single wrong one makes the answer wrong.
  em: onAnswer(exactMatch, least),
  f1: onAnswer(tokenF1, mean),
  abstained: {
    cutoff: 'none',
    source: 'given and expected answers',
    of: ({ answer, answers }) => answers && (answer === undefined ? 1 : 0),
  },
};

const cutoffMax = 1_000_000;

/** Every metric as it is written, for help and errors: `hit@k`, `mrr`, `mrr@k`, ... */
export const metricForms: readonly string[] = Object.entries(families).flatMap(
  ([name, { cutoff }]) =>
    cutoff === 'required' ? [`${name}@k`] : cutoff === 'optional' ? [name, `${name}@k`] : [name],
);

/** The nDCG conditioned on full coverage: trec_eval's, or that of TEMPO's code. */
function baseNdcg(
  { judged, ids, relevant }: MetricInput,
  k: number,
  tempo: TempoDefinition,
): number | undefined {
  if (tempo === 'paper') return judged && ndcg(judged, k);
  return ids && relevant ? tempoNdcg(ids, relevant(), k) : undefined;
}

/**
 * Reads one name, such as `ndcg@10` or `map`. Errors: ERR_INVALID_ARGUMENT, which lists all names.
 */
export function parseMetric(written: string, options: { tempo?: TempoDefinition } = {}): Metric {
  mustBe('a string', { written });
  mustBe('an object', { options });
  const tempo = options.tempo ?? 'paper';
  if (!tempoDefinitions.includes(tempo))
    throw invalidArgument('tempo', tempoDefinitions.join(' or '), tempo);
  const match = /^([a-z_0-9]+?)(?:@(\d+))?$/.exec(written.trim().toLowerCase());
  const family = match && Object.hasOwn(families, match[1]!) ? families[match[1]!] : undefined;
  const k = match?.[2] === undefined ? undefined : Number(match[2]);
  if (!match || !family) throw unknownMetric(written, 'which is unknown');
  if (family.cutoff === 'none' && k !== undefined)
    throw unknownMetric(written, 'which takes no cutoff');
  if (family.cutoff === 'required' && k === undefined)
    throw unknownMetric(written, `which needs a cutoff (${match[1]}@10)`);
  if (k !== undefined && (k < 1 || k > cutoffMax))
    throw unknownMetric(written, `whose cutoff is outside 1 to ${cutoffMax}`);
  const name = k === undefined ? match[1]! : `${match[1]}@${k}`;
  return {
    name,
    source: family.source,
    ...(k === undefined ? {} : { cutoff: k }),
    of: (query) => family.of(query, k, tempo),
    ...(family.tempo && tempo === 'code' ? { rounded: roundToFiveDecimals } : {}),
  };
}

/**
 * Reads a list such as `hit@1,ndcg@10`, each metric once, in the order written. `tempo` is the
 * definition of tp@k, tr@k, tc@k, ndcg_fc@k and temporal_recall@k, by default 'paper'.
 */
export function parseMetrics(
  written: string | readonly string[],
  options: { tempo?: TempoDefinition | undefined } = {},
): Metric[] {
  if (typeof written !== 'string') mustBe('an array', { written });
  const names = (typeof written === 'string' ? [written] : written)
    .flatMap((each) => each.split(','))
    .map((each) => each.trim());
  const metrics = names.filter((name) => name !== '').map((name) => parseMetric(name, options));
  if (metrics.length === 0) throw unknownMetric(String(written), 'which names none');
  return [...new Map(metrics.map((metric) => [metric.name, metric])).values()];
}

/** @throws AsOfError ERR_INVALID_ARGUMENT for anything but a list of at least one metric. */
export function checkMetrics(metrics: readonly Metric[]): void {
  if (isEmptyList(metrics))
    throw invalidArgument(
      'metrics',
      'at least one metric',
      metrics,
      "parseMetrics('hit@1') reads one.",
    );
}

function unknownMetric(written: string, why: string): AsOfError {
  const message = `Expected metrics out of ${metricForms.join(', ')} (k a whole number), received ${JSON.stringify(written)}, ${why}.`;
  return new AsOfError('ERR_INVALID_ARGUMENT', message, { details: { argument: 'metrics' } });
}
