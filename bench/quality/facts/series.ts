// Ranking by series by grouped cross-validation, with whole families held out:
// node --import tsx bench/quality/facts/series.ts --folder DIR,... [--work FOLDER] [--passes N]
// [--sample N] [--developed] [--from MODEL] [--write models/hybrid-ranker.json] [--held FOLDER]
// Prints hit@1, hit@5, clean@5 and abstention of each family by weights fitted on all others, the
// mean and the worst, and in-sample figures next to them. Families are folders such as
// ../shared/data/unseen/* (bench/quality/families). --developed adds the sets that asof was
// developed on, of which no held-out figure exists; --write writes the ranker fitted on everything,
// --held those without each family (for bench/quality/families/measure.ts). --from keeps what a
// model knows of membership and fits relevance alone and the gates of series and of none. --sample
// takes every n-th question, at most N or so a family.
//
// A family is left out together with those that share its data. Figures are of the ranker alone,
// over the candidates that hybrid retrieves. models/README.md says what the ranker of the package
// was fitted on.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noneInputs, noneProbability } from '../../../lib/facts/ranking/answerable.js';
import { cascade } from '../../../lib/facts/ranking/cascade.js';
import { rankerOf, type RankerModel } from '../../../lib/facts/ranking/model.js';
import {
  rankingExamples,
  trainRanker,
  type RankingExample,
} from '../../../packages/training/lib/index.js';
import { describeMachine, machine } from '../../machine.js';
import { parseArgs } from '../../options.js';
import { familyCorpora, familyFiles, judgments } from '../families/files.js';
import { openSet, queriesOf, requireData, workFolder } from '../sets/sets.js';

const { values: options } = parseArgs({
  options: {
    work: { type: 'string' },
    folder: { type: 'string' },
    passes: { type: 'string', default: '8' },
    sample: { type: 'string', default: 'Infinity' },
    developed: { type: 'boolean', default: false },
    from: { type: 'string' },
    write: { type: 'string' },
    held: { type: 'string' },
  },
});

interface Family {
  name: string;
  /** Held out together: families of the same data. */
  source: string;
  /** What its questions weigh together in training. */
  weight: number;
  examples: RankingExample[];
  /** By question, the passages that are outdated for it. */
  outdated: ReadonlySet<string>[];
}

/** Families by the one whose data they share. */
const sources: Record<string, string> = {
  uniform: 'browsers',
  debian: 'changelog',
  changelogs: 'changelog',
  tznews: 'clocks',
  zoneRules: 'clocks',
  currencies: 'rates',
};
/** What the questions of a family weigh together; the sample of a developed set. */
const questionsOfFamily = 150;
/** The same of a developed set: ten of them state their facts in four forms. */
const weightOfDeveloped = 30;

const work = workFolder('series', options.work);
console.log(describeMachine(machine()));
const all: Family[] = [];
for (const folder of options.folder?.split(',') ?? []) all.push(await read(folder));
if (options.developed) all.unshift(...(await developedSets()));

const from =
  options.from === undefined
    ? undefined
    : (JSON.parse(readFileSync(options.from, 'utf8')) as RankerModel);
const fit = (list: readonly Family[], id: string): RankerModel =>
  trainRanker(
    list.flatMap(({ examples, weight }) =>
      examples.map((each) => ({ ...each, weight: weight / examples.length })),
    ),
    { id, passes: Number(options.passes), ...(from ? { from } : {}) },
  );

const model = fit(all, 'hybrid-7');
if (options.write) writeFileSync(options.write, `${JSON.stringify(model, undefined, 1)}\n`);
const columns = ['hit@1', 'hit@5', 'clean@5', 'abstained', 'lost'];
console.log(`\n| family | ${columns.join(' | ')} | in-sample: ${columns.join(' | ')} |`);
console.log(`| --- |${' ---: |'.repeat(2 * columns.length)}`);
const held: number[][] = [];
const inSample: number[][] = [];
for (const family of all) {
  const own = scores(family, model);
  const others = all.filter(({ source }) => source !== family.source);
  const heldOut = family.source === 'developed' ? undefined : fit(others, `without-${family.name}`);
  const out = heldOut && scores(family, heldOut);
  if (heldOut && options.held) {
    mkdirSync(options.held, { recursive: true });
    writeFileSync(join(options.held, `${family.name}.json`), JSON.stringify(heldOut));
  }
  const cells = (figures: ReturnType<typeof scores> | undefined): string =>
    (figures ?? columns.map(() => NaN))
      .map((each) => (Number.isNaN(each) ? '' : each.toFixed(2)))
      .join(' | ');
  console.log(`| ${family.name} | ${cells(out)} | ${cells(own)} |`);
  if (!out) continue;
  held.push(out);
  inSample.push(own);
}
/** Over the families that have the figure: not all have unanswerable questions. */
const mean = (list: readonly number[][], column: number): string => {
  const counted = list.map((each) => each[column]!).filter((each) => !Number.isNaN(each));
  return (counted.reduce((sum, each) => sum + each, 0) / counted.length).toFixed(3);
};
const means = (list: readonly number[][]): string =>
  columns.map((name, column) => `${name} ${mean(list, column)}`).join(', ');
console.log(`mean of ${held.length} families held out: ${means(held)}`);
console.log(`worst hit@1 held out ${Math.min(...held.map(([first]) => first!)).toFixed(2)}`);
console.log(`in-sample: ${means(inSample)}`);

async function read(given: string): Promise<Family> {
  const files = familyFiles(given);
  const all = judgments(files);
  const every = Math.max(1, Math.floor(all.queries.length / Number(options.sample)));
  const judged = { ...all, queries: all.queries.filter((_, at) => at % every === 0) };
  const examples: RankingExample[] = [];
  const outdated: ReadonlySet<string>[] = [];
  for await (const { corpus, queries } of familyCorpora(files, judged, work)) {
    const asked = queries.map(({ id, text, asked_at: askedAt }) => ({
      text,
      ...(askedAt === undefined ? {} : { askedAt }),
      group: files.name,
      right: [...(judged.relevant.get(id) ?? [])],
      outdated: [...(judged.outdated.get(id) ?? [])],
    }));
    examples.push(...(await rankingExamples(corpus, asked)));
    outdated.push(...queries.map(({ id }) => judged.outdated.get(id) ?? new Set<string>()));
  }
  console.error(files.name);
  return {
    name: files.name,
    source: sources[files.name] ?? files.name,
    weight: questionsOfFamily,
    examples,
    outdated,
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
    const queries = queriesOf(folder, file, Math.min(questionsOfFamily, Number(options.sample)));
    const right = (id: string): string[] =>
      [...(qrels.get(id) ?? [])].flatMap(([passage, grade]) => (grade > 0 ? [passage] : []));
    const examples = await rankingExamples(
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
      weight: weightOfDeveloped,
      examples,
      outdated,
    });
  }
  return list;
}

/**
 * hit@1 and hit@5 of answerable questions, clean@5 of those with outdated passages, unanswerable
 * questions left unanswered, answerable ones lost so.
 */
function scores({ examples, outdated }: Family, weights: RankerModel): number[] {
  const ranker = rankerOf(weights);
  let [answerable, first, five, stale, clean, abstained, lost] = [0, 0, 0, 0, 0, 0, 0];
  examples.forEach(({ table, labels, ids, unanswerable }, question) => {
    const result = cascade(table, ranker.weights);
    const none =
      result.best < 0 || noneProbability(ranker.weights.none, noneInputs(table, result)) > 0.5;
    if (unanswerable) {
      abstained += Number(none);
      return;
    }
    answerable += 1;
    lost += Number(none);
    const order = [...result.scores.keys()]
      .sort((a, b) => result.scores[b]! - result.scores[a]!)
      .slice(0, 5);
    first += Number(labels[order[0]!] === 1);
    const has = order.some((candidate) => labels[candidate] === 1);
    five += Number(has);
    if (outdated[question]!.size === 0) return;
    stale += 1;
    clean += Number(has && !order.some((candidate) => outdated[question]!.has(ids[candidate]!)));
  });
  const unanswerables = examples.length - answerable;
  return [
    first / answerable,
    five / answerable,
    clean / stale,
    abstained / unanswerables,
    lost / answerable,
  ];
}
