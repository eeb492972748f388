// Real questions for the study: their analysed terms with BM25's weights over its rows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';
import type { StudyRows } from './rows.js';

export interface Question {
  text: string;
  terms: string[];
  /** idf times the term's repetition in the question. */
  weights: number[];
  /** Rows that hold each term, added. */
  postings: number;
}

export interface Statistics {
  k1: number;
  /** 1 - b and b / mean length. */
  base: number;
  slope: number;
}

export function readQuestions(folder: string): string[] {
  const path = join(folder, 'timeqa_human', 'queries.jsonl');
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { question: string }).question);
}

/** Twenty questions of three to six terms that occur, some of them common. */
export function questionsOf(
  folder: string,
  rows: StudyRows,
): { questions: Question[]; statistics: Statistics } {
  const frequency = new Map<string, number>();
  for (const terms of rows.terms)
    for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const tokens = rows.lengths.reduce((sum, each) => sum + each, 0);
  const analyzer = englishAnalyzer();
  const questions: Question[] = [];
  for (const text of readQuestions(folder)) {
    const counts = new Map<string, number>();
    for (const term of analyzer.analyze(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
    const terms = [...counts.keys()].filter((term) => frequency.has(term));
    if (terms.length < 3 || terms.length > 6 || questions.length >= 20) continue;
    if (questions.some((each) => each.terms.join() === terms.join())) continue;
    const weights = terms.map((term) => {
      const df = frequency.get(term)!;
      return counts.get(term)! * Math.log1p((rows.rows - df + 0.5) / (df + 0.5));
    });
    const postings = terms.reduce((sum, term) => sum + frequency.get(term)!, 0);
    questions.push({ text, terms, weights, postings });
  }
  return {
    questions,
    statistics: { k1: 0.9, base: 1 - 0.4, slope: 0.4 / (tokens / rows.rows) },
  };
}
