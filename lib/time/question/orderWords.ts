// Words of order in a question outside its dates and relations: "latest", "very first",
// "previously", "the next release", and words for the present. Not those of names and idioms.
import { findCondition } from './condition.js';
import { isPast } from './stative.js';

const orderWords = ['first', 'latest', 'previous', 'next'] as const;
export type OrderWord = (typeof orderWords)[number];

const article = 'the|its|his|her|their|our|my|your|which';
const determiner = String.raw`${article}|an?|this|whose|what|\w+['’]s?`;
const functionWord =
  'of|in|on|at|to|for|from|by|and|or|was|is|were|are|did|does|do|has|had|with|between|against|' +
  'the|an?';
const plural = String.raw`(?!series|species)[a-z-]+[^s\W]s`;

/**
 * An adjective of order before its noun, after a determiner or at the start of a phrase: "the final
 * version", not "in the final", "the effect of initial stresses" or, of `kinds`, "final exam".
 */
function adjective(words: string, determiners: string, kinds: string): string {
  return (
    String.raw`(?<=^\W*|[.:,;?!\uE000]\s*|\b(?:${determiners})\s+)(?:very\s+)?(?:${words})\s+` +
    String.raw`(?!(?:${functionWord}|${kinds})\b)(?=[a-z])`
  );
}

const adjectives: Record<OrderWord, string> = {
  first: adjective(
    'original|initial|opening|inaugural|maiden|founding|debut',
    determiner,
    'sin|equipment|position|content|letters?|conditions?|state|capacity|values?|velocity|guess|' +
      'hours?|times?|balance|angle|size|name of|fathers?',
  ),
  latest: adjective(
    'final|closing',
    determiner,
    'clause|say|exams?|frontier|fantasy|destination|countdown|analysis|fields?|methods?|' +
      'variables?|round|hours?|time',
  ),
  previous: adjective(
    'previous|preceding|prior',
    article,
    `convictions?|page|experience|question|work|${plural}`,
  ),
  next: adjective(
    'next|subsequent|succeeding|following',
    article,
    `door|generation|step|button|page|level|word|${plural}`,
  ),
};

/** Adverbs and phrases. */
const adverbs: Record<OrderWord, string> = {
  first:
    'originally|initially|soonest|firstly|very first|first of all|from day one|' +
    'oldest of (?:the|its|his|her|their|all)|since (?:which|what)|' +
    '(?:with|by) (?:which|what|whom) .{1,99}? (?:begin|start)(?: out)?(?=\\W*$)|' +
    'open(?:ed|s)? the (?:series|line|list|run|sequence|season|era)|' +
    'oldest (?:known|surviving|extant|recorded|version|release|edition|entry|record|copy|draft)|' +
    '(?:start(?:ed|s)?|begin|began|begun) (?:(?:out|life|off)|as|by|with)(?= |$|[?.,])|' +
    '(?:at|from) (?:the|its|their) (?:very )?(?:outset|start|beginning|inception)(?! of)|' +
    'in the (?:very )?beginning(?! of)|to (?:begin|start) with|' +
    'at first(?! (?:sight|glance|instance|hand|light|base))',
  latest:
    'most (?:up[- ]to[- ]date|current|modern)|freshest|up[- ]to[- ]the[- ]minute|last of all|' +
    'just (?:released|published|issued|announced)|lastly|eventually|ultimately|' +
    'in the end(?! of)|(?:end(?:ed|s|ing)?|wind|wound) up(?! of)|turn(?:ed)? out(?= to be)',
  previous:
    'previously|formerly|hitherto|beforehand|before (?:that|then|this)|penultimate|' +
    '(?:last|latest) but one',
  next:
    'subsequently|thereafter|afterwards|after (?:that|then|this)|' +
    '(?:came|comes?|was|were|[a-z]+ed|made|built|be) next|next(?= \uE000)|' +
    String.raw`(?<!\b(?:are|(?!was\b)\w+s)\s+)next(?=\s+(?:was|once|after|to (?!(?:${determiner}|each|that|it)\b)[a-z]+)\b)`,
};

const patterns = orderWords.map(
  (word) =>
    [word, new RegExp(String.raw`${adjectives[word]}|\b(?:${adverbs[word]})\b`, 'i')] as const,
);

/** The words of order in a skeleton, each kind once. */
export function readOrderWords(skeleton: string): Set<OrderWord> {
  const words = new Set<OrderWord>();
  const condition = findCondition(skeleton, []);
  if (condition && isOrder(skeleton, condition))
    words.add(/^(?:first|earliest)$/.test(condition.condition) ? 'first' : 'latest');
  for (const [word, pattern] of patterns) {
    const match = pattern.exec(skeleton);
    if (!match) continue;
    const span = { start: match.index, end: match.index + match[0].trimEnd().length };
    if (isOrder(skeleton, span) && !isName(skeleton, span) && !describes(skeleton, span))
      words.add(word);
  }
  // "What came next?"
  if (/\bnext\W*$/i.test(skeleton) && isPast(skeleton)) words.add('next');
  return words;
}

interface Span {
  start: number;
  end: number;
}

/** Words before an order word that make it part of a term: "how to fix first input delay". */
const termBefore =
  /\b(?:how (?:to|do i|does|can i) \w+|(?:what|who)(?:['’]s| is| are)|define|explain|mean by)\s+$/i;
/** Compounds, coordinated ordinals, spells of office, and the verb "last". */
const notOrder =
  /^-(?!ever)[a-z]|^\s+(?:and|or|,)\s+(?:second|third|last)\b|^\s+(?:longer|forever|as long|well|terms?|spell|stint|marriage)\b/i;
/** Parts of a text, a procedure or a list, whose order is no order in time. */
const position = new RegExp(
  String.raw`^\s+(?:[a-z]+(?<!ed)\s+)?(?:(?:step|stage|chapter|line|scene|chord|sentence|paragraph|verse|` +
    String.raw`stanza|part|section|page|letter|digit|number|element|item|row|column|derivative|` +
    String.raw`term|word|character|argument|parameter)s?|` +
    String.raw`(?:in|of) (?:an?|the) (?:alphabet|sentence|list|line|row|queue|sequence))\b`,
  'i',
);

/** A noun in a clause of time within a question: "Who led it when they won their first cup?" */
const clauseOfTime = new RegExp(
  String.raw`\b(?:who|whom|whose|what|which|where|how)\b.*` +
    String.raw`(?<!\b(?:and|or|know|say|tell|of|by|since|until))\s+when\s[^,;?]*` +
    String.raw`\b(?:${determiner})\s+$`,
  'i',
);

function isOrder(text: string, { start, end }: Span): boolean {
  const before = text.slice(0, start);
  const rest = text.slice(end);
  if (clauseOfTime.test(before)) return false;
  if (notOrder.test(rest) || isTitle(before)) return false;
  if (termBefore.test(before) && /^[- ][a-z]/.test(rest)) return false;
  // "the earliest letter" is dated, the last letter of a word is not.
  const isDated = /(?:est|recent(?:ly)?|original|inaugural)\s*$/i.test(text.slice(start, end));
  return isDated || isPast(text) || !position.test(rest);
}

const beforeTitle = new RegExp(
  String.raw`\b(?:sang|sings|sung|wrote|writes|directed|starred in|stars in|titled|entitled|` +
    String.raw`(?:the|an?) (?:song|movie|film|novel|book|album|show|series|sitcom))\s+["“‘']?$`,
  'i',
);

/** Whether a title follows: "who sang last christmas". */
export const isTitle = (before: string): boolean => beforeTitle.test(before);

/** Capitals within the question, and parts of hyphenated terms. */
function isName(text: string, { start }: Span): boolean {
  const before = text.slice(0, start);
  if (/[-_]$/.test(before)) return true;
  if (text === text.toUpperCase() || /^\W*$/.test(before)) return false;
  return /^[A-Z]/.test(text.slice(start)) && !/[.:,;?!]\s*$/.test(before);
}

/** An adverb in a relative clause or before a participle: "the house originally known as X". */
function describes(text: string, { start, end }: Span): boolean {
  if (!/ly$/i.test(text.slice(start, end))) return false;
  const before = text.slice(0, start);
  if (/\S\s*,?\s+(?:who|that|which)\s+(?:(?:was|were|would|had|has|is)\s+)?$/i.test(before))
    return true;
  const verb =
    /(?:^|\b(?:was|were|is|are|been|be|had|did|who|which|what|he|she|it|they|\w+ly)\s+)\W*$/i;
  return /^\s+(?:known|built|[a-z]{2,}ed)\b/i.test(text.slice(end)) && !verb.test(before);
}

/** The adverb, not "a still", "still water". */
const still = String.raw`(?<!\b(?:an?|the)\s+)still(?!\s+(?:water|wine|life|image|frame|birth)s?\b)`;

/** Words for the present and aspects of it: "still", "any more", "nowadays", "as things stand". */
const present = new RegExp(
  [
    String.raw`(?:is|are|does|do|has|have|am|can|may|['’]s)\s+(?:[\w'’-]+\s+){0,6}?${still}`,
    String.raw`(?<!\b(?:was|were|did|had)\b.*)${still}(?=\s+[a-z]+\b(?<!ed))(?!.*\b(?:was|were|did|had)\b)`,
    String.raw`(?:any ?more|any longer)(?=\s*(?:$|[?.!,]))`,
    String.raw`(?:as )?(?:things|matters|it) (?:now )?stands?(?!\s+(?:for|by|on|at|to))`,
    String.raw`nowadays|currently|presently|up[- ]to[- ]date|these days|at present|today['’]s`,
    String.raw`(?:at|in) (?:this|the present) (?:time|stage|point|moment|day)|as yet|to this day`,
    String.raw`(?:just|right) now|as we speak|at the minute|of today|going rate|for the time being`,
    String.raw`(?:valid|effective|active|in force|in effect) (?:now|today)`,
    String.raw`the (?:sitting|reigning|serving)(?= (?!room)[a-z])`,
    String.raw`present(?:-day)?\s+(?!(?:${functionWord}|day|tense|given|when|participle|value|simple|perfect)\b)[a-z]+`,
  ]
    .map((each) => String.raw`\b(?:${each})\b`)
    .join('|'),
  'i',
);

/** Whether words say that the present is meant. */
export function isPresent(skeleton: string): boolean {
  const match = present.exec(skeleton);
  return match !== null && !isName(skeleton, { start: match.index, end: match.index });
}

const aboutWords = new RegExp(
  String.raw`\bwhat (?:does|do|is)\b.*\b(?:mean|meant by|stand for|refer to)\b|` +
    String.raw`\bdifference between\b|\b(?:the|an?) (?:idiom|phrase|expression|saying|proverb|motto)\b|` +
    String.raw`\b(?:meaning|definition|etymology|origin) of (?:the )?` +
    String.raw`(?:word|phrase|term|idiom|expression|saying|name)\b`,
  'i',
);

/** Questions about words: "What does the idiom last but not least mean?" */
export const isMetalinguistic = (text: string): boolean => aboutWords.test(text);
