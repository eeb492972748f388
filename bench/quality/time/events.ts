// Questions that name an event or a state in place of a date ("while X edited Y", "before X died"),
// 200 of our own over the pages of TimeQA and the records of Nobel laureates, in one corpus: the
// share whose event `hybrid` resolves to the right time, and hit@1 without the resolver, with it,
// and of the same questions with the data's dates. Half 0 was looked at while the resolver was
// written; half 1 has other pages, of which only sums were seen. Then what it costs elsewhere: how
// many questions of other sets it touches and their hit@1, events that the corpus does not tell of,
// and questions of SituatedQA and RecencyQA that it takes for ones about events. usage: node
// --import tsx bench/quality/time/events.ts [--sample 300] [--latency 100] [--keep DIR] [--misses]
import { join } from 'node:path';
import { Corpus, hybrid, type SystemResult } from '../../../lib/index.js';
import type { Qrels } from '../../../packages/evaluation/lib/index.js';
import { readEvent } from '../../../lib/time/question/eventPhrase.js';
import { describeMachine, machine } from '../../machine.js';
import { parseArgs } from '../../options.js';
import {
  openSet,
  passagesOf,
  queriesOf,
  records,
  requireData,
  shared,
  workFolder,
  type SetQuery,
} from '../sets/sets.js';
import { eventQuestions, type EventQuestion } from './eventQuestions.js';

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '300' },
    latency: { type: 'string', default: '100' },
    keep: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
});
requireData();
const work = workFolder('events', values.keep);
const sample = Number(values.sample);
const share = (count: number, of: number): string => (of === 0 ? '-' : (count / of).toFixed(2));
const yearOf = (instant: number): number => new Date(instant).getUTCFullYear();
/** Where a set says nothing of when it was asked, so that figures repeat. */
const askedAt = '2024-06-15';

console.log(describeMachine(machine()));
const timeqa = await openSet(work, 'timeqa');
const nobel = await openSet(work, 'nobel');
const both = await Corpus.open(join(work, 'events.asof'));
if (both.info().passages === 0)
  await both.add([...passagesOf(timeqa.folder), ...passagesOf(nobel.folder)]);
const questions = eventQuestions({ nobel: nobel.folder, timeqa: timeqa.qrels }, 100);
await reportHalves();
await reportUntold();
for (const [name, set, queries] of [
  ['timeqa easy', timeqa, 'queries-easy'],
  ['timeqa hard', timeqa, 'queries-hard'],
  ['nobel', nobel, 'queries'],
] as const)
  await reportHarm(name, set.corpus, set.qrels, queriesOf(set.folder, queries, sample));
const tennis = await openSet(work, 'tennis');
const anyDay = queriesOf(tennis.folder, 'queries-anytime', sample);
await reportHarm('tennis any', tennis.corpus, tennis.qrels, anyDay);
reportDetections('situatedqa, dated', 'situatedqa_temp/qa.dev.jsonl', 'edited_question');
reportDetections('situatedqa', 'situatedqa_temp/qa.dev.jsonl', 'question');
reportDetections('recencyqa', 'recencyqa/recencyqa.jsonl', 'question');
await reportLatency();
for (const { corpus } of [timeqa, nobel, tennis]) await corpus.close();
await both.close();

/**
 * Whether the resolved time is right: for a bound, the year of the end that bounds; for a state or
 * an event, a time within the years of the data, or one that covers them and stands in the data's
 * own passage, whose dates may be wider than those of the question that it was made from.
 */
function isRight({ relation, event, told }: EventQuestion, { question }: SystemResult): boolean {
  const { resolved } = question;
  if (!resolved) return false;
  const [from, to] = [yearOf(resolved.interval.start), yearOf(resolved.interval.end - 1)];
  if (relation === 'before') return from === event.from;
  if (relation === 'after') return to === event.to;
  if (from >= event.from && to <= event.to) return true;
  return told.includes(resolved.passage) && from <= event.from && to >= event.to;
}

async function reportHalves(): Promise<void> {
  const [off, on] = [hybrid({ corpus: both, events: false }), hybrid({ corpus: both })];
  for (const half of [0, 1] as const) {
    const kinds = new Map<
      string,
      Record<'asked' | 'resolved' | 'right' | 'off' | 'on' | 'dated', number>
    >();
    for (const each of questions.filter((question) => question.half === half)) {
      const rows = ['all', each.kind].map((kind) => {
        const row = kinds.get(kind) ?? { asked: 0, resolved: 0, right: 0, off: 0, on: 0, dated: 0 };
        kinds.set(kind, row);
        return row;
      });
      const first = ({ evidence: [best] }: SystemResult): boolean =>
        best !== undefined && each.right.has(best.id);
      const result = await on.run({ text: each.text, askedAt });
      const found = {
        asked: true,
        resolved: result.question.resolved !== undefined,
        right: isRight(each, result),
        off: first(await off.run({ text: each.text, askedAt })),
        on: first(result),
        dated: first(await off.run({ text: each.dated, askedAt })),
      };
      for (const row of rows)
        for (const [name, value] of Object.entries(found))
          row[name as keyof typeof row] += Number(value);
      if (values.misses && half === 0 && (!found.right || !found.on))
        console.log(
          `${each.text}\n    ${JSON.stringify(found)} gold ${JSON.stringify(each.event)}, read as: ` +
            (result.question.resolved?.asked ?? 'not resolved'),
        );
    }
    console.log(`\nhalf ${half}${half === 0 ? ', looked at' : ', unseen'}`);
    console.log('kind        n    resolved right  hit@1: off  on    dated');
    for (const [kind, { asked, resolved, right, ...hits }] of kinds)
      console.log(
        `${kind.padEnd(11)} ${String(asked).padEnd(4)} ${share(resolved, asked)}     ${share(right, asked)}          ` +
          `${share(hits.off, asked)} ${share(hits.on, asked)}  ${share(hits.dated, asked)}`,
      );
  }
}

/** Events of laureates, asked of a corpus that has TimeQA's pages alone. */
async function reportUntold(): Promise<void> {
  const system = hybrid({ corpus: timeqa.corpus });
  const untold = questions.filter(({ kind }) => kind === 'laureate');
  let resolved = 0;
  for (const { text } of untold)
    if ((await system.run({ text, askedAt })).question.resolved) resolved += 1;
  console.log(
    `\nevents that the corpus does not tell of: ${resolved} of ${untold.length} resolved`,
  );
}

async function reportHarm(
  name: string,
  corpus: Corpus,
  qrels: Qrels,
  queries: readonly SetQuery[],
): Promise<void> {
  const [off, on] = [hybrid({ corpus, events: false }), hybrid({ corpus })];
  let [touched, before, after] = [0, 0, 0];
  for (const { id, text, askedAt: asked = askedAt } of queries) {
    const isFirst = ({ evidence: [best] }: SystemResult): number =>
      Number(best !== undefined && (qrels.get(id)?.get(best.id) ?? 0) > 0);
    const [plain, result] = [
      await off.run({ text, askedAt: asked }),
      await on.run({ text, askedAt: asked }),
    ];
    before += isFirst(plain);
    after += isFirst(result);
    if (result.question.resolved) touched += 1;
  }
  const n = queries.length;
  console.log(
    `${name}: ${touched} of ${n} touched, hit@1 ${share(before, n)} -> ${share(after, n)}`,
  );
}

function reportDetections(name: string, file: string, field: string): void {
  const texts = [
    ...new Set(records(join(shared, 'data', file)).map((each) => String(each[field]))),
  ];
  const read = texts.filter((text) => readEvent({ text, askedAt }) !== undefined);
  console.log(`${name}: ${read.length} of ${texts.length} read as naming an event`);
  if (values.misses) for (const text of read.slice(0, 40)) console.log(`    ${text}`);
}

/** Median milliseconds of a question, both in turns: dated ones, and those that name an event. */
async function reportLatency(): Promise<void> {
  const [off, on] = [hybrid({ corpus: both, events: false }), hybrid({ corpus: both })];
  const asked = questions.slice(0, Number(values.latency));
  for (const field of ['dated', 'text'] as const) {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < 2; round += 1)
      for (const each of asked)
        for (const [at, system] of [off, on].entries()) {
          const started = performance.now();
          await system.run({ text: each[field], askedAt });
          if (round > 0) times[at]!.push(performance.now() - started);
        }
    const [plain, resolved] = times.map((all) =>
      all.sort((a, b) => a - b)[all.length >> 1]!.toFixed(1),
    );
    console.log(
      `${field === 'dated' ? 'dated questions' : 'questions that name an event'}: ` +
        `median ${plain} ms without the resolver, ${resolved} ms with it`,
    );
  }
}
