// Numerals in words: "twelve", "twenty-five", "ninety". Counts of calendar units in questions.

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen';
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety';
const valueOf = new Map<string, number>([
  ...ones.split(' ').map((word, value) => [word, value] as const),
  ...tens.split(' ').map((word, index) => [word, 10 * (index + 2)] as const),
  ['hundred', 100],
  ['dozen', 12],
  ['couple', 2],
]);

const words = [...valueOf.keys()].join('|');
/** A cardinal as a regular expression without groups. */
export const numeral =
  String.raw`(?:\d{1,4}|(?:${tens.replaceAll(' ', '|')})[- ](?:${ones.replaceAll(' ', '|')})|` +
  String.raw`(?:a\s+)?(?:${words})(?:\s+of)?)`;

/** The value of a match of `numeral`; articles are one. */
export function numeralValue(text: string): number {
  if (/^\d/.test(text)) return Number(text);
  const parts = text.toLowerCase().split(/[\s-]+/);
  const known = parts.flatMap((part) => valueOf.get(part) ?? []);
  return known.length === 0 ? 1 : known.reduce((sum, value) => sum + value);
}
