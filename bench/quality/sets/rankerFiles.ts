// Readers of the ranker's collections: passages, questions and judgements of a folder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JudgedQuestion } from '../../../lib/train/ranker/examples.js';
import type { Passage } from '../../../lib/index.js';
import { shared } from './sets.js';

export const data = join(shared, 'data');

export interface RankerQuestion extends JudgedQuestion {
  id: string;
  answers: readonly string[];
}

export interface RankerSet {
  name: string;
  /** Groups held out together in the leave-one-out figures. */
  family: string;
  /** Folder of passages.jsonl. */
  folder: string;
  /** Whether it is trained on. */
  trains: boolean;
  partsOfDecade?: readonly [number, number];
  questions: RankerQuestion[];
}

export type Grouping = (
  question: { text: string; right: readonly string[] },
  passages: ReadonlyMap<string, PassageLine>,
) => string;

export interface PassageLine extends Passage {
  published_at?: string;
}

export function jsonl<T = Record<string, unknown>>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

/** Rows of a file without quoted commas. */
export function csv(path: string): Record<string, string>[] {
  const [header, ...rows] = readFileSync(path, 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return rows.map((cells) =>
    Object.fromEntries(header!.map((name, at) => [name, cells[at] ?? ''])),
  );
}

export function judgements(folder: string): Map<string, string[]> {
  const right = new Map<string, string[]>();
  for (const [query, , document] of readFileSync(join(folder, 'qrels.tsv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))) {
    right.set(query!, [...(right.get(query!) ?? []), document!]);
  }
  return right;
}

export const passagesOf = (folder: string): Map<string, PassageLine> =>
  new Map(
    jsonl<PassageLine>(join(folder, 'passages.jsonl')).map((passage) => [passage.id, passage]),
  );

export function some<T>(list: readonly T[], most: number): T[] {
  return list.filter(
    (_, at) =>
      Math.floor((at * most) / list.length) !== Math.floor(((at - 1) * most) / list.length) ||
      list.length <= most,
  );
}

export interface QuestionLine {
  id: string;
  text: string;
  asked_at?: string;
  answers?: string[];
}

export function plain(
  folder: string,
  name: string,
  file: string,
  most: number,
  group: Grouping,
): RankerSet {
  const right = judgements(folder);
  const passages = passagesOf(folder);
  const questions = some(
    jsonl<QuestionLine>(join(folder, `${file}.jsonl`)).filter(({ id }) => right.has(id)),
    most,
  ).map(({ id, text, asked_at, answers = [] }): RankerQuestion => {
    const own = right.get(id)!;
    return {
      id,
      text,
      answers,
      right: own,
      group: group({ text, right: own }, passages),
      ...(asked_at === undefined ? {} : { askedAt: asked_at }),
    };
  });
  const family = name.split('-')[0]!;
  return {
    name,
    family,
    folder,
    trains: true,
    questions: questions.map((each) => ({ ...each, weight: Math.min(1, 200 / questions.length) })),
  };
}
