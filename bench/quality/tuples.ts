// Accuracy of Re3's time tuples (table 5 of its paper) from texts whose times are known: `node --import tsx
// bench/quality/tuples.ts`. The paper's sets are not on the machine; ours stand in for them: questions and passages of
// ../shared/tools/make_eval_sets.py, whose records give the time meant, and SituatedQA's dated questions. It judges nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timeTuples, tupleAccuracy, type TextKind, type TimeTuple } from '../../lib/index.js';
import { describeMachine, machine } from '../machine.js';
import { csvRecords, dataIsHere, makeSet, opaque, records, shared } from './sets.js';

interface Dated {
  text: string;
  reference: string | undefined;
  expected: TimeTuple;
}

const data = join(shared, 'data');
if (!dataIsHere) {
  console.log('not run: the evaluation data (../shared) is not on this machine');
  process.exit(0);
}

const work = mkdtempSync(join(tmpdir(), 'asof-tuples-'));
console.log(describeMachine(machine()));
console.log("Re3's table 5 (year, month, day, exact match): NYC-Q 0.992 0.990 0.991 0.989, NYC-D 0.986 0.985 0.983 0.981,");
console.log('NOAA-Q 0.985 0.982 0.988 0.982, NOAA-D 0.981 0.988 0.985 0.980: its learned extractor on its own texts, for scale.\n');
console.log(['set'.padEnd(22), 'year', 'month', 'day', 'exact', 'texts', 'texts/s'].map((cell) => cell.padStart(7)).join(' '));

const nwsDays = new Map<string, string>();
for (const { city, target_date, issued_at } of csvRecords('nws_selected_cities/forecasts.csv')) {
  nwsDays.set(opaque(`${city}-${target_date}-${issued_at}`), target_date!).set(opaque(`q${city}${target_date}`), target_date!);
}
const covidDays = new Map<string, string>();
for (const { country, observation_date, published_at } of csvRecords('covid_revisions/revisions.csv')) {
  covidDays
    .set(opaque(`${country}${observation_date}${published_at}`), observation_date!)
    .set(opaque(`q${country}${observation_date}`), observation_date!);
}
await measure('nws questions', 'query', ofDay('nws', 'queries', nwsDays));
await measure('nws passages', 'passage', ofDay('nws', 'passages', nwsDays));
await measure('covid questions', 'query', ofDay('covid', 'queries', covidDays));
await measure('covid passages', 'passage', ofDay('covid', 'passages', covidDays));
const situated = records(join(data, 'situatedqa_temp', 'qa.train.jsonl'));
await measure(
  'situatedqa questions',
  'query',
  situated.map(({ edited_question: text, date }) => ({ text: String(text), reference: '2022-01-01', expected: said(String(date)) })),
);
const laureates = records(join(data, 'nobel_tsrag', 'corpus.jsonl'));
await measure(
  'nobel records',
  'passage',
  laureates.map(({ text, award_year }) => ({ text: String(text), reference: undefined, expected: said(String(award_year)) })),
);
rmSync(work, { recursive: true, force: true });

async function measure(name: string, kind: TextKind, texts: readonly Dated[]): Promise<void> {
  const options = { kind, references: texts.map(({ reference }) => reference) };
  await timeTuples(texts.slice(0, 200).map(({ text }) => text), { ...options, references: options.references.slice(0, 200) }); // warm-up
  const started = performance.now();
  const tuples = await timeTuples(texts.map(({ text }) => text), options);
  const seconds = (performance.now() - started) / 1000;
  const { year, month, dayOfMonth, exactMatch, count } = tupleAccuracy(tuples, texts.map(({ expected }) => expected));
  const shares = [year, month, dayOfMonth, exactMatch].map((share) => share.toFixed(4));
  console.log([name.padEnd(22), ...shares, String(count), Math.round(count / seconds).toString()].map((cell) => cell.padStart(7)).join(' '));
  if (!process.argv.includes('--wrong')) return;
  const wrong = texts.filter(({ expected }, at) => tupleAccuracy([tuples[at]!], [expected]).exactMatch === 0);
  for (const { text } of wrong.slice(0, 12)) console.log(`  wrong: ${text.slice(0, 160)}`);
}

/** The texts of a made set whose record, by its id, is of one day. */
function ofDay(task: string, name: string, days: ReadonlyMap<string, string>): Dated[] {
  const file = join(makeSet(work, task), `${name}.jsonl`);
  return records(file).map(({ id, text, asked_at, published_at }) => {
    const date = days.get(String(id));
    if (date === undefined) throw new Error(`${file}: no record has the id ${String(id)}; has the tool changed how it makes ids?`);
    return { text: String(text), reference: (asked_at ?? published_at) as string | undefined, expected: said(date) };
  });
}

/** "2020-03-24", "March 24, 2020", "1986": read without the library's own grammar. */
function said(date: string): TimeTuple {
  const day = /^\d{4}$/.test(date) ? undefined : new Date(`${date} UTC`.replace(/^(\d{4}-\d\d-\d\d) UTC$/, '$1'));
  if (day === undefined) return { year: Number(date), month: 0, dayOfMonth: 0, mask: [1, 0, 0] };
  return { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, dayOfMonth: day.getUTCDate(), mask: [1, 1, 1] };
}
