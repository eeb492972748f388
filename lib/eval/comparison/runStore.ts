// One cell of a comparison: a system's answers to a set's questions, scored, with the passages that
// it put first. Cells can be kept in a folder under what they depend on, so that a comparison that
// was stopped goes on where it was. It compares nothing.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Evidence } from '../../reading/evidence.js';
import type { System } from '../../systems/system.js';
import { formatInstant } from '../../time/instant.js';
import { intervalIso } from '../../time/records.js';
import {
  evaluate,
  removeExcluded,
  type EvaluateOptions,
  type EvaluableSystem,
  type EvaluationQuery,
} from '../evaluate.js';
import type { Run } from '../files/trec.js';
import type { QueryScores } from '../measures/averages.js';
import { gradeRanking, recall } from '../measures/ranking.js';
import type { RankedPassage } from './result.js';

/**
 * What is kept of a cell: the scores of every question, and the candidates of those that are shown.
 */
export interface RunRecord {
  queries: QueryScores[];
  latency_ms: { p50: number; p99: number };
  recall: [k: number, value: number][];
  shown: { id: string; milliseconds: number; top: RankedPassage[] }[];
}

const curvePoints = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000];
/** Passages of a question that are shown, and characters of each one's sentence. */
const passagesPerQuestion = 10;
const sentenceCharacters = 300;

/** Asks a system all questions. `shown` are the ids of those whose candidates are kept. */
export async function measureRun(
  system: System,
  queries: readonly EvaluationQuery[],
  shown: ReadonlySet<string>,
  options: EvaluateOptions,
): Promise<RunRecord> {
  const kept: RunRecord['shown'] = [];
  let at = 0;
  const watched: EvaluableSystem = {
    name: system.name,
    async run(question, asked) {
      const query = queries[at]!; // evaluate() asks one question after the other, in order
      at += 1;
      const started = performance.now();
      const result = await system.run(question, asked);
      const milliseconds = performance.now() - started;
      if (shown.has(query.id)) {
        const top = removeExcluded(query, result.evidence, asked?.k ?? passagesPerQuestion).slice(
          0,
          passagesPerQuestion,
        );
        kept.push({
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
  const { queries: scores, latencyMs, run, k } = await evaluate(watched, queries, options);
  return {
    queries: scores,
    latency_ms: latencyMs,
    recall: recallCurve(run, k, options),
    shown: kept,
  };
}

function rankedPassage(
  { sentence, text, ...evidence }: Evidence,
  query: string,
  { qrels, relevantFrom = 1 }: EvaluateOptions,
): RankedPassage {
  const { id, rank, score, scores, title, dates, publishedAt } = evidence;
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
    ...(dates ? { dates: dates.map((each) => dateRecord(each)) } : {}),
    ...(publishedAt === undefined
      ? {}
      : { published_at: formatInstant(publishedAt).replace(/T00:00Z$/, '') }),
    ...(judged ? { relevant: (judged.get(id) ?? 0) >= relevantFrom } : {}),
  };
}

function dateRecord(
  interval: NonNullable<Evidence['dates']>[number],
): NonNullable<RankedPassage['dates']>[number] {
  const { start_iso: start, end_iso: end } = intervalIso(interval);
  return { start, end, granularity: interval.granularity };
}

/** Mean recall over the judged questions at every cutoff that was asked for. */
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

/** Where finished cells of a comparison are kept. */
export interface RunStore {
  read(key: string): Promise<RunRecord | undefined>;
  write(key: string, record: RunRecord): Promise<void>;
}

/**
 * Cells kept as files of a folder, which is made where there is none. A file that cannot be read is
 * a cell that is not there.
 */
export function runFolder(folder: string): RunStore {
  const file = (key: string): string => join(folder, `${key}.json`);
  return {
    async read(key) {
      try {
        return JSON.parse(await readFile(file(key), 'utf8')) as RunRecord;
      } catch {
        return undefined;
      }
    },
    async write(key, record) {
      await mkdir(folder, { recursive: true });
      const beside = `${file(key)}.${process.pid}.part`;
      await writeFile(beside, JSON.stringify(record));
      await rename(beside, file(key));
    },
  };
}

/** The name of a cell: another one for anything that its figures depend on. */
export function runKey(dependsOn: Record<string, unknown>): string {
  return createHash('sha256').update(JSON.stringify(dependsOn)).digest('hex').slice(0, 32);
}
