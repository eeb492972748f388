// The event or state that a question names in place of a date: "when the wall fell", "while X
// edited the paper", "before the merger". Only the words; facts/members/eventTime.ts finds when.
import type { Question } from '../../records.js';
import type { Neighbour } from './operator.js';
import { readQuestion, type AnchorEvent, type QuestionReading } from './reading.js';

/** The offsets are of the phrase with its relation. */
export interface EventPhrase extends Pick<AnchorEvent, 'start' | 'end' | 'course' | 'unit'> {
  side: Neighbour['side'];
  /** The event's words. */
  words: string;
  /** The same with the question's names, where its subject is a pronoun or missing. */
  about: string;
  /** The distance of the time that is meant from the event's: "two years after". */
  shift: QuestionReading['shift'];
}

const nameWord = String.raw`\p{Lu}[\p{L}\p{M}\p{N}.’'-]*`;
const names = new RegExp(
  String.raw`(?<=[^.?!]\s)${nameWord}(?:\s+(?:(?:of|the|de)\s+)?${nameWord})*`,
  'gu',
);
/**
 * The event of a question that states no date and is not about now; undefined where it names none.
 * Another neighbour than an event ("the mayor after X") is a member of the question's own series.
 * @example readEvent({ text: 'Who led it when the wall fell?' })?.words // 'the wall fell'
 */
export function readEvent(question: Question): EventPhrase | undefined {
  const { text, anchor, relation, order, asks, time, shift } = readQuestion(question);
  if (!anchor || time || asks !== 'thing') return undefined;
  const side = order === 'next' ? 'after' : order === 'previous' ? 'before' : sideOf(relation);
  const { start, end, isClause, lacksSubject, course, unit, clause } = anchor.event;
  const isMember = side === 'before' || side === 'after';
  if (side === undefined || (isMember && anchor.kind !== 'event' && !isClause)) return undefined;
  const rest = `${text.slice(0, start)} ${text.slice(end)}`;
  if (!/[\p{L}\p{N}]{2}/u.test(rest)) return undefined;
  const subjects = lacksSubject ? (rest.match(names) ?? []) : [];
  const about = [...subjects, clause].join(' ');
  return { side, start, end, words: anchor.text, about, course, unit, shift };
}

const sideOf = (relation: QuestionReading['relation']): EventPhrase['side'] | undefined =>
  relation === 'none'
    ? undefined
    : relation === 'between' || relation === 'around'
      ? 'at'
      : relation;
