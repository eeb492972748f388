// `asof train weights`: numeric options of a system, tuned by cross-validation.
import {
  type Command,
  UsageError,
  countOption,
  option,
  requiredOption,
  type Invocation,
  checkOutput,
  counted,
  table,
  corpusChoice,
  encoderChoice,
  wordOption,
} from 'asof/command';
import { writeFile } from 'node:fs/promises';
import { AsOfError } from 'asof';
import {
  evaluate,
  type EvaluationQuery,
  readQrels,
  type Qrels,
  parseMetrics,
  type Metric,
  readQueries,
} from '@asof/evaluation';
import { createSystem } from 'asof/papers';
import {
  tuneOptions,
  type TuningObjective,
  type OptionPoint,
  type TuningResult,
  numericOptions,
  optionsAt,
} from '../tuneOptions.js';

export const command: Command = {
  name: 'train weights',
  summary: "Tunes a system's numeric options on judged questions by cross-validation.",
  positionals: ['DIR'],
  options: {
    queries: { value: 'Q.jsonl', required: true, help: '{id, text, asked_at?} a line' },
    qrels: { value: 'R', required: true, help: "relevance judgements, TREC form or BEIR's tsv" },
    system: { short: 's', value: 'S', help: 'default tempralm' },
    output: {
      value: 'FILE',
      help: 'output {system, settings, trained} for --settings of asof ask and asof eval',
    },
    limit: { value: 'N', help: 'only the first N queries' },
    search: {
      value: 'NAME=V,V,...',
      multiple: true,
      group: 'training',
      help:
        'an option and its values: weight=0,0.5,1 or relevance.semantic=0,0.2,1; default: every ' +
        'numeric option, from 0 to 4 times its value',
    },
    metric: { value: 'M', group: 'training', help: 'metric to maximize, default mrr@10' },
    method: {
      value: 'M',
      group: 'training',
      help:
        'coordinate (default): one option at a time until none improves; grid: every ' +
        'combination',
    },
    folds: {
      value: 'N',
      group: 'training',
      help: 'folds of the questions, each scored with the choice of the others, default 5',
    },
    seed: { value: 'N', group: 'training', help: 'random seed, default 1' },
    ...encoderChoice.options,
  },
  details:
    'The held-out figure is the unbiased one: each question is scored with settings chosen ' +
    'without its fold. The written settings are chosen on all questions. An option whose values ' +
    'make no difference keeps its value.',
  example: 'asof train weights wiki.asof --queries q.jsonl --qrels r.tsv --output s.json',
};

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const name = option(invocation, 'system') ?? 'tempralm';
  const metric = parseMetrics(option(invocation, 'metric') ?? 'mrr@10')[0]!;
  const output = option(invocation, 'output');
  await checkOutput(output, 'output');
  const qrels = await readQrels(requiredOption(invocation, 'qrels'), { signal });
  const limit = countOption(invocation, 'limit');
  const all = await readQueries(requiredOption(invocation, 'queries'), { limit, signal });
  const queries = all.filter(({ id }) => qrels.has(id));
  if (queries.length === 0) throw new UsageError('None of the queries has judgements.');
  const corpus = await corpusChoice.openFolder(invocation.positionals[0]!, invocation, {
    create: false,
  });
  const bar = terminal.progress(name, 'settings');
  try {
    const { options } = createSystem(name, { corpus });
    const make = (path: string, value: number): unknown =>
      createSystem(name, { corpus, settings: optionsAt(options, { [path]: value }) });
    const known = searchable(numericOptions(options), make);
    if (Object.keys(known).length === 0 && !invocation.strings['search']) {
      throw new UsageError(`${name} has no numeric options to search: name another --system.`);
    }
    const space = spaceOf(invocation, known);
    checkNames(name, space, known, make);
    const objective = objectiveOf(
      (point) => createSystem(name, { corpus, settings: optionsAt(options, point) }),
      queries,
      qrels,
      metric,
    );
    const start = Object.fromEntries(Object.entries(known).filter(([path]) => path in space));
    const method = wordOption(invocation, 'method', ['coordinate', 'grid']) ?? 'coordinate';
    const result = await tuneOptions(objective, space, {
      start,
      method,
      folds: countOption(invocation, 'folds') ?? 5,
      seed: countOption(invocation, 'seed') ?? 1,
      signal,
      onProgress: bar.update,
    });
    bar.end();
    const report = {
      system: name,
      settings: optionsAt(options, result.best.point),
      trained: { metric: metric.name, queries: queries.length, method, space, ...result },
    };
    if (output !== undefined) await writeSettings(output, report);
    if (terminal.json) await terminal.printJson(report);
    else await terminal.print(render(result, metric.name, queries.length));
    return 0;
  } finally {
    bar.end();
    await corpus.close();
  }
}

/** The numeric options that the system takes: it also shows derived ones. */
function searchable(
  shown: Readonly<Record<string, number>>,
  make: (path: string, value: number) => unknown,
): Record<string, number> {
  const takes = ([path, value]: [string, number]): boolean => {
    try {
      make(path, value);
      make(path, value === 0 ? 1 : value / 2);
      return true;
    } catch (fault) {
      return !(AsOfError.is(fault) && fault.details['argument'] === 'settings');
    }
  };
  return Object.fromEntries(Object.entries(shown).filter(takes));
}

/**
 * @throws UsageError for a name that the system does not take; numbers that it does not list, such
 * as relevance.k1, are tried.
 */
function checkNames(
  system: string,
  space: Readonly<Record<string, readonly number[]>>,
  known: Readonly<Record<string, number>>,
  make: (path: string, value: number) => unknown,
): void {
  const takes = (path: string, value: number): boolean => {
    try {
      make(path, value);
      return true;
    } catch (fault) {
      if (AsOfError.is(fault)) return false;
      throw fault;
    }
  };
  for (const [path, values] of Object.entries(space)) {
    const partOfNumber = path.includes('.') && path.split('.')[0]! in known;
    if (path in known || (!partOfNumber && values.some((value) => takes(path, value)))) continue;
    const names = Object.keys(known).join(', ') || 'none';
    throw new UsageError(`--search ${path}: ${system} has no such number. It has ${names}.`);
  }
}

/** The options and values of --search; else every number, from 0 to 4 times its value. */
function spaceOf(
  invocation: Invocation,
  known: Readonly<Record<string, number>>,
): Record<string, number[]> {
  const named = invocation.strings['search'];
  if (!named) {
    const around = (value: number): number[] =>
      value === 0 ? [0, 0.25, 0.5, 1] : [0, 0.25, 0.5, 1, 2, 4].map((factor) => factor * value);
    return Object.fromEntries(Object.entries(known).map(([path, value]) => [path, around(value)]));
  }
  return Object.fromEntries(
    named.map((text) => {
      const match = /^([A-Za-z][\w.]*)=(.+)$/.exec(text.trim());
      const values =
        match?.[2]!.split(',').map((each) => (each.trim() === '' ? NaN : Number(each))) ?? [];
      if (!match || !values.every(Number.isFinite)) {
        throw new UsageError(
          `--search must be NAME=V,V,... with numbers, received ${JSON.stringify(text)}.`,
        );
      }
      return [match[1]!, values];
    }),
  );
}

function objectiveOf(
  make: (point: OptionPoint) => Parameters<typeof evaluate>[0],
  queries: readonly EvaluationQuery[],
  qrels: Qrels,
  metric: Metric,
): TuningObjective {
  return async (point, options) => {
    try {
      const { queries: scored } = await evaluate(make(point), queries, {
        metrics: [metric],
        qrels,
        ...options,
      });
      return scored.map(({ values }) => values[metric.name] ?? 0);
    } catch (fault) {
      // A value outside an option's range; an unknown name is an error.
      if (
        AsOfError.is(fault) &&
        fault.code === 'ERR_INVALID_ARGUMENT' &&
        fault.details['argument'] !== 'settings'
      )
        return undefined;
      throw fault;
    }
  };
}

async function writeSettings(path: string, report: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`).catch((cause: unknown) => {
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected to write ${path}, which failed: ${cause instanceof Error ? cause.message : String(cause)}. Free space, or name another file.`,
      { cause, details: { file: path } },
    );
  });
}

const pointText = (point: OptionPoint): string =>
  Object.entries(point)
    .map(([path, value]) => `${path} ${value}`)
    .join(', ') || 'unchanged';

function render(
  { best, start, heldOut, folds, tried, refused }: TuningResult,
  metric: string,
  questions: number,
): string {
  const { better, worse } = heldOut;
  const rows = [
    ['', metric, 'settings'],
    ['unchanged', start.mean.toFixed(4), pointText(start.point)],
    [
      'held out',
      heldOut.mean.toFixed(4),
      `${counted(better, 'question', 'questions')} better, ${worse} worse than unchanged`,
    ],
    ...folds.map(({ point, heldOut: score }, i) => [
      `  fold ${i + 1}`,
      score.toFixed(4),
      pointText(point),
    ]),
    ['chosen on all', best.mean.toFixed(4), pointText(best.point)],
  ];
  const notes = [
    `${counted(tried.length, 'setting', 'settings')} tried on ${counted(questions, 'question', 'questions')}`,
    ...(refused.length > 0 ? [`refused by the system: ${refused.map(pointText).join('; ')}`] : []),
  ];
  return `${table(rows, { align: ['left', 'right', 'left'] })}\n${notes.join('\n')}\n`;
}
