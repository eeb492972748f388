// Numbers that are written as words: "thirty-six", "two hundred and five", "a dozen", "half of". It
// finds their pattern's source and reads what matched; digits are not its work.

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen ' +
  'fifteen sixteen seventeen eighteen nineteen';
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety';
const values = new Map<string, number>([
  ...small.split(' ').map((word, value) => [word, value] as const),
  ...tens.split(' ').map((word, at) => [word, 10 * at + 20] as const),
]);
const multiples: Readonly<Record<string, number>> = { hundred: 100, thousand: 1000 };

// "one" alone is more often "one of"; before a scale it is a number.
const words = [...values.keys()]
  .filter((word) => word !== 'one')
  .sort((a, b) => b.length - a.length)
  .join('|');
const simple = `(?:${words})(?:-(?:${words}|one))?`;
const scaled = '(?:hundred|thousand|million|billion|trillion|dozen|percent|per\\scent)';
const shares: Readonly<Record<string, number>> = {
  half: 50,
  third: 100 / 3,
  thirds: 200 / 3,
  quarter: 25,
  quarters: 75,
  fifth: 20,
  fifths: 40,
  tenth: 10,
  tenths: 30,
};

/** Shares of a whole, of which the reader gives percent: "half of", "two thirds of". */
export const sharePattern =
  '(?:half|(?:an?|one)[\\s-](?:third|quarter|fifth|tenth)|two[\\s-](?:thirds|fifths)|' +
  'three[\\s-](?:quarters|tenths))(?=\\sof\\b)';

/**
 * Numbers in words; a last "hundred", "million" or "dozen" is left for the scale behind the number.
 */
export const numeralPattern =
  `(?:(?:an?|one|${simple})[\\s-](?:hundred|thousand)` +
  `(?:[\\s-](?:and\\s)?(?:${simple}|one)(?:[\\s-]hundred(?:[\\s-](?:and\\s)?(?:${simple}|one))?)?)+` +
  `|(?:an?|one)(?=\\s${scaled}\\b)|${simple})`;

/** The percentage of a share of a whole; undefined for what is none. */
export const shareOf = (written: string): number | undefined =>
  shares[/\p{L}+$/u.exec(written.toLowerCase())?.[0] ?? ''];

/** The value of a number in words. */
export function numeralValue(written: string): number {
  let [total, current] = [0, 0];
  for (const word of written.toLowerCase().split(/[\s-]+/)) {
    const multiple = multiples[word];
    if (multiple === 1000) [total, current] = [total + Math.max(1, current) * 1000, 0];
    else if (multiple !== undefined) current = Math.max(1, current) * multiple;
    else current += word === 'a' || word === 'an' ? 1 : (values.get(word) ?? 0);
  }
  return total + current;
}
