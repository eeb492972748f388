// The event or state that a question names in place of a date: "when the wall fell", "while X
// edited the paper", "before the merger". Only the words; facts/members/eventTime.ts finds when.
import type { Question } from '../../records.js';
import type { Neighbour } from './operator.js';
import { readQuestion, withWordsOfTime, type QuestionReading } from './reading.js';
import { past } from './stative.js';

export interface EventPhrase {
  side: Neighbour['side'];
  /** UTF-16 offsets of the phrase with its relation, half-open. */
  start: number;
  end: number;
  /** The event's words. */
  words: string;
  /** The same with the question's names, where its subject is a pronoun or missing. */
  about: string;
  /** Which end of a state it names: "joined" its beginning, "left" its end. */
  course: 'begins' | 'ends' | undefined;
  /** The unit of the calendar that it is the time of: "the year X died". */
  unit: 'year' | 'month' | undefined;
  /** The distance of the time that is meant from the event's: "two years after". */
  shift: QuestionReading['shift'];
}

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
const nameWord = String.raw`\p{Lu}[\p{L}\p{M}\p{N}.’'-]*`;
const names = new RegExp(
  String.raw`(?<=[^.?!]\s)${nameWord}(?:\s+(?:(?:of|the|de)\s+)?${nameWord})*`,
  'gu',
);
const calendarUnit = /^(?:\S+\s+)?the\s+(?:(?:same|very)\s+)?(year|month)\b/i;
/**
 * The event of a question that states no date and is not about now; undefined where it names none.
 * Another neighbour than an event ("the mayor after X") is a member of the question's own series.
 * @example readEvent({ text: 'Who led it when the wall fell?' })?.words // 'the wall fell'
 */
export function readEvent(question: Question): EventPhrase | undefined {
  const reading = readQuestion(question);
  const { text, anchor, relation, order, asks, time, shift } = reading;
  if (!anchor || time || asks !== 'thing') return undefined;
  const side = order === 'next' ? 'after' : order === 'previous' ? 'before' : sideOf(relation);
  const isMember = side === 'before' || side === 'after';
  const isEvent = anchor.kind === 'event' || isClause(anchor.text);
  if (side === undefined || (isMember && !isEvent)) return undefined;
  const span = withWordsOfTime(anchor, reading);
  const start = startOf(text, span.start);
  const { end } = span;
  const words = anchor.text;
  const rest = `${text.slice(0, start)} ${text.slice(end)}`;
  if (!/[\p{L}\p{N}]{2}/u.test(rest)) return undefined;
  const subjects = subjectless.test(words) ? (rest.match(names) ?? []) : [];
  const unit = calendarUnit.exec(text.slice(start, end))?.[1]?.toLowerCase();
  return {
    side,
    start,
    end,
    words,
    about: [...subjects, verbal(words)].join(' '),
    course: courseOf(words),
    unit: unit as EventPhrase['unit'],
    shift,
  };
}

/** "X joined Y": a name and a verb in the past. */
const isClause = (words: string): boolean =>
  words.split(/\s+/).some((word, at) => at > 0 && /^[a-z]/.test(word) && past.test(word));

const sideOf = (relation: QuestionReading['relation']): EventPhrase['side'] | undefined =>
  relation === 'none'
    ? undefined
    : relation === 'between' || relation === 'around'
      ? 'at'
      : relation;

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

/** Which end of a state words name. */
export const courseOf = (words: string): EventPhrase['course'] =>
  ends.test(words) ? 'ends' : begins.test(words) ? 'begins' : undefined;

/** A preposition before "the year when" is part of the phrase. */
function startOf(text: string, start: number): number {
  const before = /(?<![\p{L}\p{N}])(?:in|on|at|during|of)\s+$/iu.exec(text.slice(0, start));
  return /^the\b/i.test(text.slice(start)) && before ? before.index : start;
}
