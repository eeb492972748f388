// The main table of a comparison for docs/comparison.md: one figure a set and system, then what
// falls where only time constraints change, then what it took; of other results, such as those by
// another encoder, the main table alone. It reads results that `asof compare --out` wrote, and
// measures nothing.
// node --import tsx bench/quality/comparisonPage.ts RESULT.json [OTHER.json...] [--docs]
import { fileURLToPath } from 'node:url';
import { parseArgs } from '../options.js';
import { readComparison, type Comparison } from '../../packages/evaluation/lib/index.js';
import type { RunSummary } from '../../packages/evaluation/lib/comparison/result.js';
import { publish, row, say } from '../report.js';
import { evaluationSets } from './sets/sets.js';

/** How the comparison calls an evaluation set. */
const nameOf = ({ task, queries }: (typeof evaluationSets)[number]): string =>
  `${task}${queries.replace(/^queries-?/, ' ')}`.trim();

export function comparisonPage([result, ...others]: readonly [Comparison, ...Comparison[]]): void {
  const { machine } = result;
  const names = systemsOf(result);
  const busy = machine.load > machine.cores ? `, load ${machine.load} (busy)` : '';
  say(
    `${machine.processor}, ${machine.cores} cores, ${machine.level}${busy}; Node ${result.node}, asof ${result.asof}; encoder ${result.encoder}.`,
  );
  say('');
  const forms = result.sets.reduce((sum, { perturbed }) => sum + (perturbed?.forms ?? 0), 0);
  const whole = `${questionsOf(result)} and ${forms.toLocaleString('en')} perturbed ones, each of ${names.length} systems, seed ${result.seed}`;
  const jobs = result.jobs === undefined ? '' : ` by ${result.jobs} processes at once`;
  const { seconds, processor_seconds: processor } = result;
  const used =
    processor === undefined ? '' : `${(processor / 60).toFixed(1)} minutes of processor time, `;
  say(`${whole}${jobs}: ${used}${(seconds / 60).toFixed(1)} by the wall clock.`);
  say('');
  say(
    `The best of a row in bold; + and - are significantly better and worse than ${result.baseline} (${testName(result)}).`,
  );
  say('');
  mainTable(result, names);
  for (const other of others) {
    say(
      `By ${other.encoder}, ${questionsOf(other)}, at most ${Math.max(...other.sets.map((set) => set.queries))} of a set:`,
    );
    say('');
    mainTable(other, systemsOf(other));
  }
  degradationTable(result, names);
  reasoningTable(result);
}

const systemsOf = ({ systems }: Comparison): string[] => [
  ...new Set(systems.map(({ name }) => name)),
];

function questionsOf({ sets }: Comparison): string {
  const asked = sets.reduce((sum, { queries }) => sum + queries, 0);
  const all = sets.reduce((sum, set) => sum + set.queries_in_set, 0);
  const of = asked < all ? ` of ${all.toLocaleString('en')}` : '';
  return `${asked.toLocaleString('en')} questions${of}`;
}

const cellOf = ({ cells }: Comparison, set: string, system: string): RunSummary | undefined =>
  cells.find((cell) => cell.set === set && cell.system === system);

/**
 * One row a set by its main measure, the best in bold, + and - where the difference to the baseline
 * is more than chance.
 */
function mainTable(result: Comparison, names: readonly string[]): void {
  const { significance } = result;
  row(['set', 'questions', 'passages', 'measure', ...names]);
  row(['---', '---', '---', '---', ...names.map(() => '---')]);
  for (const { name, queries, passages } of result.sets) {
    const metric =
      evaluationSets.find((each) => nameOf(each) === name)?.measure ?? result.metrics[0]!;
    const means = names.map((system) => cellOf(result, name, system)?.metrics[metric]?.mean);
    const best = Math.max(...means.map((mean) => mean ?? -Infinity));
    const figures = names.map((system, at) => {
      const mean = means[at];
      if (mean === undefined) return '';
      const test = significance.find(
        (each) =>
          each.set === name &&
          each.metric === metric &&
          each.system === system &&
          each.pair === 'baseline' &&
          each.corrected < 0.05,
      );
      const written = mean.toFixed(3);
      return `${mean === best ? `**${written}**` : written}${test ? (test.difference > 0 ? ' +' : ' -') : ''}`;
    });
    row([name, String(queries), String(passages), metric, ...figures]);
  }
  say('');
}

function testName({ significance: [first], rounds }: Comparison): string {
  return first
    ? `${first.test}, ${rounds} rounds, p < 0.05 corrected by ${first.correction} over the pairs of a measure in a set`
    : 'not tested';
}

/** Of fewer questions than these a table says nothing. */
const fewestPerturbed = 20;

/** As asked and perturbed, by the first measure and by the years between dates. */
function degradationTable(
  { perturbation = [], sets, metrics, perturb }: Comparison,
  names: readonly string[],
): void {
  for (const { name, perturbed } of sets) {
    const points = perturbation.filter(({ set, metric }) => set === name && metric === metrics[0]);
    if (!perturbed || perturbed.questions < fewestPerturbed || points.length === 0) continue;
    const steps = points.filter(({ system, kind }) => system === names[0] && kind === 'distance');
    say(
      `${name}, ${metrics[0]} of ${perturbed.questions} questions as asked, with other time constraints that keep their answers`,
    );
    say(
      `(${perturbed.forms} forms, seed ${perturb!.seed}), and by the years from their dates to those that passages show:`,
    );
    say('');
    row([
      'system',
      'as asked',
      'perturbed',
      'change',
      ...steps.map(({ step, n }, at) => `${spanOf(step!, steps[at + 1]?.step)} (${n})`),
    ]);
    row(['---', '---', '---', '---', ...steps.map(() => '---')]);
    for (const system of names) {
      const mine = points.filter((each) => each.system === system);
      const whole = mine.find(({ share }) => share === 1);
      if (!whole) continue;
      const change = whole.mean - whole.original;
      const along = steps.map(
        ({ step }) => mine.find((each) => each.step === step)?.mean.toFixed(2) ?? '',
      );
      row([
        system,
        whole.original.toFixed(3),
        whole.mean.toFixed(3),
        `${change < 0 ? '' : '+'}${change.toFixed(3)}`,
        ...along,
      ]);
    }
    say('');
  }
}

const spanOf = (step: number, next: number | undefined): string =>
  next === undefined ? `${step} or more` : next === step + 1 ? `${step}` : `${step} to ${next - 1}`;

/** MRAG's controlled experiment in one number a relation. */
function reasoningTable({ date_reasoning: rows = [] }: Comparison): void {
  if (rows.length === 0) return;
  const relations = [...new Set(rows.map(({ relation }) => relation))];
  say(
    "MRAG's controlled experiment (appendix A, figure 5): of two passages that differ in " +
      'their date only, how often the one whose date satisfies',
  );
  say(
    'the relation is scored above the one whose date does not. 1 is reasoning; 0.5 is ' +
      'matching dates or passing over them.',
  );
  say('');
  row(['system', ...relations]);
  row(['---', ...relations.map(() => '---')]);
  for (const system of new Set(rows.map((each) => each.system))) {
    row([
      system,
      ...relations.map((relation) =>
        rows
          .find((each) => each.system === system && each.relation === relation)!
          .ordered.toFixed(2),
      ),
    ]);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { docs: { type: 'boolean', default: false } },
  });
  const [first, ...others] = await Promise.all(positionals.map((file) => readComparison(file)));
  if (!first) throw new Error('Expected the file of a comparison, received none.');
  comparisonPage([first, ...others]);
  if (values.docs) publish('bench/quality/compare.ts', 'comparison.md');
}
