// How questions of published sets are taken apart: how many parse to a constraint, and random ones
// with every field, to be judged by hand (docs/decisions/time-in-text.md has the
// judgement). Also our own cases, in the batches they were written in. It asserts nothing:
// test/time/question/question.test.ts has floors. SETS is the output of
// ../shared/tools/make_eval_sets.py. usage: node --import tsx bench/quality/time/questions.ts
// [SETS] [--sample 200] [--seed 7] [--misses]
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from '../../options.js';
import { parseQuestion } from '../../../lib/time/question/question.js';
import { toTimeQuestionRecord } from '../../../lib/time/records.js';
import { ownQuestionCases, questionAccuracy } from './time.js';

interface SetQuestion {
  set: string;
  text: string;
}

const data = new URL('../../../../shared/data/', import.meta.url);
const records = (path: string | URL): Record<string, string>[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, string>)
    : [];

/**
 * Where a set says nothing of when it was asked, relative words are read as of this day, so that
 * figures repeat.
 */
const askedAt = '2024-06-15';

const { values, positionals } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '7' },
    misses: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const sets: [string, string[]][] = [
  [
    'timeqa hard',
    positionals[0]
      ? records(`${positionals[0]}/timeqa/queries-hard.jsonl`).map(({ text }) => text!)
      : [],
  ],
  [
    'timeqa human hard',
    records(new URL('timeqa_human/queries.jsonl', data)).map((each) => each['question_hard']!),
  ],
  [
    'situatedqa train',
    records(new URL('situatedqa_temp/qa.train.jsonl', data)).map(
      (each) => each['edited_question']!,
    ),
  ],
  [
    'recencyqa',
    records(new URL('recencyqa/recencyqa.jsonl', data)).map(({ question }) => question!),
  ],
];

function printCounts(name: string, questions: readonly string[]): void {
  const count = { said: 0, implied: 0, several: 0, ordered: 0 };
  for (const text of questions) {
    const { constraint, constraints } = parseQuestion({ text, askedAt });
    if (constraint.relation !== 'none')
      count[constraint.text === undefined ? 'implied' : 'said'] += 1;
    if (constraints.filter(({ binds }) => binds).length > 1) count.several += 1;
    if (constraint.condition !== 'none') count.ordered += 1;
  }
  const share = (number: number) =>
    `${number} (${((100 * number) / questions.length).toFixed(1)} %)`;
  console.log(
    `${name}: ${questions.length} questions, a constraint in words ${share(count.said)}, implied by "current" ${share(count.implied)}, several ` +
      `that bind ${share(count.several)}, first or last ${share(count.ordered)}`,
  );
}

/**
 * A small generator of its own (mulberry32), so that a seed means the same questions everywhere.
 */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function printSample(all: readonly SetQuestion[], size: number, seed: number): void {
  const next = random(seed);
  const left = [...all];
  for (let number = 1; number <= size && left.length > 0; number++) {
    const [{ set, text }] = left.splice(Math.floor(next() * left.length), 1) as [SetQuestion];
    const record = toTimeQuestionRecord(null, parseQuestion({ text, askedAt }));
    const {
      main_content,
      constraint_text,
      condition,
      relation,
      start_iso,
      end_iso,
      window_start,
      window_end,
      granularity,
      constraints,
    } = record;
    const dates =
      constraint_text === null
        ? ''
        : ` | ${relation} | ${start_iso}..${end_iso} | window ${window_start}..${window_end} | ${granularity}`;
    const others = constraints
      .filter((each) => each.constraint_text !== constraint_text)
      .map((each) => `${each.constraint_text ?? 'implied'}${each.binds ? ' (binds)' : ''}`);
    console.log(
      `${number} [${set}] ${text}\n    ${main_content} | ${constraint_text} | ` +
        `${condition}${dates}${others.length > 0 ? ` | also ${others.join('; ')}` : ''}`,
    );
  }
}

function printOwn(): void {
  const cases = ownQuestionCases();
  for (const batch of [...new Set(cases.map((each) => each['batch'] as number))]) {
    const {
      cases: count,
      exact,
      misses,
    } = questionAccuracy(cases.filter((each) => each['batch'] === batch));
    console.log(`own cases, batch ${batch}: ${exact} of ${count} right in every field`);
    if (values.misses) console.log(misses.join('\n'));
  }
}

printOwn();
const present = sets.filter(([, questions]) => questions.length > 0);
if (present.length === 0)
  console.log('The published sets are not on this machine (../shared/data).');
for (const [name, questions] of present) printCounts(name, questions);
if (values.sample) {
  printSample(
    present
      .filter(([name]) => name !== 'timeqa human hard' || !positionals[0])
      .flatMap(([set, questions]) => questions.map((text) => ({ set, text }))),
    Number(values.sample),
    Number(values.seed),
  );
}
