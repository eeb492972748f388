// Prompt for the facts that a list of passages states in answer to a question (Re3 section 3.4,
// listwise fact extraction): head, relation, time and value, with one name per thing across
// passages.
import type { JsonPrompt } from '../../text/jsonPrompt.js';

export interface StatedFact {
  /** The passage's number in the list, from 1. */
  passage: number;
  /** Null if the passage states no answer. */
  value: string | null;
  /** Subject of the fact, under one name for all passages. */
  head: string;
  /** The property, under one name for all passages. */
  relation: string;
  /**
   * Time of the fact, ISO 8601 as far as stated; empty for a state without one. Never the day of
   * publication.
   */
  about: string;
}

const example = [
  { passage: 1, head: 'Korvatal', relation: 'snow depth', about: '', value: '85 cm' },
  { passage: 2, head: 'Korvatal', relation: 'snow depth', about: '', value: '110 cm' },
  { passage: 3, head: '', relation: '', about: '', value: null },
];

const system = `You read a numbered list of passages, each with the day it was published, and \
note what each of them states in answer to a question.
For every passage give one object: "passage" is its number, "head" the person, place or thing \
that the statement is about, "relation" the
property that is stated, "about" the day or period that the statement is true of, as YYYY-MM-DD, \
YYYY-MM or YYYY, or "" where it is simply a
current state, and "value" what is stated. The day on which something was published or issued is \
not "about". Call the same head and the same
relation by exactly the same words in all passages, however each one puts it; other places, \
persons, days and measures are other heads, abouts
and relations. Copy values as they stand, with their units.
Where a passage states nothing that answers the question, its "value" is null and the other \
fields are "".
Reply with one JSON object: {"facts": [{"passage": 1, "head": "...", "relation": "...", "about": \
"...", "value": "..."}, ...]}.

Question: How deep is the snow at Korvatal?
[1] (2019-01-04) Snow report for Korvatal: 85 cm on the upper slopes.
[2] (2019-01-06) At Korvatal village station skiers found 110 cm of snow.
[3] (2019-01-05) The lifts of Hemsedal open at nine.
JSON: ${JSON.stringify({ facts: example })}`;

/** Tokens of one fact in the answer, with a margin. */
const tokensOfFact = 80;

export function factsPrompt(
  question: string,
  passages: readonly { published: string; title?: string; text: string }[],
): JsonPrompt {
  const listed = passages.map(
    ({ published, title, text }, at) =>
      `[${at + 1}] (${published}) ${title === undefined ? '' : `${title}: `}${text.replace(/\s+/g, ' ')}`,
  );
  const fact = {
    type: 'object',
    properties: {
      passage: { type: 'integer', minimum: 1, maximum: passages.length },
      head: { type: 'string' },
      relation: { type: 'string' },
      about: { type: 'string' },
      value: { type: ['string', 'null'] },
    },
    required: ['passage', 'head', 'relation', 'about', 'value'],
  };
  return {
    system,
    prompt: `Question: ${question}\n${listed.join('\n')}\nJSON:`,
    schema: {
      type: 'object',
      properties: { facts: { type: 'array', items: fact } },
      required: ['facts'],
    },
    maxTokens: 60 + tokensOfFact * passages.length,
  };
}
