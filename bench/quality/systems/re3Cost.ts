// What Re3 costs and saves (its table 6, which is of forecasts): the milliseconds of its parts, p50
// and p99, against those of plain retrieval, and how many tokens a generator is spared by what was
// dropped of the five best passages, or by as many clean ones in their place. usage: node --import
// tsx bench/quality/systems/re3Cost.ts [--task nws,covid,hoh] [--questions 200] [--warm 20] [--keep
// DIR] [--model NAME --base-url URL] [--asked 10] Tokens are the embedded encoder's WordPieces, of
// the whole prompt (prompts/concatenated.txt). With a model, the time that it takes over
// either prompt. It judges no answer and tunes nothing.
import '../../../test/selectAddon.js';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from '../../options.js';
import { answeringPrompt } from '../../../lib/reading/prompts/prompt.js';
import { binding } from '../../../lib/binding.js';
import { parseQuestion } from '../../../lib/time/index.js';
import { re3 } from '../../../lib/papers/index.js';
import { readPassages } from '../../../lib/reading/reader.js';
import { timeEncoder } from '../../../lib/models/index.js';
import type { Corpus, Evidence, System, SystemResult, TextModel } from '../../../lib/index.js';
import { addon } from '../../../test/addon.js';
import { describeMachine, machine } from '../../machine.js';
import { quantile } from '../../report.js';
import { openModel } from '../openModel.js';
import { openSet, queriesOf, requireData, type SetQuery, workFolder } from '../sets/sets.js';

const { values } = parseArgs({
  options: {
    task: { type: 'string', default: 'nws,covid,hoh' },
    questions: { type: 'string', default: '200' },
    warm: { type: 'string', default: '20' },
    keep: { type: 'string' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    asked: { type: 'string', default: '10' },
  },
});
requireData();
/** The passages that a generator is given, as in the paper. */
const shown = 5;
/** Stages by part. */
const parts = {
  parse: /^parseTime/,
  fuse: /^fuseTime/,
  search: /^(?:retrieve|dense|bm25)/,
  filter: /^dropSuperseded/,
  'retrieval in all': /^(?!read)/,
  'answer by rules': /^read/,
};
const work = workFolder('re3-cost', values.keep);
const tokeniser = await binding.openStaticEncoder(
  fileURLToPath(new URL('../../../models/default-encoder.bin', import.meta.url)),
);
const model = await openModel(values.model, values['base-url']);
console.log(
  `${describeMachine(machine())}\nRe3's table 6, seconds, NOAA (plain RAG, Re3): retriever 0.15, 0.18; filter by Llama-3-8B none, 1.66;`,
);
console.log('generator GPT-4o 3.04, 2.14; in all 3.19, 3.98; input tokens 991, 414 (58.2 % fewer)');
for (const task of values.task.split(',')) {
  const { corpus, folder } = await openSet(work, task);
  await corpus.fuse(await timeEncoder(corpus.encoder));
  const asked = queriesOf(folder, 'queries', Number(values.warm) + Number(values.questions));
  await measure(task, corpus, asked);
  await corpus.close();
}

async function measure(task: string, corpus: Corpus, all: readonly SetQuery[]): Promise<void> {
  const [plain, whole] = [re3({ corpus, weights: false, versions: false }), re3({ corpus })];
  const unfiltered = re3({ corpus, versions: false });
  const [first, asked] = [all.slice(0, Number(values.warm)), all.slice(Number(values.warm))];
  const found = {
    plain: [] as SystemResult[],
    unfiltered: [] as SystemResult[],
    whole: [] as SystemResult[],
  };
  const run = (system: System, query: SetQuery): Promise<SystemResult> =>
    system.run(questionOf(query), { k: shown });
  for (const query of first)
    for (const system of [plain, unfiltered, whole]) await run(system, query);
  const load = loadavg()[0]!.toFixed(1);
  // In turn, so that all meet the same load.
  for (const query of asked) {
    found.plain.push(await run(plain, query));
    found.unfiltered.push(await run(unfiltered, query));
    found.whole.push(await run(whole, query));
  }
  console.log(
    `\n## ${task}: ${asked.length} questions, ${corpus.info().passages} passages, load ${load} to ${loadavg()[0]!.toFixed(1)}\n`,
  );
  stages(found.plain, found.whole);
  await saved(asked, found.unfiltered, found.whole);
}

function questionOf({ text, askedAt }: SetQuery): { text: string; askedAt?: string } {
  return askedAt === undefined ? { text } : { text, askedAt };
}

function stages(plain: readonly SystemResult[], whole: readonly SystemResult[]): void {
  console.log(
    '| part | dense: p50, p99 ms | re3: p50, p99 ms | processor, p50 ms |\n|---|---|---|---|',
  );
  const times = (
    of: readonly SystemResult[],
    part: RegExp,
    what: 'milliseconds' | 'processorMilliseconds',
  ): number[] =>
    of.map(({ trace }) =>
      trace
        .filter(({ stage }) => part.test(stage))
        .reduce((sum, entry) => sum + (entry[what] ?? 0), 0),
    );
  for (const [name, part] of Object.entries(parts)) {
    const elapsed = [plain, whole].map((of) => spread(times(of, part, 'milliseconds')));
    const cells = [name, ...elapsed, at(times(whole, part, 'processorMilliseconds'), 0.5)];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function at(list: readonly number[], share: number): string {
  const value = quantile(list, share);
  return value.toFixed(value < 10 ? 2 : 1);
}
function spread(list: readonly number[]): string {
  return `${at(list, 0.5)}, ${at(list, 0.99)}`;
}

/**
 * The prompt over the five best as found, over what the filter leaves of them, and over the five
 * best that it leaves.
 */
async function saved(
  asked: readonly SetQuery[],
  unfiltered: readonly SystemResult[],
  whole: readonly SystemResult[],
): Promise<void> {
  const contexts = asked.map((_, i) => {
    const found = unfiltered[i]!.evidence;
    const out = new Set(whole[i]!.dropped?.map(({ id }) => id));
    return { found, left: found.filter(({ id }) => !out.has(id)), filled: whole[i]!.evidence };
  });
  const mean = (list: readonly number[]): number =>
    list.reduce((sum, each) => sum + each, 0) / list.length;
  const names = {
    found: 'five as found',
    left: 'what is left of them',
    filled: 'five that are left',
  } as const;
  const tokensOf = (name: keyof typeof names): number =>
    mean(asked.map((query, i) => tokens(query, contexts[i]![name])));
  const bare = mean(asked.map((query) => tokens(query, [])));
  const before = tokensOf('found');
  console.log(
    '\n| generator given | passages | tokens of the prompt | of the passages | fewer ' +
      '|\n|---|---|---|---|---|',
  );
  for (const [key, label] of Object.entries(names) as [keyof typeof names, string][]) {
    const used = tokensOf(key);
    const cells = [
      label,
      mean(contexts.map((each) => each[key].length)).toFixed(2),
      used.toFixed(0),
      (used - bare).toFixed(0),
      key === 'found'
        ? ''
        : `${fewer(before, used)}, of the passages ${fewer(before - bare, used - bare)}`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  if (model) await generated(model, asked, contexts);
}

function fewer(before: number, after: number): string {
  return `${((100 * (before - after)) / before).toFixed(1)} %`;
}

function tokens(query: SetQuery, passages: readonly Evidence[]): number {
  const { system = '', prompt } = answeringPrompt(
    'concatenated',
    {},
    parseQuestion(questionOf(query)),
    passages,
  );
  return (
    addon.tokenizeText(tokeniser, system).length + addon.tokenizeText(tokeniser, prompt).length
  );
}

/**
 * How long a small model takes over either prompt, one at a time, so that both meet the same
 * load.
 */
async function generated(
  by: TextModel,
  asked: readonly SetQuery[],
  contexts: readonly { found: Evidence[]; left: Evidence[] }[],
): Promise<void> {
  const times = { found: [] as number[], left: [] as number[] };
  for (const [i, query] of asked.slice(0, Number(values.asked)).entries()) {
    for (const key of ['found', 'left'] as const) {
      const started = performance.now();
      await readPassages(questionOf(query), contexts[i]![key], {
        mode: 'concatenated',
        model: by,
        passages: shown,
      });
      times[key].push(performance.now() - started);
    }
  }
  const [found, left] = [at(times.found, 0.5), at(times.left, 0.5)];
  console.log(
    `\n${by.id}, ${times.found.length} questions: p50 ${found} ms over five as found, ${left} ms over what is left`,
  );
}
