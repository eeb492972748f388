// Question parsing of MRAG's published code (siyue-zhang/MRAG, commit 19f3bcf), for comparison with
// its figures. Its relation is a column of the data set; here it is the last relation word before a
// year. The rest reproduces the code, faults included: " last" is also removed from "lasting".
import { stage, type Stage } from '../../../pipeline.js';
import type { QueryContext } from '../../../retrieval/queryContext.js';
import { queryContext } from '../../../systems/queryAnalysis.js';
import type { QueryRequest } from '../../../systems/system.js';
import { parseQuestion } from '../../../time/question/question.js';
import { questionEnd } from '../../../time/question/questionText.js';

export interface OfficialConstraint {
  type: 'before' | 'after' | 'between';
  /** Absent without an order word: treated as last. */
  order?: 'first' | 'last';
  /** One year, or the first and the last. */
  years: readonly number[];
}

export interface OfficialQuestion {
  /** Without time and order word; the whole question if no constraint is recognised. */
  text: string;
  /** Absent without years, and for in, on, around and during with one year. */
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

/** The question without its first order word; a question mark replaces a missing full stop. */
export function stripOrderWord(question: string): { text: string; order?: 'first' | 'last' } {
  const match = orderWords.find(([word]) => question.includes(word));
  const rest = match ? question.replaceAll(match[0], '') : question;
  const text = /[?.]$/.test(rest) ? rest : `${rest}?`;
  return match ? { text, order: match[1] } : { text };
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

/** Input of the keyword extraction: "how many times" becomes "when", "how many" becomes "what". */
export const keywordText = (text: string): string =>
  text.replaceAll('How many times', 'When').replaceAll('How many', 'What');

const shortRange = /\b(\d{4})[-–](\d{2})\b/g;
const longRange = /\b(\d{4})[-–](\d{4})\b/g;
const single = /\b(\d{4})s?\b/g;

/**
 * The years of a text, distinct, ascending; undefined without years. A range expands to all of its
 * years ("1990-93"), "1990s" is 1990, any four digits are a year ("room 1234"); descending ranges
 * and ISO dates yield none.
 */
export function officialYears(text: string): number[] | undefined {
  const years = new Set<number>();
  const expand = (from: number, to: number): string => {
    for (let year = from; year <= to; year += 1) years.add(year);
    return ' ';
  };
  const rest = text
    .replace(shortRange, (_, from: string, to: string) =>
      expand(Number(from), Number(from.slice(0, 2) + to)),
    )
    .replace(longRange, (_, from: string, to: string) => expand(Number(from), Number(to)));
  for (const [, year] of rest.matchAll(single)) years.add(Number(year));
  return years.size === 0 ? undefined : [...years].sort((a, b) => a - b);
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The first month whose prefix occurs ("mayor" has May); the published code never uses it. */
export function officialMonth(text: string): number | undefined {
  const places = months
    .map((name) => text.toLowerCase().indexOf(name))
    .map((at) => (at < 0 ? Infinity : at));
  const first = Math.min(...places);
  return Number.isFinite(first) ? places.indexOf(first) + 1 : undefined;
}

/** Question decomposition of MRAG's published code, by years. */
export function decomposeOfficial(): Stage<QueryRequest, QueryContext> {
  return stage('decomposeOfficial', (request, { note }) => {
    const end = questionEnd(request.question.text);
    const { text, constraint } = officialQuestion(end);
    note('by', 'rules');
    note('constraint', constraint ? `${constraint.type} ${constraint.years.join(' ')}` : 'none');
    const month = officialMonth(end);
    // Extracted and never used, as in the published code.
    if (month !== undefined) note('month', month);
    return queryContext(request, {
      parsed: parseQuestion(request.question),
      searchText: keywordText(text),
    });
  });
}
