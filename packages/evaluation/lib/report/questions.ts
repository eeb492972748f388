// Compact questions for the page: a limited number per collection, each passage once, long texts
// truncated.
import type { QuestionDetail, RankedPassage } from '../comparison/result.js';
import type { ReportCandidate, ReportHit, ReportQuestion } from './reportData.js';
import { questionTimes } from './questionTimes.js';

const longestText = 600;
/** Dates per passage, the deciding one first. */
const mostDates = 24;

/** The first `perSet` questions of each set, in the order of the result. */
export function reportQuestions(
  questions: readonly QuestionDetail[],
  perSet: number,
): ReportQuestion[] {
  const taken = new Map<string, number>();
  return questions.flatMap((question) => {
    const before = taken.get(question.set) ?? 0;
    if (before >= perSet) return [];
    taken.set(question.set, before + 1);
    return [reportQuestion(question)];
  });
}

function reportQuestion({ systems, ...question }: QuestionDetail): ReportQuestion {
  const candidates: ReportCandidate[] = [];
  const places = new Map<string, number>();
  const place = (passage: RankedPassage): number => {
    const candidate = candidateOf(passage);
    const key = JSON.stringify(candidate);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, candidates.length);
    return candidates.push(candidate) - 1;
  };
  const compact = systems.map(({ system, metrics, milliseconds, top }) => ({
    system,
    milliseconds: rounded(milliseconds),
    metrics: mapped(metrics, rounded),
    top: [...top]
      .sort((a, b) => a.rank - b.rank)
      .map((each): ReportHit => [place(each), rounded(each.score), mapped(each.scores, rounded)]),
  }));
  const answers = question.answers ? { answers: question.answers.map(cut) } : {};
  return {
    ...question,
    ...answers,
    text: cut(question.text),
    ...questionTimes(question),
    candidates,
    systems: compact,
  };
}

function candidateOf({
  id,
  title,
  sentence,
  dates,
  published_at,
  relevant,
}: RankedPassage): ReportCandidate {
  return {
    id,
    ...(title === undefined ? {} : { title: cut(title) }),
    ...(sentence === undefined ? {} : { sentence: cut(sentence) }),
    ...(dates && dates.length > 0 ? { dates: dates.slice(0, mostDates) } : {}),
    ...(published_at === undefined ? {} : { published_at }),
    ...(relevant === undefined ? {} : { relevant }),
  };
}

const rounded = (value: number): number => Number(value.toPrecision(5));

const mapped = (
  values: Readonly<Record<string, number>>,
  change: (value: number) => number,
): Record<string, number> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

/** Truncates between code points. */
const cut = (text: string): string =>
  text.length <= longestText ? text : `${[...text.slice(0, longestText)].slice(0, -1).join('')}…`;
