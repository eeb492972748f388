// hybrid's ranker, trained and measured: `node --import tsx bench/quality/ranking/ranker.ts [--keep
// DIR] [--trees N] [--depth N] [--folds N] [--leave-out] [--write models/hybrid-ranker.json]`.
// Prints, for every set, the candidates in the order of the scan, ranked by weights that never saw
// the group (page, entity) of the question, with --leave-out by weights that saw nothing of its
// kind, and by all. --keep keeps sets, corpora and features. Over the best 40 candidates of a
// question, so recall is a little below the system's own.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from '../../options.js';
import { Corpus } from '../../../lib/index.js';
import { rankingExamples, trainRanker } from '../../../lib/train/index.js';
import { Ranker, type RankerModel } from '../../../lib/ranking/ranker/model.js';
import { featureNames as rankerFeatures } from '../../../lib/ranking/ranker/featureNames.js';
import type { RankingExample } from '../../../lib/train/ranker/examples.js';
import { describeMachine, machine } from '../../machine.js';
import { jsonl, type PassageLine, type RankerSet } from '../sets/rankerFiles.js';
import { makeRankerSets, plainWords } from '../sets/rankerSets.js';
import { requireData, workFolder } from '../sets/sets.js';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'string' },
    write: { type: 'string' },
    trees: { type: 'string', default: '120' },
    depth: { type: 'string', default: '4' },
    rate: { type: 'string', default: '0.12' },
    folds: { type: 'string', default: '3' },
    'leave-out': { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
});
requireData();

interface LabelledSet extends RankerSet {
  examples: RankingExample[];
  /** Ids of passages that hold an answer, by set. */
  answering: ReadonlySet<string>[];
}

const width = rankerFeatures.length;
const retrieval = rankerFeatures.indexOf('retrieval');
const training = {
  id: 'hybrid-2',
  trees: Number(options.trees),
  depth: Number(options.depth),
  rate: Number(options.rate),
  seed: Number(options.seed),
};
console.log(describeMachine(machine()));
const work = workFolder('ranker', options.keep);
const sets: LabelledSet[] = [];
for (const set of makeRankerSets(work)) sets.push(await withFeatures(set));
const folds = Number(options.folds);
const foldOf = ({ group }: RankingExample): number =>
  [...group].reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0,
    2_166_136_261,
  ) % folds;

const scan = table(() => (values, at) => values[at + retrieval]!);
const byFold = Array.from({ length: folds }, (_, fold) =>
  train((set, example) => set.trains && foldOf(example) !== fold),
);
const heldOut = table((_, example) => byFold[foldOf(example)]!);
const leftOut = options['leave-out']
  ? new Map(
      [...new Set(sets.map(({ family }) => family))].map((family) => [
        family,
        train((set) => set.trains && set.family !== family),
      ]),
    )
  : undefined;
const unseenKind = leftOut && table((set) => leftOut.get(set.family)!);
const model = trainRanker(
  trainingSet((set) => set.trains),
  training,
);
const all = table(() => scorer(model));
console.log(
  'hit@1 hit@5 nDCG@10 answer_recall@5 in the order of the scan; pages or entities held out;' +
    (unseenKind ? ' the whole kind held out;' : '') +
    ' trained on all',
);
for (const { name, examples } of sets) {
  const figures = [scan, heldOut, ...(unseenKind ? [unseenKind] : []), all].map((of) =>
    of
      .get(name)!
      .map((each) => (Number.isNaN(each) ? '  -  ' : each.toFixed(3)))
      .join(' '),
  );
  console.log(`${name.padEnd(24)} ${figures.join('   ')}   (${examples.length})`);
}
if (options.write) {
  writeFileSync(options.write, writtenOut(model));
  console.log(
    `${options.write}: ${model.trees.length} trees, ${(statSync(options.write).size / 1024).toFixed(1)} KiB`,
  );
}

function trainingSet(
  includes: (set: LabelledSet, example: RankingExample) => boolean,
): RankingExample[] {
  return sets.flatMap((set) =>
    set.examples
      .filter((example) => includes(set, example))
      .map((example) => ({ ...example, group: `${set.family} ${example.group}` })),
  );
}

type Score = (values: Float32Array, at: number) => number;

function scorer(weights: RankerModel): Score {
  const ranker = new Ranker(weights);
  return (values, at) => ranker.score(values, at);
}

function train(includes: (set: LabelledSet, example: RankingExample) => boolean): Score {
  return scorer(trainRanker(trainingSet(includes), training));
}

/** Means of hit@1, hit@5, nDCG@10 and answer recall@5 of every set. */
function table(
  scoreOf: (set: LabelledSet, example: RankingExample) => Score,
): Map<string, number[]> {
  return new Map(
    sets.map((set) => {
      const figures = set.examples.map((example, at) =>
        measure(
          example,
          set.questions[at]!.right.length,
          set.answering[at]!,
          scoreOf(set, example),
        ),
      );
      return [
        set.name,
        [0, 1, 2, 3].map(
          (metric) => figures.reduce((sum, each) => sum + each[metric]!, 0) / figures.length,
        ),
      ];
    }),
  );
}

function measure(
  { passages, values }: RankingExample,
  right: number,
  answering: ReadonlySet<string>,
  score: Score,
): number[] {
  let row = 0;
  const ranked = passages
    .map(({ id, label, rows }) => {
      let best = -Infinity;
      for (const end = row + rows; row < end; row += 1)
        best = Math.max(best, score(values, row * width));
      return { id, label, best };
    })
    .sort((a, b) => b.best - a.best || (a.id < b.id ? -1 : 1));
  const gain = ranked
    .slice(0, 10)
    .reduce((sum, { label }, at) => sum + (label === 1 ? 1 / Math.log2(at + 2) : 0), 0);
  const ideal = Array.from(
    { length: Math.min(10, right) },
    (_, at) => 1 / Math.log2(at + 2),
  ).reduce((sum, each) => sum + each, 0);
  const within = (k: number): number => Number(ranked.slice(0, k).some(({ label }) => label === 1));
  return [
    within(1),
    within(5),
    gain / ideal,
    Number(ranked.slice(0, 5).some(({ id }) => answering.has(id))),
  ];
}

/** The set with the features of its candidates: from the folder that is kept, or made. */
async function withFeatures(set: RankerSet): Promise<LabelledSet> {
  const file = join(work, 'features', set.name);
  const texts = new Map(
    jsonl<PassageLine>(join(set.folder, 'passages.jsonl')).map(({ id, title = '', text }) => [
      id,
      `${title} ${text}`,
    ]),
  );
  let examples: RankingExample[];
  if (existsSync(`${file}.json`)) {
    const stored = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Omit<
      RankingExample,
      'values'
    >[];
    const bytes = readFileSync(`${file}.f32`);
    const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    let at = 0;
    examples = stored.map((example) => ({
      ...example,
      values: values.subarray(
        at,
        (at += width * example.passages.reduce((sum, { rows }) => sum + rows, 0)),
      ),
    }));
  } else {
    examples = await made(set);
    mkdirSync(join(work, 'features'), { recursive: true });
    writeFileSync(
      `${file}.f32`,
      Buffer.concat(
        examples.map(({ values }) =>
          Buffer.from(values.buffer, values.byteOffset, values.byteLength),
        ),
      ),
    );
    writeFileSync(
      `${file}.json`,
      JSON.stringify(examples.map(({ values: _, ...example }) => example)),
    );
  }
  const answering = set.questions.map(({ answers }, at) => {
    const wanted = answers.map(plainWords).filter((answer) => answer !== '');
    const holds = ({ id }: { id: string }): boolean =>
      wanted.some((answer) => ` ${plainWords(texts.get(id) ?? '')} `.includes(` ${answer} `));
    return new Set(examples[at]!.passages.filter(holds).map(({ id }) => id));
  });
  // Kept features outlive a change of weights.
  return {
    ...set,
    examples: examples.map((example, at) => ({
      ...example,
      weight: set.questions[at]!.weight ?? 1,
    })),
    answering,
  };
}

async function made({
  folder,
  name,
  questions,
  partsOfDecade,
}: RankerSet): Promise<RankingExample[]> {
  const started = performance.now();
  const path = `${folder}.asof`;
  const isNew = !existsSync(path);
  const corpus = await Corpus.open(path);
  if (isNew) {
    await corpus.add(
      jsonl<PassageLine>(join(folder, 'passages.jsonl')).map(({ published_at, ...passage }) =>
        published_at === undefined ? passage : { ...passage, publishedAt: published_at },
      ),
    );
  }
  const examples = await rankingExamples(
    corpus,
    questions,
    partsOfDecade ? { question: { partsOfDecade } } : {},
  );
  await corpus.close();
  console.log(
    `${name}: ${questions.length} questions, ${((performance.now() - started) / questions.length).toFixed(1)} ms each`,
  );
  return examples;
}

/** A line a tree, so that a change of weights can be read. */
function writtenOut({ trees, ...head }: RankerModel): string {
  return `${JSON.stringify(head).slice(0, -1)},"trees":[\n${trees.map((tree) => JSON.stringify(tree)).join(',\n')}\n]}\n`;
}
