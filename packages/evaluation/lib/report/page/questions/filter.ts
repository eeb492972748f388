// Question filter: by collection, by text, or by one system better than another.
import type { ReportQuestion } from '../../reportData.js';

export interface QuestionFilter {
  /** Empty: any. */
  set: string;
  words: string;
  /** Questions on which `better` exceeds `worse` by the measure; empty: all. */
  better: string;
  worse: string;
  metric: string;
  lowerIsBetter: boolean;
}

export function matches(question: ReportQuestion, filter: QuestionFilter): boolean {
  if (filter.set !== '' && question.set !== filter.set) return false;
  const words = filter.words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const said = [question.id, question.text, ...(question.answers ?? [])].join('\n').toLowerCase();
  if (!words.every((word) => said.includes(word))) return false;
  if (filter.better === '' || filter.worse === '') return true;
  const [more, less] = [filter.better, filter.worse].map((system) =>
    valueOf(question, system, filter.metric),
  );
  return (
    more !== undefined && less !== undefined && (filter.lowerIsBetter ? more < less : more > less)
  );
}

export function valueOf(
  question: ReportQuestion,
  system: string,
  metric: string,
): number | undefined {
  return question.systems.find((each) => each.system === system)?.metrics[metric];
}
