// The event or state that a question names in place of a date: "when the wall fell", "while X
// edited the paper", "before the merger". Only the words; facts/members/eventTime.ts finds when.
import type { Question } from '../../records.js';
import { asksForTime } from './askedTime.js';
import { questionWindow, parseQuestion, type QuestionOptions } from './question.js';
import { pastInClause, readEventPhrase, type Neighbour } from './neighbours.js';

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
/** Phrases of time that are no event: "before the current one", "until the end". */
const deictic =
  /\b(?:current|currently|present|previous|last|next|this|that|now|one)\b|^(?:the )?(?:end|beginning|start)$/i;
const subjectless = /^(?:(?:he|she|it|they|his|her|its|their)\b|(?:being|having|[a-z]+ing)\s)/;
const nameWord = String.raw`\p{Lu}[\p{L}\p{M}\p{N}.’'-]*`;
/** Nouns of events; other nouns behind "before" are members of a series: "before version 7.1". */
const eventNoun = new RegExp(
  String.raw`\b(?:wars?|battle|siege|revolution|rebellion|uprising|revolt|olympics|games|cup|crisis|` +
    String.raw`treaty|hurricane|earthquake|pandemic|epidemic|massacre|conference|coup|invasion|armistice|` +
    String.raw`brexit|depression|merger|takeover|strike|fire|floods?|storm|riots?|accident|crash|collapse|` +
    String.raw`attacks?|assassination|independence|(?:re)?unification|partition|annexation|abolition|` +
    String.raw`incident|scandal|disaster|referendum|elections?|famine|bombing|renovation|reform(?:ation)?|` +
    String.raw`death|demise|birth|wedding|marriage|divorce|retirement|resignation|appointment|arrival|` +
    String.raw`departure|move|foundation|founding|establishment|launch|opening|closure|closing|release|` +
    String.raw`introduction|sale|purchase|fall|outbreak|coronation|accession|abdication|impeachment)\b`,
  'i',
);
/** A verb: the words before it are its subject. */
const happened = new RegExp(String.raw`^(?:having|being|[a-z]+ing)\s|\s(?:${pastInClause})`);
const names = new RegExp(
  String.raw`(?<=[^.?!]\s)${nameWord}(?:\s+(?:(?:of|the|de)\s+)?${nameWord})*`,
  'gu',
);
const calendarUnit = /^(?:\S+\s+)?the\s+(?:(?:same|very)\s+)?(year|month)\b/i;
/** Words that ask for a neighbour of the state at the event. */
const ordering = /\b(?:next|previous|preceding|following|newest|latest)\b/i;
const questionWord = /\b(?:who|whom|whose|what|which|where|how)\b/i;

/**
 * The event of a question that states no date and is not about now; undefined where it names none.
 * A name on one side ("before Arsenal") is taken for a member of the question's own series.
 * @example readEvent({ text: 'Who led it when the wall fell?' })?.words // 'the wall fell'
 */
export function readEvent(
  question: Question,
  options: QuestionOptions = {},
): EventPhrase | undefined {
  const { text } = question;
  // Before the question is parsed, so that others cost nothing.
  const phrase = text.length > questionWindow ? undefined : readEventPhrase(text);
  if (!phrase) return undefined;
  const { side } = phrase;
  const end = endOf(text, phrase);
  const start = startOf(text, phrase.start);
  const words = text.slice(text.indexOf(phrase.anchor, phrase.start), end);
  const rest = `${text.slice(0, start)} ${text.slice(end)}`;
  const asksWhen = asksForTime(rest) || (asksForTime(text) && !questionWord.test(rest));
  const isMember = side !== 'at' && !eventNoun.test(words) && !happened.test(words);
  const isOther = asksWhen || isMember || deictic.test(words) || ordering.test(rest);
  if (isOther || questionWord.test(words) || !/[\p{L}\p{N}]{2}/u.test(rest)) return undefined;
  // Each apart: "the same year" is a date to the parser of the whole.
  for (const part of [rest, words])
    if (parseQuestion({ ...question, text: part }, options).constraint.relation !== 'none')
      return undefined;
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
  };
}

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

/** A phrase that closes the question goes on behind commas: "before X, the third of Y, left". */
function endOf(text: string, { start, end }: { start: number; end: number }): number {
  const more = /^,\s[^?!;]*/.exec(text.slice(end))?.[0];
  const closes = questionWord.test(text.slice(0, start));
  return more && closes && !questionWord.test(more) ? end + more.trimEnd().length : end;
}

/** A preposition before "the year when" is part of the phrase. */
function startOf(text: string, start: number): number {
  const before = /(?<![\p{L}\p{N}])(?:in|on|at|during|of)\s+$/iu.exec(text.slice(0, start));
  return /^the\b/i.test(text.slice(start)) && before ? before.index : start;
}
