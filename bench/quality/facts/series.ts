// Ranking by series, fitted and measured with whole families held out:
// node --import tsx bench/quality/facts/series.ts [--work FOLDER] [--folder DIR,...] [--passes N]
// [--developed] [--write models/series-ranker.json]
// Prints hit@1, hit@5 and clean@5 of each family by weights fitted on all others, the mean and the
// worst of the families of bench/quality/families, and the in-sample figures next to them. --folder
// adds families in files of the same form; --developed adds the sets that asof was developed on, of
// which no held-out figure exists; --write fits on everything and writes the ranker.
//
// A family is left out together with those that share its data (uniform and browsers). Figures are
// of the ranker alone, over the candidates that hybrid retrieves.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { cascade } from '../../../lib/facts/series/cascade.js';
import { rankerOf, type SeriesModel } from '../../../lib/facts/series/model.js';
import { seriesExamples, type SeriesExample } from '../../../lib/train/series/examples.js';
import { trainSeriesRanker } from '../../../lib/train/series/train.js';
import { describeMachine, machine } from '../../machine.js';
import { parseArgs } from '../../options.js';
import { buildFamily, judgments, openFamily } from '../families/files.js';
import { families } from '../families/index.js';
import { openSet, queriesOf, requireData } from '../sets/sets.js';

const { values: options } = parseArgs({
  options: {
    work: { type: 'string' },
    folder: { type: 'string' },
    passes: { type: 'string', default: '8' },
    developed: { type: 'boolean', default: false },
    write: { type: 'string' },
  },
});

interface Family {
  name: string;
  /** Held out together: families of the same data. */
  source: string;
  /** Whether it counts in the mean. */
  isMeasured: boolean;
  /** What its questions weigh together in training. */
  weight: number;
  examples: SeriesExample[];
  /** By question, the passages that are outdated for it. */
  outdated: ReadonlySet<string>[];
}

/** What the questions of a family weigh together; the sample of a developed set. */
const questionsOfFamily = 150;
/** The same of a developed set: ten of them state their facts in four forms. */
const weightOfDeveloped = 30;

const work = options.work ?? mkdtempSync(join(tmpdir(), 'asof-series-'));
mkdirSync(work, { recursive: true });
console.log(describeMachine(machine()));
const all: Family[] = [];
for (const each of families) all.push(await read(buildFamily(each, work), true));
for (const folder of options.folder?.split(',') ?? []) all.push(await read(folder, false));
if (options.developed) all.unshift(...(await developedSets()));

const fit = (list: readonly Family[], id: string): SeriesModel =>
  trainSeriesRanker(
    list.flatMap(({ examples, weight }) =>
      examples.map((each) => ({ ...each, weight: weight / examples.length })),
    ),
    { id, passes: Number(options.passes) },
  );

const model = fit(all, 'series-1');
if (options.write) writeFileSync(options.write, `${JSON.stringify(model, undefined, 1)}\n`);
console.log('\n| family | hit@1 | hit@5 | clean@5 | in-sample: hit@1 | hit@5 | clean@5 |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
const held: number[] = [];
const inSample: number[] = [];
for (const family of all) {
  const own = scores(family, model);
  const others = all.filter(({ source }) => source !== family.source);
  const out = family.source === 'developed' ? undefined : scores(family, fit(others, 'held-out'));
  const cells = (figures: ReturnType<typeof scores> | undefined): string =>
    (figures ?? [NaN, NaN, NaN])
      .map((each) => (Number.isNaN(each) ? '' : each.toFixed(2)))
      .join(' | ');
  console.log(`| ${family.name} | ${cells(out)} | ${cells(own)} |`);
  if (!family.isMeasured) continue;
  held.push(out![0]);
  inSample.push(own[0]);
}
const mean = (list: readonly number[]): string =>
  (list.reduce((sum, each) => sum + each, 0) / list.length).toFixed(3);
console.log(
  `mean hit@1 of ${held.length} families held out ${mean(held)}, ` +
    `worst ${Math.min(...held).toFixed(2)}; in-sample ${mean(inSample)}`,
);
if (!options.work) rmSync(work, { recursive: true, force: true });

async function read(folder: string, isMeasured: boolean): Promise<Family> {
  const name = basename(folder);
  using corpus = await openFamily(folder, name, work);
  const { queries, relevant, outdated } = judgments(folder);
  console.error(name);
  return {
    name,
    source: name === 'uniform' ? 'browsers' : name,
    isMeasured,
    weight: questionsOfFamily,
    examples: await seriesExamples(
      corpus,
      queries.map(({ id, text, asked_at: askedAt }) => ({
        text,
        ...(askedAt === undefined ? {} : { askedAt }),
        group: name,
        right: [...(relevant.get(id) ?? [])],
      })),
    ),
    outdated: queries.map(({ id }) => outdated.get(id) ?? new Set()),
  };
}

/** Samples of the sets that asof was developed on. */
async function developedSets(): Promise<Family[]> {
  requireData();
  const sets = [
    ['nobel', 'queries'],
    ['nobel', 'queries-born'],
    ['tennis', 'queries-anytime'],
    ['tennis', 'queries-same-year'],
    ['nws', 'queries'],
    ['nws', 'queries-pairs'],
    ['covid', 'queries'],
    ['hoh', 'queries'],
    ['timeqa', 'queries-easy'],
    ['timeqa', 'queries-hard'],
  ] as const;
  const list: Family[] = [];
  for (const [task, file] of sets) {
    const { corpus, qrels, folder } = await openSet(work, task);
    const queries = queriesOf(folder, file, questionsOfFamily);
    const right = (id: string): string[] =>
      [...(qrels.get(id) ?? [])].flatMap(([passage, grade]) => (grade > 0 ? [passage] : []));
    const examples = await seriesExamples(
      corpus,
      queries.map(({ id, text, askedAt }) => ({
        text,
        ...(askedAt === undefined ? {} : { askedAt }),
        group: task,
        right: right(id),
      })),
    );
    await corpus.close();
    console.error(task, file);
    const outdated = examples.map(() => new Set<string>());
    const source = 'developed';
    list.push({
      name: `${task} ${file}`,
      source,
      isMeasured: false,
      weight: weightOfDeveloped,
      examples,
      outdated,
    });
  }
  return list;
}

/** hit@1 and hit@5 of answerable questions, clean@5 of those with outdated passages. */
function scores({ examples, outdated }: Family, weights: SeriesModel): [number, number, number] {
  const ranker = rankerOf(weights);
  let [answerable, first, five, stale, clean] = [0, 0, 0, 0, 0];
  examples.forEach(({ table, labels, ids, unanswerable }, question) => {
    if (unanswerable) return;
    const result = cascade(table, ranker.weights).scores;
    const order = [...result.keys()].sort((a, b) => result[b]! - result[a]!).slice(0, 5);
    answerable += 1;
    first += Number(labels[order[0]!] === 1);
    const has = order.some((candidate) => labels[candidate] === 1);
    five += Number(has);
    if (outdated[question]!.size === 0) return;
    stale += 1;
    clean += Number(has && !order.some((candidate) => outdated[question]!.has(ids[candidate]!)));
  });
  return [first / answerable, five / answerable, clean / stale];
}
