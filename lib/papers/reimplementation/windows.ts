// Score columns of the published code of MRAG's re-implementation: the best window of neighbouring
// sentences, encoded at query time, and the years in the text.
import type { Candidates } from '../../retrieval/candidate.js';
import { passageTexts } from '../../retrieval/passageTexts.js';
import { textSimilarities } from '../mrag/units.js';
import { throwIfAborted } from '../../errors.js';
import { stage, type Stage } from '../../pipeline.js';
import { splitSentences } from '../../text/sentences.js';
import { questionEnd } from '../../time/question/questionText.js';

/** Sentences of a window, and from one to the next; years over which a score decays. */
const [size, stride, span] = [3, 1, 20];

/** Windows of sentences, or the whole text where it is shorter. */
function sentenceWindows(text: string): string[] {
  const sentences = splitSentences(text).map(({ start, end }) => text.slice(start, end));
  if (sentences.length <= size) return [sentences.join(' ')];
  const windows: string[] = [];
  for (let from = 0; from + size <= sentences.length; from += stride)
    windows.push(sentences.slice(from, from + size).join(' '));
  return windows;
}

/** Adds the column `window`: the greatest cosine of the question and a window of the passage. */
export function bestWindow(): Stage<Candidates, Candidates> {
  return stage(`bestWindow(${size} by ${stride})`, async ({ query, hits }, { signal }) => {
    const texts = passageTexts(query);
    const windows = hits.map((each) => sentenceWindows(texts.passage(each).text));
    const scores = await textSimilarities(query, windows.flat(), signal);
    throwIfAborted(signal);
    let from = 0;
    hits.forEach((each, number) => {
      const own = scores.slice(from, (from += windows[number]!.length));
      each.scores = { ...each.scores, window: Math.max(...own) };
    });
    return { query, hits };
  });
}

/** Adds the column `years`, by `yearScore` of the years that the passage names. */
export function passageYears(): Stage<Candidates, Candidates> {
  return stage(`years(${span})`, ({ query, hits }, context) => {
    const { range } = parseYearQuestion(questionEnd(query.parsed.text));
    context.note('years', range ?? 'none');
    const texts = passageTexts(query);
    for (const each of hits)
      each.scores = {
        ...each.scores,
        years: yearScore(range, yearsIn(texts.passage(each).text)),
      };
    return { query, hits };
  });
}

/** Inclusive range of years; first = last for a single year. */
interface YearRange {
  first: number;
  last: number;
}

interface YearQuestion {
  /** The question without its constraint; the whole question if nothing else remains. */
  mainContent: string;
  /** Absent if the question names no year. */
  range?: YearRange;
}

const rangePattern = /(?:between|from)\s+(\d{4})\s+(?:and|to|-)\s+(\d{4})/i;
const pointPattern = /(?:as of|in|on|around|by)\s+(\d{4})/i;
const yearPattern = /\b(1[5-9]\d{2}|20\d{2}|2100)\b/;

/** A range ("from 1990 to 1995"), else the year after a preposition, else the first. */
export function parseYearQuestion(text: string): YearQuestion {
  const question = text.trim();
  const match =
    rangePattern.exec(question) ?? pointPattern.exec(question) ?? yearPattern.exec(question);
  if (!match) return { mainContent: question };
  const years = match.slice(1).map(Number);
  const rest = `${question.slice(0, match.index)} ${question.slice(match.index + match[0].length)}`
    .trim()
    .replace(/\s+/g, ' ');
  return {
    mainContent: rest === '' ? question : rest,
    range: { first: Math.min(...years), last: Math.max(...years) },
  };
}

/** The years from 1500 to 2100 in a text, distinct, ascending. */
export function yearsIn(text: string): number[] {
  return [
    ...new Set([...text.matchAll(new RegExp(yearPattern, 'g'))].map(([digits]) => Number(digits))),
  ].sort((a, b) => a - b);
}

/**
 * Year score: 1 without a range in the question, 0.5 for a text without years, 1 for a year inside
 * the range, else max(0, 1 - d / span) at d years from the nearest.
 */
export function yearScore(range: YearRange | undefined, years: readonly number[]): number {
  if (!range) return 1;
  if (years.length === 0) return 0.5;
  const distance = Math.min(
    ...years.map((each) => Math.max(0, range.first - each, each - range.last)),
  );
  return Math.max(0, 1 - distance / span);
}
