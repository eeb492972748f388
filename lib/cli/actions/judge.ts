// `asof judge`: temporal judgements of the documents of a run, by rules or by a model.
import { AsOfError } from '../../errors.js';
import { beirQrels } from '../../eval/files/beir.js';
import { readJudgements } from '../../eval/files/judgements.js';
import { readRun, readQrels, type Run } from '../../eval/files/trec.js';
import { toTemporalJudgements, judgeAgreement, type JudgeAgreement } from '../../eval/judges/agreement.js';
import type { BudgetedModel } from '../../eval/judges/budget.js';
import { judgeRun } from '../../eval/judges/judgeRun.js';
import { writeJudgements, type JudgeDocument, type JudgeInstance, type JudgeQuestion } from '../../eval/judges/judgement.js';
import { modelJudge } from '../../eval/judges/modelJudge.js';
import { ruleJudge } from '../../eval/judges/ruleJudge.js';
import { tempoDefinitions, type TempoDefinition } from '../../eval/measures/temporal.js';
import { invalidLine, stringField, readJsonLines, type LineLocation } from '../../text/lines.js';
import { parseQuestion } from '../../time/question/question.js';
import { UsageError, countOption, option, requiredOption, suggestion, type Invocation } from '../command.js';
import { command } from '../commands/judge.js';
import { judgeQuality } from '../dataQuality.js';
import { located, passageShape } from '../inputs/jsonLines.js';
import { openModel } from '../inputs/model.js';
import { keptModel } from '../inputs/modelCache.js';
import { openCorpus } from '../inputs/corpus.js';
import { namesModel } from '../options/model.js';
import { checkOutput } from '../outputs.js';
import { agreementJson, agreementTable } from '../tables/agreement.js';
import { counted } from '../tables/layout.js';
import type { Terminal } from '../terminal.js';

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const settings = settingsOf(invocation);
  await checkOutput(settings.out, 'out');
  const queries = await readQuestions(requiredOption(invocation, command, 'queries'), signal);
  if (queries.length === 0)
    throw new UsageError(`${option(invocation, 'queries')} has no queries.`, command.name);
  const run = await documentsOf(invocation, settings);
  if (!queries.some(({ question }) => run.has(question.id))) throw hasNoDocuments(invocation);
  const against =
    settings.against === undefined
      ? undefined
      : await readJudgements(settings.against, { signal });
  const wanted = wantedDocuments(queries, run, settings.depth);
  const documents = await readDocuments(invocation, wanted);
  const answers =
    settings.answers === undefined
      ? {}
      : { answers: await readAnswers(settings.answers, queries, signal) };
  await using opened = await openModel(invocation, command);
  const unusable = { count: 0 };
  const kept =
    opened.options.model && (await keptModel(opened.options.model, invocation, command));
  const asked = kept?.asked;
  const judge = kept
    ? modelJudge(kept.model, { onUnusable: () => (unusable.count += 1) })
    : ruleJudge();
  const { depth, tempo, concurrency, quality } = settings;
  const options = { depth, tempo, signal, ...answers };
  const source = (id: string): JudgeDocument | undefined => documents.get(id);
  if (quality) {
    return judgeQuality(judge, instancesOf(queries, run, source), {
      out: settings.out,
      concurrency,
      asked,
      terminal,
      signal,
    });
  }
  const bar = terminal.progress('judging', 'documents');
  const judged = await judgeRun(
    judge,
    queries.map(({ question }) => question),
    run,
    source,
    { ...options, concurrency, onProgress: bar.update },
  ).finally(() => bar.end());
  await writeJudgements(settings.out, judged.queries, { tempo, signal });
  const other =
    against ??
    (asked &&
      toTemporalJudgements(
        (
          await judgeRun(
            ruleJudge(),
            queries.map(({ question }) => question),
            run,
            source,
            options,
          )
        ).queries,
      ));
  const agreed = other && judgeAgreement(toTemporalJudgements(judged.queries), other);
  await report(
    { settings, by: judge.id, judged, agreed, asked, unusable: unusable.count },
    terminal,
  );
  return judged.left > 0 ? 1 : 0;
}

/**
 * The documents of each query, best first: those of the run, or the evidence that --qrels names.
 */
async function documentsOf(invocation: Invocation, { quality }: Settings): Promise<Run> {
  const { signal } = invocation;
  if (!quality) return (await readRun(requiredOption(invocation, command, 'run'), { signal })).run;
  const qrels = await readQrels(await beirQrels(requiredOption(invocation, command, 'qrels')), {
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

function hasNoDocuments(invocation: Invocation): AsOfError {
  const file = (option(invocation, 'run') ?? option(invocation, 'qrels'))!;
  const message = `${file}: Expected documents of the queries of ${option(invocation, 'queries')}, received none of any. Is it the right file?`;
  return new AsOfError('ERR_INVALID_INPUT', message, { details: { file } });
}

function instancesOf(
  queries: readonly Asked[],
  run: Run,
  source: (id: string) => JudgeDocument | undefined,
): JudgeInstance[] {
  return queries.flatMap(({ question, plan }) => {
    const ids = (run.get(question.id) ?? []).map(({ id }) => id);
    const missing = ids.find((id) => source(id) === undefined);
    if (missing !== undefined) throw lacksDocument(missing, question.id);
    return ids.length === 0 ? [] : [{ question, plan, documents: ids.map((id) => source(id)!) }];
  });
}

function lacksDocument(document: string, query: string): AsOfError {
  const message = `Expected a document ${JSON.stringify(document)}, which --qrels has for question ${JSON.stringify(query)}, found none.`;
  return new AsOfError('ERR_NOT_FOUND', `${message} Give the documents that were annotated.`, {
    details: { document, query },
  });
}

interface Settings {
  out: string;
  /** Whether instances as a whole are judged. */
  quality: boolean;
  depth: number;
  tempo: TempoDefinition;
  concurrency: number;
  budget: number | undefined;
  answers: string | undefined;
  against: string | undefined;
}

function settingsOf(invocation: Invocation): Settings {
  const [tempo = 'paper', answers, against] = ['tempo', 'answers', 'against'].map((name) =>
    option(invocation, name),
  );
  if (!tempoDefinitions.includes(tempo as TempoDefinition)) {
    throw new UsageError(
      `--tempo must be paper or code, received ${JSON.stringify(tempo)}.${suggestion(tempo, tempoDefinitions)}`,
      command.name,
    );
  }
  if (!namesModel(invocation)) {
    const needless = ['cache', 'budget', 'jobs'].find(
      (name) => option(invocation, name) !== undefined,
    );
    if (needless)
      throw new UsageError(
        `--${needless} is about a model: name one with --model, or leave it out.`,
        command.name,
      );
  }
  if (
    (option(invocation, 'corpus') === undefined) ===
    (option(invocation, 'documents') === undefined)
  ) {
    throw new UsageError(
      'The texts of the documents are needed: give --corpus DIR or --documents FILE.jsonl, ' +
        'one of them.',
      command.name,
    );
  }
  const quality = invocation.flags.has('data-quality');
  const unfit = (quality ? ['run', 'depth', 'tempo', 'answers', 'against'] : ['qrels']).find(
    (name) => option(invocation, name) !== undefined,
  );
  if (unfit)
    throw new UsageError(
      `--${unfit} is ${quality ? 'not for' : 'only for'} --data-quality.`,
      command.name,
    );
  return {
    out: requiredOption(invocation, command, 'out'),
    quality,
    tempo: tempo as TempoDefinition,
    depth: quality ? Infinity : (countOption(invocation, command, 'depth') ?? 10),
    concurrency: countOption(invocation, command, 'jobs') ?? 1,
    budget: countOption(invocation, command, 'budget'),
    answers,
    against,
  };
}

interface Asked {
  question: JudgeQuestion;
  references: readonly string[];
  /** The steps of its retrieval plan. */
  plan: readonly string[];
}

async function readQuestions(path: string, signal: AbortSignal): Promise<Asked[]> {
  const asked = new Map<string, Asked>();
  const list = (record: Record<string, unknown>, name: string, where: LineLocation): unknown[] => {
    const value = record[name] ?? [];
    if (
      !Array.isArray(value) ||
      !value.every((each) => typeof each === 'string' || typeof each === 'number')
    ) {
      throw invalidLine(
        where,
        `"${name}" to be a list of strings`,
        JSON.stringify(value).slice(0, 60),
      );
    }
    return value;
  };
  const shape = (record: Record<string, unknown>, where: LineLocation): Asked => {
    const [id, text] = [stringField(record, 'id', where), stringField(record, 'text', where)];
    const askedAt = stringField(record, 'asked_at', where, 'allowed');
    if (asked.has(id))
      throw invalidLine(where, 'each query id once', `${JSON.stringify(id)} again`);
    located(() => parseQuestion(askedAt === undefined ? { text } : { text, askedAt }), where);
    const given = record['query_guidance'] ?? undefined;
    if (given !== undefined && (typeof given !== 'object' || Array.isArray(given))) {
      throw invalidLine(
        where,
        '"query_guidance" to be an object',
        JSON.stringify(given).slice(0, 60),
      );
    }
    const guidance = given as Record<string, unknown> | undefined;
    const reasoningClass =
      guidance && stringField(guidance, 'temporal_reasoning_class_primary', where, 'allowed');
    const known = guidance && {
      isTemporal: guidance['is_temporal_query'] === true,
      keyTimeAnchors: list(guidance, 'key_time_anchors', where).map(String),
      ...(reasoningClass === undefined ? {} : { reasoningClass }),
    };
    const question = {
      id,
      text,
      ...(askedAt === undefined ? {} : { askedAt }),
      ...(known ? { guidance: known } : {}),
    };
    return {
      question,
      references: list(record, 'answers', where).map(String),
      plan: planOf(guidance, where),
    };
  };
  for await (const each of readJsonLines(path, shape, { signal }))
    asked.set(each.question.id, each);
  return [...asked.values()];
}

/** What each step of a plan is to find. */
function planOf(guidance: Record<string, unknown> | undefined, where: LineLocation): string[] {
  const steps = guidance?.['retrieval_plan'] ?? [];
  if (!Array.isArray(steps) || !steps.every((step) => typeof step === 'object' && step !== null)) {
    throw invalidLine(
      where,
      '"retrieval_plan" to be a list of steps {action}',
      JSON.stringify(steps).slice(0, 60),
    );
  }
  return (steps as Record<string, unknown>[]).map((step) => stringField(step, 'action', where));
}

function wantedDocuments(queries: readonly Asked[], run: Run, depth: number): Set<string> {
  return new Set(
    queries.flatMap(({ question }) =>
      (run.get(question.id) ?? []).slice(0, depth).map(({ id }) => id),
    ),
  );
}

/** The texts of the documents that are wanted, and of no others. */
async function readDocuments(
  invocation: Invocation,
  wanted: ReadonlySet<string>,
): Promise<Map<string, JudgeDocument>> {
  const found = new Map<string, JudgeDocument>();
  for (const file of invocation.strings['documents'] ?? []) {
    const shape = passageShape();
    for await (const passage of readJsonLines(file, shape, { signal: invocation.signal })) {
      if (wanted.has(passage.id)) found.set(passage.id, passage);
    }
  }
  const folder = option(invocation, 'corpus');
  if (folder === undefined) return found;
  const corpus = await openCorpus(folder, invocation, { readOnly: true });
  try {
    for (const id of wanted) {
      const passage = corpus.get(id);
      if (passage) found.set(id, passage);
    }
  } finally {
    await corpus.close();
  }
  return found;
}

async function readAnswers(
  path: string,
  queries: readonly Asked[],
  signal: AbortSignal,
): Promise<Map<string, { answer: string; references: readonly string[] }>> {
  const references = new Map(queries.map((each) => [each.question.id, each.references]));
  const answers = new Map<string, { answer: string; references: readonly string[] }>();
  const shape = (record: Record<string, unknown>, where: LineLocation): [string, string] => [
    stringField(record, 'id', where),
    stringField(record, 'answer', where),
  ];
  for await (const [id, answer] of readJsonLines(path, shape, { signal })) {
    const known = references.get(id) ?? [];
    if (known.length > 0) answers.set(id, { answer, references: known });
  }
  return answers;
}

interface Outcome {
  settings: Settings;
  by: string;
  judged: Awaited<ReturnType<typeof judgeRun>>;
  agreed: JudgeAgreement | undefined;
  asked: BudgetedModel | undefined;
  unusable: number;
}

async function report(
  { settings, by, judged, agreed, asked, unusable }: Outcome,
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
      ...(asked ? { calls: asked.calls, unusable } : {}),
      ...(agreed ? { agreement: { with: against ?? 'rules', ...agreementJson(agreed) } } : {}),
    });
    return;
  }
  const calls = asked ? `, ${counted(asked.calls, 'call', 'calls')} of the model` : '';
  const lost =
    unusable > 0 ? `, ${counted(unusable, 'answer', 'answers')} that could not be used` : '';
  await terminal.print(
    `${out}: ${counted(queries.length, 'query', 'queries')} (${temporal.length} temporal, ${cross} over several periods), ` +
      `${counted(documents, 'document', 'documents')} by ${by}${calls}${lost}\n`,
  );
  if (agreed) await terminal.print(`\n${agreementTable(agreed, by, against ?? 'rules')}`);
  if (left > 0)
    terminal.say(
      `asof: the budget left ${counted(left, 'query', 'queries')} unjudged and unwritten; repeat with --cache to continue`,
    );
}
