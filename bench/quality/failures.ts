// What a wrong answer looks like (issue 4; MRAG appendix N): fifty questions, random by seed, whose
// first passage is wrong, classed by the stage to blame as far as scores, dates and shares tell,
// with one example of each class; and fifty wrong answers by the paper's three kinds. `node
// --import tsx bench/quality/failures.ts [--set "timeqa hard"] [--system mrag,hybrid] [--failures
// 50] [--seed 1] [--keep DIR] [--explain]`; --explain prints every case as `asof ask --explain`
// does, with the right passage after it, for reading by eye.
import { parseArgs } from '../options.js';
import { exactMatch, tokenF1 } from '../../packages/evaluation/lib/measures/answers.js';
import { renderResult } from '../../lib/cli/tables/results.js';
import { createTerminal } from '../../lib/cli/terminal.js';
import { createSystem, type Settings } from '../../lib/papers/index.js';
import type { Corpus, Evidence, SystemResult } from '../../lib/index.js';
import type { Qrels } from '../../packages/evaluation/lib/index.js';
import { seededRandom } from '../../lib/text/random.js';
import { describeMachine, machine } from '../machine.js';
import { blame, blameOfAnswer, blames, shareDifferences, type Blame } from './blame.js';
import {
  evaluationSets,
  openSet,
  queriesOf,
  requireData,
  type SetQuery,
  workFolder,
} from './sets/sets.js';

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'timeqa hard' },
    system: { type: 'string', default: 'mrag,hybrid' },
    failures: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    explain: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
});
const set = evaluationSets.find(({ name }) => name === values.set);
if (!set)
  throw new Error(
    `Expected --set to be one of ${evaluationSets.map(({ name }) => name).join(', ')}, received ${values.set}.`,
  );
requireData();
/** As deep as mrag's first stage. */
const deepest = 1000;
/**
 * What leaves mrag's first stage as it found it: for telling what it missed from what a later stage
 * cut.
 */
const firstStage: Settings = {
  keywords: false,
  passages: 1000,
  summarise: 0,
  sentences: false,
  spline: false,
};

interface Case {
  query: SetQuery;
  result: SystemResult;
  blame: Blame;
  right?: Evidence;
}

const work = workFolder('failures', values.keep);
const terminal = { ...createTerminal({ json: false }), columns: 140 };
const wanted = Number(values.failures);
console.log(describeMachine(machine()));
const { corpus, qrels, folder } = await openSet(work, set.task);
const queries = seededRandom(Number(values.seed), set.name).shuffled(
  queriesOf(folder, set.queries).filter(({ id }) => qrels.has(id)),
);
for (const name of values.system.split(',')) await report(name);
await corpus.close();

async function report(name: string): Promise<void> {
  const system = createSystem(name, { corpus });
  const cases: Case[] = [];
  const wrong: Record<ReturnType<typeof blameOfAnswer>, number> = {
    retrieval: 0,
    format: 0,
    reader: 0,
  };
  const count = { asked: 0, wrong: 0 };
  for (const query of queries) {
    const answersLeft = query.answers !== undefined && count.wrong < wanted;
    if (cases.length >= wanted && !answersLeft) break;
    const judged = judgedRight(qrels, query);
    const result = await system.run(questionOf(query));
    if (cases.length < wanted) count.asked += 1;
    const answers = query.answers ?? [];
    const given = result.answer?.text ?? '';
    if (answersLeft && exactMatch(given, answers) === 0) {
      count.wrong += 1;
      wrong[
        blameOfAnswer({
          rightAmongFive: result.evidence.slice(0, 5).some(({ id }) => judged.has(id)),
          f1: tokenF1(given, answers),
          given,
          answers,
        })
      ] += 1;
    }
    if (
      cases.length < wanted &&
      result.evidence[0] !== undefined &&
      !judged.has(result.evidence[0].id)
    ) {
      cases.push(await caseOf(name, corpus, query, judged));
    }
  }
  print(name, cases, count.asked);
  if (count.wrong > 0) {
    const parts = Object.entries(wrong).map(
      ([kind, number]) => `${kind} ${number} (${percent(number, count.wrong)})`,
    );
    console.log(
      `\n${count.wrong} wrong answers by rules (appendix N.2, figure 11): ${parts.join(', ')}. Retrieval: no judged passage among the first ` +
        `five; format: right in other words; reader: the rest.`,
    );
  }
  if (values.explain) for (const each of cases) explain(String(system), name, each);
}

/** A failure with the whole ranking, and whether the first stage had a right passage. */
async function caseOf(
  name: string,
  from: Corpus,
  query: SetQuery,
  judged: ReadonlySet<string>,
): Promise<Case> {
  const result = await createSystem(name, { corpus: from }).run(questionOf(query), { k: deepest });
  const found = result.evidence.find(({ id }) => judged.has(id));
  // A ranker explains the candidates alone; what only fills up the list has no shares.
  const ranked = result.evidence.some(({ shares }) => shares)
    ? found?.shares !== undefined
    : found !== undefined;
  const wasCandidate =
    ranked ||
    (name === 'mrag' &&
      (
        await createSystem(name, { corpus: from, settings: firstStage }).run(questionOf(query), {
          k: deepest,
        })
      ).evidence.some(({ id }) => judged.has(id)));
  const right = [...judged].flatMap((id) => from.get(id) ?? []);
  return {
    query,
    result,
    ...(found ? { right: found } : {}),
    blame: blame({
      question: result.question,
      answers: query.answers ?? [],
      ranking: result.evidence,
      right,
      wasCandidate,
    }),
  };
}

function judgedRight(judgements: Qrels, { id }: SetQuery): Set<string> {
  return new Set(
    [...judgements.get(id)!].filter(([, grade]) => grade > 0).map(([passage]) => passage),
  );
}

function questionOf({ text, askedAt }: SetQuery): {
  text: string;
  askedAt?: NonNullable<SetQuery['askedAt']>;
} {
  return askedAt === undefined ? { text } : { text, askedAt };
}

function print(name: string, cases: readonly Case[], asked: number): void {
  console.log(
    `\n## ${name} on ${set!.name}: ${cases.length} failures among ${asked} questions, seed ${values.seed}\n`,
  );
  console.log(
    '| stage to blame | failures | right passage stands at (median) |\n| --- | ---: | ---: |',
  );
  for (const [kind, words] of Object.entries(blames)) {
    const own = cases.filter((each) => each.blame === kind);
    const ranks = own.flatMap(({ right }) => right?.rank ?? []).sort((a, b) => a - b);
    console.log(
      `| ${words} | ${own.length} (${percent(own.length, cases.length)}) | ${ranks[Math.floor(ranks.length / 2)] ?? ''} |`,
    );
  }
  printShares(cases);
  for (const kind of Object.keys(blames)) {
    const example = cases.find((each) => each.blame === kind);
    if (!example) continue;
    const { query, result, right } = example;
    console.log(
      `\n**${kind}**: ${query.text}${query.answers ? ` (${query.answers.join(' / ')})` : ''}`,
    );
    console.log(
      `constraint: ${result.question.constraint.text ?? 'none'}; searched: ${result.question.mainContent}`,
    );
    console.log(`first: ${line(result.evidence[0]!)}`);
    console.log(
      right ? `right: ${line(right)}` : `right: not in the ranking; ${judgedText(query)}`,
    );
  }
}

/**
 * For systems that rank by features: those whose shares speak most for the wrong passage, and most
 * for the right one.
 */
function printShares(cases: readonly Case[]): void {
  const sums = new Map<string, number>();
  const both = cases.filter(({ result, right }) => result.evidence[0]?.shares && right?.shares);
  for (const { result, right } of both) {
    for (const [name, share] of Object.entries(shareDifferences(result.evidence[0]!, right!)))
      sums.set(name, (sums.get(name) ?? 0) + share);
  }
  if (both.length === 0) return;
  const means = [...sums]
    .map(([name, sum]) => [name, sum / both.length] as const)
    .sort((a, b) => b[1] - a[1]);
  const shown = (some: typeof means): string =>
    some
      .map(([name, mean]) => `${name} ${mean < 0 ? '-' : '+'}${Math.abs(mean).toFixed(2)}`)
      .join(', ');
  console.log(
    `\nShares of the first passage's score less those of the right one's, means of ${both.length}: ${shown(means.slice(0, 8))}; against it ` +
      `${shown(means.slice(-5).reverse())}.`,
  );
}

function line({ rank, title, sentence, text, dates, scores, score }: Evidence): string {
  const times = (dates ?? [])
    .slice(0, 3)
    .map(({ start, end }) => `${day(start)}..${day(end)}`)
    .join(', ');
  const columns = Object.entries(scores)
    .map(([column, value]) => `${column} ${value.toFixed(2)}`)
    .join(' ');
  return `#${rank} ${title ?? ''}: "${(sentence ?? text).slice(0, 220)}" [${times || 'no date'}] score ${score.toFixed(3)} (${columns})`;
}

function judgedText(query: SetQuery): string {
  const [passage] = [...judgedRight(qrels, query)].flatMap((id) => corpus.get(id) ?? []);
  return passage ? `${passage.title ?? ''}: "${passage.text.slice(0, 220)}"` : 'not in the corpus';
}

function explain(
  composition: string,
  name: string,
  { query, result, blame: kind, right }: Case,
): void {
  console.log(
    `\n---\n${query.text}\nexpected: ${(query.answers ?? []).join(' / ')}\nblamed: ${blames[kind]}\n`,
  );
  const milliseconds = result.trace.reduce((sum, each) => sum + each.milliseconds, 0);
  const shown = {
    ...result,
    evidence: [...result.evidence.slice(0, 3), ...(right && right.rank > 3 ? [right] : [])],
  };
  console.log(
    renderResult(shown, { system: composition, name, milliseconds, explain: true, terminal }),
  );
  if (!right) console.log(`right, not found: ${judgedText(query)}`);
}

function day(instant: number): string {
  return Number.isFinite(instant) ? new Date(instant).toISOString().slice(0, 10) : 'open';
}

function percent(part: number, all: number): string {
  return `${Math.round((100 * part) / Math.max(1, all))}%`;
}
