// Order condition of a question: first, earliest, last or latest (MRAG's implicit condition). Order
// words in names ("First Lady", "Last Week Tonight"), verbs ("how long did it last") and relative
// dates ("last week") do not count.
import type { Condition } from '../constraint.js';

interface Span {
  start: number;
  end: number;
}

const orderWord = /\b(?:most[ -]recent(?:ly)?|first|1st|earliest|last|latest|newest)\b/gi;

const meaning: Record<string, Condition> = {
  first: 'first',
  '1st': 'first',
  earliest: 'earliest',
  last: 'last',
  latest: 'latest',
  newest: 'latest',
};

/** Words after "first" that make it a name or an idiom, in any case. */
const afterFirst = new RegExp(
  String.raw`^[ -](?:lad(?:y|ies)|gentlem[ae]n|famil(?:y|ies)|ministers?|names?|languages?|` +
    String.raw`amendment|world (?:war|countr)|and last name|` +
    String.raw`trimester|nations?\b(?! cup)|aid|class|degree|floors?|cousins?|base(?:man|men)?|` +
    String.raw`downs?|responders?|communion|` +
    String.raw`person (?:shooter|view|narrat|point)|order|hand|string|blood|sight|letters?|` +
    String.raw`digits?|step act|street|avenue|national bank|` +
    String.raw`baptist|continental|fleet|half|quarter|period|inning|rounds?|legs?|sets?|overtime|` +
    String.raw`lord|consul|vice|crusade|triumvirate|` +
    String.raw`punic|opium|balkan|republic|empire|intifada|temple|dynasty|` +
    String.raw`battle of (?!(?:the )?(?:[\w-]+ ){0,2}(?:war|revolution|` +
    String.raw`rebellion)\b)|siege of|council of)\b`,
  'i',
);
const afterLast = new RegExp(
  String.raw`^[ -](?:names?|stops?|stations?|letters?|digits?|words?|supper|straw|resort|rites?|` +
    String.raw`will and|call|mile|week tonight|` +
    String.raw`man standing|samurai|jedi|kingdom|airbender|unicorn|of us|of the mohicans|` +
    String.raw`emperor\b(?= movie)|night|tango|picture show|` +
    String.raw`judg[e]?ment|ditch|minute|hour|few|several|decade|century|couple|half)\b`,
  'i',
);

/** Durations: "within the first three weeks", "the last 24 hours". */
const length = new RegExp(
  String.raw`^[ -](?:(?:few|couple of|several|two|three|four|five|six|seven|eight|nine|ten|` +
    String.raw`\d+)[ -])?(?:seconds?|minutes?|hours?|days|` +
    String.raw`weeks|fortnights?|months|quarters|years|decades|centuries)\b(?! (?:that|when|the|of (?!the))\b)`,
  'i',
);

/** Words that "1st" numbers rather than orders. */
const afterNumber = new RegExp(
  String.raw`^[ -](?:of|and|st|street|ave|avenue|amendment|class|degree|edition|division|brigade|` +
    String.raw`regiment|battalion|army|corps|infantry|` +
    String.raw`cavalry|panzer|airborne|marines?|special|earl|duke|baron|viscount|marquess|lord|` +
    String.raw`district|congress|century)\b`,
  'i',
);

/** "How long did the war last?", "how many days will it last", without a noun behind. */
const lasting =
  /\bhow (?:long|many (?:\w+ )?(?:years|months|weeks|days|hours|minutes|decades|seasons))\b|\b(?:will|could|would|must|should|to)\s$/i;
const verbAfter = new RegExp(
  String.raw`^\s*(?:$|[?,.;!]|(?:in|on|from|to|until|for|after|before|during|between|as|by|since|` +
    String.raw`and|through|throughout|over|beyond|` +
    String.raw`more|longer|about|at least)\b)`,
  'i',
);

/** The condition of the first temporal order word outside `covered` (the spans of dates). */
export function readCondition(text: string, covered: readonly Span[]): Condition {
  return findCondition(text, covered)?.condition ?? 'none';
}

/** The span of that order word and its condition. */
export function findCondition(
  text: string,
  covered: readonly Span[],
): (Span & { condition: Condition }) | undefined {
  for (const match of text.matchAll(orderWord)) {
    const start = match.index;
    const end = start + match[0].length;
    if (covered.some((span) => span.start < end && start < span.end)) continue;
    if (isName(text, start, end)) continue;
    return {
      start,
      end,
      condition: /^most/i.test(match[0]) ? 'latest' : meaning[match[0].toLowerCase()]!,
    };
  }
  return undefined;
}

function isName(text: string, start: number, end: number): boolean {
  const word = text.slice(start, end);
  const rest = text.slice(end);
  if ((/^first$/i.test(word) ? afterFirst : /^last$/i.test(word) ? afterLast : /(?!)/).test(rest))
    return true;
  const before = text.slice(0, start);
  if (before.split('"').length % 2 === 0 || before.lastIndexOf('“') > before.lastIndexOf('”'))
    return true; // quoted
  if (
    /^1st$/i.test(word) &&
    (afterNumber.test(rest) ||
      /^\s+[A-Z]/.test(rest) ||
      !/\b(?:the|an?|his|her|its|their|won|got|for|['’]s|s['’])\s$/i.test(before))
  )
    return true;
  if (/^(?:first|last)$/i.test(word) && length.test(rest)) return true;
  // "Sofia the First"
  if (
    /^(?:first|last)$/i.test(word) &&
    /^\W*$/.test(rest) &&
    /(?<!\b(?:is|was|are|were|be|of|for|in|on|at|to|and|or|as)) the $/i.test(before)
  ) {
    return true;
  }
  if (/^last$/i.test(word) && lasting.test(before) && verbAfter.test(rest)) return true;
  // "last season", relative
  if (
    /^last$/i.test(word) &&
    /^ seasons?\b/i.test(rest) &&
    !/\b(?:the|its|their|his|her)\s$|s\s$/i.test(before)
  )
    return true;
  if (/^(?:first|last)$/i.test(word) && /\bat\s$/i.test(before)) return true;
  // "first-class", "last-minute"
  if (/^-(?!ever\b)[a-z]/i.test(rest) && /^(?:first|last)$/i.test(word)) return true;
  // A capital within the question, or at its start before another capital, is a name: "The Last
  // Emperor", "First Lady".
  const capital = /^[A-Z]/.test(word);
  const opens = /^\W*$/.test(before);
  const shouting = text === text.toUpperCase();
  return capital && !shouting && (!opens || /^\s+[A-Z][a-z]/.test(rest));
}
