// Accuracy of the tagger and of question parsing, field by field, on the cases of
// ../shared/data/temporal_cases and our own. --misses prints every miss. It asserts nothing:
// test/time has floors. usage: node --import tsx bench/quality/time/time.ts [--misses]
import { existsSync, readFileSync } from 'node:fs';
import { parseQuestion } from '../../../lib/time/question/question.js';
import { toTimeQuestionRecord, toTimeTagRecord } from '../../../lib/time/records.js';
import { tagText } from '../../../lib/time/tagger.js';

export type Case = Record<string, unknown>;

const folder = new URL('../../../../shared/data/temporal_cases/', import.meta.url);
export const casesPresent = existsSync(folder);
export const readCases = (name: string): Case[] =>
  readFileSync(new URL(name, folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case);

/**
 * Questions of our own with their expected fields, in the batches they were written in before the
 * parser saw them.
 */
export const ownQuestionCases = (): Case[] =>
  readFileSync(new URL('../../../test/time/questions.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case);

const questionFields = [
  'main_content',
  'constraint_text',
  'condition',
  'relation',
  'start_iso',
  'end_iso',
  'window_start',
  'window_end',
  'granularity',
] as const;
const intervalFields = ['start', 'end', 'relation', 'start_iso', 'end_iso', 'granularity'] as const;

export interface Accuracy {
  cases: number;
  exact: number;
  fields: Record<string, number>;
  misses: string[];
}

const folded = (value: unknown) =>
  typeof value === 'string' ? value.toLowerCase() : (value ?? null);

/** Questions are compared case-insensitively, as TIME_CONVENTIONS says. */
export function questionAccuracy(cases: readonly Case[]): Accuracy {
  const result: Accuracy = {
    cases: cases.length,
    exact: 0,
    fields: Object.fromEntries(questionFields.map((field) => [field, 0])),
    misses: [],
  };
  for (const each of cases) {
    const askedAt = each['ref_date'] as string | undefined;
    const record = toTimeQuestionRecord(
      null,
      parseQuestion({ text: each['question'] as string, ...(askedAt ? { askedAt } : {}) }),
    );
    const wrong = questionFields.filter((field) => folded(record[field]) !== folded(each[field]));
    for (const field of questionFields) if (!wrong.includes(field)) result.fields[field]! += 1;
    if (wrong.length === 0) result.exact += 1;
    else {
      const said = wrong.map(
        (field) => `    ${field}: expected ${String(each[field])}, got ${String(record[field])}`,
      );
      result.misses.push(`${String(each['question'])}\n${said.join('\n')}`);
    }
  }
  return result;
}

/**
 * Sentences of our own with their intervals, in the batches they were written in before the tagger
 * saw them.
 */
export const ownSentenceCases = (batch: 'first' | 'second' | 'third'): Case[] =>
  readFileSync(new URL('../../../test/time/sentences.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case)
    .filter((each) => each['batch'] === batch);

const timeFields = ['relation', 'start_iso', 'end_iso'] as const;

/**
 * Of every expected interval, the fields that a found mention overlapping it has right;
 * `timed` counts those with the right ends and relation, `spurious` the others found.
 */
export function sentenceAccuracy(
  cases: readonly Case[],
): Accuracy & { timed: number; spurious: number } {
  const result = {
    cases: 0,
    exact: 0,
    timed: 0,
    fields: Object.fromEntries(intervalFields.map((field) => [field, 0])),
    misses: [] as string[],
    spurious: 0,
  };
  for (const each of cases) {
    const reference = each['ref_date'] as string | null;
    const sentence = each['sentence'] as string;
    const found = toTimeTagRecord(
      null,
      sentence,
      tagText(sentence, reference ? { reference } : {}),
    ).mentions.filter((mention) => mention.start_iso !== null);
    const expected = each['intervals'] as Case[];
    result.cases += expected.length;
    for (const wanted of expected) {
      const match = found.find(
        (mention) =>
          mention.start < (wanted['end'] as number) && (wanted['start'] as number) < mention.end,
      );
      const wrong = intervalFields.filter((field) => (match?.[field] ?? null) !== wanted[field]);
      for (const field of intervalFields) if (!wrong.includes(field)) result.fields[field]! += 1;
      if (!timeFields.some((field) => wrong.includes(field))) result.timed += 1;
      if (wrong.length === 0) result.exact += 1;
      else
        result.misses.push(
          `${sentence}\n    ${String(wanted['text'])}: ` +
            `${match ? wrong.map((field) => `${field} expected ${String(wanted[field])}, got ${match[field]}`).join('; ') : 'not found'}`,
        );
    }
    for (const mention of found) {
      if (
        expected.some(
          (wanted) =>
            mention.start < (wanted['end'] as number) && (wanted['start'] as number) < mention.end,
        )
      )
        continue;
      result.spurious += 1;
      result.misses.push(`${sentence}\n    spurious: ${mention.text} (${mention.start_iso})`);
    }
  }
  return result;
}

function print(title: string, accuracy: Accuracy): void {
  const share = (count: number) => `${((100 * count) / Math.max(1, accuracy.cases)).toFixed(1)} %`;
  console.log(`${title}: ${accuracy.cases} cases, all fields right ${share(accuracy.exact)}`);
  for (const [field, count] of Object.entries(accuracy.fields))
    console.log(`  ${field.padEnd(16)} ${share(count)}`);
}

function printSentences(title: string, cases: readonly Case[]): string[] {
  const accuracy = sentenceAccuracy(cases);
  print(title, accuracy);
  console.log(
    `  ends and relation ${((100 * accuracy.timed) / Math.max(1, accuracy.cases)).toFixed(1)} %, spurious mentions ${accuracy.spurious} in ` +
      `${cases.length} sentences`,
  );
  return accuracy.misses;
}

function main(): void {
  const own = (['first', 'second', 'third'] as const).flatMap((batch) => {
    const seen = {
      first: '',
      second: ' (on the first run: ends and relation 94.6 %)',
      third: ' (on the first run: 89.2 %)',
    };
    return printSentences(
      `intervals in our ${batch} batch of sentences${seen[batch]}`,
      ownSentenceCases(batch),
    );
  });
  if (!casesPresent) {
    console.log('No cases: ../shared/data/temporal_cases is absent.');
    return;
  }
  const questions = questionAccuracy(readCases('question_cases.jsonl'));
  print('questions', questions);
  const shared = printSentences(
    'intervals in the shared sentences',
    readCases('sentence_cases.jsonl'),
  );
  if (process.argv.includes('--misses'))
    console.log(['', ...questions.misses, ...shared, ...own].join('\n'));
}

if (process.argv[1]?.endsWith('time.ts')) main();
