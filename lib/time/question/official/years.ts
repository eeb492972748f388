// Year extraction of MRAG's published code (siyue-zhang/MRAG, commit 19f3bcf): digits alone, faults
// included. For comparison with its figures; asof itself uses the tagger.

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

/**
 * Number of the first month whose three-letter prefix occurs anywhere in the text ("mayor" contains
 * May); the published code reads it and never uses it.
 */
export function officialMonth(text: string): number | undefined {
  const places = months
    .map((name) => text.toLowerCase().indexOf(name))
    .map((at) => (at < 0 ? Infinity : at));
  const first = Math.min(...places);
  return Number.isFinite(first) ? places.indexOf(first) + 1 : undefined;
}
