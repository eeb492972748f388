// Years as the published code of MRAG reads them (siyue-zhang/MRAG, commit 19f3bcf): digits alone,
// at the year, with its faults. For comparison with its figures; asof's own reading of time is the
// tagger's.

const shortRange = /\b(\d{4})[-–](\d{2})\b/g;
const longRange = /\b(\d{4})[-–](\d{4})\b/g;
const single = /\b(\d{4})s?\b/g;

/**
 * The years of a text, each once, ascending; undefined where it has none. A range stands for all of
 * its years ("1990-93"), "1990s" for 1990, any four digits for a year ("room 1234"); a range that
 * runs backward, and an ISO date, for none.
 */
export function officialYears(text: string): number[] | undefined {
  const years = new Set<number>();
  const expand = (from: number, to: number): string => {
    for (let year = from; year <= to; year += 1) years.add(year);
    return ' ';
  };
  const left = text
    .replace(shortRange, (_, from: string, to: string) =>
      expand(Number(from), Number(from.slice(0, 2) + to)),
    )
    .replace(longRange, (_, from: string, to: string) => expand(Number(from), Number(to)));
  for (const [, year] of left.matchAll(single)) years.add(Number(year));
  return years.size === 0 ? undefined : [...years].sort((a, b) => a - b);
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * The number of the first month whose name, or its first three letters, is
 * anywhere in the text ("mayor" has May); the code reads it and never uses it.
 */
export function officialMonth(text: string): number | undefined {
  const places = months
    .map((name) => text.toLowerCase().indexOf(name))
    .map((at) => (at < 0 ? Infinity : at));
  const first = Math.min(...places);
  return Number.isFinite(first) ? places.indexOf(first) + 1 : undefined;
}
