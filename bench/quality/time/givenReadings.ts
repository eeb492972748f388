// Readings of questions that others have asked: what the class of a family's question, or the time
// specifier of TempRAGEval (MRAG section 3), says of order and relation, and the share read so.
// node --import tsx bench/quality/time/givenReadings.ts [--folder DIR,...] [--wrong N]
// Families default to ../shared/data/unseen/*; TempRAGEval is ../shared/data/temprageval. Nothing
// was fitted to these questions; edges of periods were written while looking at the families.
// --wrong prints the first N that are read otherwise.
import { readdirSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readCsv } from '../../../packages/documents/lib/index.js';
import { readQuestion, type QuestionReading } from '../../../lib/time/question/reading.js';
import { parseArgs } from '../../options.js';
import { familyFiles, judgments } from '../families/files.js';
import { requireData, shared } from '../sets/sets.js';

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    wrong: { type: 'string', default: '0' },
  },
});

type Check = (reading: QuestionReading) => boolean;
const isOrder =
  (...orders: string[]): Check =>
  ({ order }) =>
    orders.includes(order);
const isRelation =
  (...relations: string[]): Check =>
  ({ relation }) =>
    relations.includes(relation);
const both =
  (...checks: Check[]): Check =>
  (reading) =>
    checks.every((check) => check(reading));

const before = isRelation('before', 'until');
const after: Check = (reading) =>
  isRelation('after', 'since')(reading) || (reading.order === 'next' && reading.time !== undefined);
const at = isRelation('at');
/** By class of a family's questions; classes that no reading shows are left out. */
const ofClass: Readonly<Record<string, Check>> = {
  next: isOrder('next'),
  previous: isOrder('previous'),
  first: isOrder('first'),
  first_ever: isOrder('first'),
  first_of_year: both(isOrder('first'), at),
  last: isOrder('latest'),
  // "When 2022 ended" has an edge of its own.
  last_of_year: at,
  before,
  last_before: before,
  just_before: before,
  after,
  first_after: after,
  between: isRelation('between', 'at'),
  asof: isRelation('at', 'until'),
  as_of: isRelation('at', 'until'),
  in: at,
  in_year: at,
  in_month: at,
  month: at,
  on_day: at,
  current: both(isOrder('now', 'latest', 'none'), isRelation('none')),
  currently: both(isOrder('now', 'latest', 'none'), isRelation('none')),
  when: ({ asks }) => asks === 'when',
  no_time: isRelation('none'),
  control: both(isRelation('none'), isOrder('none', 'now')),
  plain: both(isRelation('none'), isOrder('none')),
};
const ofSpecifier: Readonly<Record<string, Check>> = {
  '': isRelation('none'),
  'as of': at,
  in: at,
  on: at,
  during: at,
  when: at,
  around: isRelation('around'),
  before,
  by: before,
  until: before,
  after,
  since: isRelation('since', 'after'),
  from: isRelation('since', 'between'),
  between: isRelation('between'),
};

requireData();
const counts = new Map<string, { right: number; all: number }>();
let left = Number(values.wrong);
function count(name: string, text: string, askedAt: string | undefined, check: Check): void {
  const reading = readQuestion({ text, ...(askedAt === undefined ? {} : { askedAt }) });
  const own = counts.get(name) ?? { right: 0, all: 0 };
  counts.set(name, own);
  own.all += 1;
  if (check(reading)) own.right += 1;
  else if (left-- > 0)
    console.log(`${name}: ${text.trim()} [${reading.asks} ${reading.order} ${reading.relation}]`);
}

const unseen = join(shared, 'data/unseen');
const folders =
  values.folder?.split(',') ??
  readdirSync(unseen)
    .map((name) => join(unseen, name))
    .filter((folder) => existsSync(join(folder, 'queries.jsonl')));
for (const folder of folders)
  for (const { text, class: kind, asked_at: askedAt } of judgments(familyFiles(folder)).queries) {
    const check = ofClass[kind];
    if (check) count(`${kind} of families`, text, askedAt, check);
  }
const rows = readCsv(join(shared, 'data/temprageval/data.csv'), (record) => record);
for await (const { question, time_specifier: specifier = '' } of rows) {
  const check = ofSpecifier[specifier];
  if (question && check)
    count(`${specifier || 'no time'} of TempRAGEval`, question, undefined, check);
}

console.log('\n| class | read so | questions |');
console.log('| --- | ---: | ---: |');
for (const [name, { right, all }] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`| ${name} | ${(right / all).toFixed(2)} | ${all} |`);
const share = (suffix: string): string => {
  const own = [...counts].filter(([name]) => name.endsWith(suffix)).map(([, each]) => each);
  const all = own.reduce((sum, each) => sum + each.all, 0);
  return `${(own.reduce((sum, each) => sum + each.right, 0) / all).toFixed(3)} of ${all}`;
};
console.log(`families ${share('families')} (${folders.map((each) => basename(each)).join(', ')})`);
console.log(`TempRAGEval ${share('TempRAGEval')}`);
