// Units of quantities, and the program of a version, against those that a question asks for: "how
// much" wants a currency, "how many visitors" what is counted. Rules over English forms.
import type { AnswerType } from '../text/answerType.js';
import type { Features } from './contest.js';
import { currency, measure, type TextSpan } from './spans.js';

const anyOf = (...words: string[]): RegExp =>
  new RegExp(String.raw`\b(?:${words.join('|')})\b`, 'u');

// Words of a question that want a unit, and what a quantity of that unit has.
const units: readonly [wanted: RegExp, has: RegExp][] = [
  [/\b(?:percent(?:age)?|per cent|rate|share|proportion)\b/i, /%|per ?cent/i],
  [
    anyOf(
      '[Hh]ow much|price|cost|income|revenue|salary|budget|worth|fee|wage|earned|paid|pay|' +
        'money|funds?|funding|debt|gdp|GDP',
      'fares?|tolls?|rent|admission',
    ),
    new RegExp(`[$€£¥]|\\b(?:${currency})\\b`, 'i'),
  ],
  [
    /\b(?:how (?:long|old)|age|duration)\b/i,
    /\d\s?(?:seconds?|minutes?|hours?|days|weeks|months|years)$/,
  ],
  [/\b(?:warm|cold|hot|temperature|high)\b/i, /°|degrees|\d\s?[CF]$/],
  [
    /\b(?:how (?:far|long|tall|high|deep|wide)|height|length|distance|width|depth|elevation)\b/i,
    /m(?:et(?:re|er)s?)?$|km|kilo|miles|feet|ft/i,
  ],
];

/** A counted noun behind a number, or one before it; of the last noun asked for. */
const countedWord = lastOf((counted: string) => {
  const words = String.raw`\W*(?:\w+ ){0,2}${counted}`;
  return {
    behind: new RegExp(`^${words}`, 'iu'),
    before: new RegExp(String.raw`\d${words}`, 'iu'),
  };
});

function lastOf<T>(make: (of: string) => T): (of: string) => T {
  let last: { of: string; made: T } | undefined;
  return (of) => (last?.of === of ? last : (last = { of, made: make(of) })).made;
}

const measured = new RegExp(String.raw`^\p{Sc}|\d\s?(?:${measure}|%)$`, 'u');

/** After a number that leaves out what it counts: "12 seats in 2002, 19 in 2006 and 7 in 2010". */
const elided = /^\s*(?:$|[,.;)]|(?:in|on|at|after|by|and|for|from|the (?:year|following))\b)/i;

/** Whether a quantity has the unit that the question wants, or counts what is asked for. */
export function unitOf(
  kind: AnswerType | undefined,
  question: string,
  span: TextSpan,
  sentence: string,
): Features {
  const words = sentence.slice(span.start, span.end);
  if (kind === 'version') return versionOf(question, words);
  if (kind !== 'number' || span.form !== 'number') return {};
  const after = sentence.slice(span.end, span.end + 40);
  const found: Features = {};
  for (const [wanted, unit] of units) {
    const [wants, has] = [wanted.test(question), unit.test(words) || unit.test(after.slice(0, 3))];
    if (wants && has) found['unitFits'] = 1;
    if (wants && !has) found['unitLacks'] = 1;
    if (!wants && has) found['unitOther'] = 1;
  }
  const counted = /\bhow many (\p{L}+)/iu.exec(question)?.[1]?.toLowerCase().replace(/s$/, '');
  if (counted === undefined) return found;
  // "How many workers" wants no "32 MB".
  if (measured.test(words) && !question.includes(words.replace(/^[^\p{L}]+/u, '')))
    found['unitLacks'] = 1;
  const { behind, before } = countedWord(counted);
  if (behind.test(after)) found['unitCounted'] = 1;
  else if (elided.test(after) && before.test(sentence.slice(0, span.start)))
    found['unitCounted'] = 1;
  return found;
}

/** "which version of Varn", "which Varn version". */
function versionOf(question: string, words: string): Features {
  const of =
    /\bversions? of (\p{Lu}[\p{L}\p{N}+#-]*)/u.exec(question)?.[1] ??
    /(\p{Lu}[\p{L}\p{N}+#-]*) version\b/u.exec(question)?.[1];
  const named = /^\p{Lu}[\p{L}\p{N}+#-]*(?=\s)/u.exec(words)?.[0];
  return of === undefined || named === undefined
    ? {}
    : of === named
      ? { unitFits: 1 }
      : { unitLacks: 1 };
}
