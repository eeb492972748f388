// Words of order in a question outside its dates and relations: "latest", "very first",
// "previously", "the next release", and words for the present. Not those of names and idioms.
import { findCondition } from './condition.js';

export type OrderWord = 'latest' | 'first' | 'previous' | 'next';

/** A noun phrase follows: "the final version", not "the final of the cup", "in the final". */
const attributive = String.raw`\s+(?!(?:of|in|on|at|to|for|from|by|and|or|was|is|were|are|did|does|do|has|had|with|between|against|the|an?|score of)\b)(?=[a-z\d\uE000])`;

/** Nouns with which an adjective of order names a kind: "final exam", "opening hours". */
const kinds = {
  final:
    'clause|say|exams?|frontier|fantasy|boss|destination|countdown|analysis|whistle|approach|' +
    'class(?:es)?|fields?|methods?|variables?|keyword|solution|girl|cut|thoughts?|round|year|rule',
  opening: 'hours?|times?|days?|balance|weekend|act|angle|size|braces?|brackets?|tags?|up',
  original: 'sin|equipment|position|jurisdiction|content|research',
  initial: 'letters?|conditions?|state|capacity|capital|values?|public|velocity|guess|d',
  next: 'to|door|of kin|generation|gen|step|button|page|level|word',
  previous: 'convictions?|page|step|button|experience|question|work',
  following: 'statements?|are|is|sentences?|arguments?|questions?|options?|list|examples?|terms?',
};
const adjective = (word: string, names: string): string =>
  String.raw`${word}${attributive}(?!(?:${names})\b)`;

const patterns: readonly (readonly [OrderWord, RegExp])[] = [
  [
    'first',
    new RegExp(
      [
        'originally|initially|inaugural|maiden|soonest|debut(?=\\s+[a-z])|founding|very first|firstly',
        'oldest (?:known|surviving|extant|recorded)',
        '(?:at|from) the (?:very )?(?:outset|start|beginning)(?! of)|in the (?:very )?beginning(?! of)',
        'at first(?! (?:sight|glance|instance|hand|light|base))|to (?:begin|start) with|from day one|first of all',
        adjective('original', kinds.original),
        adjective('initial', kinds.initial),
        adjective('opening', kinds.opening),
      ]
        .map((each) => String.raw`\b(?:${each})\b`)
        .join('|'),
      'i',
    ),
  ],
  [
    'latest',
    new RegExp(
      String.raw`\b(?:${adjective('(?:final|closing)', kinds.final)}|final (?=[a-z]+ (?:of|before|to|by))(?!${kinds.final})|most up[- ]to[- ]date|ultimate(?=\s+[a-z]+ (?:before|of)))`,
      'i',
    ),
  ],
  [
    'previous',
    new RegExp(
      String.raw`\b(?:previously|formerly|hitherto|beforehand|earlier on|before (?:that|then|this)|penultimate|(?:last|latest) but one|${adjective('(?:previous|preceding|prior)', kinds.previous)})`,
      'i',
    ),
  ],
  [
    'next',
    new RegExp(
      String.raw`\b(?:subsequently|thereafter|afterwards|after (?:that|then|this)|(?:came|come|comes|was|were|hired|appointed|chosen|elected|followed|happened|made|released|built) next|next(?= \uE000)|next(?=\s+(?:was|to (?:be|[a-z]+)|once|after)\b)|${adjective('(?:next|subsequent|succeeding)', kinds.next)}|(?:the|its|their|his|her) ${adjective('following', kinds.following)})`,
      'i',
    ),
  ],
];

/** Words before "first" that make it part of a term: "how to fix first input delay". */
const termBefore =
  /\b(?:how (?:to|do i|does|can i) \w+|(?:what|who)(?:['’]s| is| are)|define|explain|mean by)\s+$/i;

/** Names: capitals within the question, a hyphenated term, a quotation. */
function isName(text: string, { index, 0: { length } }: RegExpExecArray): boolean {
  const before = text.slice(0, index);
  if (/^-[a-z]/i.test(text.slice(index + length)) || /[-_]$/.test(before)) return true;
  if (text === text.toUpperCase() || /^\W*$/.test(before)) return false;
  return /^[A-Z]/.test(text.slice(index)) && !/[.:,;?!]\s*$/.test(before);
}

/** The first word of order of each kind. */
export function readOrderWords(skeleton: string): Set<OrderWord> {
  const words = new Set<OrderWord>();
  const condition = findCondition(skeleton, []);
  if (condition) {
    const before = skeleton.slice(0, condition.start);
    const rest = skeleton.slice(condition.end);
    const isVerb =
      /^last/i.test(skeleton.slice(condition.start)) &&
      /^\s+(?:longer|forever|more|only|as long|well)\b/i.test(rest);
    const isTerm = termBefore.test(before) && /^[- ][a-z]/.test(rest);
    const isCompound = /^-(?!ever)[a-z]/i.test(rest);
    if (!isVerb && !isTerm && !isCompound)
      words.add(
        condition.condition === 'first' || condition.condition === 'earliest' ? 'first' : 'latest',
      );
  }
  for (const [word, pattern] of patterns) {
    const match = pattern.exec(skeleton);
    if (match && !isName(skeleton, match)) words.add(word);
  }
  return words;
}

/** Aspect of the present: "still", "any more", "nowadays", "up to date", "as things stand". */
const present = new RegExp(
  [
    String.raw`(?:is|are|does|do|has|have|am|can|may|['’]s)\s+(?:[\w'’-]+\s+){0,6}?still`,
    String.raw`(?:any ?more|any longer)(?=\s*(?:$|[?.!,]))`,
    String.raw`(?:as )?(?:things|matters|it) (?:now )?stands?(?!\s+(?:for|by|on|at|to))`,
    String.raw`nowadays|currently|presently|up[- ]to[- ]date|these days|at present|today['’]s|contemporary`,
    String.raw`(?:at|in) (?:this|the present) (?:time|stage|point|moment|day)|as yet|to this day|just now`,
    String.raw`going rate|for the time being|(?:valid|effective|in force|active) (?:now|today)`,
    String.raw`(?:the|present|its|their|his|her|our|my)? ?present(?:-day)?\s+(?!(?:in|of|from|for|at|is|was|day|tense|on|to|an?|the|given|when|participle|value|simple|perfect)\b)[a-z]+`,
  ]
    .map((each) => String.raw`\b(?:${each})\b`)
    .join('|'),
  'i',
);

export const isPresent = (skeleton: string): boolean => present.test(skeleton);
