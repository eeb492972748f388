// Numerals in words: counts of calendar units ("twelve", "twenty-five") and years in questions
// ("nineteen eighty-four").

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

const digit = ones.split(' ').slice(1, 10).join('|');
const teen = ones.split(' ').slice(10).join('|');
const decade = tens.replaceAll(' ', '|');
const underHundred = String.raw`(?:${decade})(?:[- ](?:${digit}))?|${teen}`;
/** At the end of its phrase: not "in two thousand and five people". */
const yearInWords = new RegExp(
  String.raw`(?<=\b(?:in|since|before|after|by|until|till|from|to|and|or|between|during|of|year|` +
    String.raw`late|early|mid|through|january|february|march|april|may|june|july|august|` +
    String.raw`september|october|november|december)[\s-]+)` +
    String.raw`(?:(${teen}|twenty)[- ](?:(hundred)|(?:oh|o)[- ](${digit})|(${underHundred}))|` +
    String.raw`two[- ]thousand(?:[- ](?:and[- ])?(${digit}|${underHundred})|` +
    String.raw`(?!\s+and\s+(?:${digit}|${underHundred})\b(?!\s+thousand))))` +
    String.raw`(?=\s*(?:$|[^\s\w-])|\s+(?:in|on|at|by|to|of|for|from|with|and|or|who|whom|what|` +
    String.raw`which|where|how|is|was|were|are|did|had|has|the|until|before|after)\b)`,
  'gi',
);

/** The text with years in words as digits: "in nineteen eighty-four" becomes "in 1984". */
export const withYearsInDigits = (text: string): string =>
  text.replace(yearInWords, (_, ...groups: (string | undefined)[]) => {
    const [century, hundred, one, rest, after2000] = groups;
    const years = numeralValue(one ?? rest ?? after2000 ?? 'zero');
    if (century === undefined) return String(2000 + years);
    return String(100 * numeralValue(century) + (hundred === undefined ? years : 0));
  });
