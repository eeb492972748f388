// Question filter: by collection, by text, or by one system better than another.
import type { ReportQuestion } from '../../reportData.js';

export interface Wanted {
  /** Empty: any. */
  set: string;
  words: string;
  /** Questions on which `better` exceeds `worse` by the measure; empty: all. */
  better: string;
  worse: string;
  metric: string;
  lowerIsBetter: boolean;
}

export function matches(question: ReportQuestion, wanted: Wanted): boolean {
  if (wanted.set !== '' && question.set !== wanted.set) return false;
  const words = wanted.words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const said = [question.id, question.text, ...(question.answers ?? [])].join('\n').toLowerCase();
  if (!words.every((word) => said.includes(word))) return false;
  if (wanted.better === '' || wanted.worse === '') return true;
  const [more, less] = [wanted.better, wanted.worse].map((system) =>
    valueOf(question, system, wanted.metric),
  );
  return (
    more !== undefined && less !== undefined && (wanted.lowerIsBetter ? more < less : more > less)
  );
}

export function valueOf(
  question: ReportQuestion,
  system: string,
  metric: string,
): number | undefined {
  return question.systems.find((each) => each.system === system)?.metrics[metric];
}
