// Readings of questions that several hands have labelled (readings/): the share that is read
// exactly, by hand and by operator; which words are left for relevance; identifiers and titles that
// are not taken for times.
// node --import tsx bench/quality/time/readings.ts [--hand a,c] [--wrong N] [--field anchor]
// --wrong prints the first N faults, of one field where --field names it. Not those of hands that
// are held out, unless --hand does.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from '../../options.js';
import { formatDay } from '../../../lib/time/instant.js';
import { readQuestion, blanked } from '../../../lib/time/question/reading.js';

/** Hands that nothing is developed on. */
const heldOut = ['b', 'd', 'e', 'k', 'zb', 'zw', 'zzd', 'zzk', 'zzs', 'zzw'];

interface Reading {
  asks: string;
  order: string;
  n: number | null;
  relation: string;
  time: [string, string] | null;
  shift: string | null;
  anchor: { text: string } | null;
  clock: string;
}
interface Question {
  id: string;
  text: string;
  asked_at: string;
}
type Labelled = Question & Reading & { removed: string[]; style: string };
type Protected = Question & Pick<Reading, 'time'> & { protected: string[] };

/** A question as the library reads it, in the words of the labels. */
function read({ text, asked_at: askedAt }: Question): Reading & { rest: string } {
  const reading = readQuestion({ text, askedAt });
  const { time, shift, anchor, n, dates, removed } = reading;
  return {
    asks: reading.asks,
    order: reading.order,
    n: n ?? null,
    relation: reading.relation,
    time: time ? [formatDay(time.start), formatDay(time.end - 1)] : null,
    shift: shift ? distance(shift) : null,
    anchor: anchor ?? null,
    clock: reading.clock,
    rest: blanked(text, [...removed, ...dates.filter(({ binds }) => binds)]),
  };
}

const distance = ({ count, unit }: { count: number; unit: string }): string =>
  `${count < 0 ? '' : '+'}${count} ${unit}${Math.abs(count) === 1 ? '' : 's'}`;

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const nameOf = (anchor: Reading['anchor']): string =>
  words(anchor?.text ?? '')
    .filter((word) => !/^(?:the|an?|its|his|her|their|our|my|i|we|you|he|she|it|they)$/.test(word))
    .join(' ');

type Check = (label: Reading, reading: Reading) => boolean;
const checks: Readonly<Record<string, Check>> = {
  asks: (label, reading) => label.asks === reading.asks,
  order: (label, reading) => label.order === reading.order && label.n === reading.n,
  relation: (label, reading) => label.relation === reading.relation,
  time: (label, reading) => String(label.time) === String(reading.time),
  anchor: (label, reading) =>
    nameOf(label.anchor) === nameOf(reading.anchor) && label.shift === reading.shift,
  clock: (label, reading) => label.clock === reading.clock,
};

/**
 * Words of the topic that the rest lacks, and words that should not be in it; of three letters and
 * fewer none, and none of the sentences around a question.
 */
function restFaults(label: Labelled, rest: string): string[] {
  const topic = label.removed.reduce((text, piece) => text.replace(piece, ' '), label.text);
  const counts = new Map<string, number>();
  for (const word of words(topic)) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const word of words(rest)) counts.set(word, (counts.get(word) ?? 0) - 1);
  const isWrapped = label.style === 'wrapped' || label.style === 'voice';
  return [...counts]
    .filter(([word, left]) => word.length > 3 && (left < 0 || (left > 0 && !isWrapped)))
    .map(([word, left]) => (left < 0 ? `+${word}` : `-${word}`));
}

const { values } = parseArgs({
  options: {
    hand: { type: 'string' },
    wrong: { type: 'string', default: '0' },
    field: { type: 'string' },
  },
});
const folder = join(import.meta.dirname, 'readings');
const linesOf = <T>(name: string): T[] =>
  readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

/** How many of some questions have each property. */
class Tally {
  all = 0;
  private readonly counts = new Map<string, number>();

  add(...properties: readonly string[]): void {
    this.all += 1;
    for (const each of properties) this.counts.set(each, (this.counts.get(each) ?? 0) + 1);
  }

  share(property: string): string {
    return ((this.counts.get(property) ?? 0) / this.all).toFixed(3);
  }
}

const columns = ['exact', ...Object.keys(checks), 'rest'];
const rowOf = (name: string, tally: Tally): string =>
  `| ${[name, tally.all, ...columns.map((each) => tally.share(each))].join(' | ')} |`;
const sums = { 'in-sample': new Tally(), 'held out': new Tally() };
const byOperator = { 'in-sample': new Map<string, Tally>(), 'held out': new Map<string, Tally>() };
let toShow = Number(values.wrong);

console.log(
  `| hand | questions | ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length + 2)}`,
);
const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
const hands = files.map((file) => file.replace('.jsonl', '')).filter((h) => h !== 'identifiers');
for (const hand of values.hand?.split(',') ?? hands) {
  const tally = new Tally();
  const kind = heldOut.includes(hand) ? 'held out' : 'in-sample';
  for (const label of linesOf<Labelled>(hand)) {
    const reading = read(label);
    const right = Object.keys(checks).filter((name) => checks[name]!(label, reading));
    const wrong = Object.keys(checks).filter((name) => !right.includes(name));
    const rest = restFaults(label, reading.rest);
    const properties = [
      ...right,
      ...(wrong.length === 0 ? ['exact'] : []),
      ...(rest.length === 0 ? ['rest'] : []),
    ];
    const operator = operatorOf(label);
    const ofOperator = byOperator[kind].get(operator) ?? new Tally();
    byOperator[kind].set(operator, ofOperator);
    for (const each of [tally, sums[kind], ofOperator]) each.add(...properties);
    const faults = values.field === 'rest' ? rest : wrong.filter(isShown);
    if (faults.length > 0 && toShow > 0 && (kind === 'in-sample' || values.hand !== undefined)) {
      toShow -= 1;
      console.log(faultOf(label, reading, wrong, rest));
    }
  }
  console.log(rowOf(hand, tally));
}
for (const [name, tally] of Object.entries(sums))
  if (tally.all > 0) console.log(rowOf(name, tally));
for (const [name, tallies] of Object.entries(byOperator)) {
  const shares = [...tallies].map(
    ([each, tally]) => `${each} ${tally.share('exact')} of ${tally.all}`,
  );
  if (shares.length > 0) console.log(`exact by operator, ${name}: ${shares.sort().join(', ')}`);
}

const identifiers = new Tally();
for (const label of linesOf<Protected>('identifiers')) {
  const { time, rest } = read(label);
  const kept = new Set(words(rest));
  const isKept = words(label.protected.join(' ')).every((word) => kept.has(word));
  const isRight = String(time) === String(label.time);
  identifiers.add(...(isKept ? ['kept'] : []), ...(isRight ? ['time'] : []));
}
console.log(
  `identifiers and titles, held out, ${identifiers.all}: kept for relevance ` +
    `${identifiers.share('kept')}, the real time alone is read ${identifiers.share('time')}`,
);

/** Whether a date binds behind any subject: forms of questions, S the subject and Y a year. */
const forms = [
  ...['What did S do in Y?', 'Who ran S in Y?', 'What was the budget of S in Y?', 'S in Y'],
  ...['what happened to S in Y', 'Which changes did S make in Y?', 'Where was S in Y?'],
  ...['How many people lived near S in Y?', 'who led S as of Y', 'In Y, who chaired S?'],
  ...['What was said about S before Y?', 'What did S decide after Y?', 'S revenue Y'],
  'Did S move in March Y?',
];
const subjects = [
  ...['the mill', 'the town', 'Ann Bell', 'the Acme board', 'Norway', 'the club', 'my sister'],
  ...['the API', 'the river', 'team Rocket'],
];
let [dated, unbound] = [0, 0];
for (const form of forms)
  for (const subject of subjects)
    for (let year = 1900; year < 2024; year += 3) {
      const text = form.replace('S', subject).replace('Y', String(year));
      dated += 1;
      unbound += Number(readQuestion({ text, askedAt: '2024-06-01' }).time === undefined);
    }
console.log(`dates that do not bind, of ${dated} behind made-up questions: ${unbound}`);

function isShown(field: string): boolean {
  return values.field === undefined || values.field === field;
}

function operatorOf({ asks, order, shift, relation }: Labelled): string {
  if (asks !== 'thing') return asks;
  if (order !== 'none') return order;
  return shift === null ? relation : 'shifted';
}

function faultOf(
  label: Labelled,
  reading: Reading,
  wrong: readonly string[],
  rest: readonly string[],
): string {
  const fields = wrong as (keyof Reading)[];
  const told = fields.map(
    (field) => `${field} ${JSON.stringify(label[field])}, read ${JSON.stringify(reading[field])}`,
  );
  return `${label.id} ${label.asked_at} ${label.text}\n  ${[...told, ...rest].join('; ')}`;
}
