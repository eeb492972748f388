// Year parsing of the re-implementation of MRAG: four-digit years in questions and passages.
// "before", "after" and months are ignored; asof itself uses `parseQuestion`.

/** Inclusive range of years; first = last for a single year. */
export interface YearRange {
  first: number;
  last: number;
}

export interface YearQuestion {
  /** The question without its constraint; the whole question if nothing else remains. */
  mainContent: string;
  /** Absent if the question names no year. */
  range?: YearRange;
}

const rangePattern = /(?:between|from)\s+(\d{4})\s+(?:and|to|-)\s+(\d{4})/i;
const pointPattern = /(?:as of|in|on|around|by)\s+(\d{4})/i;
const yearPattern = /\b(1[5-9]\d{2}|20\d{2}|2100)\b/;

/**
 * Parses a range ("between 1990 and 1995", "from 1990 to 1995"), else the year after a preposition,
 * else the first year from 1500 to 2100.
 */
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
export function yearScore(
  range: YearRange | undefined,
  years: readonly number[],
  span = 20,
): number {
  if (!range) return 1;
  if (years.length === 0) return 0.5;
  const distance = Math.min(
    ...years.map((each) => Math.max(0, range.first - each, each - range.last)),
  );
  return Math.max(0, 1 - distance / span);
}
