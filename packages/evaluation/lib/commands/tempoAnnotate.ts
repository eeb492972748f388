// `asof tempo annotate`: annotations of queries or passages in the format of TEMPO.
import {
  type Command,
  UsageError,
  listOption,
  requiredOption,
  type Invocation,
  checkOutput,
  writeOutput,
  counted,
  modelChoice,
  wordOption,
} from 'asof/command';
import { modelUses, cacheOptions } from './options/modelUses.js';
import type { JudgeDocument } from '../judges/judgement.js';
import {
  toGuidanceRecord,
  toPassageRecord,
  type PassageAnnotation,
  type QueryAnnotation,
} from '../tempo/annotation.js';
import {
  annotateEach,
  annotatePassages,
  annotateQueries,
  type Annotator,
} from '../tempo/annotator.js';
import type { TempoDomain } from '../tempo/data.js';
import { modelAnnotator } from '../tempo/modelAnnotator.js';
import { readTempo } from '../tempo/read.js';
import { ruleAnnotator } from '../tempo/ruleAnnotator.js';
import { modelJudge } from '../judges/modelJudge.js';
import { ruleJudge } from '../judges/ruleJudge.js';
import { hardNegatives } from '../tempo/hardNegatives.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunOptions, TextModel } from 'asof';
import { createSystem } from 'asof/papers';
import type { KeepOptions } from './inputs/indexedCorpus.js';
import { tempoCorpus } from './inputs/tempoSets.js';
import { cachedModel, sayLeft } from './inputs/modelCache.js';

export const command: Command = {
  name: 'tempo annotate',
  summary: 'Annotates queries or passages of a TEMPO folder, by rules or by a model.',
  positionals: ['DIR'],
  options: {
    out: { value: 'FILE.jsonl', required: true, help: 'output of the annotations' },
    level: {
      value: 'L',
      help:
        'queries (default), passages: the gold documents of every query, or negatives: hard ' +
        'negatives found in the documents',
    },
    negatives: { help: 'with --level passages: the hard negatives too' },
    domains: { value: 'D,...', multiple: true, help: 'domains to read, default all of the folder' },
    ...modelChoice.options,
    ...cacheOptions,
  },
  details:
    'out: {id, domain, by, query_guidance:{is_temporal_query, temporal_intent, ' +
    'query_temporal_signals, query_temporal_events, query_summary, ' +
    'temporal_reasoning_class_primary, temporal_reasoning_class_secondary, retrieval_reasoning, ' +
    'retrieval_plan, key_time_anchors, expected_granularity, quality_checks}} for each query, or ' +
    '{id, domain, by, gold_passage_annotations:[{doc_id, passage_temporal_signals, ' +
    'passage_temporal_events, time_mentions, time_scope_guess, tense_guess, confidence}]}: the ' +
    'format of guidance/DOMAIN.jsonl in the folder. Of negatives {id, domain, by, llm_summary, ' +
    'entities_events, negative_ids}: a search that the model writes (default: the query without ' +
    'its time), and what it finds in the domain that a judge takes for no evidence.\n' +
    'The agreement with annotations of the folder is printed.\n' +
    'Only complete queries are written; after --budget is exhausted, run the command again with ' +
    '--cache to continue.',
  example: 'asof tempo annotate tempo/ --domains law --out law.jsonl',
  failure: '1 failure or --budget exhausted',
};

const levels = ['queries', 'passages', 'negatives'];

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal, flags } = invocation;
  const level = levelOf(invocation);
  const out = requiredOption(invocation, 'out');
  await checkOutput(out, 'out');
  modelUses(invocation, ['annotation'], ['annotation']);
  const domains = listOption(invocation, 'domains');
  const data = await readTempo(invocation.positionals[0]!, {
    signal,
    domains,
  });
  const cached = await cachedModel(invocation);
  let unusable = 0;
  const annotator = cached
    ? modelAnnotator(cached.model, { onUnusable: () => (unusable += 1) })
    : ruleAnnotator();
  const bar = terminal.progress('annotating', 'queries');
  const options = { signal, onProgress: bar.update };
  const lines: string[] = [];
  const agreement: Agreement = { compared: 0, classes: 0, temporal: 0, scopes: 0 };
  let left = 0;
  const keep = await mkdtemp(join(tmpdir(), 'asof-annotate-'));
  try {
    for (const domain of data.domains) {
      const annotated =
        level === 'queries'
          ? await queryRecords(annotator, domain, agreement, options)
          : level === 'negatives'
            ? await negativeRecords(domain, cached?.model, {
                ...{ keep, encoder: undefined, terminal, signal },
                onProgress: bar.update,
                onUnusable: () => (unusable += 1),
              })
            : await passageRecords(annotator, domain, agreement, {
                ...options,
                negatives: flags.has('negatives'),
              });
      lines.push(...annotated.records.map((record) => `${JSON.stringify(record)}\n`));
      left += annotated.left;
      if (left > 0) break;
    }
  } finally {
    bar.end();
    await rm(keep, { recursive: true, force: true });
  }
  await writeOutput(out, lines.join(''));
  const calls = cached && { calls: cached.budgeted.calls, unusable };
  const figures = { out, by: annotator.id, level, queries: lines.length, left, ...calls };
  if (terminal.json) await terminal.printJson({ ...figures, agreement });
  else await terminal.print(`${summary(figures)}\n${agreementText(agreement, level)}`);
  if (!terminal.json) sayLeft(invocation, left, ['query', 'queries']);
  return left > 0 ? 1 : 0;
}

function levelOf(invocation: Invocation): string {
  const level = wordOption(invocation, 'level', levels) ?? 'queries';
  if (level === 'queries' && invocation.flags.has('negatives'))
    throw new UsageError('--negatives is for --level passages.');
  return level;
}

/** Lines of the output, and the number of queries left when the budget was exhausted. */
interface Records {
  records: unknown[];
  left: number;
}

async function queryRecords(
  annotator: Annotator,
  domain: TempoDomain,
  agreement: Agreement,
  options: RunOptions,
): Promise<Records> {
  const published = new Map(domain.queries.map((query) => [query.id, query]));
  const { queries, left } = await annotateQueries(annotator, domain.queries, options);
  const records = queries.map(({ id, annotation }) => {
    compareQuery(agreement, annotation, published.get(id)!.annotation);
    const guidance = toGuidanceRecord(annotation);
    return { id, domain: domain.name, by: annotator.id, query_guidance: guidance };
  });
  return { records, left };
}

async function passageRecords(
  annotator: Annotator,
  domain: TempoDomain,
  agreement: Agreement,
  options: RunOptions & { signal: AbortSignal; negatives: boolean },
): Promise<Records> {
  const published = new Map(domain.queries.map((query) => [query.id, query]));
  const documents = new Map<string, JudgeDocument>();
  for await (const passage of domain.documents({ signal: options.signal }))
    documents.set(passage.id, passage);
  const source = (id: string): JudgeDocument | undefined => documents.get(id);
  const { queries, left } = await annotatePassages(annotator, domain.queries, source, options);
  const records = queries.map(({ id, annotation }) => {
    comparePassages(agreement, annotation, published.get(id)!.passageAnnotations);
    const passages = annotation.map(toPassageRecord);
    return { id, domain: domain.name, by: annotator.id, gold_passage_annotations: passages };
  });
  return { records, left };
}

async function negativeRecords(
  domain: TempoDomain,
  model: TextModel | undefined,
  options: KeepOptions & RunOptions & { onUnusable: () => void },
): Promise<Records> {
  const judge = model ? modelJudge(model, options) : ruleJudge();
  const corpus = await tempoCorpus(domain, options);
  try {
    const how = { ...options, model, judge, system: createSystem('bm25', { corpus }) };
    const { queries, left } = await annotateEach(
      domain.queries,
      (query) => hardNegatives(query, how),
      options,
    );
    const records = queries.map(({ id, annotation }) => ({
      ...{ id, domain: domain.name, by: judge.id },
      ...annotation,
    }));
    return { records, left };
  } finally {
    await corpus.close();
  }
}

function summary(figures: {
  out: string;
  by: string;
  queries: number;
  calls?: number;
  unusable?: number;
}): string {
  const { out, by, queries, calls, unusable } = figures;
  const model =
    calls === undefined
      ? ''
      : `, ${counted(calls, 'call', 'calls')} of the model, ${unusable} unusable`;
  return `${out}: ${counted(queries, 'query', 'queries')} by ${by}${model}`;
}

/** Agreement with the annotations of the folder, in counts. */
interface Agreement {
  compared: number;
  classes: number;
  temporal: number;
  scopes: number;
}

function compareQuery(
  agreement: Agreement,
  ours: QueryAnnotation,
  theirs: QueryAnnotation | undefined,
): void {
  if (!theirs) return;
  agreement.compared += 1;
  if (ours.primaryClass === theirs.primaryClass) agreement.classes += 1;
  if (ours.isTemporal === theirs.isTemporal) agreement.temporal += 1;
}

function comparePassages(
  agreement: Agreement,
  ours: readonly PassageAnnotation[],
  theirs: readonly PassageAnnotation[],
): void {
  for (const { document, scope } of ours) {
    const other = theirs.find((each) => each.document === document);
    if (!other) continue;
    agreement.compared += 1;
    // By year, as the granularity of annotated dates varies.
    if (
      scope.start.slice(0, 4) === other.scope.start.slice(0, 4) &&
      scope.end.slice(0, 4) === other.scope.end.slice(0, 4)
    )
      agreement.scopes += 1;
  }
}

function agreementText({ compared, classes, temporal, scopes }: Agreement, level: string): string {
  if (compared === 0) return '';
  const of = (count: number): string => `${count} of ${compared}`;
  return level === 'queries'
    ? `agreement with the folder: temporal or not ${of(temporal)}, reasoning class ${of(classes)}\n`
    : `agreement with the folder: years of the time scope ${of(scopes)}\n`;
}
