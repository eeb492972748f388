// Resolution of events: a question that names an event or a state in place of a date is asked again
// with the time that the corpus tells of it.
import { candidateMembers } from '../facts/members/candidates.js';
import { eventTime } from '../facts/members/eventTime.js';
import { stage, type Stage, type StageContext } from '../pipeline.js';
import type { QueryContext } from '../retrieval/queryContext.js';
import { lexicalOnly, search, type Ranking } from '../retrieval/search.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { readEvent, withDate, type EventPhrase } from '../time/question/eventPhrase.js';
import { parseQuestion, type QuestionOptions } from '../time/question/question.js';
import { formatDay } from '../time/instant.js';
import type { QueryRequest } from './system.js';

/** Passages that are read for an event. */
const readPassages = 60;
/** Least share of an event's words that the statement of its time has. */
const leastConfidence = 0.7;

export interface EventLookup {
  /** The analysis of the event's words. */
  analyze: Stage<QueryRequest, QueryContext>;
  /** The search for passages about it. */
  ranking: Ranking;
  question?: QuestionOptions;
}

/**
 * Where a question states no date but an event ("when the wall fell", "before X joined Y"), finds
 * the event's time in the corpus and asks with it; otherwise, and where no passage tells it well
 * enough, leaves the question as it is. Notes: event, start, end, passage, confidence; or event and
 * `unresolved`, the reason.
 */
export function resolveEvents(lookup: EventLookup): Stage<QueryRequest, QueryRequest> {
  return stage('resolveEvents', async (request, context) => {
    const { question } = request;
    const phrase = readEvent(question);
    if (!phrase) return request;
    const event = question.text.slice(phrase.start, phrase.end);
    context.note('event', event);
    const found = await timeOf(phrase, request, lookup, context);
    if (!found || found.confidence < leastConfidence) {
      context.note('unresolved', 'no passage tells its time');
      return request;
    }
    const { days, passage, confidence } = found;
    const text = withDate(question.text, phrase, days);
    const { constraint, timeZone } = parseQuestion({ ...question, text }, lookup.question);
    const { interval } = constraint;
    if (!interval || !constraint.binds || constraint.text === undefined) {
      context.note('unresolved', `its time has no place in the question: ${text}`);
      return request;
    }
    context.note('start', formatDay(interval.start, timeZone));
    context.note('end', formatDay(interval.end - 1, timeZone));
    context.note('passage', passage);
    context.note('confidence', confidence);
    const resolved: ParsedQuestion['resolved'] = {
      phrase: event,
      interval,
      passage,
      confidence,
      asked: text,
    };
    return { ...request, question: { ...question, text }, resolved };
  });
}

async function timeOf(
  phrase: EventPhrase,
  request: QueryRequest,
  { analyze, ranking }: EventLookup,
  { signal }: StageContext,
): Promise<ReturnType<typeof eventTime>> {
  // A vector of the caller's own is of the whole question.
  const { vector, ...question } = request.question;
  const quiet: StageContext = { note: () => undefined, signal };
  const about = { ...request, question: { ...question, text: phrase.about } };
  const query = await analyze.run(about, quiet);
  const relevance = vector ? lexicalOnly : ranking.relevance;
  const hits = await search(query, { ...ranking, relevance, n: readPassages }, signal);
  if (hits.length === 0) return undefined;
  const { question: asked, table } = await candidateMembers(query, hits, { signal });
  return eventTime(asked, table.matches, phrase, {
    askedAt: query.parsed.askedAt,
    timeZone: request.snapshot.timeZone,
  });
}
