// `asof judge --data-quality`: quality of plans and annotated documents (TEMPO appendix G.1).
import { judgeInstances, type InstanceJudgements } from '../eval/judges/judgeRun.js';
import type { BudgetedModel } from '../eval/judges/budget.js';
import type { JudgeInstance, RelevanceJudge } from '../eval/judges/judgement.js';
import { writeOutput } from './outputs.js';
import { counted } from './tables/layout.js';
import type { Terminal } from './terminal.js';

export interface QualityOptions {
  out: string;
  concurrency: number;
  /** The model that is asked, where one is. */
  asked: BudgetedModel | undefined;
  terminal: Terminal;
  signal: AbortSignal;
}

/**
 * Judges instances and writes `{query_id,data_quality,by,reason}` of each. The exit code is 1 where
 * a budget left some.
 */
export async function judgeQuality(
  judge: RelevanceJudge,
  instances: readonly JudgeInstance[],
  options: QualityOptions,
): Promise<number> {
  const { out, concurrency, asked, terminal, signal } = options;
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
  await report(judged, judge.id, { out, asked, terminal });
  return judged.left > 0 ? 1 : 0;
}

async function report(
  { instances, left }: InstanceJudgements,
  by: string,
  { out, asked, terminal }: Pick<QualityOptions, 'out' | 'asked' | 'terminal'>,
): Promise<void> {
  const scores = instances.map(({ score }) => score).sort((one, other) => one - other);
  const mean =
    scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const [least, most] = [scores[0] ?? null, scores.at(-1) ?? null];
  if (terminal.json) {
    const figures = {
      data_quality: { mean, least, most },
      ...(asked ? { calls: asked.calls } : {}),
    };
    await terminal.printJson({ out, by, queries: scores.length, left, ...figures });
    return;
  }
  const calls = asked ? `, ${counted(asked.calls, 'call', 'calls')} of the model` : '';
  const figures =
    mean === null
      ? ''
      : `: quality ${mean.toFixed(1)} of 100 in the mean, from ${least} to ${most}`;
  await terminal.print(
    `${out}: ${counted(scores.length, 'question', 'questions')} by ${by}${calls}${figures}\n`,
  );
  if (left === 0) return;
  terminal.say(
    `asof: the budget left ${counted(left, 'question', 'questions')} unjudged and unwritten; repeat with --cache to continue`,
  );
}
