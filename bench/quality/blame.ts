// The stage to blame for a wrong first passage (MRAG appendix N does it by eye): derived from the
// scores, dates and shares that a system reports, in the order of its stages. Other failures are
// left to inspection (failures.ts --explain).
import { answerRecall } from '../../packages/evaluation/lib/measures/answers.js';
import { tagText, type ParsedQuestion } from '../../lib/time/index.js';
import type { Evidence } from '../../lib/index.js';
import type { FeatureName } from '../../lib/facts/series/features.js';

export const blames = {
  judgement: 'judgement: the first passage has the answer too, but was not judged right',
  constraint:
    'question processing: a year of the question is in no constraint, or no constraint with ' +
    'a time binds',
  retrieval: 'retrieval: no right passage among the candidates of the first stage',
  cut: 'keyword ranking: the right passage was a candidate and was cut',
  untagged: 'ranking by time: the right passage writes a year that the tagger did not read',
  undated: 'ranking by time: the right passage names no date',
  relation:
    'ranking by time: the dates of the right passage count less than those (or none) of the first',
  form: 'ranking by form: length, place in the passage or kind of line speak for the first',
  samePage: 'ranking by relevance: another passage of the same page is nearer to the words',
  otherPage: 'ranking by relevance: a passage of another page is nearer to the words',
} as const;
export type Blame = keyof typeof blames;

export interface Failure {
  question: ParsedQuestion;
  answers: readonly string[];
  /** The ranking that failed, as deep as the first stage goes. */
  ranking: readonly Evidence[];
  /** The judged passages, whether found or not. */
  right: readonly { id: string; title?: string; text: string }[];
  /** Whether a right passage was among the candidates of the first stage. */
  wasCandidate: boolean;
}

/** A ranker's features of time and of form; whatever else a score is made of is relevance. */
const timeFeatures: ReadonlySet<string> = new Set<FeatureName | 'order'>([
  'order',
  'compared',
  'previous',
  'ofTitle',
  'undated',
  'before',
  'beforeOfFigure',
  'outside',
  'overhang',
  'gap',
  'coarse',
  'span',
  'equal',
  'publishedAfter',
  'publishedGap',
]);
const formFeatures: ReadonlySet<string> = new Set<FeatureName>([
  'length',
  'passageLength',
  'typeMissing',
]);

export function blame({ question, answers, ranking, right, wasCandidate }: Failure): Blame {
  const first = ranking[0];
  if (first && answerRecall([{ text: first.text }], answers, 1) === 1) return 'judgement';
  if (misread(question)) return 'constraint';
  if (!wasCandidate || !first) return 'retrieval';
  const ids = new Set(right.map(({ id }) => id));
  const best = ranking.find(({ id }) => ids.has(id));
  if (!best) return 'cut';
  const reason = lostBy(first, best);
  if (reason === 'form') return 'form';
  if (reason === 'time')
    return best.dates || tagText(best.text).mentions.length > 0
      ? 'relation'
      : year.test(best.text)
        ? 'untagged'
        : 'undated';
  return first.title !== undefined && first.title === best.title ? 'samePage' : 'otherPage';
}

const year = /\b(?:1\d|20)\d\d\b/;
const yearsAsked = /\b(?:1\d|20)\d\d(?=s?\b)/g;

/**
 * Whether a year of the question is in the words of no constraint, or no constraint with a time of
 * its own binds.
 */
function misread({ text, constraints }: ParsedQuestion): boolean {
  const years = [...text.matchAll(yearsAsked)].map(([all]) => all);
  if (years.length === 0) return false;
  return (
    !constraints.some(({ binds, interval }) => binds && interval) ||
    !years.every((each) => constraints.some((constraint) => constraint.text?.includes(each)))
  );
}

/** What makes up most of what the right passage's score falls short of the first's by. */
export function lostBy(first: Evidence, right: Evidence): 'time' | 'form' | 'relevance' {
  const [theirs, own] = [first.scores['temporal'] ?? 1, right.scores['temporal'] ?? 1];
  if (first.shares && right.shares) {
    const lost = { relevance: 0, time: 0, form: 0 };
    for (const [name, share] of Object.entries(shareDifferences(first, right))) {
      lost[timeFeatures.has(name) ? 'time' : formFeatures.has(name) ? 'form' : 'relevance'] +=
        share;
    }
    return lost.relevance >= Math.max(lost.time, lost.form)
      ? 'relevance'
      : lost.time >= lost.form
        ? 'time'
        : 'form';
  }
  // Scores that are relevance times time: the larger part of their ratio.
  return own > 0 &&
    own < theirs &&
    right.score > 0 &&
    (theirs / own) ** 2 >= first.score / right.score
    ? 'time'
    : 'relevance';
}

/** By feature of a ranker, how much more of the first's score it makes than of the right one's. */
export function shareDifferences(
  { shares: first = {} }: Evidence,
  { shares: right = {} }: Evidence,
): Record<string, number> {
  const names = new Set([...Object.keys(first), ...Object.keys(right)]);
  return Object.fromEntries(
    [...names].map((name) => [name, (first[name] ?? 0) - (right[name] ?? 0)]),
  );
}

/**
 * Appendix N.2's three kinds for a wrong answer: nothing right among the first five, right in other
 * words, or misread.
 */
export function blameOfAnswer({
  rightAmongFive,
  f1,
  given,
  answers,
}: {
  rightAmongFive: boolean;
  f1: number;
  given: string;
  answers: readonly string[];
}): 'retrieval' | 'format' | 'reader' {
  if (!rightAmongFive) return 'retrieval';
  return f1 >= 0.5 ||
    answerRecall([{ text: given }], answers, 1) === 1 ||
    answers.some((answer) => given !== '' && answerRecall([{ text: answer }], [given], 1) === 1)
    ? 'format'
    : 'reader';
}
