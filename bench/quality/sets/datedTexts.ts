// Questions and passages whose times are known, for measuring temporal extractors (Re3's table 5):
// Re2-style benchmarks of three real tables, sets of ../shared/tools/make_eval_sets.py,
// SituatedQA's dated questions, Nobel records, and questions that name no time. It judges nothing.
import { join } from 'node:path';
import { noTime } from '../../../lib/time/tuple.js';
import type { TextKind, TimeTuple } from '../../../lib/time/index.js';
import { readCsv } from '../../../packages/documents/lib/csv.js';
import { re2Benchmark } from '../../../packages/evaluation/lib/re2/benchmark.js';
import { re2RecordsOf, type Re2Record } from '../../../packages/evaluation/lib/re2/records.js';
import { checkSchema } from '../../../packages/evaluation/lib/re2/schema.js';
import {
  countTable,
  forecastTable,
} from '../../../packages/evaluation/lib/papers/data/re2Domains.js';
import { matchTable } from './matchTable.js';
import { csvRecords, makeSet, opaque, records, shared } from './sets.js';

export interface DatedText {
  text: string;
  reference: string | undefined;
  expected: TimeTuple;
}

export interface DatedGroup {
  name: string;
  kind: TextKind;
  texts: readonly DatedText[];
}

const data = join(shared, 'data');
const tables = {
  nws: ['nws_selected_cities/forecasts.csv', forecastTable],
  covid: ['covid_revisions/revisions.csv', countTable],
  tennis: ['tennis_grand_slam/matches_1978_2018.csv', matchTable],
} as const;

/**
 * Groups of at most `most` texts each, spread over their set: the same ones in every run. `work` is
 * a folder for made sets.
 */
export async function* datedGroups(work: string, most: number): AsyncGenerator<DatedGroup> {
  const spread = (texts: readonly DatedText[]): DatedText[] => {
    const step = Math.max(1, Math.floor(texts.length / most));
    return texts.filter((_, at) => at % step === 0).slice(0, most);
  };
  const group = (name: string, kind: TextKind, texts: readonly DatedText[]): DatedGroup => ({
    name,
    kind,
    texts: spread(texts),
  });
  for (const table of Object.keys(tables) as (keyof typeof tables)[]) {
    const { questions, passages } = await builtFrom(table, most);
    yield group(`re2 ${table} questions`, 'query', questions);
    yield group(`re2 ${table} passages`, 'passage', passages);
  }
  const nwsDays = new Map<string, string>();
  for (const { city, target_date, issued_at } of csvRecords('nws_selected_cities/forecasts.csv')) {
    nwsDays
      .set(opaque(`${city}-${target_date}-${issued_at}`), target_date!)
      .set(opaque(`q${city}${target_date}`), target_date!);
  }
  const covidDays = new Map<string, string>();
  for (const { country, observation_date, published_at } of csvRecords(
    'covid_revisions/revisions.csv',
  )) {
    covidDays
      .set(opaque(`${country}${observation_date}${published_at}`), observation_date!)
      .set(opaque(`q${country}${observation_date}`), observation_date!);
  }
  yield group('nws questions', 'query', ofDay(work, 'nws', 'queries', nwsDays));
  yield group('nws passages', 'passage', ofDay(work, 'nws', 'passages', nwsDays));
  yield group('covid questions', 'query', ofDay(work, 'covid', 'queries', covidDays));
  yield group('covid passages', 'passage', ofDay(work, 'covid', 'passages', covidDays));
  const situated = records(join(data, 'situatedqa_temp', 'qa.train.jsonl'));
  yield group(
    'situatedqa questions',
    'query',
    situated.map(({ edited_question: text, date }) => ({
      text: String(text),
      reference: '2022-01-01',
      expected: said(String(date)),
    })),
  );
  const laureates = records(join(data, 'nobel_tsrag', 'corpus.jsonl'));
  yield group(
    'nobel records',
    'passage',
    laureates.map(({ text, award_year }) => ({
      text: String(text),
      reference: undefined,
      expected: said(String(award_year)),
    })),
  );
  const timeless = records(join(makeSet(work, 'cranfield'), 'queries.jsonl'));
  yield group(
    'cranfield, no time',
    'query',
    timeless.map(({ text }) => ({ text: String(text), reference: '2022-01-01', expected: noTime })),
  );
}

/**
 * Texts of the benchmark builder, with what their dates tell where they are masked; questions for
 * the latest are excluded.
 */
async function builtFrom(
  table: keyof typeof tables,
  most: number,
): Promise<{ questions: DatedText[]; passages: DatedText[] }> {
  const [file, { schema, row }] = tables[table];
  const checked = checkSchema(schema);
  const facts: Re2Record[] = [];
  const path = join(data, file);
  let line = 1;
  for await (const mapped of readCsv(path, row))
    if (mapped) facts.push(...re2RecordsOf(mapped, checked, { file: path, line: (line += 1) }));
  const benchmark = await re2Benchmark(facts, schema, { seed: 1, questions: 2 * most });
  const questions: DatedText[] = [];
  for (const { text, asked_at: reference, query_time: time } of benchmark.questions()) {
    if (time)
      questions.push({
        text,
        reference,
        expected: tupleOf(time.start_iso, { day: 3, year: 1 }[time.granularity] ?? 2),
      });
  }
  const passages: DatedText[] = [];
  let seen = 0;
  for (const { passage, truth } of benchmark.texts()) {
    seen += 1;
    if (passages.length >= most || seen % 5 !== 0) continue;
    const known =
      { year: 1, 'year-alone': 1, month: 2, 'month-year': 2, 'part-of-month': 2 }[
        truth.form as string
      ] ?? 3;
    passages.push({
      text: passage.text,
      reference: passage.published_at,
      expected: tupleOf(truth.date, known),
    });
  }
  return { questions, passages };
}

function tupleOf(iso: string, known: number): TimeTuple {
  const [year, month = 0, day = 0] = iso.split('-').map(Number) as [number, number?, number?];
  return {
    year,
    month: known > 1 ? month : 0,
    dayOfMonth: known > 2 ? day : 0,
    mask: [1, known > 1 ? 1 : 0, known > 2 ? 1 : 0],
  };
}

/** The texts of a made set whose record, by its id, is of one day. */
function ofDay(
  work: string,
  task: string,
  name: string,
  days: ReadonlyMap<string, string>,
): DatedText[] {
  const file = join(makeSet(work, task), `${name}.jsonl`);
  return records(file).map(({ id, text, asked_at, published_at }) => {
    const date = days.get(String(id));
    if (date === undefined)
      throw new Error(
        `${file}: no record has the id ${String(id)}; has the tool changed how it makes ids?`,
      );
    return {
      text: String(text),
      reference: (asked_at ?? published_at) as string | undefined,
      expected: said(date),
    };
  });
}

/** "2020-03-24", "March 24, 2020", "1986": read without the library's own grammar. */
function said(date: string): TimeTuple {
  const day = /^\d{4}$/.test(date)
    ? undefined
    : new Date(`${date} UTC`.replace(/^(\d{4}-\d\d-\d\d) UTC$/, '$1'));
  if (day === undefined) return { year: Number(date), month: 0, dayOfMonth: 0, mask: [1, 0, 0] };
  return {
    year: day.getUTCFullYear(),
    month: day.getUTCMonth() + 1,
    dayOfMonth: day.getUTCDate(),
    mask: [1, 1, 1],
  };
}
