// Routes that read times in texts and questions, without a corpus.
import { askSchema, parseAskedAt, toJson } from 'asof/kit';
import { parseQuestion, tagTimes, type TagMode } from 'asof/time';
import { json, ref, type Route } from '../route.js';
import { listOf, object, text } from '../schemas/common.js';

type Id = string | number | null;

/** Texts or questions of one request. */
const mostItems = 1000;
const id = { type: ['string', 'number', 'null'], description: 'Returned with the record.' };
const tagModes: readonly TagMode[] = ['automatic', 'news', 'narrative'];
const zone = { description: 'IANA name of the zone of days; default UTC' };
const timeZone = askSchema({ timeZone: zone }).properties['time_zone']!;
const some = { minItems: 1, maxItems: mostItems };
/** UTF-16 units of a text, as of a passage. */
const mostUnits = 1_048_576;
/** Bytes of the shortest mention in JSON. */
const leastBytes = 200;
/** Units of texts that are tagged together: a few milliseconds of records. */
const unitsAtOnce = 16_384;

const tag: Route = {
  method: 'POST',
  path: '/v1/time/tag',
  id: 'tagTimes',
  summary: 'The dates and other times that texts mention, as asof time tag prints them.',
  body: object({
    texts: listOf(
      object({
        'id?': id,
        text: { type: 'string', maxLength: mostUnits },
        'ref?': text('Date of the text (ISO 8601).'),
      }),
      some,
    ),
    'mode?': { enum: tagModes, description: 'Reference of dates without a year.' },
    'time_zone?': timeZone,
  }),
  responses: { 200: json('One record a text.', object({ records: listOf(ref('TimeTag')) })) },
  bulk: true,
  less: 'Send fewer texts at a time, or shorter ones.',
  handle({ body, scope, options }) {
    const given = body as unknown as {
      texts: { id?: Id; text: string; ref?: string }[];
      mode?: TagMode;
      time_zone?: string;
    };
    const { mode, time_zone: timeZone } = given;
    const { signal } = scope;
    const mostMentions = Math.min(2 ** 20, Math.ceil(options.limits.answerBytes / leastBytes));
    const texts = given.texts.map(({ ref: date, ...each }) => ({
      ...each,
      reference: date === undefined ? undefined : parseAskedAt(date, 'ref', timeZone),
    }));
    async function* records(): AsyncGenerator<ReturnType<typeof toJson.timeTag>> {
      for (let from = 0, to = 0; from < texts.length; from = to) {
        for (let units = 0; to < texts.length && (to === from || units < unitsAtOnce); to += 1)
          units += texts[to]!.text.length;
        const some = texts.slice(from, to);
        const references = some.map(({ reference }) => reference);
        const tagged = await tagTimes(
          some.map(({ text }) => text),
          { mode, timeZone, references, mostMentions, signal },
        );
        for (const [at, { id = null, text }] of some.entries())
          yield toJson.timeTag(id, text, tagged[at]!, timeZone);
      }
    }
    return { json: { records: records() } };
  },
};

const question: Route = {
  method: 'POST',
  path: '/v1/time/question',
  id: 'readQuestionTimes',
  summary: 'The time constraints of questions, as asof time question prints them.',
  body: object({
    questions: listOf(askSchema({ question: { minLength: 0 }, askedAt: {} }, { id }), some),
    'time_zone?': timeZone,
  }),
  responses: {
    200: json('One record a question.', object({ records: listOf(ref('TimeQuestion')) })),
  },
  bulk: true,
  less: 'Send fewer questions at a time.',
  handle({ body }) {
    const given = body as unknown as {
      questions: { id?: Id; question: string; asked_at?: string }[];
      time_zone?: string;
    };
    function* records(): Generator<ReturnType<typeof toJson.timeQuestion>> {
      for (const each of given.questions) {
        const asked = { text: each.question, askedAt: each.asked_at, timeZone: given.time_zone };
        yield toJson.timeQuestion(each.id ?? null, parseQuestion(asked));
      }
    }
    return { json: { records: records() } };
  },
};

export const timeRoutes: readonly Route[] = [tag, question];
