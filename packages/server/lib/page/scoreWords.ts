// Scores in words: each column that a system emits, each feature of a ranker.
import { decimals, score } from '@asof/pages/format';
import type { EvidenceRecord, ResultRecord } from '../http/pageData.js';

export interface Column {
  name: string;
  /** What the number is, in one sentence. */
  meaning: string;
  /** The value in a few words, for the short explanation; absent where the table suffices. */
  say?: (value: number) => string;
}

const short = (value: number): string => decimals(value, 2).replace(/^(−?)0\./, '$1.');
const percent = (value: number): string =>
  value < 0.005
    ? 'less than 1 %'
    : value > 0.995
      ? 'more than 99 %'
      : `${(100 * value).toFixed(0)} %`;

/** By the names of the columns in `scores`. */
export const columns: Readonly<Record<string, Column>> = {
  similarity: {
    name: 'meaning',
    meaning: 'Cosine of the vectors of question and passage: 1 for the same meaning, 0 for none.',
    say: (value) => `similar in meaning ${short(value)}`,
  },
  lexical: {
    name: 'words',
    meaning: 'BM25: words of the question in the passage, rare ones count more; 0 without any.',
    say: (value) => `words ${short(value)}`,
  },
  temporal: {
    name: 'time',
    meaning:
      'How the times of the passage fit those of the question: 1 at best, .5 where it has none; ' +
      'of tempralm a standardized recency, which has no bounds.',
    say: (value) => (value === 1 ? 'its time fits' : `fit of its time ${short(value)}`),
  },
  membership: {
    name: 'same series',
    meaning:
      'Probability that its best statement is of the series of facts that the question asks for.',
    say: (value) => `of the series in question ${percent(value)}`,
  },
  scan: {
    name: 'first search',
    meaning: 'Score of the search over all passages, which chose it for a closer reading.',
  },
  retrieval: {
    name: 'first search',
    meaning: 'Score of the stage before, which chose it for this ranking.',
  },
  reranker: {
    name: 'reranker',
    meaning: 'Score of a model that read question and passage together.',
    say: (value) => `read together with the question ${short(value)}`,
  },
  ranks: {
    name: 'ranks',
    meaning: 'Sum over several searches of 1 / (60 + rank): high where many searches agree.',
    say: (value) => `agreement of several searches ${score(value)}`,
  },
  keywords: {
    name: 'keywords',
    meaning: 'Sum of the weights of the keywords of the question that the passage has.',
    say: (value) => `keywords ${short(value)}`,
  },
  overlap: {
    name: 'overlap',
    meaning: 'Share of the keywords of the question in the sentence and its title.',
    say: (value) => `${percent(value)} of the keywords`,
  },
  summary: {
    name: 'summary',
    meaning: 'Share of the keywords in a summary of the passage for this question.',
    say: (value) => `${percent(value)} of the keywords in its summary`,
  },
  window: {
    name: 'best window',
    meaning: 'Cosine of the question and the nearest group of neighbouring sentences.',
    say: (value) => `its nearest sentences ${short(value)}`,
  },
  years: {
    name: 'years',
    meaning: 'Whether its text names years of the question: 1 inside, .5 near, less beyond.',
    say: (value) => `years of its text ${short(value)}`,
  },
  validity: {
    name: 'validity',
    meaning: 'Whether it was valid at the time in question: 1, or the factor for passages outside.',
    say: (value) =>
      value === 1 ? 'valid at that time' : `not valid at that time (× ${short(value)})`,
  },
  eventGapDays: {
    name: 'distance in days',
    meaning: 'Days from its publication to the nearest date that its text names.',
    say: (value) => `${score(value)} days from its publication to the event`,
  },
};

/** By the names in `shares`: what raised or lowered the rank. */
export const shareWords: Readonly<Record<string, string>> = {
  bias: 'the same for every passage',
  nameOverlap: 'names of the question in the statement',
  nameInPassage: 'names of the question in the passage',
  sibling: 'another name, where a passage has the very one',
  substituted: 'another name stands where the question’s should',
  nameExtra: 'its name says more than the question’s',
  titleAsked: 'words of its title that the question has',
  titleSibling: 'its title names another than the question does',
  valueShare: 'numbers of the question that it states',
  valueMissing: 'numbers of the question that it lacks',
  asksValue: 'the question names a number',
  valueConflict: 'another number than that of the question',
  rarityMissing: 'words of the question that it lacks',
  nameMissing: 'parts of the question’s names that it lacks',
  kindMissing: 'the kind of thing asked for is not mentioned',
  pairConflict: 'another kind than that of the question',
  exactForm: 'words in the very form of the question',
  unknown: 'words that no passage has',
  unknownName: 'names that no passage has',
  cosine: 'similarity in meaning',
  cosineBelowBest: 'less similar than the most similar statement',
  scanUnordered: 'score of the first search',
  scanOrdered: 'score of the first search',
  ofTitleAlone: 'only its title states it',
  length: 'length of the statement',
  passageLength: 'length of the passage',
  typeMissing: 'nothing of the kind that the question asks for',
  compared: 'its time is only a comparison',
  roleOfOther: 'the question’s word stands nearer to another date',
  previous: 'its time is taken from the sentence before',
  later: 'its time is not the first that it names',
  ofTitle: 'its time is taken from the title',
  undated: 'it states no time',
  before: 'it began before the window and may still hold',
  beforeOfFigure: 'a figure of before the window',
  outside: 'its time is outside the window',
  overhang: 'its time reaches beyond the window',
  gap: 'distance of its time from the window',
  coarse: 'its time is coarser than the window',
  span: 'length of its time',
  equal: 'its time is the very one of the question',
  laterReport: 'a report of a later time',
  publishedAfter: 'published after the window',
  publishedGap: 'published long after the window',
  order: 'place in the order of time, against the other passages',
  decay: 'age, by the decay of the system',
};

/** The columns in a few words, those that decide first; the rest is in the table. */
export const saidScores = (scores: Readonly<Record<string, number>>): string[] =>
  Object.keys(columns).flatMap((name) => {
    const value = scores[name];
    const say = columns[name]!.say;
    return value === undefined || !say ? [] : [say(value)];
  });

/** A probability where the system ranks by series, and found that a passage answers. */
export const scoreSaid = (
  { score: value, scores }: EvidenceRecord,
  { unanswered }: ResultRecord,
): string =>
  'membership' in scores && value <= 1 && unanswered === undefined
    ? `${percent(value)} likely to answer`
    : `score ${score(value)}`;

export const likelihood = percent;
