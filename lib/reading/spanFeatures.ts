// What the form of a span and the words around it say of it, as features that are 1 where they
// hold. Rules over English forms and small lists of general words; which of them count, and for
// what, is in `weights.ts`.
import { currency, measure, type TextSpan } from './spans.js';
import type { AnswerType } from '../text/answerType.js';

export type Features = Record<string, number>;

const anyOf = (...words: string[]): RegExp =>
  new RegExp(String.raw`\b(?:${words.join('|')})\b`, 'u');

const organisation = anyOf(
  'F\\.?C|A\\.?F\\.?C|United|City|Club|Team|University|College|School|Academy|Institute|' +
    'Company|Inc|Ltd|Corporation|Corp|Group|Party|League|' +
    'Records|Airlines',
  'Airways|Railway|Museum|Army|Navy|Force|Corps|Division|Regiment|Squadron|Press|Publishing|' +
    'Entertainment|Industries|Motors|Bank|' +
    'Association|Union|Council',
  'Committee|Ministry|Department|Service|Guard|Church|Trust|Foundation|Society|Sports|Racing',
);
const place = anyOf(
  'City|County|District|Province|State|Region|Oblast|Republic|Kingdom|Empire|Islands?|Town|' +
    'Village|Street|Avenue|Road|Square|Park|Stadium|' +
    'Arena|Castle|Palace',
  'Hall|House|Prison|Hospital|Airport|North|South|East|West|Saint|New|San|Los|Governorate|' +
    'Viceroyalty|Territory',
);
const role = anyOf(
  '\\p{L}+(?:er|or|ist|ian|ant|ent)|[Pp]resident|[Ss]ecretary|[Cc]hair(?:man|woman|person)?|' +
    '[Cc]hief|[Hh]ead|[Cc]olonel|[Cc]aptain|' +
    '[Ll]ieutenant|[Gg]eneral',
  '[Aa]dmiral|[Bb]ishop|[Dd]uke|[Cc]ount|[Kk]ing|[Ee]arl|[Pp]rince|[Bb]aron|[Mm]arquess|' +
    '[Dd]eputy|CEO|[Vv]icar',
);
const event = anyOf(
  'Prize|Award|Tournament|Championships?|Cup|Open|War|Singles|Doubles|Final|Games|Olympics?|' +
    'Season|Battle|Festival|Medal|Treaty|Act|Language',
);
const personName =
  /^(?:\p{Lu}[\p{L}\p{M}'’.-]*\s(?:(?:de|da|van|von|der|di|la|el|al|bin|of|the)\s){0,2}){1,3}\p{Lu}[\p{L}\p{M}'’.-]+$/u;

const byForm = Object.entries<(words: string) => boolean>({
  org: (words) => organisation.test(words),
  placeword: (words) => place.test(words),
  roleword: (words) => role.test(words),
  event: (words) => event.test(words),
  namelike: (words) => words.length < 80 && personName.test(words),
  acronym: (words) => /^\p{Lu}{2,6}$/u.test(words),
  nationality: (words) => /^\S+(?:ish|ian|ean|ese|can)$/.test(words),
  oneword: (words) => !/\s/.test(words),
  longer: (words) => words.split(/\s+/).length > 3,
  inner: (words) => /\b(?:and|in|on|at|for)\b/.test(words),
});

const byBefore = Object.entries<RegExp>({
  in: /\b(?:in|at|near|outside)\s(?:the\s)?$/i,
  to: /\b(?:to|into|joined|join)\s(?:the\s|a\s)?$/i,
  by: /\bby\s(?:the\s)?$/i,
  of: /\bof\s(?:the\s)?$/i,
  as: /\b(?:as|was|became|is|appointed|named|promoted to|elected)\s(?:the\s|a\s|an\s)?$/i,
  with: /\b(?:with|for)\s(?:the\s)?$/i,
  from: /\b(?:from|left|leaving)\s(?:the\s)?$/i,
  comma: /,\s$/,
  bracketBefore: /\($/,
  afterCountry: /\p{Lu}\p{L}+,\s$/u,
});

const byAfter = Object.entries<RegExp>({
  bracketAfter: /^\s?\(/,
  country: /^,\s?\p{Lu}/u,
  verb: /^\s(?:was|is|became|took|has|had|served|led|joined|succeeded|won|held)\b/,
});

/**
 * The form of a span's words and what stands right before and after it in its sentence. Where
 * `counted` is given, cues that it does not have are not looked for.
 */
export function cuesOf(
  span: TextSpan,
  sentence: string,
  counted?: Readonly<Record<string, number>>,
): Features {
  const wanted = (name: string): boolean => counted === undefined || name in counted;
  const cues: Features = {};
  const words = sentence.slice(span.start, span.end);
  const before = sentence.slice(Math.max(0, span.start - 30), span.start);
  const after = sentence.slice(span.end, span.end + 30);
  if (span.form === 'phrase') cues['phrase'] = 1;
  if (span.start < 3) cues['first'] = 1;
  for (const [name, holds] of byForm) if (wanted(name) && holds(words)) cues[name] = 1;
  for (const [name, pattern] of byBefore) if (wanted(name) && pattern.test(before)) cues[name] = 1;
  for (const [name, pattern] of byAfter) if (wanted(name) && pattern.test(after)) cues[name] = 1;
  return cues;
}

const contest = new RegExp(
  [
    String.raw`\b(?:(?:was|were|been) )?(?:defeated|beat|beaten|beating|defeating|overcame|` +
      String.raw`overcoming|downed|ousted)(?: by)?\b`,
    String.raw`\b(?:won|victory|prevailed|triumphed) (?:[^.,;]{0,30} )?(?:against|over)\b`,
    String.raw`\b(?:lost|fell|losing) (?:[^.,;]{0,30} )?to\b`,
  ].join('|'),
  'i',
);
const asksWinner = /\b(?:won|wins?|winners?|champions?|victors?|defeated|beat|claimed|took)\b/i;
const asksLoser =
  /\b(?:lost|loses?|losers?|runners?-up|runner up|(?:was|were|got) (?:beaten|defeated)|finished second)\b/i;

/**
 * Whether a span stands on the side of a contest ("A beat B", "B was beaten by A", "B lost to A")
 * that the question asks for.
 */
export function contestOf(question: string): (sentence: string) => (span: TextSpan) => Features {
  const [winner, loser] = [
    asksWinner.test(question.replace(/\b(?:was|were|got) (?:beaten|defeated)\b/gi, '')),
    asksLoser.test(question),
  ];
  if (winner === loser) return () => neither;
  return (sentence) => {
    const found = contest.exec(sentence);
    if (!found) return ofResult(sentence, winner);
    const turned = /^(?:was|were|been|lost|fell|losing)\b/i.test(found[0]);
    return ({ start }) =>
      start < found.index === (winner !== turned) ? { contestRight: 1 } : { contestWrong: 1 };
  };
}

const neither = (): Features => ({});

const team = String.raw`\p{Lu}[\p{L}\p{M}.'’-]*(?:\s\p{Lu}[\p{L}\p{M}.'’-]*){0,3}`;
const results = [
  // Lund 3, Brann 1
  new RegExp(String.raw`${team}\s(\d{1,3}),\s(?=${team}\s(\d{1,3})(?!\s?[\p{L}\d]))`, 'du'),
  new RegExp(String.raw`${team}\s(\d{1,3})\s?[–-]\s?(?=(\d{1,3})\s\p{Lu})`, 'du'), // Lund 3–1 Brann
];

/** The sides of a result that only its numbers tell. */
function ofResult(sentence: string, winner: boolean): (span: TextSpan) => Features {
  const found = results.map((pattern) => pattern.exec(sentence)).find((match) => match !== null);
  if (!found || found[1] === found[2]) return neither;
  const firstWon = Number(found[1]) > Number(found[2]);
  const border = found.index + found[0].length;
  return ({ start, end }) => {
    if (end < found.index || start < found.index) return {};
    return start < border === (firstWon === winner) ? { contestRight: 1 } : { contestWrong: 1 };
  };
}

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
  [/\b(?:warm|cold|hot|temperature|high)\b/i, /°|degrees|\d\s?[CF]$/],
  [
    /\b(?:how (?:far|long|tall|high|deep|wide)|height|length|distance|width|depth|elevation)\b/i,
    /m(?:et(?:re|er)s?)?$|km|kilo|miles|feet|ft/i,
  ],
];

/**
 * A counted noun right behind a number, and behind a number that stands before; of the last noun
 * asked for.
 */
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

/**
 * Whether a quantity has the unit that the question wants, or counts what is asked for: right
 * behind it, or said of a number before it.
 */
export function unitOf(
  kind: AnswerType,
  question: string,
  span: TextSpan,
  sentence: string,
): Features {
  const words = sentence.slice(span.start, span.end);
  if (kind === 'version') return versionOf(question, words);
  if (kind !== 'number') return {};
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

/**
 * Whether a version is of the program that the question asks it of: "which version of Varn", "which
 * Varn version".
 */
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
