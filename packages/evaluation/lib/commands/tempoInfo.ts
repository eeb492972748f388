// `asof tempo info`: contents and consistency of a folder with TEMPO's data.
import {
  type Command,
  UsageError,
  listOption,
  type Invocation,
  counted,
  table,
  type Terminal,
  modelChoice,
} from 'asof/command';
import { modelUses, cacheOptions } from './options/modelUses.js';
import { splitOption, splitOf } from './options/split.js';
import type { RelevanceJudge } from '../judges/judgement.js';
import { modelJudge } from '../judges/modelJudge.js';
import { ruleJudge } from '../judges/ruleJudge.js';
import type { TempoData, TempoDomain } from '../tempo/data.js';
import { annotatedClasses } from '../tempo/names.js';
import { qualityOf, type Quality } from '../tempo/quality.js';
import { readTempo } from '../tempo/read.js';
import { classCounts } from '../tempo/tables.js';
import { cachedModel } from './inputs/modelCache.js';

export const command: Command = {
  name: 'tempo info',
  summary: 'Checks a folder with TEMPO data and counts its contents by domain and class.',
  positionals: ['DIR'],
  options: {
    domains: { value: 'D,...', multiple: true, help: 'domains to read, default all of the folder' },
    split: splitOption,
    quality: {
      help:
        'judge how well plans and gold documents serve the queries, 0 to 100, by rules or by ' +
        '--model',
    },
    ...modelChoice.options,
    ...cacheOptions,
  },
  details:
    'Unreadable files, missing columns, duplicate ids and gold ids without a document are errors.',
  example: 'asof tempo info tempo/',
  failure: '1 failure or --budget exhausted',
};

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal } = invocation;
  const judging = invocation.flags.has('quality');
  if (modelChoice.isGiven(invocation) && !judging)
    throw new UsageError('--model judges with --quality: give both, or neither.');
  modelUses(invocation, ['judge'], ['judge']);
  const named = listOption(invocation, 'domains');
  const data = await readTempo(invocation.positionals[0]!, {
    signal,
    ...splitOf(invocation),
    domains: named,
  });
  const cached = await cachedModel(invocation);
  const judge = judging ? (cached ? modelJudge(cached.model) : ruleJudge()) : undefined;
  const domains: DomainSummary[] = [];
  for (const domain of data.domains) {
    const quality = judge && { data_quality: await qualityOf(domain, judge, signal) };
    domains.push({ ...summaryOf(domain), ...quality });
  }
  const left = domains.reduce((sum, { data_quality: quality }) => sum + (quality?.left ?? 0), 0);
  if (terminal.json)
    await terminal.printJson({
      folder: data.folder,
      domains,
      classes: classCounts(data),
      annotated_classes: classCounts(data, 'annotated'),
      reasonings: data.reasonings,
      ...(judge ? { judged_by: judge.id } : {}),
    });
  else {
    const columns = domainTable(domains, terminal);
    await terminal.print([columns, ...notesOf(data, domains, { judge, left })].join(''));
  }
  return left > 0 ? 1 : 0;
}

/** The counts of a domain, as `--json` prints them. */
function summaryOf({ name, queries, documentCount, stepsWithoutGold }: TempoDomain) {
  const total = (of: (query: (typeof queries)[number]) => number): number =>
    queries.reduce((sum, query) => sum + of(query), 0);
  return {
    name,
    queries: queries.length,
    documents: documentCount!,
    relevant: total(({ relevant }) => relevant.length),
    steps: total(({ steps }) => steps.length),
    queries_with_steps: queries.filter(({ steps }) => steps.length > 0).length,
    steps_without_gold: stepsWithoutGold,
    excluded: total(({ excluded }) => excluded.length),
    negatives: total(({ negatives }) => negatives.length),
    temporal: total(({ annotation }) => (annotation?.isTemporal ? 1 : 0)),
    annotated: total(({ annotation }) => (annotation ? 1 : 0)),
    annotated_passages: total(({ passageAnnotations }) => passageAnnotations.length),
  };
}

type DomainSummary = ReturnType<typeof summaryOf> & { data_quality?: Quality };

function domainTable(domains: readonly DomainSummary[], terminal: Terminal): string {
  const judged = domains.some((each) => each.data_quality);
  const mean = (part: number, of: number): string => (of === 0 ? '-' : (part / of).toFixed(2));
  const names = ['queries', 'documents', 'gold', 'steps', 'temporal', 'excluded', 'negatives'];
  const head = ['domain', ...names, ...(judged ? ['quality'] : [])];
  const body = domains.map((each) => [
    each.name,
    String(each.queries),
    String(each.documents),
    mean(each.relevant, each.queries),
    mean(each.steps, each.queries_with_steps),
    String(each.temporal),
    String(each.excluded),
    String(each.negatives),
    ...(judged ? [each.data_quality?.mean?.toFixed(1) ?? '-'] : []),
  ]);
  return table([head.map((cell) => terminal.style(cell, 'bold')), ...body]);
}

function notesOf(
  data: TempoData,
  domains: readonly DomainSummary[],
  { judge, left }: { judge: RelevanceJudge | undefined; left: number },
): string[] {
  const classes = Object.entries(classCounts(data)).map(([name, count]) => `${name} ${count}`);
  const unknown = Object.keys(classCounts(data, 'annotated')).filter(
    (name) => name !== 'none' && !(annotatedClasses as readonly string[]).includes(name),
  );
  const withoutGold = domains.reduce((sum, each) => sum + each.steps_without_gold, 0);
  const budget =
    left > 0 ? `; --budget exhausted with ${counted(left, 'query', 'queries')} left` : '';
  return [
    'gold and steps are means, over the queries and over those with steps\n',
    `classes: ${classes.join(', ')}\n`,
    ...(judge ? [`quality of 100 by ${judge.id}${budget}\n`] : []),
    ...(unknown.length > 0
      ? [`classes that the prompt does not have, counted as OTH: ${unknown.join(', ')}\n`]
      : []),
    ...(withoutGold > 0
      ? [`${counted(withoutGold, 'step', 'steps')} without gold documents excluded\n`]
      : []),
    ...(data.reasonings.length > 0
      ? [`reworded queries (--reasoning): ${data.reasonings.join(', ')}\n`]
      : []),
  ];
}
