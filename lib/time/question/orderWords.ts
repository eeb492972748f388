// Words of order in a question outside its dates and relations: "latest", "very first",
// "previously", "the next release", and words for the present. Not those of names and idioms.
import { findCondition } from './condition.js';
import { past } from './tense.js';

export type OrderWord = 'latest' | 'first' | 'previous' | 'next';

/**
 * An adjective of order before its noun, after a determiner or at the start of a phrase: "the final
 * version", not "in the final", "the effect of initial stresses".
 */
function adjective(
  words: string,
  { kinds, determiners }: { kinds: string; determiners: string },
): string {
  const start = String.raw`(?<=^\W*|[.:,;?!\uE000]\s*|\b(?:${determiners})\s+)`;
  const noun = String.raw`(?!(?:of|in|on|at|to|for|from|by|and|or|was|is|were|are|did|does|do|has|had|with|between|against|the|an?|${kinds})\b)(?=[a-z])`;
  return String.raw`${start}(?:very\s+)?(?:${words})\s+${noun}`;
}
const determiners = "the|its|his|her|their|our|my|your|an?|this|whose|which|what|(?:\\w+['’]s?)";
const article = 'the|its|his|her|their|our|my|your|which';

/** Adjectives, with the nouns of which they name a kind: "final exam", "opening hours". */
const adjectives = {
  first: [
    adjective('original', { kinds: 'sin|equipment|position|content|research', determiners }),
    adjective('initial', {
      kinds: 'letters?|conditions?|state|capacity|values?|velocity|guess',
      determiners,
    }),
    adjective('opening|inaugural|maiden|founding|debut', {
      kinds: 'hours?|times?|balance|angle|size|name|fathers?',
      determiners,
    }),
  ],
  latest: [
    adjective('final|closing', {
      kinds:
        'clause|say|exams?|frontier|fantasy|destination|countdown|analysis|fields?|methods?|variables?|round|hours?|time',
      determiners,
    }),
  ],
  previous: [
    adjective('previous|preceding|prior', {
      kinds: String.raw`convictions?|page|step|experience|question|work|(?!series|species)[a-z-]+[^s\W]s`,
      determiners: article,
    }),
  ],
  next: [
    adjective('next|subsequent|succeeding|following', {
      kinds: String.raw`door|generation|step|button|page|level|word|(?!series|species)[a-z-]+[^s\W]s`,
      determiners: article,
    }),
  ],
};

/** Adverbs and phrases. */
const adverbs = {
  first: [
    'originally|initially|soonest|firstly|very first|first of all|from day one',
    'oldest (?:known|surviving|extant|recorded|version|release|edition|entry|record|copy|draft|report)',
    '(?:start|begin|began|begun)(?:ed|s|ning)? (?:(?:out|life|off)|as|by|with)(?= |$|[?.,])',
    '(?:at|from) the (?:very )?(?:outset|start|beginning)(?! of)|in the (?:very )?beginning(?! of)',
    'at first(?! (?:sight|glance|instance|hand|light|base))|to (?:begin|start) with',
  ],
  latest: [
    'most (?:up[- ]to[- ]date|current|modern)|freshest|up[- ]to[- ]the[- ]minute|just (?:released|published|issued|announced)|last of all|lastly|eventually|ultimately|in the end(?! of)',
    '(?:end(?:ed|s)?|w(?:i|ou)nd|finished|ending|winding) up(?! of)|turn(?:ed)? out(?= to be| in the end)',
  ],
  previous: [
    'previously|formerly|hitherto|beforehand|before (?:that|then|this)|penultimate|(?:last|latest) but one',
  ],
  next: [
    'subsequently|thereafter|afterwards|after (?:that|then|this)',
    String.raw`(?:came|come|comes|was|were|[a-z]+ed|happened|made|built|be) next`,
    String.raw`next(?= \uE000)|next(?=\s+(?:was|to (?!(?:the|an?|my|his|her|its|their|our|your|each|this|that|it)\b)[a-z]+|once|after)\b)`,
  ],
};

const orderWords: readonly OrderWord[] = ['first', 'latest', 'previous', 'next'];
const patterns = orderWords.map(
  (word) =>
    [
      word,
      new RegExp(
        [...adjectives[word], ...adverbs[word].map((each) => String.raw`\b(?:${each})\b`)].join(
          '|',
        ),
        'i',
      ),
    ] as const,
);

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

/** In a relative clause or before a participle: "the house originally known as X". */
function describes(text: string, { index, 0: word }: RegExpExecArray): boolean {
  if (!/ly\b/i.test(word)) return false;
  const before = text.slice(0, index);
  if (/\S\s*,?\s+(?:who|that|which)\s+(?:(?:was|were|would|had|has|is)\s+)?$/i.test(before))
    return true;
  return (
    /^\s+(?:known|built|called|[a-z]{2,}ed)\b/i.test(text.slice(index + word.length)) &&
    !/(?:^|\b(?:was|were|is|are|been|be|had|did|who|which|what|he|she|it|they|\w+ly)\s+)\W*$/i.test(
      before,
    )
  );
}

/** Parts of a text, a procedure or a list, whose order is no order in time. */
const position =
  /^\s+(?:[a-z]+\s+)?(?:steps?|stages?|chapters?|lines?|scenes?|chords?|sentences?|paragraphs?|verses?|stanzas?|parts?|sections?|pages?|letters?|digits?|numbers?|elements?|items?|rows?|columns?|derivatives?|terms?|words?|characters?|arguments?|parameters?|(?:in|of) (?:an?|the) (?:alphabet|sentence|list|line|row|queue|sequence))\b/i;

/** A verb or noun right before a title: "who sang last christmas". */
export const isTitle = (before: string): boolean =>
  /\b(?:sang|sings|sung|wrote|writes|directed|starred in|stars in|(?:song|movie|film|novel|book|album|show|series|sitcom|titled|entitled))\s+["“‘']?$/i.test(
    before,
  );

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
    const isPosition = !past.test(skeleton) && position.test(rest);
    const isCompound = /^-(?!ever)[a-z]|^\s+(?:and|or|,)\s+(?:second|third|last)\b/i.test(rest);
    if (!isVerb && !isTerm && !isCompound && !isPosition && !isTitle(before))
      words.add(
        condition.condition === 'first' || condition.condition === 'earliest' ? 'first' : 'latest',
      );
  }
  for (const [word, pattern] of patterns) {
    const match = pattern.exec(skeleton);
    if (
      !match ||
      isName(skeleton, match) ||
      describes(skeleton, match) ||
      isTitle(skeleton.slice(0, match.index))
    )
      continue;
    const rest = skeleton.slice(match.index + match[0].length);
    if (past.test(skeleton) || !position.test(` ${rest}`)) words.add(word);
  }
  return words;
}

/** Aspect of the present: "still", "any more", "nowadays", "up to date", "as things stand". */
const present = new RegExp(
  [
    String.raw`(?:is|are|does|do|has|have|am|can|may|['’]s)\s+(?:[\w'’-]+\s+){0,6}?still`,
    String.raw`still(?=\s+[a-z]+\b(?<!ed)(?!.*\b(?:was|were|did|had)\b))(?<!\b(?:was|were|did|had)\b.*)`,
    String.raw`(?:any ?more|any longer)(?=\s*(?:$|[?.!,]))`,
    String.raw`(?:as )?(?:things|matters|it) (?:now )?stands?(?!\s+(?:for|by|on|at|to))`,
    String.raw`nowadays|currently|presently|up[- ]to[- ]date|these days|at present|today['’]s|contemporary`,
    String.raw`(?:at|in) (?:this|the present) (?:time|stage|point|moment|day)|as yet|to this day|(?:just|right) now`,
    String.raw`as we speak|at the minute|of today|in effect (?:now|today)|the (?:sitting|reigning|serving)(?= (?!room)[a-z])`,
    String.raw`going rate|for the time being|(?:valid|effective|in force|active) (?:now|today)`,
    String.raw`(?:the|present|its|their|his|her|our|my)? ?present(?:-day)?\s+(?!(?:in|of|from|for|at|is|was|day|tense|on|to|an?|the|given|when|participle|value|simple|perfect)\b)[a-z]+`,
  ]
    .map((each) => String.raw`\b(?:${each})\b`)
    .join('|'),
  'i',
);

export function isPresent(skeleton: string): boolean {
  const match = present.exec(skeleton);
  return match !== null && !isName(skeleton, match);
}

/** Questions about words: "What does the idiom last but not least mean?" */
export const isMetalinguistic = (text: string): boolean =>
  /\bwhat (?:does|do|is)\b.*\b(?:mean|meant by|stand for|refer to)\b|\bdifference between\b|\b(?:meaning|definition|etymology|origin) of (?:the )?(?:word|phrase|term|idiom|expression|saying|name)\b|\b(?:the|an?) (?:idiom|phrase|expression|saying|proverb|motto)\b/i.test(
    text,
  );
