// Quality on families of dated questions: hit@1, hit@5, clean@5, answers, abstention and entity
// faithfulness of every system, a row per family, with the mean and the worst family.
//
// node --import tsx bench/quality/families/measure.ts --folder DIR,... [--system NAME,...]
// [--work FOLDER] [--rankers FOLDER] [--sample N] [--harm] [--classes] [--misses NAME]
// DIR:NAME takes queries-NAME.jsonl of a folder. Systems are those of asof, `no ranker` (hybrid
// without it), and what a user would pick instead: `rrf` (of bm25 and dense), `rrf+decay` (by
// publication, halved in a year), `langchain` and `llamaindex` (frameworks.ts; their packages are
// installed below the work folder). --sample takes every n-th question, at most N or so a family.
// --harm prints hybrid less the best of bm25, dense and itself without its ranker, at hit@5, and
// that of the others named.
// --rankers FOLDER has hybrid's weights without each family (bench/quality/facts/series.ts --held);
// --classes prints hit@1 by class of question; --misses prints the first misses of a family by one
// system, which makes it in-sample.
//
// clean@5: of questions about the state at asking, those with a right passage and no outdated one
// among the first five. Abstention: unanswerable questions without an answer, and the answerable
// ones lost to it. Entity: first passages that are about the entity of the question.
import { join } from 'node:path';
import { accuracy } from '../reading/accuracy.js';
import { describeMachine, machine } from '../../machine.js';
import { parseArgs } from '../../options.js';
import { contender, type Contender } from './contenders.js';
import { familyCorpora, familyFiles, judgments, type JudgedQueries } from './files.js';
import { workFolder } from '../sets/sets.js';

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    system: { type: 'string', default: 'bm25,dense,tempralm,mrag,re3,hybrid' },
    work: { type: 'string' },
    rankers: { type: 'string' },
    sample: { type: 'string', default: 'Infinity' },
    harm: { type: 'boolean', default: false },
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
  /** Whether a span is shown alone, and whether that is right. */
  span?: number;
  spanRight?: number;
  abstained?: number;
  lost?: number;
  entity?: number;
}

const measures = [
  'hit1',
  'hit5',
  'clean5',
  'answer',
  'span',
  'spanRight',
  'abstained',
  'lost',
  'entity',
] as const;
const titles: Record<(typeof measures)[number], string> = {
  hit1: 'hit@1',
  hit5: 'hit@5',
  clean5: 'clean@5',
  answer: 'answers that hold the right string',
  span: 'spans shown',
  spanRight: 'of the spans shown, those that hold the right string',
  abstained: 'unanswerable questions left unanswered',
  lost: 'answerable questions left unanswered',
  entity: 'first passage about the entity of the question',
};

console.log(describeMachine(machine()));
const references = ['bm25', 'dense', 'no ranker'];
const systems = values.harm
  ? [...new Set([...references, ...values.system.split(','), 'hybrid'])]
  : values.system.split(',');
const results = new Map<string, Map<string, Score[]>>();
for (const given of values.folder?.split(',') ?? []) {
  const files = familyFiles(given);
  const { name } = files;
  const bySystem = new Map<string, Score[]>(systems.map((system) => [system, []]));
  const all = judgments(files);
  const every = Math.max(1, Math.floor(all.queries.length / Number(values.sample)));
  const judged = { ...all, queries: all.queries.filter((_, at) => at % every === 0) };
  for await (const { corpus, queries } of familyCorpora(files, judged, work))
    for (const system of systems) {
      const ranker = values.rankers && join(values.rankers, `${name}.json`);
      const asked = await contender(system, corpus, work, ranker);
      bySystem.get(system)!.push(...(await scored(asked, system, { ...judged, queries }, name)));
      await asked.close?.();
    }
  console.error(name);
  results.set(name, bySystem);
}
for (const measure of measures) print(measure);
if (values.harm) printHarm();
if (values.classes) printClasses();

async function scored(
  { ask }: Contender,
  name: string,
  { queries, relevant, outdated, entities }: JudgedQueries,
  family: string,
): Promise<Score[]> {
  const scores: Score[] = [];
  let printed = 0;
  for (const query of queries) {
    const { ids, ...read } = await ask({
      text: query.text,
      ...(query.asked_at === undefined ? {} : { askedAt: query.asked_at }),
    });
    const { answer } = read;
    const reads = 'answer' in read;
    const first = ids.slice(0, 5);
    const score: Score = { class: query.class };
    scores.push(score);
    const isSpan = answer?.spanConfidence !== undefined;
    const isRight = accuracy.of({ answer: answer?.text, answers: query.answers ?? [] }) ?? 0;
    if (answer) score.span = isSpan ? 1 : 0;
    if (isSpan && (query.unanswerable || query.answers?.length))
      score.spanRight = query.unanswerable ? 0 : isRight;
    const about = query.entity === undefined ? undefined : entities.get(first[0] ?? '');
    if (about) score.entity = about.has(query.entity!) ? 1 : 0;
    if (query.unanswerable) {
      if (reads) score.abstained = answer === undefined || answer === null ? 1 : 0;
      continue;
    }
    const right = relevant.get(query.id) ?? new Set();
    score.hit1 = right.has(first[0]!) ? 1 : 0;
    score.hit5 = first.some((id) => right.has(id)) ? 1 : 0;
    const stale = outdated.get(query.id);
    if (stale) score.clean5 = score.hit5 && !first.some((id) => stale.has(id)) ? 1 : 0;
    if (reads) score.lost = answer === undefined || answer === null ? 1 : 0;
    if (reads && query.answers?.length) score.answer = isRight;
    if (values.misses === family && !score.hit1 && printed++ < 40)
      console.log(`${name} ${query.id} ${query.class}: ${query.text} -> ${first.join(' ')}`);
  }
  return scores;
}

function mean(scores: readonly Score[], measure: (typeof measures)[number]): number | undefined {
  return average(scores.flatMap((score) => score[measure] ?? []));
}

function average(list: readonly number[]): number | undefined {
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
  const means = columns.map(average);
  const worst = columns.map((column) => {
    if (column.length === 0) return undefined;
    return measure === 'lost' ? Math.max(...column) : Math.min(...column);
  });
  console.log(`| mean | ${cells(means)} |\n| worst | ${cells(worst)} |`);
}

/** Where `hybrid` may be worse than what it replaces. */
function printHarm(): void {
  const named = systems.filter((name) => name !== 'hybrid' && !references.includes(name));
  const headings = ['hybrid', 'best other', 'difference', ...named];
  const rule = `--- | ---: | --- | ---: |${' ---: |'.repeat(named.length)}`;
  console.log(`\n| hit@5 | ${headings.join(' | ')} |\n| ${rule}`);
  const differences = [...results].map(([family, bySystem]) => {
    const hit5 = (name: string): number => mean(bySystem.get(name)!, 'hit5') ?? 0;
    const own = hit5('hybrid');
    const others = references.map(hit5);
    const best = Math.max(...others);
    const other = `${references[others.indexOf(best)]} ${best.toFixed(3)}`;
    const cells = [own.toFixed(3), other, (own - best).toFixed(3)];
    cells.push(...named.map((name) => hit5(name).toFixed(3)));
    console.log(`| ${family} | ${cells.join(' | ')} |`);
    return own - best;
  });
  const means = named.map((name) =>
    average([...results.values()].map((bySystem) => mean(bySystem.get(name)!, 'hit5') ?? 0)),
  );
  const cells = [average(differences), ...means].map((each) => each!.toFixed(3));
  console.log(`| mean | | | ${cells.join(' | ')} |`);
  console.log(`| worst | | | ${Math.min(...differences).toFixed(3)} |${' |'.repeat(named.length)}`);
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
