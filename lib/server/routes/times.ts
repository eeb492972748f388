// Routes that read times in texts and questions, without a corpus.
import { parseAskedAt } from '../../time/instant.js';
import { parseQuestion } from '../../time/question/question.js';
import { toTimeQuestionRecord, toTimeTagRecord } from '../../time/records.js';
import { tagModes, tagTimes, type TagMode } from '../../time/tagger.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { json, ref, type Route } from '../route.js';
import { askedAt, listOf, object, text, timeZone } from '../schemas/common.js';

type Id = string | number | null;

/** Texts or questions of one request. */
const mostItems = 1000;
const id = { type: ['string', 'number', 'null'], description: 'Returned with the record.' };
const some = { minItems: 1, maxItems: mostItems };

const tag: Route = {
  method: 'POST',
  path: '/v1/time/tag',
  id: 'tagTimes',
  summary: 'The dates and other times that texts mention, as asof time tag prints them.',
  body: object({
    texts: listOf(
      object({ 'id?': id, text: { type: 'string' }, 'ref?': text('Date of the text (ISO 8601).') }),
      some,
    ),
    'mode?': { enum: tagModes, description: 'Reference of dates without a year.' },
    'time_zone?': timeZone,
  }),
  responses: { 200: json('One record a text.', object({ records: listOf(ref('TimeTag')) })) },
  async handle({ body, scope }) {
    const given = body as unknown as {
      texts: { id?: Id; text: string; ref?: string }[];
      mode?: TagMode;
      time_zone?: string;
    };
    const { mode, time_zone: zone } = given;
    const references = given.texts.map(({ ref: date }) =>
      date === undefined ? undefined : parseAskedAt(date, 'ref', zone),
    );
    const texts = given.texts.map((each) => each.text);
    const { signal } = scope;
    const tagged = await tagTimes(texts, { mode, timeZone: zone, references, signal });
    return {
      json: {
        records: tagged.map((each, at) =>
          toTimeTagRecord(given.texts[at]!.id ?? null, texts[at]!, each, zone),
        ),
      },
    };
  },
};

const question: Route = {
  method: 'POST',
  path: '/v1/time/question',
  id: 'readQuestionTimes',
  summary: 'The time constraints of questions, as asof time question prints them.',
  body: object({
    questions: listOf(
      object({
        'id?': id,
        question: { type: 'string', maxLength: 20_000 },
        'asked_at?': askedAt,
      }),
      some,
    ),
    'time_zone?': timeZone,
  }),
  responses: {
    200: json('One record a question.', object({ records: listOf(ref('TimeQuestion')) })),
  },
  async handle({ body, scope }) {
    const given = body as unknown as {
      questions: { id?: Id; question: string; asked_at?: string }[];
      time_zone?: string;
    };
    const records = [];
    for (const each of given.questions) {
      const turn = yieldToEventLoop(scope.signal);
      if (turn) await turn;
      const asked = { text: each.question, askedAt: each.asked_at, timeZone: given.time_zone };
      records.push(toTimeQuestionRecord(each.id ?? null, parseQuestion(asked)));
    }
    return { json: { records } };
  },
};

export const timeRoutes: readonly Route[] = [tag, question];
