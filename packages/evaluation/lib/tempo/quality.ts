// Data quality of a domain as a judge sees it (TEMPO appendix G.1).
import { judgeInstances } from '../judges/judgeRun.js';
import type { RelevanceJudge } from '../judges/judgement.js';
import { guidanceOf } from './annotation.js';
import type { TempoDomain } from './data.js';

export interface Quality {
  /** 0 to 100; null without judged queries. */
  mean: number | null;
  n: number;
  /** Queries left when the budget was exhausted. */
  left: number;
}

/** Mean data quality of a domain (appendix G.1): plans, or else steps, and gold documents. */
export async function qualityOf(
  domain: TempoDomain,
  judge: RelevanceJudge,
  signal: AbortSignal,
): Promise<Quality> {
  const gold = new Set(domain.queries.flatMap(({ relevant }) => relevant));
  const texts = new Map<string, string>();
  for await (const { id, text } of domain.documents({ signal }))
    if (gold.has(id)) texts.set(id, text);
  const instances = domain.queries.map(({ id, text, annotation, steps, relevant }) => ({
    question: { id, text, ...(annotation ? { guidance: guidanceOf(annotation) } : {}) },
    plan: annotation ? annotation.plan.map(({ action }) => action) : steps.map((step) => step.text),
    documents: relevant.map((each) => ({ id: each, text: texts.get(each)! })),
  }));
  const { instances: judged, left } = await judgeInstances(judge, instances, { signal });
  const mean =
    judged.length === 0 ? null : judged.reduce((sum, { score }) => sum + score, 0) / judged.length;
  return { mean, n: judged.length, left };
}
