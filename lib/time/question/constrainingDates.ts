// Classification of a question's dates into those that constrain the answer and those that describe
// an entity: "the tower raised in 1772", "the German who was born on 2 March 1911", "the 2014
// final". Rules over words.
import type { Clock } from '../constraint.js';
import { isCountDate, isKnowledgeDate, isPublicationDate } from '../publicationDates.js';
import type { QuestionDate } from './questionDate.js';

export interface ConstrainingDates {
  /** The date of the question's primary constraint. */
  primary: QuestionDate;
  /** Every date that the answer must satisfy, the primary one included. */
  all: QuestionDate[];
}

/**
 * Selects the primary date: one after "as of"; else the last with a preposition that describes no
 * entity, content before publication; else "now", unless it describes an entity ("the party that
 * she leads currently"); else the last with a preposition, else any. Undefined without dates.
 */
export function constrainingDates(
  text: string,
  dates: readonly QuestionDate[],
  now: readonly QuestionDate[],
): ConstrainingDates | undefined {
  const inOrder = [...dates, ...now].sort((a, b) => a.start - b.start);
  const constrains = (date: QuestionDate): boolean =>
    !date.attributive && !describesEntity(text, date, inOrder[inOrder.indexOf(date) - 1]);
  const plain = dates.filter(constrains);
  const related = plain.filter(({ relation }) => relation !== 'none');
  const ofContent = related.filter((date) => clockOf(text, date) === 'content');
  const primary =
    dates.findLast(({ relation }) => relation === 'as of') ??
    ofContent.at(-1) ??
    related.at(-1) ??
    plain.at(-1) ??
    now.findLast(constrains) ??
    dates.findLast(({ relation }) => relation !== 'none') ??
    dates.at(-1);
  if (!primary) return undefined;
  const all = [...new Set([...plain, primary])].sort((a, b) => a.start - b.start);
  return { primary, all };
}

/** Of an entity's origin or end, before a date or a place and a date. */
const origin =
  'born|built|founded|established|formed|constructed|designed|invented|discovered|sunk|died|' +
  'erected|written|painted|dating|dated|completed|commissioned|incorporated|raised|burned|burnt|' +
  'destroyed|demolished|released|published|premiered|opened|launched|created|' +
  'signed|ratified|crowned|composed|sculpted|recorded|laid';
const originBefore = new RegExp(
  String.raw`\b(?:${origin})(?: back| up| down)?(?:\s+(?:in|at|near|` +
    String.raw`on)\s+(?:[A-Z][\w’'.-]*\s*){1,3})?,?\s*$`,
);

/** ", chartered in 1894 as", "the institute founded by Hans Berg in 1969". */
const participleAside =
  /,\s*(?:[a-z]+ed|built|born|held|sold|sunk|torn|blown|worn|drawn|grown|known|won|lost|made|left)\s+(?:(?:up|down|out|back)\s+)?$/;
const participleBy = new RegExp(
  String.raw`(?<!\b(?:was|were|is|are|be|been|being|got|get|had|has|have|who|which|that|` +
    String.raw`and)\s(?:\w+ly\s)?)\b(?:[a-z]+ed|flown|built|` +
    String.raw`held|sold|sunk|driven|written|drawn|run|worn|led|won|lost|made|given|taken|` +
    String.raw`shot)\s+by\s+((?:[^\s,]+\s+){1,8})$`,
);

/** "In 1994 the team moved west. What ...", "Once the team moved in 2016 they ...". */
const nextSentence = /[.;!]\s+\S/;
const subordinate =
  /^\W*(?:once|while|although|though|because|after|since|before|as soon as)\s+(?!of\b)(?:[^\s,]+\s+){2,}$/i;

/** "the German who", "the tower that"; "for whom" and "held what" are interrogative. */
const relativePronoun = new RegExp(
  String.raw`(?<!^\W*|\b(?:by|for|to|with|of|from|in|on|at|under|was|is|were|are|be|did|does|do|` +
    String.raw`had|has|have|held|and|or)\s)\b(?:who|` +
    String.raw`that|whose|where|which|when)\b`,
  'gi',
);
const interrogative = /\b(?:what|whom|how|why)\b|\b(?:did|does|do)\b|\?/i;
const questionWord = /\b(?:who|whom|whose|what|which|where|when|why|how)\b/i;
const farthestWords = 12;

/**
 * Whether a date describes an entity rather than constrains the answer: after a participle of
 * origin, in brackets, or in a relative clause without another date or a question word before it.
 */
function describesEntity(
  text: string,
  date: QuestionDate,
  previous: QuestionDate | undefined,
): boolean {
  const before = text.slice(0, date.start);
  if (isPublicationDate(text, date.start)) return false;
  if (/[([]\s*(?:b\.|d\.|born|died)?\s*$/i.test(before) || participleAside.test(before))
    return true;
  if (originBefore.test(before.replace(/^\w/, (letter) => letter.toLowerCase()))) return true;
  const agent = participleBy.exec(before);
  if (agent && !questionWord.test(agent[1]!)) return true;
  if (
    !previous &&
    (subordinate.test(before) ||
      (nextSentence.test(text.slice(date.end)) && !questionWord.test(before)))
  )
    return true;
  for (const match of before.matchAll(relativePronoun)) {
    const from = match.index + match[0].length;
    const clause = before.slice(from);
    if (
      clause.trim() === '' ||
      interrogative.test(clause) ||
      clause.includes(',') ||
      clause.split(/\s+/).length > farthestWords
    )
      continue;
    const head = before.slice(0, match.index);
    if (/,\s*$/.test(head)) {
      if (isAside(text, head, date)) return true;
    } else if (!(previous && match.index < previous.start)) {
      return true;
    }
  }
  return false;
}

/** ", who was born in 1910 and died in 1987, studied where". */
function isAside(text: string, head: string, date: QuestionDate): boolean {
  const end = text.indexOf(',', date.end);
  const opensWithTime =
    /^\W*(?:in|on|at|from|between|during|since|by|before|after|until|as|around|within|throughout|over|for)\b/i.test(
      head,
    );
  return (
    end > 0 && (questionWord.test(head) || (!opensWithTime && questionWord.test(text.slice(end))))
  );
}

const statistic =
  /\b(?:figures?|numbers?|readings?|reports?|estimates?|statistics|data|publications?|bulletins?|information)\b/i;
/** Words before the date of a figure or a report that say when it was made public. */
const appearance = new RegExp(
  String.raw`\b(?:(?:c[ao]me|comes|coming) out|appear(?:ed|s)|(?:made|became) (?:known|public)|` +
    String.raw`available|report|publication|bulletin)` +
    String.raw`(?: (?:just|right|shortly|immediately|first))?(?: (?:on|at|by|in|as of))?,?\s*$`,
  'i',
);
const isAppearance = (text: string, start: number): boolean =>
  statistic.test(text) && appearance.test(text.slice(Math.max(0, start - 40), start));

/** Content, unless the words before refer to publishing: "the forecast issued on". */
export function clockOf(text: string, date: QuestionDate): Clock {
  const { start, end, relation } = date;
  if (/^as\s+(?:reported|known|stated|given|published|announced)\b/i.test(text.slice(start, end)))
    return 'published';
  if (isPublicationDate(text, start) || isAppearance(text, start)) return 'published';
  const isFor = /^for\b/i.test(text.slice(start, end));
  if (relation !== 'none' && !isFor && isKnowledgeDate(text, start) && !isCountDate(text, date))
    return 'published';
  // "what was forecast by March" dates the forecast; "the forecast for March" dates the weather.
  return relation === 'by' && /\bforecast\s*$/i.test(text.slice(0, start))
    ? 'published'
    : 'content';
}
