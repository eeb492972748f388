// Years as the published code of MRAG's re-implementation reads them: four digits in question and
// passage, and nothing finer. "before" and "after" are not told apart and months are not seen;
// `parseQuestion` is how asof reads questions.

/** Years, both included. A single year is both. */
export interface YearRange {
  first: number;
  last: number;
}

export interface YearQuestion {
  /** The question without its constraint; the question where nothing else is left. */
  mainContent: string;
  /** Absent where the question names no year. */
  asked?: YearRange;
}

const range = /(?:between|from)\s+(\d{4})\s+(?:and|to|-)\s+(\d{4})/i;
const point = /(?:as of|in|on|around|by)\s+(\d{4})/i;
const year = /\b(1[5-9]\d{2}|20\d{2}|2100)\b/;

/**
 * A question's range ("between 1990 and 1995", "from 1990 to 1995"), else the year after a
 * preposition, else its first year from 1500 to 2100.
 */
export function parseYearQuestion(text: string): YearQuestion {
  const question = text.trim();
  const found = range.exec(question) ?? point.exec(question) ?? year.exec(question);
  if (!found) return { mainContent: question };
  const years = found.slice(1).map(Number);
  const left = `${question.slice(0, found.index)} ${question.slice(found.index + found[0].length)}`
    .trim()
    .replace(/\s+/g, ' ');
  return {
    mainContent: left === '' ? question : left,
    asked: { first: Math.min(...years), last: Math.max(...years) },
  };
}

/** The years from 1500 to 2100 that a text names, each once, ascending. */
export function yearsIn(text: string): number[] {
  return [
    ...new Set([...text.matchAll(new RegExp(year, 'g'))].map(([digits]) => Number(digits))),
  ].sort((a, b) => a - b);
}

/**
 * 1 where nothing is asked, 0.5 for a text without years, 1 for a year inside the range, else
 * max(0, 1 - d / span), d years from the nearest.
 */
export function yearScore(
  asked: YearRange | undefined,
  years: readonly number[],
  span = 20,
): number {
  if (!asked) return 1;
  if (years.length === 0) return 0.5;
  const distance = Math.min(
    ...years.map((each) => Math.max(0, asked.first - each, each - asked.last)),
  );
  return Math.max(0, 1 - distance / span);
}
