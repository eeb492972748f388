// Takes a question apart: which of its dates constrains the answer, by which relation, and what is left (MRAG section 4).
// Dates are the tagger's; this module only chooses among them and words the rest. It calls no model.
import { invalidArgument } from '../errors.js';
import type { Question } from '../records.js';
import type { Clock, Constraint, ParsedQuestion, Relation } from './constraint.js';
import { readCondition } from './condition.js';
import { parseAskedAt } from './instant.js';
import type { Interval } from './interval.js';
import type { Mention } from './mention.js';
import { datesKnowledge, datesPublication } from './publishing.js';
import { tagText } from './tagger.js';
import { windowOf } from './window.js';

type Dated = Mention & { interval: Interval };

const leastConfidence = 0.4;

/**
 * The question's main content and temporal constraint. Relative words refer to `askedAt`. Of several dates the one that
 * binds is, in this order: one after "as of"; the last that does not describe an entity ("who was born on ..."); the last.
 * @throws AsOfError ERR_INVALID_ARGUMENT where the text is no string or askedAt no time.
 * @example parseQuestion({ text: 'Who led the party after 1990?' }).constraint.relation // 'after'
 */
export function parseQuestion(question: Question): ParsedQuestion {
  const { text } = question;
  if (typeof text !== 'string') throw invalidArgument('question.text', 'a string', text);
  const askedAt = parseAskedAt(question.askedAt, 'question.askedAt');
  const dated = datesOf(text, askedAt);
  const condition = readCondition(text, dated);
  if (dated.length === 0) {
    const constraint: Constraint = { condition, relation: 'none', clock: 'content' };
    return { text, mainContent: text.trim(), constraint, constraints: [constraint], askedAt };
  }
  const binding = bindingOf(text, dated);
  const constraints = dated.map((mention): Constraint => constraintOf(text, mention, condition));
  return { text, mainContent: mainContentOf(text, binding), constraint: constraints[dated.indexOf(binding)]!, constraints, askedAt };
}

// ---- the question's dates

function datesOf(text: string, askedAt: number): Dated[] {
  const found: Dated[] = [];
  for (const mention of tagText(text, { reference: askedAt }).mentions) {
    if (mention.interval === undefined || mention.confidence < leastConfidence || isTitle(text, mention)) continue;
    const date = withoutNoun(text, withPossessive(text, { ...mention, interval: mention.interval }));
    const previous = found.at(-1);
    if (previous && isListed(text, previous, date)) found[found.length - 1] = hullOf(text, previous, date);
    else found.push(date);
  }
  return found;
}

/** "Who wrote 1984?", "2001: A Space Odyssey". */
function isTitle(text: string, { start, end, relation, confidence }: Mention): boolean {
  if (relation !== 'none' || confidence > 0.7) return false;
  if (/^:\s*[A-Z]/.test(text.slice(end))) return true;
  const before = text.slice(0, start);
  if (/\b(?:is|was|are)\s*["'“‘]?$/i.test(before)) return /^["'”’]?\s*(?:$|\?|about\b)/i.test(text.slice(end));
  return /\b(?:wrote|writes?|written|directed|produced|starred|sang|reads?|watch|called|named|titled|entitled|about)\s*["'“‘]?$/i.test(before);
}

/** "today's weather": the date takes its ending with it. */
function withPossessive(text: string, date: Dated): Dated {
  const ending = /^['’]s\b/.exec(text.slice(date.end));
  return ending ? { ...date, end: date.end + ending[0].length } : date;
}

/** "following the 1917 revolution": only the year is the constraint's, its preposition belongs to what it names. */
function withoutNoun(text: string, date: Dated): Dated {
  const year = /(^|\b(?:the|an?|his|her|its|their)\s+|\s)(\d{4}(?:[-–/]\d{2,4})?)$/i.exec(text.slice(date.start, date.end));
  const noun = /^\s+([A-Za-z]\w*)/.exec(text.slice(date.end));
  if (!year || !noun) return date;
  const named = year[1]!.trim() === '' ? eventNoun.test(noun[1]!) : !notNoun.test(noun[1]!);
  return named ? { ...date, start: date.end - year[2]!.length } : date;
}

/** After a year without an article ("in 2012 olympics") only these are taken for what it dates: a verb may follow as well. */
const eventNoun =
  /^(?:olympics?|paralympics?|games?|world|war|wars|elections?|census|finals?|cup|championships?|tournament|playoffs?|draft|super|superbowl|season|revolution|coup|earthquake|crisis|open|masters|grand|edition|ceremony|awards?|fifa|icc|nba|nfl|mlb|nhl|ncaa|uefa|ipl)$/i;

const notNoun =
  /^(?:in|on|at|by|to|of|for|from|with|and|or|but|as|if|who|whom|whose|what|which|when|where|why|how|is|was|are|were|be|do|does|did|has|have|had|can|could|will|would|may|might|the|an?|he|she|it|they|his|her|its|their|there|after|before|until|since|between|during|around)$/i;

/** "in the 1850s and 1860s", "on May 7 and on May 8": one constraint over both. */
function isListed(text: string, previous: Dated, date: Dated): boolean {
  const between = text.slice(previous.end, date.start);
  if (!/^\s*(?:,|,?\s*\b(?:and|or)\b)\s*(?:the\s*)?$/i.test(between) || previous.relation === 'none') return false;
  const same = date.relation === 'none' || date.relation === previous.relation;
  return same && (previous.relation === 'in' || previous.relation === 'on') && previous.interval.granularity === date.interval.granularity;
}

function hullOf(text: string, first: Dated, second: Dated): Dated {
  const { granularity } = first.interval;
  const interval = { start: Math.min(first.interval.start, second.interval.start), end: Math.max(first.interval.end, second.interval.end), granularity };
  return { ...first, end: second.end, text: text.slice(first.start, second.end), interval };
}

function constraintOf(text: string, mention: Dated, condition: Constraint['condition']): Constraint {
  const { interval } = mention;
  const relation = relationOf(mention);
  const window = windowOf(relation, interval);
  return { condition, relation, interval, ...(window ? { window } : {}), text: text.slice(mention.start, mention.end), clock: clockOf(text, mention) };
}

/** A date without a preposition ("the 2014 final", "last week") holds within itself. */
function relationOf({ relation, interval }: Dated): Relation {
  if (relation !== 'none') return relation;
  return interval.end - interval.start <= 86_400_000 ? 'on' : 'in';
}

// ---- which date binds

function bindingOf(text: string, dated: readonly Dated[]): Dated {
  const asOf = dated.findLast((mention) => mention.relation === 'as of');
  if (asOf) return asOf;
  const plain = dated.filter((mention, at) => !describesEntity(text, mention, dated[at - 1]));
  const related = (mentions: readonly Dated[]) => mentions.findLast((mention) => mention.relation !== 'none');
  return related(plain) ?? plain.at(-1) ?? related(dated) ?? dated.at(-1)!;
}

/** Participles that tell of an entity's origin or end when a date follows at once. */
const originBefore = /\b(?:born|built|founded|established|formed|constructed|designed|invented|discovered|sunk|died|erected|written|painted|dating|dated|completed|commissioned|incorporated)(?: back)?,?\s*$/i;

/** A relative pronoun after a noun: "the German who", "the tower that"; "for whom" and "held what" ask. */
const relativePronoun = /(?<![,]\s|\b(?:by|for|to|with|of|from|in|on|at|under|was|is|were|are|be|did|does|do|had|has|have|held|and|or)\s)\b(?:who|that|whose|where|which)\b/gi;
const asks = /\b(?:what|whom|how|why|when)\b|\b(?:did|does|do)\b|\?/i;
const farthestWords = 12;

/**
 * Whether a date describes an entity rather than constrains the answer: right after a participle of origin, in brackets,
 * or in a relative clause that has no other date and no question word before it.
 */
function describesEntity(text: string, mention: Dated, previous: Dated | undefined): boolean {
  const before = text.slice(0, mention.start);
  if (/[([]\s*(?:b\.|d\.|born|died)?\s*$/i.test(before)) return true;
  if (originBefore.test(before)) return true;
  for (const match of before.matchAll(relativePronoun)) {
    if (/^\W*$/.test(before.slice(0, match.index))) continue; // it opens the question
    if (previous && match.index < previous.start) continue;
    const clause = before.slice(match.index + match[0].length);
    if (!asks.test(clause) && !clause.includes(',') && clause.split(/\s+/).length <= farthestWords) return true;
  }
  return false;
}

// ---- which clock

/** Content, unless the words before the date speak of publishing: "reported by", "the forecast issued on", "as known at". */
function clockOf(text: string, { start, relation }: Dated): Clock {
  if (datesPublication(text, start)) return 'published';
  if (relation !== 'none' && datesKnowledge(text, start)) return 'published';
  // "what was forecast by March" is of the forecast; "the forecast for March" is of the weather.
  return relation === 'by' && /\bforecast\s*$/i.test(text.slice(0, start)) ? 'published' : 'content';
}

// ---- what is left

/** The question without the constraint's words, with blanks and a stray comma repaired. */
function mainContentOf(text: string, { start, end }: Dated): string {
  let before = text.slice(0, start).trimEnd();
  let after = text.slice(end).trimStart();
  if (before === '') return after.replace(/^[,;:]\s*/, '').trim();
  if (after.startsWith(',') && before.endsWith(',')) {
    after = /^\s*(?:in|at|on|for|during|within|under|with|of|to|as|according)\b/i.test(before) ? after.slice(1) : (before = before.slice(0, -1), after.slice(1));
  } else if (before.endsWith(',') && /^(?:[?.!]|$)/.test(after)) {
    before = before.slice(0, -1);
  } else if (after.startsWith(',') && /^(?:who|what|which|where|when|how|whose|whom)\b/i.test(after.slice(1).trimStart()) === false) {
    after = after.slice(1);
  }
  const closing = /^\s*[?.!,;:)'’]/.test(after) || after === '';
  return `${before}${closing ? '' : ' '}${after.trimStart()}`.replace(/[ \t]+/g, ' ').trim();
}
