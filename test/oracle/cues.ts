// The cues of native/timetag/cues and the dates of native/question by regular expressions: what
// their words mean in a second notation.
import type { Interval } from '../../lib/time/interval.js';
import type { Mention } from '../../lib/time/mention.js';

/** Irregular past tenses and participles; those equal to the present are excluded. */
const irregularPast =
  'was|were|did|had|been|beat|became|began|begun|born|bought|broke|broken|brought|built|' +
  'burst|came|caught|chose|chosen|drew|drove|driven|drawn|fell|fallen|flew|flown|fought|' +
  'found|gave|given|went|gone|grew|got|held|hired|kept|knew|known|laid|led|left|lost|made|' +
  'met|paid|ran|rose|said|sang|sank|sat|saw|sent|shot|sold|spent|spoke|stood|stole|stolen|' +
  'struck|sung|sunk|swam|swore|sworn|taken|taught|told|took|thought|won|wore|worn|wrote|' +
  'written';
const present = 'need|speed|feed|seed|breed|exceed|proceed|indeed|hundred|weed|bleed|shed';

/** A finite past tense or a past participle. */
const past = new RegExp(
  String.raw`\b(?:${irregularPast}|used to|(?!(?:${present})\b)[a-z]{2,}ed)\b`,
  'i',
);

/** Whether the main clause is in the past; "is computed" and "does it need" are not. */
const isPast = (text: string): boolean =>
  /\b(?:was|were|did|had|used to)\b/i.test(text) ||
  (past.test(text) && !/\b(?:is|are|do|does|can|should|must)\b|\w['’]s (?:an?|the)\b/i.test(text));

/** A word for predictions. */
const prediction = new RegExp(
  String.raw`\b(?:forecast(?:s|ed)?|predict(?:s|ed|ions?)|project(?:ed|ions?)|expected|` +
    String.raw`anticipated|outlook|supposed to|likely to|chances? of)\b`,
  'i',
);
/** The future tense. */
const future = /\b(?:will|going to)\b|['’]ll\b/i;

/** Verbs of states, of habits and of offices. */
const stativeVerbs =
  'allow amount anchor apply believe belong captain carry chair charge circulate coach command ' +
  'conduct consider consist contain control cost cover define drive edit employ enrol equal ' +
  'exceed exist feature follow govern have head hold host include know lead lie live look manage ' +
  'mean measure need number occupy offer operate own pay permit play practise preside provide ' +
  'quote rank rate read recognise recognize recommend regulate reign remain represent require ' +
  'reside rule run serve sit speak sponsor stand staff stay stock study supply support teach ' +
  'think top total use value wear weigh work yield';
/** Verbs of habits after "did"; their passives are events. */
const habits = 'say sell trade';
/** Pasts of states that no rule forms. */
const irregular = 'had held known led paid ran read run spoke stood sat taught wore cost';
/** Participles of a change whose result lasts: "which roads were closed on 3 May?" */
const results =
  'accredited affected assigned authorised authorized banned based blocked called certified ' +
  'closed composed connected contracted deployed displayed divided docked engaged entitled ' +
  'frozen ' +
  'headed hung imprisoned injured installed insured kept licensed listed located locked made up ' +
  'married named parked pegged populated priced registered restricted set stationed stored ' +
  'suspended';
/** Words in "ed" that are no verb forms, and participles that are adjectives before a noun. */
const nouns = 'bed fed limited need red related recorded seed speed united';

const pastOf = (verb: string): string =>
  `${verb}${/e$/.test(verb) ? 'd' : 'l?ed'}`.replace('yl?ed', 'ied');
const alternatives = (words: string): string => words.replaceAll(' ', '|');
const stativePast = `${stativeVerbs.split(' ').map(pastOf).join('|')}|${alternatives(irregular)}`;
const happening = `(?:[a-z]{2,}ed|${irregularPast}|put|cut|hit|shut|come out)`;
const auxiliary = 'was|were|is|are|had|has|have|did|been|used to';

const passive = new RegExp(
  String.raw`\b(?:was|were|been|got)\s+(?:(?:\w+ly|not|first|last|next|just)\s+)*` +
    String.raw`(?!(?:${stativePast}|${alternatives(results)}|${alternatives(nouns)}|${auxiliary})\b)${happening}\b`,
  'i',
);
/** A past tense after its subject: "which papers appeared", "who died". */
const active = new RegExp(
  String.raw`\b(?:who|which|what|how many)\b(?:\s+(?!(?:${auxiliary})\b)[\w’'-]+){0,4}?\s+` +
    String.raw`(?!(?:${stativePast}|${alternatives(nouns)}|named|called|${auxiliary})\b)${happening}\b`,
  'i',
);
const statedByDid = new RegExp(
  String.raw`\bdid\b.*\b(?:${alternatives(`${stativeVerbs} ${habits}`)})\b`,
  'i',
);
const happened = /\b(?:happen(?:ed|s)?|occur(?:red|s)?|(?:took|take) place|went on|came about)\b/i;

const perfect = new RegExp(
  String.raw`\b(?:had|has|have)\s+(?:\w+ly\s+)?(?!(?:${stativePast}|been)\b)${happening}\b`,
  'i',
);

/** Whether the predicate is a perfect: "which lines had closed". */
const isPerfect = (skeleton: string): boolean => perfect.test(skeleton);

/** Whether the predicate is a state; a phrase without a verb counts as one. */
function isState(skeleton: string): boolean {
  if (happened.test(skeleton)) return false;
  if (/\bdid\b/i.test(skeleton)) return statedByDid.test(skeleton);
  return !passive.test(skeleton) && !active.test(skeleton);
}

const interrogative = /\b(?:how|who|whom|what|which|where|was|were|did|had)\b/i;
const every = /\b(?:all|every|everything|anything|list)\b/i;

/** The sum of bits of `predicate` in binding.d.ts. */
export const predicateOf = (text: string): number =>
  [
    isState(text),
    isPast(text),
    isPerfect(text),
    future.test(text),
    prediction.test(text),
    every.test(text),
    interrogative.test(text),
  ].reduce((sum, each, at) => sum + (each ? 2 ** at : 0), 0);

const begins = new RegExp(
  String.raw`\b(?:(?:join|start|launch|open|appoint|elect|found|establish|form|crown|marri|acquir|` +
    String.raw`inherit|premier|inaugurat|introduc|return|enter|arriv|mov|sign|succeed)(?:ed|ing)|` +
    String.raw`became|becoming|began|beginning|bought|buying|came|coming|made|took|taking|founding|` +
    String.raw`got married|got the|marriage|wedding|appointment|election|birth|born|arrival|move|start|` +
    String.raw`outbreak|debut|introduction|opening|foundation|came into)\b`,
  'i',
);
const ends = new RegExp(
  String.raw`\b(?:left|leaving|(?:resign|retir|dismiss|sack|fir|end|clos|di|abolish|dissolv|oust|` +
    String.raw`depos|disband|divorc|depart)(?:ed|ing)|step(?:ped|ping) down|g[ai]v(?:e|ing) up|quit|sold|` +
    String.raw`selling|dying|death|resignation|retirement|end|fall|departure|closure|passed away|` +
    String.raw`demise|divorce)\b`,
  'i',
);
const subjectless = /^(?:(?:he|she|it|they|his|her|its|their)\b|(?:being|having|[a-z]+ing)\s)/;
const calendarUnit = /^(?:\S+\s+)?the\s+(?:(?:same|very)\s+)?(year|month)\b/i;
/** "X joined Y": a name and a verb in the past. */
const isClause = (words: string): boolean =>
  words.split(/\s+/).some((word, at) => at > 0 && /^[a-z]/.test(word) && past.test(word));
/** Nouns of events with the verbs that passages tell them by. */
const nominal: readonly (readonly [noun: string, verb: string])[] = [
  ['death|demise', 'died'],
  ['birth', 'was born'],
  ['wedding|marriage', 'married'],
  ['retirement', 'retired'],
  ['resignation', 'resigned'],
  ['election', 'was elected'],
  ['appointment', 'was appointed'],
  ['arrival', 'arrived'],
  ['departure', 'left'],
  ['move', 'moved'],
  ['foundation|founding|establishment', 'was founded'],
  ['launch', 'launched'],
  ['opening', 'opened'],
  ['closure|closing', 'closed'],
];
const owned = nominal.map(
  ([noun, verb]) => [new RegExp(String.raw`['’]s?\s+(?:${noun})\b`, 'i'), ` ${verb}`] as const,
);
const ofOwner = nominal.map(
  ([noun, verb]) =>
    [new RegExp(String.raw`^(?:the\s+)?(?:${noun})\s+of\s+(.+)$`, 'i'), `$1 ${verb}`] as const,
);

/** "X's death" and "the death of X" as "X died". */
function verbal(words: string): string {
  const [pattern, verb] = [...owned, ...ofOwner].find(([each]) => each.test(words)) ?? [];
  return pattern ? words.replace(pattern, verb!) : words;
}
/** A preposition before "the year when" is part of the phrase. */
function startOf(text: string, start: number): number {
  const before = /(?<![\p{L}\p{N}])(?:in|on|at|during|of)\s+$/iu.exec(text.slice(0, start));
  return /^the\b/i.test(text.slice(start)) && before ? before.index : start;
}

/** The words of an anchor as an event; `words` are they with those of their relation. */
export function eventOf(
  text: string,
  anchor: { start: number; end: number },
  words: { start: number; end: number },
) {
  const own = text.slice(anchor.start, anchor.end);
  const start = startOf(text, words.start);
  const unit = calendarUnit.exec(text.slice(start, words.end))?.[1]?.toLowerCase();
  return {
    start,
    end: words.end,
    isClause: isClause(own),
    lacksSubject: subjectless.test(own),
    course: courseOf(own),
    unit: unit === undefined ? 0 : unit === 'year' ? 1 : 2,
    clause: verbal(own),
  };
}

/** 0 none, 1 begins, 2 ends. */
export const courseOf = (words: string): number =>
  ends.test(words) ? 2 : begins.test(words) ? 1 : 0;

const oneOf = (...words: string[]): RegExp =>
  new RegExp(String.raw`\b(?:${words.join('|')})\b`, 'gi');

const overTime = ['over time', 'over the (?:years|decades|centuries)', 'through(?:out)? history'];
const vague = oneOf(
  'currently',
  'nowadays',
  'presently',
  'recently',
  'lately',
  'historically',
  'formerly',
  'previously',
  'originally',
  'initially',
  'eventually',
  'current',
  'present-day',
  'modern-day',
  'recent',
  'former',
  'previous',
  'contemporary',
  'ongoing',
  'still',
  'ago',
  ...overTime,
  'at (?:the|that) time',
  'these days',
  'anymore',
  'any longer',
  'so far',
  'to date',
  'up to now',
  'until now',
  'ever since',
  'yet',
);
const askingLength = oneOf(
  '(?:for )?how (?:long|many (?:years|months|weeks|days|hours|minutes|seconds|decades|centuries))',
  'what (?:is|was) the duration',
);
const askingWhen = oneOf(
  '(?:since|until|by) when',
  'when',
  '(?:(?:in|on|at|by|since|until|during) )?(?:what|which) ' +
    '(?:year|month|day|date|decade|century|time|season|quarter|era|period|age|epoch)',
);
const name = String.raw`[A-Z][\w’'.-]*(?:\s+(?:(?:of|the|de|and|for|in)\s+)*[A-Z0-9][\w’'.-]*)*`;
const namedEvent = new RegExp(
  String.raw`\b(?:before|after|during|since|until|following|prior to|by the time of|` +
    String.raw`at the time of)\s+(?:the\s+|an?\s+)?${name}`,
  'g',
);

const timeline = oneOf(
  'timeline',
  String.raw`chronolog\w*`,
  'histor(?:y|ical development) of',
  'evolution of',
  String.raw`evolv\w+`,
  'sequence of events',
  ...overTime,
);
const ordering = oneOf(
  'in (?:what|which) order',
  '(?:came|happened|occurred|was) (?:first|earlier|later)',
  'which (?:came|happened|is older|was earlier)',
);
const sequence = oneOf(
  'before',
  'after',
  'prior to',
  'since',
  'until',
  'following',
  String.raw`preced\w+`,
  String.raw`succeed\w+`,
);
const ongoing = oneOf(
  'still',
  'currently',
  'current',
  'nowadays',
  'presently',
  'present-day',
  'ongoing',
  'these days',
  'today',
  'now',
  'anymore',
  'any longer',
  'so far',
  'to date',
);
const period = oneOf(
  'during',
  'throughout',
  'era',
  'period',
  '(?:what|which) (?:age|epoch)',
  'age of',
  'dynasty',
);

/** As `querySignals` of the addon gives them. */
export function querySignals(text: string): { spans: number[]; kinds: number[]; cues: number } {
  const spans: number[] = [];
  const kinds: number[] = [];
  const add = (pattern: RegExp, kindOf: (words: string) => number): void => {
    for (const { 0: words, index } of text.matchAll(pattern)) {
      spans.push(index, index + words.length);
      kinds.push(kindOf(words));
    }
  };
  add(askingLength, () => 0);
  add(askingWhen, (words) => (/\b(?:era|period|age|epoch)$/i.test(words) ? 1 : 0));
  add(namedEvent, (words) => (words.search(sequence) >= 0 ? 3 : 2));
  add(vague, () => 4);
  const cues = [askingLength, timeline, ordering, ongoing, period].reduce(
    (sum, pattern, at) => sum + (text.search(pattern) >= 0 ? 2 ** at : 0),
    0,
  );
  return { spans, kinds, cues };
}

/** "2011–present", "2003–)"; of "1796-?" nobody knows. */
const lasting = /^\s*[-–—]\s*(\?|present|today|now\b|date\b|[),;:]|$)/i;

const openers =
  'since from after starting beginning began became becoming elected appointed joined ' +
  'renamed succeeded replaced moved acquired bought purchased';
const opening = new RegExp(
  String.raw`\b(?:${openers.replaceAll(' ', '|')}|took over|signed)\b[^.;]{0,18}$`,
  'i',
);
const closing =
  /(?:\b(?:until|till|to|through|ended|left|resigned|retired|died|dissolved|closed|abolished|before)\b[^.;]{0,12}|\?\s*[-–—]\s*)$/i;
/** Beyond ASCII all but blanks, dashes and quotes are letters here. */
const stateEnding = new RegExp(
  String.raw`(?:\b(?:until|till|through|up to)\s(?:(?:early|late|mid|about|around|(?:(?![–—’\s])[a-z\u0080-\uffff]){2,}|\d{1,2},?)\s){0,3}|` +
    String.raw`\b(?:left|resigned|retired|dissolved|closed|abolished|ended)\b[^.;,]{0,12}|\?\s*[-–—]\s*)$`,
  'i',
);

/** As `stateCues` of the addon. */
export function stateCue(text: string, year: number): number {
  const at = text.indexOf(String(year));
  if (at < 0) return 0;
  const before = text.slice(Math.max(0, at - 28), at);
  const from = at + String(year).length;
  const ending = lasting.exec(text.slice(from, from + 14));
  if (ending) return ending[1] === '?' ? 0 : 2;
  return !opening.test(before) && closing.test(before) && stateEnding.test(before) ? 1 : 0;
}

const reportNoun = new RegExp(
  String.raw`\b(?:forecasts?|outlooks?|reports?|estimates?|figures?|counts?|numbers?|` +
    String.raw`statements?|articles?|bulletins?|warnings?|` +
    String.raw`advisor(?:y|ies)|predictions?|projections?|data|news|updates?|revisions?|` +
    String.raw`versions?|totals?)\b`,
  'i',
);
const published =
  /\b(?:published|issued|released|announced|posted|updated)(?: (?:on|at|in|by|as|late|early))?,?\s*$/i;
/** Whether the words right before an offset say that a report was issued. */
function publicationDateTest(text: string): (start: number) => boolean {
  let reports: boolean | undefined; // evaluated once: a passage may have many dates
  return (start) =>
    published.test(text.slice(Math.max(0, start - 24), start)) &&
    (reports ??= reportNoun.test(text));
}

const isPublicationDate = (text: string, start: number): boolean =>
  publicationDateTest(text)(start);

/** Too common alone: their date is one only on the passage's own publication day. */
const reportVerbs =
  'said|says|told|stated|wrote|announced|published|issued|released|posted|updated|' +
  'reported|predicted|projected|dated|filed|dispatched';
const reportNouns =
  'bulletin|update|report|statement|forecast|outlook|advisory|warning|dispatch|release|notice|' +
  'briefing|message|edition|revision|projection';
const afterReportVerb = new RegExp(
  String.raw`\b(?:${reportVerbs})(?: (?:late|early))?,?(?: (?:on|at|of))?[\s,(]*$`,
  'i',
);
const afterReportNoun = new RegExp(
  String.raw`\b(?:${reportNouns})s?,? (?:on|of|from)[\s,(]*$`,
  'i',
);
const beforeReportNoun = new RegExp(String.raw`^[\s)-]{0,3}(?:${reportNouns})\b`, 'i');
const dateline = /^\)?\s*[:–—]/;
/** Of a zone whose clock was put back in it by two hours at most. */
const longestMonth = 31 * 86_400_000 + 2 * 3_600_000;

interface DatedSpan {
  start: number;
  end: number;
  interval: Interval;
}

/**
 * Whether a date is the passage's publication day and only states it: "officials said on 3 May
 * that", "bulletin of 3 May", or a dateline ("3 May: rain on 4 May") before a later day. The
 * sentence has another date.
 * @param others the intervals of the sentence
 */
function isIssueDate(
  text: string,
  date: DatedSpan,
  publishedAt: number,
  others: readonly Interval[],
): boolean {
  if (!isDayOf(publishedAt, date.interval)) return false;
  const days = others.filter((other) => isAnotherDay(other, date.interval));
  if (days.length === 0) return false;
  const after = text.slice(date.end, date.end + 24);
  if (
    afterReportVerb.test(upTo(text, date)) ||
    afterReportNoun.test(upTo(text, date)) ||
    beforeReportNoun.test(after)
  )
    return true;
  return dateline.test(after) && days.some((other) => other.start >= date.interval.end);
}

/**
 * Whether a sentence's only date is the publication day as heading of a passage about another day:
 * "Outlook of 3 May for Lohr. On 4 May expect rain."
 * @param days `daysAmong` the intervals of the passage
 */
function isHeadingDate(
  text: string,
  date: DatedSpan,
  publishedAt: number,
  days: readonly Interval[],
): boolean {
  if (
    !isDayOf(publishedAt, date.interval) ||
    !days.some((other) => isAnotherDay(other, date.interval))
  )
    return false;
  return (
    afterReportNoun.test(upTo(text, date)) ||
    beforeReportNoun.test(text.slice(date.end, date.end + 24)) ||
    isPublicationDate(text, date.start)
  );
}

const earlier =
  /\bwhat (?:was|had been|has been) (?:said|stated|announced|reported|published|forecast|predicted)(?: (?:on|in|at))?\s*$/i;

/** "This takes the place of what was said on 3 May." */
function isEarlierReportDate(text: string, date: DatedSpan, publishedAt: number): boolean {
  return date.interval.end <= publishedAt && earlier.test(upTo(text, date));
}

const isDayOf = (instant: number, { start, end, granularity }: Interval): boolean =>
  granularity === 'day' && instant >= start && instant < end;

/**
 * A different interval of at most a month: in "Said on 3 May that the mill, built in 1911, is shut"
 * the year is no other day.
 */
const isAnotherDay = (other: Interval, { start, end }: Interval): boolean =>
  (other.start !== start || other.end !== end) && isDayOrMonth(other);

const isDayOrMonth = ({ start, end }: Interval): boolean => end - start <= longestMonth;

/**
 * The first two distinct intervals of at most a month: they tell of any day whether there is
 * another one, as all of a long passage would.
 */
function daysAmong(intervals: readonly Interval[]): Interval[] {
  const first = intervals.find(isDayOrMonth);
  const second = first && intervals.find((each) => isAnotherDay(each, first));
  return second ? [first, second] : first ? [first] : [];
}

/** The words before a date and its leading preposition. */
function upTo(text: string, { start, end }: DatedSpan): string {
  const preposition = /^(?:on|at|from)\b/i.exec(text.slice(start, end))?.[0] ?? '';
  return text.slice(Math.max(0, start - 32), start) + preposition;
}

/** Lowest confidence of a mention that counts as a time. */
const leastConfidence = 0.5;

function contentIntervals(
  mentions: readonly Mention[],
  text: string,
  publishedAt?: number,
): Interval[] {
  const dated = mentions.filter(
    (mention) => mention.interval !== undefined && mention.confidence >= leastConfidence,
  );
  const isPublication = publicationDateTest(text);
  const all = dated.map(({ interval }) => interval!);
  const isIssue = ({ start, end, interval }: Mention): boolean =>
    publishedAt !== undefined &&
    all.length > 1 &&
    isIssueDate(text, { start, end, interval: interval! }, publishedAt, all);
  const content = dated.filter((mention) => !isPublication(mention.start) && !isIssue(mention));
  const intervals = new Map<string, Interval>();
  for (const { interval } of content.length > 0 ? content : dated) {
    const key = `${interval!.start} ${interval!.end}`;
    if (!intervals.has(key)) intervals.set(key, interval!);
  }
  return [...intervals.values()];
}

/** Content clock of each sentence of a passage. */
export function contentOfSentences(
  text: string,
  sentences: readonly { start: number; end: number }[],
  mentions: readonly Mention[],
  publishedAt?: number,
): Interval[][] {
  let next = 0;
  const own: Mention[][] = [];
  const clocks: Interval[][] = [];
  for (const { start, end } of sentences) {
    const inside: Mention[] = [];
    for (; next < mentions.length && mentions[next]!.start < end; next++) {
      const mention = mentions[next]!;
      if (mention.start >= start)
        inside.push({ ...mention, start: mention.start - start, end: mention.end - start });
    }
    own.push(inside);
    clocks.push(contentIntervals(inside, text.slice(start, end), publishedAt));
  }
  if (publishedAt === undefined || clocks.filter((clock) => clock.length > 0).length < 2)
    return clocks;
  const days = daysAmong(clocks.flat());
  const content: Interval[][] = [];
  for (const [at, clock] of clocks.entries()) {
    content.push(clock);
    const date =
      clock.length === 1
        ? own[at]!.find(({ interval }) => interval?.start === clock[0]!.start)
        : undefined;
    if (!date) continue;
    const { start, end } = sentences[at]!;
    const sentence = text.slice(start, end);
    const only = { ...date, interval: clock[0]! };
    if (
      isHeadingDate(sentence, only, publishedAt, days) ||
      isEarlierReportDate(sentence, only, publishedAt)
    )
      content[at] = [];
  }
  return content;
}

/** Names of UTC, whose times look like those without an offset. */
const zeroOffset = /\b(?:GMT|UTC|WET|ZULU|Z)\b|\dZ\b|\bGreenwich\b|[+-]00:?00$/;

/** A time on the clock, of a year of four digits. */
const clockTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/;
/** Of an hour, a minute and a second: no offset is a difference of two of them. */
const lengths = [3_600_000, 60_000, 1000];

/**
 * Whether a mention says its offset, so that its interval is the same in all zones. The tagger's
 * values are times on the clock, its intervals what these are in UTC.
 */
export function hasOffset({ text, timexes, interval, start: from }: Mention): boolean {
  if (!interval) return false;
  for (const { type, value, start, end } of timexes) {
    if (type !== 'TIME') continue;
    if (zeroOffset.test(text.slice(start - from, end - from))) return true;
    if (!clockTime.test(value)) continue;
    const shown = Date.parse(`${value}Z`);
    if (shown !== interval.start && !lengths.includes(interval.end - shown)) return true;
  }
  return false;
}
