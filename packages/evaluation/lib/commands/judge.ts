// `asof judge`: temporal judgements of the documents of a run, by rules or by a model.
import {
  type Command,
  UsageError,
  countOption,
  option,
  requiredOption,
  type Invocation,
  checkOutput,
  counted,
  type Terminal,
  modelChoice,
  encoderChoice,
  wordOption,
} from 'asof/command';
import { refuseWithoutModel, cacheOptions } from './options/modelUses.js';
import { AsOfError } from 'asof';
import { beirQrels } from '../files/beir.js';
import { readJudgements } from '../files/judgements.js';
import { readQrels, readRun, type Run } from '../files/trec.js';
import { judgeAgreement, toTemporalJudgements, type JudgeAgreement } from '../judges/agreement.js';
import { writeJudgements, type JudgeDocument } from '../judges/judgement.js';
import { judgeRun } from '../judges/judgeRun.js';
import { modelJudge } from '../judges/modelJudge.js';
import { ruleJudge } from '../judges/ruleJudge.js';
import { tempoDefinitions, type TempoDefinition } from '../measures/temporal.js';
import { judgeQuality } from './dataQuality.js';
import {
  judgeInstancesOf,
  readAnswers,
  readDocuments,
  readJudgeQueries,
} from './inputs/judgeQueries.js';
import { cachedModel, sayLeft } from './inputs/modelCache.js';
import { agreementTable, agreementJson } from './tables/agreement.js';

export const command: Command = {
  name: 'judge',
  summary: 'Judges the temporal relevance of the documents of a run, by rules or by a model.',
  positionals: [],
  options: {
    queries: {
      value: 'Q.jsonl',
      required: true,
      help: '{id, text, asked_at?, answers?, query_guidance?} a line',
    },
    run: {
      value: 'RUN.trec',
      required: true,
      alternative: 'data-quality',
      help: 'the TREC run; or --data-quality',
    },
    out: {
      value: 'J.jsonl',
      required: true,
      help: 'output of the judgements, for asof metrics --judgements',
    },
    corpus: { value: 'DIR', help: 'corpus with the documents; or --documents' },
    documents: {
      value: 'FILE.jsonl',
      multiple: true,
      help: 'files with the documents, as for asof index',
    },
    depth: { value: 'K', help: 'judge the first K documents, default 10' },
    tempo: {
      value: 'D',
      help:
        "paper (default): any number of periods; code: two, with the prompts' fields and the " +
        "treatment of failures and unknown documents of TEMPO's published code",
    },
    answers: {
      value: 'A.jsonl',
      help: '{id, answer} a line: judge their coverage of the answers of --queries, 0 to 100',
    },
    against: {
      value: 'J.jsonl',
      help: 'report the agreement with these judgements; default with --model: the rules',
    },
    'data-quality': {
      help:
        'judge how well the retrieval plan and the documents of --qrels serve each query, 0 to ' +
        '100, instead of a run',
    },
    qrels: { value: 'R', help: 'with --data-quality: relevance judgements, TREC or BEIR form' },
    ...modelChoice.options,
    ...cacheOptions,
    jobs: {
      value: 'N',
      group: 'model',
      help: 'queries judged concurrently by a server, default 1',
    },
    ...encoderChoice.options,
  },
  details:
    'out: {query_id, temporal, cross_period, periods?, answer_coverage?, by, reason} for each ' +
    'query, then {query_id, doc_id, verdict, periods?, by, reason} for its documents; with ' +
    '--tempo code covers_baseline and covers_comparison instead of periods. With --data-quality ' +
    '{query_id, data_quality, by, reason} for each query with documents in --qrels.\n' +
    'query_guidance is {is_temporal_query?, temporal_reasoning_class_primary?, ' +
    'key_time_anchors?, retrieval_plan?:[{action}]}, if known.\n' +
    'Only complete queries are written; after --budget is exhausted, run the command again with ' +
    '--cache to continue.',
  example: 'asof judge --corpus wiki.asof --queries q.jsonl --run r.trec --out j.jsonl',
  failure: '1 failure or --budget exhausted',
};

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal } = invocation;
  const settings = settingsOf(invocation);
  const { out, depth, tempo, concurrency } = settings;
  await checkOutput(out, 'out');
  const queryFile = requiredOption(invocation, 'queries');
  const queries = await readJudgeQueries(queryFile, signal);
  if (queries.length === 0) throw new UsageError(`${queryFile} has no queries.`);
  const ranking = await documentsOf(invocation, settings);
  if (!queries.some(({ question }) => ranking.has(question.id))) throw noDocuments(invocation);
  const against =
    settings.against === undefined ? undefined : await readJudgements(settings.against, { signal });
  const documents = await readDocuments(invocation, queries, ranking, depth);
  const source = (id: string): JudgeDocument | undefined => documents.get(id);
  const answers =
    settings.answers === undefined
      ? {}
      : { answers: await readAnswers(settings.answers, queries, signal) };
  const cached = await cachedModel(invocation);
  const budgeted = cached?.budgeted;
  let unusable = 0;
  const judge = cached
    ? modelJudge(cached.model, { tempo, onUnusable: () => (unusable += 1) })
    : ruleJudge();
  if (settings.quality) {
    const instances = judgeInstancesOf(queries, ranking, source);
    return judgeQuality(judge, instances, { out, concurrency, budgeted, terminal, signal });
  }
  const bar = terminal.progress('judging', 'documents');
  const questions = queries.map(({ question }) => question);
  const options = { depth, tempo, signal, ...answers };
  const judged = await judgeRun(judge, questions, ranking, source, {
    ...options,
    concurrency,
    onProgress: bar.update,
  }).finally(() => bar.end());
  await writeJudgements(out, judged.queries, { tempo, signal });
  // A model is compared with the rules, unless --against names other judgements.
  const byRules = async () => judgeRun(ruleJudge(), questions, ranking, source, options);
  const other = against ?? (budgeted && toTemporalJudgements((await byRules()).queries));
  const agreement = other && judgeAgreement(toTemporalJudgements(judged.queries), other);
  const outcome = { settings, by: judge.id, judged, agreement, budgeted, unusable };
  await report(outcome, terminal);
  return judged.left > 0 ? 1 : 0;
}

/** The documents of each query, best first: of the run, or with --data-quality of --qrels. */
async function documentsOf(invocation: Invocation, { quality }: Settings): Promise<Run> {
  const { signal } = invocation;
  if (!quality) return (await readRun(requiredOption(invocation, 'run'), { signal })).run;
  const qrels = await readQrels(await beirQrels(requiredOption(invocation, 'qrels')), {
    signal,
  });
  const relevant = (judged: ReadonlyMap<string, number>) =>
    [...judged].filter(([, grade]) => grade > 0);
  return new Map(
    [...qrels].map(([query, judged]) => [
      query,
      relevant(judged).map(([id, score]) => ({ id, score })),
    ]),
  );
}

function noDocuments(invocation: Invocation): AsOfError {
  const file = (option(invocation, 'run') ?? option(invocation, 'qrels'))!;
  const message = `${file}: Expected documents of the queries of ${option(invocation, 'queries')}, received none. Is it the right file?`;
  return new AsOfError('ERR_INVALID_INPUT', message, { details: { file } });
}

interface Settings {
  out: string;
  /** Whether data quality is judged instead of a run. */
  quality: boolean;
  depth: number;
  tempo: TempoDefinition;
  concurrency: number;
  budget: number | undefined;
  answers: string | undefined;
  against: string | undefined;
}

function settingsOf(invocation: Invocation): Settings {
  const [answers, against] = ['answers', 'against'].map((name) => option(invocation, name));
  const tempo = wordOption(invocation, 'tempo', tempoDefinitions) ?? 'paper';
  if (!modelChoice.isGiven(invocation)) refuseWithoutModel(invocation, ['cache', 'budget', 'jobs']);
  if (
    (option(invocation, 'corpus') === undefined) ===
    (option(invocation, 'documents') === undefined)
  ) {
    throw new UsageError(
      'The texts of the documents are needed: give --corpus DIR or --documents FILE.jsonl, ' +
        'one of them.',
    );
  }
  const quality = invocation.flags.has('data-quality');
  const excluded = (quality ? ['run', 'depth', 'tempo', 'answers', 'against'] : ['qrels']).find(
    (name) => option(invocation, name) !== undefined,
  );
  if (excluded)
    throw new UsageError(`--${excluded} is ${quality ? 'not for' : 'only for'} --data-quality.`);
  return {
    out: requiredOption(invocation, 'out'),
    quality,
    tempo,
    depth: quality ? Infinity : (countOption(invocation, 'depth') ?? 10),
    concurrency: countOption(invocation, 'jobs') ?? 1,
    budget: countOption(invocation, 'budget'),
    answers,
    against,
  };
}

interface Outcome {
  settings: Settings;
  by: string;
  judged: Awaited<ReturnType<typeof judgeRun>>;
  agreement: JudgeAgreement | undefined;
  /** Counts the calls of the model. */
  budgeted: { calls: number } | undefined;
  unusable: number;
}

async function report(
  { settings, by, judged, agreement, budgeted, unusable }: Outcome,
  terminal: Terminal,
): Promise<void> {
  const { queries, left } = judged;
  const { out, depth, tempo, against, budget } = settings;
  const temporal = queries.filter((each) => each.temporal);
  const cross = queries.filter((each) => each.crossPeriod).length;
  const documents = queries.reduce((sum, each) => sum + each.documents.length, 0);
  if (terminal.json) {
    await terminal.printJson({
      out,
      by,
      options: { depth, tempo, budget: budget ?? null },
      queries: queries.length,
      left,
      temporal: temporal.length,
      cross_period: cross,
      documents,
      ...(budgeted ? { calls: budgeted.calls, unusable } : {}),
      ...(agreement
        ? { agreement: { with: against ?? 'rules', ...agreementJson(agreement) } }
        : {}),
    });
    return;
  }
  const calls = budgeted ? `, ${counted(budgeted.calls, 'call', 'calls')} of the model` : '';
  const lost = unusable > 0 ? `, ${counted(unusable, 'unusable answer', 'unusable answers')}` : '';
  const kinds = `${temporal.length} temporal, ${cross} over several periods`;
  await terminal.print(
    `${out}: ${counted(queries.length, 'query', 'queries')} (${kinds}), ` +
      `${counted(documents, 'document', 'documents')} by ${by}${calls}${lost}\n`,
  );
  if (agreement) await terminal.print(`\n${agreementTable(agreement, by, against ?? 'rules')}`);
  sayLeft({ terminal }, left, ['query', 'queries']);
}
