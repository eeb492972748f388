// A question as MRAG's published code takes it apart. There the relation is a column of the data
// set; here it is the last of its words that a year follows. The rest is the code's, faults
// included: " last" is also taken out of "lasting".
import { officialYears } from './years.js';

export interface OfficialConstraint {
  type: 'before' | 'after' | 'between';
  /** Absent where the question has no word of order: it then counts as last. */
  order?: 'first' | 'last';
  /** One year, or the first and the last. */
  years: readonly number[];
}

export interface OfficialQuestion {
  /** Without the time and the word of order; the whole question where no constraint is read. */
  text: string;
  /**
   * Absent without years, and for in, on, around and during with one year: then time scores
   * nothing.
   */
  constraint?: OfficialConstraint;
}

const relations = [
  'as of',
  'from',
  'until',
  'before',
  'after',
  'around',
  'between',
  'by',
  'in',
  'on',
  'since',
  'during',
];
const typeOf: Readonly<Record<string, 'before' | 'after'>> = {
  before: 'before',
  'as of': 'before',
  by: 'before',
  until: 'before',
  from: 'after',
  since: 'after',
  after: 'after',
};
const orderWords: readonly (readonly [string, 'first' | 'last'])[] = [
  [' latest', 'last'],
  [' last', 'last'],
  [' first', 'first'],
  [' earliest', 'first'],
  [' most recent', 'last'],
  [' recent', 'last'],
];

/**
 * The question without its first word of order that is found, wherever that stands, and the order;
 * a question mark where it ended without a stop.
 */
export function stripOrderWord(question: string): { text: string; order?: 'first' | 'last' } {
  const found = orderWords.find(([word]) => question.includes(word));
  const left = found ? question.replaceAll(found[0], '') : question;
  const text = /[?.]$/.test(left) ? left : `${left}?`;
  return found ? { text, order: found[1] } : { text };
}

export function officialQuestion(question: string): OfficialQuestion {
  let at = -1;
  let relation = '';
  for (const each of relations) {
    for (const match of question.matchAll(new RegExp(`\\b${each}\\b`, 'gi'))) {
      if (match.index > at && officialYears(question.slice(match.index)))
        [at, relation] = [match.index, each];
    }
  }
  if (at < 0) return { text: question };
  const all = officialYears(question.slice(at + relation.length))!;
  const type = all.length > 1 ? 'between' : typeOf[relation];
  if (type === undefined) return { text: question };
  const { text, order } = stripOrderWord(question.slice(0, at).trim().replace(/,$/, ''));
  const content = text === '?' ? question : text;
  return {
    text: content,
    constraint: {
      type,
      years: all.length > 1 ? [all[0]!, all.at(-1)!] : all,
      ...(order ? { order } : {}),
    },
  };
}

/** What keywords are extracted from: "how many times" asks when, "how many" asks what. */
export const keywordText = (text: string): string =>
  text.replaceAll('How many times', 'When').replaceAll('How many', 'What');
