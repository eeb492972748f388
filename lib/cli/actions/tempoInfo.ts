// `asof tempo info`: contents and consistency of a folder with TEMPO's data.
import { judgeInstances } from '../../eval/judges/judgeRun.js';
import type { RelevanceJudge } from '../../eval/judges/judgement.js';
import { modelJudge } from '../../eval/judges/modelJudge.js';
import { ruleJudge } from '../../eval/judges/ruleJudge.js';
import { guidanceOf } from '../../eval/tempo/annotation.js';
import type { TempoDomain } from '../../eval/tempo/data.js';
import { annotatedClasses } from '../../eval/tempo/names.js';
import { readTempo } from '../../eval/tempo/read.js';
import { classCounts } from '../../eval/tempo/tables.js';
import { UsageError, listOption, type Invocation } from '../command.js';
import { command } from '../commands/tempoInfo.js';
import { openModel } from '../inputs/model.js';
import { keptModel } from '../inputs/modelCache.js';
import { namesModel } from '../options/model.js';
import { modelUses } from '../options/modelUses.js';
import { counted, table } from '../tables/layout.js';

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const judging = invocation.flags.has('quality');
  if (namesModel(invocation) && !judging)
    throw new UsageError('--model judges with --quality: give both, or neither.', command.name);
  modelUses(invocation, command, ['judge'], ['judge']);
  const named = listOption(invocation, 'domains');
  const data = await readTempo(invocation.positionals[0]!, {
    signal,
    ...(named ? { domains: named } : {}),
  });
  await using opened = await openModel(invocation, command);
  const kept =
    opened.options.model && (await keptModel(opened.options.model, invocation, command));
  const judge = judging ? (kept ? modelJudge(kept.model) : ruleJudge()) : undefined;
  const quality = judge && ([] as Quality[]);
  for (const domain of quality ? data.domains : [])
    quality!.push(await qualityOf(domain, judge!, signal));
  const domains = data.domains.map(({ name, queries, documentCount, stepsWithoutGold }, at) => {
    const total = (of: (query: (typeof queries)[number]) => number): number =>
      queries.reduce((sum, query) => sum + of(query), 0);
    const stepped = queries.filter(({ steps }) => steps.length > 0).length;
    return {
      name,
      queries: queries.length,
      documents: documentCount!,
      relevant: total(({ relevant }) => relevant.length),
      steps: total(({ steps }) => steps.length),
      queries_with_steps: stepped,
      steps_without_gold: stepsWithoutGold,
      excluded: total(({ excluded }) => excluded.length),
      negatives: total(({ negatives }) => negatives.length),
      temporal: total(({ annotation }) => (annotation?.isTemporal ? 1 : 0)),
      annotated: total(({ annotation }) => (annotation ? 1 : 0)),
      annotated_passages: total(({ passageAnnotations }) => passageAnnotations.length),
      ...(quality ? { data_quality: quality[at]! } : {}),
    };
  });
  const left = (quality ?? []).reduce((sum, each) => sum + each.left, 0);
  const [reported, annotated] = [classCounts(data), classCounts(data, 'annotated')];
  const unknown = Object.keys(annotated).filter(
    (name) => name !== 'none' && !(annotatedClasses as readonly string[]).includes(name),
  );
  if (terminal.json) {
    const more = judge ? { judged_by: judge.id } : {};
    await terminal.printJson({
      folder: data.folder,
      domains,
      classes: reported,
      annotated_classes: annotated,
      reasonings: data.reasonings,
      ...more,
    });
    return left > 0 ? 1 : 0;
  }
  const mean = (part: number, of: number): string => (of === 0 ? '-' : (part / of).toFixed(2));
  const names = [
    'domain',
    'queries',
    'documents',
    'gold',
    'steps',
    'temporal',
    'excluded',
    'negatives',
    ...(quality ? ['quality'] : []),
  ];
  const head = names.map((cell) => terminal.style(cell, 'bold'));
  const body = domains.map((each) => [
    each.name,
    String(each.queries),
    String(each.documents),
    mean(each.relevant, each.queries),
    mean(each.steps, each.queries_with_steps),
    String(each.temporal),
    String(each.excluded),
    String(each.negatives),
    ...(quality ? [each.data_quality?.mean?.toFixed(1) ?? '-'] : []),
  ]);
  const classes = Object.entries(reported)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
  const without = domains.reduce((sum, each) => sum + each.steps_without_gold, 0);
  await terminal.print(
    [
      table([head, ...body]),
      'gold and steps are means, of the queries and of those that have steps\n',
      `classes: ${classes}\n`,
      ...(judge
        ? [
            `quality of 100 by ${judge.id}${left > 0 ? `; the budget left ${counted(left, 'query', 'queries')}` : ''}\n`,
          ]
        : []),
      ...(unknown.length > 0
        ? [`classes that the prompt does not have, counted as OTH: ${unknown.join(', ')}\n`]
        : []),
      ...(without > 0
        ? [`${counted(without, 'step', 'steps')} without gold documents left out\n`]
        : []),
      ...(data.reasonings.length > 0
        ? [`reworded queries (--reasoning): ${data.reasonings.join(', ')}\n`]
        : []),
    ].join(''),
  );
  return left > 0 ? 1 : 0;
}

interface Quality {
  /** 0 to 100; null where no query was judged. */
  mean: number | null;
  n: number;
  /** Queries that the budget left. */
  left: number;
}

/**
 * The mean quality of a domain's queries (appendix G.1): their plan, or their steps, and their gold
 * documents.
 */
async function qualityOf(
  domain: TempoDomain,
  judge: RelevanceJudge,
  signal: AbortSignal,
): Promise<Quality> {
  const wanted = new Set(domain.queries.flatMap(({ relevant }) => relevant));
  const texts = new Map<string, string>();
  for await (const { id, text } of domain.documents({ signal }))
    if (wanted.has(id)) texts.set(id, text);
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
