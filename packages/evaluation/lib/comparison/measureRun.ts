// Measurement of one run: a system over the questions of a collection, with recall curve and top
// passages.
import type { Evidence, System } from 'asof';
import { formatInstant } from 'asof/time';
import { intervalIso } from 'asof/kit';
import {
  evaluate,
  removeExcluded,
  type EvaluateOptions,
  type EvaluableSystem,
  type EvaluationQuery,
} from '../evaluate.js';
import type { Run } from '../files/trec.js';
import { gradeRanking, recall } from '../measures/ranking.js';
import type { RankedPassage } from './result.js';
import type { RunRecord } from './runStore.js';

const curvePoints = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000];
/** Passages recorded per sampled question, and the longest sentence of each, in UTF-16 units. */
const passagesPerQuestion = 10;
const sentenceCharacters = 300;

/** Evaluates a system on all questions and records the top passages of those in `shown`. */
export async function measureRun(
  system: System,
  queries: readonly EvaluationQuery[],
  shown: ReadonlySet<string>,
  options: EvaluateOptions,
): Promise<RunRecord> {
  const details: RunRecord['shown'] = [];
  let at = 0;
  const recorder: EvaluableSystem = {
    name: system.name,
    async run(question, runOptions) {
      const query = queries[at]!; // evaluate() runs the questions in order
      at += 1;
      const started = performance.now();
      const result = await system.run(question, runOptions);
      const milliseconds = performance.now() - started;
      if (shown.has(query.id)) {
        const depth = runOptions?.k ?? passagesPerQuestion;
        const top = removeExcluded(query, result.evidence, depth).slice(0, passagesPerQuestion);
        details.push({
          id: query.id,
          milliseconds,
          top: top.map((each, rank) =>
            rankedPassage({ ...each, rank: rank + 1 }, query.id, options),
          ),
        });
      }
      return result;
    },
  };
  const { queries: scores, latencyMs, run, k } = await evaluate(recorder, queries, options);
  return {
    queries: scores,
    latency_ms: latencyMs,
    recall: recallCurve(run, k, options),
    shown: details,
  };
}

function rankedPassage(
  { sentence, text, ...evidence }: Evidence,
  query: string,
  { qrels, relevantFrom = 1 }: EvaluateOptions,
): RankedPassage {
  const { id, rank, score, scores, title, dates, publishedAt, timeZone } = evidence;
  const words = sentence ?? text;
  const judged = qrels?.get(query);
  return {
    id,
    rank,
    score,
    scores,
    ...(title === undefined ? {} : { title }),
    sentence:
      words.length <= sentenceCharacters
        ? words
        : `${words.slice(0, sentenceCharacters - 1).trimEnd()}…`,
    ...(dates ? { dates: dates.map((each) => dateRecord(each, timeZone)) } : {}),
    ...(publishedAt === undefined
      ? {}
      : { published_at: formatInstant(publishedAt).replace(/T00:00Z$/, '') }),
    ...(judged ? { relevant: (judged.get(id) ?? 0) >= relevantFrom } : {}),
  };
}

function dateRecord(
  interval: NonNullable<Evidence['dates']>[number],
  timeZone: string | undefined,
): NonNullable<RankedPassage['dates']>[number] {
  const { start_iso: start, end_iso: end } = intervalIso(interval, timeZone);
  return { start, end, granularity: interval.granularity };
}

/** Mean recall over the judged questions at each point of the curve up to k. */
function recallCurve(
  run: Run,
  k: number,
  { qrels, relevantFrom = 1 }: EvaluateOptions,
): RunRecord['recall'] {
  const rankings = [...run].flatMap(([id, documents]) => {
    const judged = qrels?.get(id);
    return judged
      ? [
          gradeRanking(
            documents.map((each) => each.id),
            judged,
            { relevantFrom },
          ),
        ]
      : [];
  });
  if (rankings.length === 0) return [];
  const points = [...new Set([...curvePoints.filter((each) => each < k), k])];
  return points.map((each) => [
    each,
    rankings.reduce((sum, ranking) => sum + recall(ranking, each), 0) / rankings.length,
  ]);
}
