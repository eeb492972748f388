// Quality on families of dated questions: hit@1, hit@5, clean@5, answers, abstention and entity
// faithfulness of every system, a row per family, with the mean and the worst family.
//
// node --import tsx bench/quality/families/measure.ts --folder DIR,... [--system NAME,...]
// [--work FOLDER] [--rankers FOLDER] [--classes] [--misses NAME]
// --rankers FOLDER has hybrid's weights without each family (bench/quality/facts/series.ts --held);
// --classes prints hit@1 by class of question; --misses prints the first misses of a family by one
// system, which makes it in-sample.
//
// clean@5: of questions about the state at asking, those with a right passage and no outdated one
// among the first five. Abstention: unanswerable questions without an answer, and the answerable
// ones lost to it. Entity: first passages that are about the entity of the question.
import { basename, join } from 'node:path';
import { hybrid, type Corpus } from '../../../lib/index.js';
import { createSystem } from '../../../lib/papers/registry.js';
import { accuracy } from '../reading/accuracy.js';
import { describeMachine, machine } from '../../machine.js';
import { parseArgs } from '../../options.js';
import { judgments, openFamily, type JudgedQueries } from './files.js';
import { workFolder } from '../sets/sets.js';

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    system: { type: 'string', default: 'bm25,dense,tempralm,mrag,re3,hybrid' },
    work: { type: 'string' },
    rankers: { type: 'string' },
    classes: { type: 'boolean', default: false },
    misses: { type: 'string' },
  },
});
const work = workFolder('families', values.work);

/** One question's measures; absent where the question has none. */
interface Score {
  class: string;
  hit1?: number;
  hit5?: number;
  clean5?: number;
  answer?: number;
  abstained?: number;
  lost?: number;
  entity?: number;
}

const measures = ['hit1', 'hit5', 'clean5', 'answer', 'abstained', 'lost', 'entity'] as const;
const titles: Record<(typeof measures)[number], string> = {
  hit1: 'hit@1',
  hit5: 'hit@5',
  clean5: 'clean@5',
  answer: 'answers that hold the right string',
  abstained: 'unanswerable questions left unanswered',
  lost: 'answerable questions left unanswered',
  entity: 'first passage about the entity of the question',
};

console.log(describeMachine(machine()));
const systems = values.system.split(',');
const results = new Map<string, Map<string, Score[]>>();
for (const folder of values.folder?.split(',') ?? []) {
  const name = basename(folder);
  const bySystem = new Map<string, Score[]>();
  using corpus = await openFamily(folder, name, work);
  const judged = judgments(folder);
  for (const system of systems) {
    bySystem.set(system, await scored(corpus, system, judged, name));
    console.error(`${name} ${system}`);
  }
  results.set(name, bySystem);
}
for (const measure of measures) print(measure);
if (values.classes) printClasses();

async function scored(
  corpus: Corpus,
  name: string,
  { queries, relevant, outdated, entities }: JudgedQueries,
  family: string,
): Promise<Score[]> {
  const own = values.rankers && join(values.rankers, `${family}.json`);
  const system =
    name === 'hybrid' && own ? hybrid({ corpus, ranker: own }) : createSystem(name, { corpus });
  const scores: Score[] = [];
  let printed = 0;
  for (const query of queries) {
    const { evidence, answer } = await system.run({
      text: query.text,
      ...(query.asked_at === undefined ? {} : { askedAt: query.asked_at }),
    });
    const first = evidence.slice(0, 5).map(({ id }) => id);
    const score: Score = { class: query.class };
    scores.push(score);
    const about = query.entity === undefined ? undefined : entities.get(first[0] ?? '');
    if (about) score.entity = about.has(query.entity!) ? 1 : 0;
    if (query.unanswerable) {
      score.abstained = answer === undefined || answer === null ? 1 : 0;
      continue;
    }
    const right = relevant.get(query.id) ?? new Set();
    score.hit1 = right.has(first[0]!) ? 1 : 0;
    score.hit5 = first.some((id) => right.has(id)) ? 1 : 0;
    const stale = outdated.get(query.id);
    if (stale) score.clean5 = score.hit5 && !first.some((id) => stale.has(id)) ? 1 : 0;
    score.lost = answer === undefined || answer === null ? 1 : 0;
    if (query.answers?.length)
      score.answer = accuracy.of({ answer: answer?.text, answers: query.answers }) ?? 0;
    if (values.misses === family && !score.hit1 && printed++ < 40)
      console.log(`${name} ${query.id} ${query.class}: ${query.text} -> ${first.join(' ')}`);
  }
  return scores;
}

function mean(scores: readonly Score[], measure: (typeof measures)[number]): number | undefined {
  const list = scores.flatMap((score) => score[measure] ?? []);
  return list.length > 0 ? list.reduce((sum, each) => sum + each, 0) / list.length : undefined;
}

function print(measure: (typeof measures)[number]): void {
  const rows = [...results].map(([family, bySystem]) => ({
    family,
    figures: systems.map((system) => mean(bySystem.get(system)!, measure)),
  }));
  const counted = rows.filter(({ figures }) => figures.some((each) => each !== undefined));
  if (counted.length === 0) return;
  const cells = (figures: readonly (number | undefined)[]): string =>
    figures.map((each) => each?.toFixed(2) ?? '').join(' | ');
  console.log(`\n| ${titles[measure]} | ${systems.join(' | ')} |`);
  console.log(`| --- |${' ---: |'.repeat(systems.length)}`);
  for (const { family, figures } of counted) console.log(`| ${family} | ${cells(figures)} |`);
  const columns = systems.map((_, at) => counted.flatMap(({ figures }) => figures[at] ?? []));
  const means = columns.map((column) => column.reduce((a, b) => a + b, 0) / column.length);
  const worst = columns.map((column) =>
    measure === 'lost' ? Math.max(...column) : Math.min(...column),
  );
  console.log(`| mean | ${cells(means)} |\n| worst | ${cells(worst)} |`);
}

function printClasses(): void {
  for (const [family, bySystem] of results) {
    console.log(`\n| ${family}, hit@1 | ${systems.join(' | ')} |`);
    console.log(`| --- |${' ---: |'.repeat(systems.length)}`);
    for (const name of new Set(bySystem.get(systems[0]!)!.map((score) => score.class))) {
      const figures = systems.map((system) =>
        mean(
          bySystem.get(system)!.filter((score) => score.class === name),
          'hit1',
        ),
      );
      console.log(`| ${name} | ${figures.map((each) => each?.toFixed(2) ?? '').join(' | ')} |`);
    }
  }
}
