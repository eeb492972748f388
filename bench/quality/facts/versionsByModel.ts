// The recency filter by a model's facts beside the one by rules, on the same candidates: `node
// --import tsx bench/quality/facts/versionsByModel.ts
// --model gguf:FILE | --model NAME --base-url URL [--task nws,hoh] [--sample 10] [--depth 5]
// [--system bm25+mask] [--keep DIR]`. One listwise call a question (Re3 section 3.4), its JSON
// checked and asked for once more; a question whose JSON does not fit either time is counted and
// nothing is dropped there, where the library fails. It trains and changes nothing.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from '../../options.js';
import { AsOfError, type Passage, type TextModel } from '../../../lib/index.js';
import { createSystem } from '../../../lib/papers/index.js';
import type { ArbitratedVersion } from '../../../lib/facts/versions/arbitrate.js';
import { voteOnVersions } from '../../../lib/facts/versions/byRules.js';
import { ggufTextModel, openAiCompatible } from '../../../lib/models/index.js';
import { parseQuestion } from '../../../lib/time/index.js';
import { parseMetrics, readQrels, scoreRun, type Run } from '../../../lib/eval/index.js';
import { arbitrateByModel } from '../../../lib/facts/versions/byModel.js';
import { describeMachine, machine } from '../../machine.js';
import { dataIsHere, evaluationSets, openSet, queriesOf } from '../sets/sets.js';

const { values } = parseArgs({
  options: {
    task: { type: 'string', default: 'nws,hoh' },
    sample: { type: 'string', default: '10' },
    depth: { type: 'string', default: '5' },
    system: { type: 'string', default: 'bm25+mask' },
    keep: { type: 'string' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
  },
});
if (!dataIsHere || values.model === undefined) {
  console.log(
    `not run: ${dataIsHere ? 'no --model' : 'the evaluation data (../shared) is not on this machine'}`,
  );
  process.exit(0);
}
const used = { calls: 0, input: 0, output: 0 };
const model = counted(await openModel(values.model));
const work = values.keep ?? mkdtempSync(join(tmpdir(), 'asof-versions-'));
mkdirSync(work, { recursive: true });
console.log(
  `${describeMachine(machine())}\nmodel ${model.id}, the best ${values.depth} of ${values.system}`,
);
for (const task of values.task.split(',')) await measure(task);
if (!values.keep) rmSync(work, { recursive: true, force: true });
process.exit(0);

async function openModel(name: string): Promise<TextModel> {
  if (name.startsWith('gguf:')) return ggufTextModel({ path: name.slice(5), threads: 1 });
  if (values['base-url'] === undefined) throw new Error('Expected --base-url with --model NAME.');
  return openAiCompatible({ baseURL: values['base-url'], model: name });
}

function counted(inner: TextModel): TextModel {
  return {
    id: inner.id,
    generate: async (request) => {
      const answer = await inner.generate(request);
      used.calls += 1;
      used.input += answer.usage?.inputTokens ?? 0;
      used.output += answer.usage?.outputTokens ?? 0;
      return answer;
    },
  };
}

async function measure(task: string): Promise<void> {
  const { corpus, qrels, folder } = await openSet(work, task);
  const judged = { current: qrels, outdated: await readQrels(join(folder, 'outdated.tsv')) };
  const set = evaluationSets.find((each) => each.task === task)!;
  const asked = queriesOf(folder, set.queries, Number(values.sample));
  const system = createSystem(values.system, { corpus });
  const runs: Record<'none' | 'rules' | 'model', Run> = {
    none: new Map(),
    rules: new Map(),
    model: new Map(),
  };
  const lost = { none: 0, rules: 0, model: 0 };
  const dropped = { none: 0, rules: 0, model: 0 };
  let [unfit, ms] = [0, 0];
  Object.assign(used, { calls: 0, input: 0, output: 0 });
  for (const { id, text, askedAt } of asked) {
    const question = { text, ...(askedAt === undefined ? {} : { askedAt }) };
    const { evidence } = await system.run(question, { k: Number(values.depth) });
    const started = performance.now();
    const byModel = await votesOfModel(question, evidence);
    ms += performance.now() - started;
    if (!byModel) unfit += 1;
    const votes = {
      none: [],
      model: byModel ?? [],
      rules: await voteOnVersions(question, evidence.map(passageOf)),
    };
    for (const [name, run] of Object.entries(runs) as [keyof typeof runs, Run][]) {
      const out = new Set(votes[name].filter(({ vote }) => vote < 0).map((each) => each.id));
      run.set(
        id,
        evidence
          .filter((each) => !out.has(each.id))
          .map((each) => ({ id: each.id, score: each.score })),
      );
      dropped[name] += out.size;
      lost[name] += [...out].filter((each) => (qrels.get(id)?.get(each) ?? 0) > 0).length;
    }
  }
  console.log(`\n## ${set.name}, ${asked.length} questions`);
  for (const [name, run] of Object.entries(runs) as [keyof typeof runs, Run][]) {
    const { current, ...versions } = judged;
    const metrics = parseMetrics('current@1,current@5,outdated@5,clean@5');
    const queries = asked.map(({ id }) => id);
    const { averages } = scoreRun(run, current, metrics, { versions, queries });
    const shares = Object.fromEntries(
      metrics.map((each) => [each.name, averages[each.name]?.mean ?? 0]),
    );
    const line = Object.entries(shares)
      .map(([label, value]) => `${label} ${value.toFixed(2)}`)
      .join('  ');
    console.log(`${name.padEnd(6)} ${line}  dropped ${dropped[name]}, relevant ${lost[name]}`);
  }
  const each = (total: number): string => (total / asked.length).toFixed(0);
  const cost = `${each(used.input)}+${each(used.output)} tokens and ${each(ms)} ms a question`;
  console.log(`model: ${used.calls} calls, JSON that fits neither time ${unfit}, ${cost}`);
  await corpus.close();
}

function passageOf({
  id,
  text,
  title,
  publishedAt,
}: {
  id: string;
  text: string;
  title?: string;
  publishedAt?: number;
}): Passage {
  return {
    id,
    text,
    ...(title === undefined ? {} : { title }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
  };
}

/** Undefined where the model's JSON fits neither time. */
async function votesOfModel(
  question: { text: string; askedAt?: string },
  evidence: readonly { id: string; text: string; title?: string; publishedAt?: number }[],
): Promise<ArbitratedVersion[] | undefined> {
  const parsed = parseQuestion(question);
  try {
    return await arbitrateByModel(model, parsed, evidence, { until: parsed.askedAt });
  } catch (error) {
    if (error instanceof AsOfError && error.code === 'ERR_MODEL_FAILED') return undefined;
    throw error;
  }
}
