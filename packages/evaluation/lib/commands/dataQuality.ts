// `asof judge --data-quality`: quality of plans and annotated documents (TEMPO appendix G.1).
import { judgeInstances, type InstanceJudgements } from '../judges/judgeRun.js';
import type { JudgeInstance, RelevanceJudge } from '../judges/judgement.js';
import { writeOutput, counted, type Terminal } from 'asof/command';
import { sayLeft } from './inputs/modelCache.js';

export interface QualityOptions {
  out: string;
  concurrency: number;
  /** Counts the calls of the model. */
  budgeted: { calls: number } | undefined;
  terminal: Terminal;
  signal: AbortSignal;
}

/**
 * Judges instances and writes `{query_id,data_quality,by,reason}` of each. Returns the exit code, 1
 * if the budget was exhausted.
 */
export async function judgeQuality(
  judge: RelevanceJudge,
  instances: readonly JudgeInstance[],
  options: QualityOptions,
): Promise<number> {
  const { out, concurrency, budgeted, terminal, signal } = options;
  const bar = terminal.progress('judging', 'questions');
  const judged = await judgeInstances(judge, instances, {
    concurrency,
    signal,
    onProgress: bar.update,
  }).finally(() => bar.end());
  const lines = judged.instances.map(
    ({ id, score, by, reason }) =>
      `${JSON.stringify({ query_id: id, data_quality: score, by, reason })}\n`,
  );
  await writeOutput(out, lines.join(''));
  await report(judged, judge.id, { out, budgeted, terminal });
  return judged.left > 0 ? 1 : 0;
}

async function report(
  { instances, left }: InstanceJudgements,
  by: string,
  { out, budgeted, terminal }: Pick<QualityOptions, 'out' | 'budgeted' | 'terminal'>,
): Promise<void> {
  const scores = instances.map(({ score }) => score).sort((one, other) => one - other);
  const mean =
    scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const [least, most] = [scores[0] ?? null, scores.at(-1) ?? null];
  if (terminal.json) {
    const figures = {
      data_quality: { mean, least, most },
      ...(budgeted ? { calls: budgeted.calls } : {}),
    };
    await terminal.printJson({ out, by, queries: scores.length, left, ...figures });
    return;
  }
  const calls = budgeted ? `, ${counted(budgeted.calls, 'call', 'calls')} of the model` : '';
  const figures =
    mean === null ? '' : `: mean quality ${mean.toFixed(1)} of 100, from ${least} to ${most}`;
  await terminal.print(
    `${out}: ${counted(scores.length, 'question', 'questions')} by ${by}${calls}${figures}\n`,
  );
  sayLeft({ terminal }, left, ['question', 'questions']);
}
