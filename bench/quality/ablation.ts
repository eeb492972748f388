// What each stage of each system is worth: one row per stage removed
// by options, on every set, as the change of the set's main measure against the whole system, with
// a paired randomisation test so that noise is not called gain:
// `node --import tsx bench/quality/ablation.ts [--system mrag,...] [--set "timeqa hard",...]
// [--sample N] [--encoder FOLDER] [--keep DIR] [--rounds N] [--docs]`. In --set, NAME:N asks a
// sample of N of that set; --encoder opens an ONNX model in place of the embedded encoder. A stage
// without measurable gain on any set is marked as such; --docs rewrites that section of
// docs/comparison.md. Nothing is tuned here; no model is asked.
// --keep also keeps what is measured, by commit: an interrupted run continues, and runs
// of some sets each make one page together.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from '../options.js';
import { createSystem, type Settings } from '../../lib/papers/index.js';
import {
  evaluate,
  pairedDifference,
  parseMetrics,
  type Qrels,
  type QueryScores,
} from '../../packages/evaluation/lib/index.js';
import type { PairedDifference } from '../../packages/evaluation/lib/comparison/pairedTest.js';
import type { Corpus } from '../../lib/index.js';
import { onnxEncoder } from '../../lib/models/index.js';
import { describeMachine, machine } from '../machine.js';
import { publish, say } from '../report.js';
import { ablations } from './ablationRows.js';
import {
  evaluationSets,
  openSet,
  queriesOf,
  requireData,
  type SetName,
  type SetQuery,
  workFolder,
} from './sets/sets.js';

const { values } = parseArgs({
  options: {
    system: { type: 'string', default: Object.keys(ablations).join(',') },
    set: { type: 'string', default: evaluationSets.map(({ name }) => name).join(',') },
    sample: { type: 'string' },
    rounds: { type: 'string', default: '10000' },
    encoder: { type: 'string' },
    keep: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});
/**
 * A difference is called one where chance alone gives it this rarely, divided by the sets that a
 * row is tried on (Bonferroni).
 */
const level = 0.05;

const systems = chosen('--system', values.system, Object.keys(ablations));
/** A set and how many of its questions are asked at most. */
type SetSample = SetName & { sample: number };
const sets = setsOf(values.set);
requireData();
const work = workFolder('ablation', values.keep);

const on = machine();
console.log(describeMachine(on));
const encoder =
  values.encoder === undefined ? {} : { encoder: await onnxEncoder({ path: values.encoder }) };
interface Result {
  mean: number;
  /** Absent for the whole system. */
  paired?: PairedDifference;
}
/** Stages that gain nothing that shows on any set, by system. */
const idle = new Map<string, string[]>();
/** Difference and whole score, by system, stage ('' is the whole) and set. */
const results = new Map<string, Result>();
const key = (system: string, stage: string, set: SetName): string =>
  JSON.stringify([system, stage, set.name]);
for (const task of new Set(sets.map((set) => set.task))) {
  const missing = sets.filter(
    (set) => set.task === task && !systems.every((system) => known(set, system)),
  );
  if (missing.length === 0) continue;
  const { corpus, qrels, folder } = await openSet(work, task, encoder);
  for (const set of missing)
    await measureSet(set, corpus, qrels, queriesOf(folder, set.queries, set.sample));
  await corpus.close();
}
await encoder.encoder?.[Symbol.asyncDispose]();
const tables = systems.map(tableOf).join('\n');
say(`${measuredOn()}\n\n${idleStages()}\n\n${tables}`);
if (values.docs) publish('bench/quality/ablation.ts', 'comparison.md');

function fileOf(set: SetSample, system: string): string {
  const questions = Number.isFinite(set.sample) ? `, ${set.sample} a set` : '';
  return join(
    work,
    'ablation',
    `${on.commit}, ${values.rounds} rounds${questions}${values.encoder ? ', another encoder' : ''}`,
    `${set.name}, ${system}.json`,
  );
}

/**
 * Whether a set was measured by this system at this commit; its results are read. What was changed
 * since its commit is measured anew.
 */
function known(set: SetSample, system: string): boolean {
  const file = fileOf(set, system);
  if (on.commit.includes(' ') || !existsSync(file)) return false;
  for (const [stage, result] of JSON.parse(readFileSync(file, 'utf8')) as [string, Result][])
    results.set(key(system, stage, set), result);
  return true;
}

async function measureSet(
  set: SetSample,
  corpus: Corpus,
  qrels: Qrels,
  queries: readonly SetQuery[],
): Promise<void> {
  const scores = async (system: string, settings: Settings): Promise<QueryScores[]> =>
    (
      await evaluate(createSystem(system, { corpus, settings }), queries, {
        qrels,
        metrics: parseMetrics(set.measure),
      })
    ).queries;
  for (const system of systems.filter((each) => !known(set, each))) {
    const started = performance.now();
    const whole = await scores(system, {});
    const found = new Map<string, Result>([['', { mean: meanOf(whole, set.measure) }]]);
    for (const { stage, settings } of ablations[system]!) {
      const without = await scores(system, settings);
      // The second minus the first: what is lost without the stage is negative.
      const paired = pairedDifference(whole, without, set.measure, {
        rounds: Number(values.rounds),
      });
      found.set(stage, { mean: meanOf(without, set.measure), paired });
    }
    for (const [stage, result] of found) results.set(key(system, stage, set), result);
    mkdirSync(dirname(fileOf(set, system)), { recursive: true });
    writeFileSync(`${fileOf(set, system)}.new`, JSON.stringify([...found]));
    renameSync(`${fileOf(set, system)}.new`, fileOf(set, system));
    console.error(
      `${set.name}: ${system}, ${queries.length} questions, ${((performance.now() - started) / 1000).toFixed(0)} s`,
    );
  }
}

function meanOf(scores: readonly QueryScores[], measure: string): number {
  const all = scores.flatMap(({ values: each }) => each[measure] ?? []);
  return all.reduce((sum, each) => sum + each, 0) / all.length;
}

/**
 * One Markdown table: the whole system's value, then a row per stage; `*` where the change is more
 * than chance.
 */
function tableOf(system: string): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = [`## ${system}`, ''];
  lines.push(
    row([
      'without',
      ...sets.map(({ name, measure }) => `${name} ${measure}`),
      'what the stage gains',
    ]),
  );
  lines.push(row(['---', ...sets.map(() => '---:'), '---']));
  lines.push(
    row([
      '*nothing*',
      ...sets.map((set) => results.get(key(system, '', set))!.mean.toFixed(3)),
      '',
    ]),
  );
  const without: string[] = [];
  for (const { stage, adds } of ablations[system]!) {
    const cells = sets.map((set) => ({ set, ...results.get(key(system, stage, set))!.paired! }));
    const sure = cells.filter(({ p }) => p < level / sets.length);
    const shown = cells.map((cell) =>
      cell.differing === 0
        ? '0'
        : `${signed(cell.difference)} (${probability(cell.p)})${sure.includes(cell) ? '\\*' : ''}`,
    );
    const names = (some: readonly { set: SetName }[]): string =>
      some.map(({ set }) => set.name).join(', ');
    const gains = sure.filter(({ difference }) => (adds ? difference > 0 : difference < 0));
    const costs = sure.filter((each) => !gains.includes(each));
    if (gains.length === 0) without.push(adds ? `${stage} (put in)` : stage);
    const verdict = [
      gains.length > 0 ? names(gains) : '**no measurable gain on any set**',
      ...(costs.length > 0 ? [`costs on ${names(costs)}`] : []),
    ].join('; ');
    lines.push(row([adds ? `(with) ${stage}` : stage, ...shown, verdict]));
  }
  idle.set(system, without);
  return `${lines.join('\n')}\n`;
}

/** What is worth nothing that shows, said before the tables. */
function idleStages(): string {
  const lines = [...idle].map(
    ([system, stages]) => `- \`${system}\`: ${stages.join('; ') || 'none'}.`,
  );
  return ['Without measurable gain on any set:', '', ...lines].join('\n');
}

/** What the tables are of. */
function measuredOn(): string {
  const left = evaluationSets
    .filter(({ name }) => !sets.some((set) => set.name === name))
    .map(({ name }) => name)
    .join(', ');
  const by = encoder.encoder?.id ?? 'the embedded encoder';
  const fewest = Math.ceil(Math.log2((2 * sets.length) / level));
  return (
    `Commit ${on.commit}, ${questionsAsked()}, ${by}. \\* marks p < ${level} / ${sets.length} sets, ` +
    `which takes at least ${fewest} questions that all change one way.` +
    (left ? ` Not measured: ${left}.` : '')
  );
}

/** How many questions of which sets. */
function questionsAsked(): string {
  const samples = [...new Set(sets.map(({ sample }) => sample))];
  const named = samples.map((sample) => {
    const asked = Number.isFinite(sample)
      ? `a fixed sample of at most ${sample} questions`
      : 'all questions';
    const of = sets.filter((set) => set.sample === sample).map(({ name }) => name);
    return `${asked} of ${samples.length === 1 ? 'each set' : of.join(', ')}`;
  });
  return named.join(' and ');
}

function setsOf(given: string): SetSample[] {
  return given.split(',').map((each) => {
    const [name, sample = values.sample] = each.trim().split(':') as [string, string?];
    const set = evaluationSets.find((known) => known.name === name);
    if (!set)
      throw new Error(
        `Expected --set to name some of ${evaluationSets.map((known) => known.name).join(', ')}, received ${name}.`,
      );
    return { ...set, sample: sample === undefined ? Infinity : Number(sample) };
  });
}

function signed(difference: number): string {
  return `${difference < 0 ? '-' : '+'}${Math.abs(difference).toFixed(3)}`;
}

function probability(p: number): string {
  return p < 0.001 ? '<.001' : p.toFixed(p < 0.1 ? 3 : 2).replace(/^0/, '');
}

function chosen(option: string, given: string, known: readonly string[]): string[] {
  const names = given.split(',').map((each) => each.trim());
  const wrong = names.find((each) => !known.includes(each));
  if (wrong !== undefined)
    throw new Error(`Expected ${option} to name some of ${known.join(', ')}, received ${wrong}.`);
  return names;
}
