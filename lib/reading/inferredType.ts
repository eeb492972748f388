// What the passages say of a noun that no list knows: "the default timeout is now 45 seconds" makes
// "What is the default timeout?" a question of a quantity. By the words between the noun and what
// is stated of it; it knows no noun, and leaves the kinds that the question tells alone.
import { answerType, answerHead, nounType, type AnswerType } from '../text/answerType.js';
import type { ReadablePassage } from './answer.js';
import { focusOf } from './focus.js';

const linking =
  'is|was|are|were|be|been|of|at|to|by|stands?|stood|reached|reaches|remains?|remained|now|' +
  'currently|again|still|from|set|raise[sd]|rises|' +
  'rose|falls|fell|lower(?:s|ed)|reduce[sd]|increase[sd]|change[sd]|about|around|nearly|some|' +
  'only|up|down';

/** A quantity, with a currency before it; a year alone is none. */
const amount = String.raw`(?:US|A|C|NZ|HK)?[$€£¥]?\s?(?!(?:1[0-9]|20)\d\d(?![\d,.]))\d[\d,.]*`;

/**
 * Between a noun and its quantity: of what it is ("of Varn"), when ("in May 2021"). Bounded, that a
 * word as long as a text costs no more.
 */
const between = String.raw`(?:\s(?:of|in|on|for)\s[\p{Lu}\d][^\s.;:]{0,30}(?:\s[\p{Lu}\d][^\s.;:]{0,30}){0,3}){0,2}`;

/** What stands behind a noun that something is stated of. */
const statement = new RegExp(
  String.raw`s?${between}\s(?:(?:${linking})\s){1,4}(?:an?\s|the\s)?(${amount}|\p{L}+)`,
  'uy',
);

/**
 * The kind of answer a question wants; where it only asks for some named thing, what is stated of
 * it in the passages tells.
 */
export function inferType(
  question: string,
  passages: readonly Pick<ReadablePassage, 'text'>[],
): AnswerType | undefined {
  const timeless = question.replace(offset, '');
  const kind = answerType(timeless) ?? nominalType(timeless);
  if (kind !== 'name') return kind;
  const noun = answerHead(question);
  // A participle is no noun: "What was the building located in Lund designed as?"
  if (noun === undefined || !/^\p{L}[\p{L}'’-]{2,40}$/u.test(noun) || /[^e]ed$/.test(noun))
    return kind;
  const rest = noun.slice(1).replace(/s$/, ''); // its initial may be a capital
  let [quantities, others] = [0, 0];
  for (const { text } of passages) {
    for (let at = text.indexOf(rest); at >= 0; at = text.indexOf(rest, at + 1)) {
      if (text[at - 1]?.toLowerCase() !== noun[0] || /\p{L}/u.test(text[at - 2] ?? '')) continue;
      statement.lastIndex = at + rest.length;
      const what = statement.exec(text)?.[1];
      if (what === undefined) continue;
      if (/\d/.test(what)) quantities += 1;
      else others += 1;
    }
  }
  return quantities > others ? 'number' : kind;
}

/** "Three months before 2 May": a time that a question counts from another, and no answer. */
const offset =
  /\b(?:\d+|an?|half an?|one|two|three|four|five|six|seven|eight|nine|ten)\s(?:years?|months?|weeks?|days?)\s(?:before|after|prior|earlier|later|ago|back|from)\b/gi;

/**
 * The type of a question that is a noun phrase ("opening date of the bridge"): that of its focus.
 * Undefined where it asks by a word of its own.
 */
function nominalType(question: string): AnswerType | undefined {
  if (/\b(?:who|whom|whose|which|what|where|how|why)\b/i.test(question)) return undefined;
  const head = focusOf(question).match(/\p{L}+(?=[^\p{L}]*$)/u)?.[0];
  return head === undefined ? undefined : nounType(head.toLowerCase());
}

const statementVerb =
  /^\W*(?:tell|describe|explain|summari[sz]e|why|how(?!\s(?:many|much|old|tall|high|long|fast|far|big|large|warm|cold|hot|deep|wide|heavy)\b))\b/i;
const statementNoun =
  /^(?:forecast|weather|reason|purpose|cause|difference|effect|result|status|situation|outlook|meaning|explanation|story|plot|description|happened|happen)$/;

/** Whether a question wants a sentence rather than a name, a number or a date. */
export function asksStatement(question: string): boolean {
  return statementVerb.test(question) || statementNoun.test(answerHead(question) ?? '');
}
