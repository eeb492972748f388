// Prompts for passages of related records and for questions (the purpose of Re3's figure 11, in our
// own words).
import type { NegativeKind } from './negativeKinds.js';

/** A record as shown to a model. */
export interface PromptRecord {
  entity: string;
  /** Subject of the values, unless it is the entity. */
  about?: string;
  /** Required form, with its preposition. */
  date: string;
  values: readonly { name: string; value: string }[];
  /** The day of publication, optional in the text. */
  issued?: string;
  /** What sets it apart from the first record, whose question it does not answer. */
  differs?: NegativeKind;
}

const differences: Readonly<Record<NegativeKind, string>> = {
  time: 'another date',
  entity: 'another name',
  attribute: 'another measure',
  outdated: 'an earlier issue',
};

export interface PassagesAnswer {
  passages: { record: number; text: string }[];
}

export interface QuestionAnswer {
  question: string;
}

const passagesSystem = `You turn rows of a table into short notices, as a local paper, a bulletin or a log might print them.
The rows are numbered. Most are like the first but for what stands in front of them: what belongs to one row must not appear in the notice of another.
For each row write one paragraph of four to six sentences that stands by itself. Use the row's name, its values with their units, and
its date exactly as they are spelled, and no other date, except that the day of issue may be mentioned.
Keep one tone for all notices of a list, vary how sentences begin, and add no fact that the row does not have.
Reply with one JSON object: {"passages": [{"record": 1, "text": "..."}, ...]}, one entry a row.`;

const questionSystem = `You type what somebody would ask a search engine who wants one value from a table.
You are told whom or what it is about, which value is wanted and, sometimes, a date. Write one short question or request.
It has the name and the date exactly as they are spelled. Where no date is told, it asks for the newest
value and has no date at all. It never contains the value.
Reply with one JSON object: {"question": "..."}.

About: Harbour Rovers
Wanted: home attendance
Date: 3 March 2019
JSON: {"question": "What was the home attendance of Harbour Rovers on 3 March 2019?"}

About: Elm Reservoir
Wanted: water level
JSON: {"question": "How high is the latest water level at Elm Reservoir?"}`;

export function passagesPrompt(records: readonly PromptRecord[]) {
  const rows = records.map(({ entity, about, date, values, issued, differs }, at) => {
    const cells = [
      `name: ${entity}`,
      ...(about === undefined ? [] : [`about: ${about}`]),
      `date: ${date}`,
      ...values.map(({ name, value }) => `${name}: ${value}`),
    ];
    const apart = differs === undefined ? '' : `(${differences[differs]}) `;
    return `${at + 1}. ${apart}${[...cells, ...(issued === undefined ? [] : [`issued: ${issued}`])].join('; ')}`;
  });
  const passage = {
    type: 'object',
    properties: {
      record: { type: 'integer', minimum: 1, maximum: records.length },
      text: { type: 'string', minLength: 1 },
    },
    required: ['record', 'text'],
  };
  return {
    system: passagesSystem,
    prompt: `${rows.join('\n')}\nJSON:`,
    schema: {
      type: 'object',
      properties: { passages: { type: 'array', items: passage } },
      required: ['passages'],
    },
    maxTokens: 240 * records.length + 80,
  };
}

export function questionPrompt({
  entity,
  wanted,
  date,
}: {
  entity: string;
  wanted: string;
  date?: string;
}) {
  return {
    system: questionSystem,
    prompt: `About: ${entity}\nWanted: ${wanted}${date === undefined ? '' : `\nDate: ${date}`}\nJSON:`,
    schema: {
      type: 'object',
      properties: { question: { type: 'string', minLength: 1, maxLength: 400 } },
      required: ['question'],
    },
    maxTokens: 120,
  };
}
