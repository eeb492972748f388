// `asof tempo annotate`: annotations of queries or passages in the format of TEMPO.
import type { JudgeDocument } from '../../eval/judges/judgement.js';
import { toGuidanceRecord, toPassageRecord, type PassageAnnotation, type QueryAnnotation } from '../../eval/tempo/annotation.js';
import { annotateQueries, annotatePassages } from '../../eval/tempo/annotator.js';
import { modelAnnotator } from '../../eval/tempo/modelAnnotator.js';
import { readTempo } from '../../eval/tempo/read.js';
import { ruleAnnotator } from '../../eval/tempo/ruleAnnotator.js';
import { UsageError, listOption, option, requiredOption, type Invocation } from '../command.js';
import { command } from '../commands/tempoAnnotate.js';
import { openModel } from '../inputs/model.js';
import { keptModel } from '../inputs/modelCache.js';
import { modelUses } from '../options/modelUses.js';
import { checkOutput, writeOutput } from '../outputs.js';
import { counted } from '../tables/layout.js';

const levels = ['queries', 'passages'];

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const level = option(invocation, 'level') ?? 'queries';
  if (!levels.includes(level))
    throw new UsageError(
      `--level takes ${levels.join(' or ')}, received ${JSON.stringify(level)}.`,
      command.name,
    );
  if (level === 'queries' && invocation.flags.has('negatives'))
    throw new UsageError('--negatives is for --level passages.', command.name);
  const out = requiredOption(invocation, command, 'out');
  await checkOutput(out, 'out');
  modelUses(invocation, command, ['annotation'], ['annotation']);
  const named = listOption(invocation, 'domains');
  const data = await readTempo(invocation.positionals[0]!, {
    signal,
    ...(named ? { domains: named } : {}),
  });
  await using opened = await openModel(invocation, command);
  const kept =
    opened.options.model && (await keptModel(opened.options.model, invocation, command));
  const unusable = { count: 0 };
  const annotator = kept
    ? modelAnnotator(kept.model, { onUnusable: () => (unusable.count += 1) })
    : ruleAnnotator();
  const bar = terminal.progress('annotating', 'queries');
  const [lines, agreed]: [string[], Agreed] = [
    [],
    { compared: 0, classes: 0, temporal: 0, scopes: 0 },
  ];
  let left = 0;
  try {
    for (const domain of data.domains) {
      const options = { signal, onProgress: bar.update };
      const write = (id: string, field: string, value: unknown): void =>
        void lines.push(
          `${JSON.stringify({ id, domain: domain.name, by: annotator.id, [field]: value })}\n`,
        );
      const before = new Map(domain.queries.map((query) => [query.id, query]));
      if (level === 'queries') {
        const done = await annotateQueries(annotator, domain.queries, options);
        for (const { id, annotation } of done.queries) {
          write(id, 'query_guidance', toGuidanceRecord(annotation));
          compareQuery(agreed, annotation, before.get(id)!.annotation);
        }
        left += done.left;
      } else {
        const documents = new Map<string, JudgeDocument>();
        for await (const passage of domain.documents({ signal }))
          documents.set(passage.id, passage);
        const more = { ...options, negatives: invocation.flags.has('negatives') };
        const done = await annotatePassages(
          annotator,
          domain.queries,
          (id) => documents.get(id),
          more,
        );
        for (const { id, annotation } of done.queries) {
          write(id, 'gold_passage_annotations', annotation.map(toPassageRecord));
          comparePassages(agreed, annotation, before.get(id)!.passageAnnotations);
        }
        left += done.left;
      }
      if (left > 0) break;
    }
  } finally {
    bar.end();
  }
  await writeOutput(out, lines.join(''));
  const calls = kept && { calls: kept.asked.calls, unusable: unusable.count };
  if (terminal.json)
    await terminal.printJson({
      out,
      by: annotator.id,
      level,
      queries: lines.length,
      left,
      ...calls,
      agreement: agreed,
    });
  else {
    const words = calls
      ? `, ${counted(calls.calls, 'call', 'calls')} of the model, ${calls.unusable} unusable`
      : '';
    await terminal.print(
      `${out}: ${counted(lines.length, 'query', 'queries')} by ${annotator.id}${words}\n${agreement(agreed, level)}`,
    );
    if (left > 0)
      terminal.say(
        `asof: the budget left ${counted(left, 'query', 'queries')}; repeat with --cache to continue`,
      );
  }
  return left > 0 ? 1 : 0;
}

/** How many of the folder's own annotations say the same. */
interface Agreed {
  compared: number;
  classes: number;
  temporal: number;
  scopes: number;
}

function compareQuery(
  agreed: Agreed,
  ours: QueryAnnotation,
  theirs: QueryAnnotation | undefined,
): void {
  if (!theirs) return;
  agreed.compared += 1;
  if (ours.primaryClass === theirs.primaryClass) agreed.classes += 1;
  if (ours.isTemporal === theirs.isTemporal) agreed.temporal += 1;
}

function comparePassages(
  agreed: Agreed,
  ours: readonly PassageAnnotation[],
  theirs: readonly PassageAnnotation[],
): void {
  for (const { document, scope } of ours) {
    const other = theirs.find((each) => each.document === document);
    if (!other) continue;
    agreed.compared += 1;
    // To the year: annotators write dates as finely as they like.
    if (
      scope.start.slice(0, 4) === other.scope.start.slice(0, 4) &&
      scope.end.slice(0, 4) === other.scope.end.slice(0, 4)
    )
      agreed.scopes += 1;
  }
}

function agreement({ compared, classes, temporal, scopes }: Agreed, level: string): string {
  if (compared === 0) return '';
  const of = (count: number): string => `${count} of ${compared}`;
  return level === 'queries'
    ? `as annotated in the folder: temporal or not ${of(temporal)}, reasoning class ${of(classes)}\n`
    : `as annotated in the folder: from which year to which ${of(scopes)}\n`;
}
