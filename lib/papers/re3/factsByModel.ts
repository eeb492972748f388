// Fact versions that a model reads (Re3 section 3.4): facts of one head, relation and time are
// versions of each other, the newest wins, and a passage's votes are summed. The model names what
// belongs together; values and dates are compared here.
import { droppedPassage, type Candidate, type DroppedPassage } from '../../retrieval/candidate.js';
import { passageTexts } from '../../retrieval/passageTexts.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { generateJson } from '../../text/jsonAnswer.js';
import type { TextModel } from '../../text/textModel.js';
import { formatDay } from '../../time/instant.js';
import type { JsonPrompt } from '../../text/jsonPrompt.js';

interface Version {
  id: string;
  publishedAt: number;
}

interface Fact extends StatedFact {
  value: string;
  version: Version;
}

interface Votes {
  sum: number;
  /** A fact that lost and the one in force. */
  lost?: readonly [fact: Fact, newer: Fact];
}

/** Characters of a passage in the prompt. */
const longestText = 2000;

/**
 * The versions whose votes sum to less than zero (equation 14), by one call for all. Each must have
 * a publication. @throws AsOfError as `generateJson`
 */
export async function droppedByModel(
  model: TextModel,
  query: QueryContext,
  versions: readonly Candidate[],
  signal: AbortSignal | undefined,
): Promise<DroppedPassage[]> {
  const texts = passageTexts(query);
  const records = versions.map((each) => texts.passage(each));
  const { schema, ...prompt } = factsPrompt(
    query.parsed.text,
    records.map(({ publishedAt, title, text }) => ({
      published: formatDay(publishedAt!, query.snapshot.timeZone),
      text: text.slice(0, longestText),
      ...(title === undefined ? {} : { title }),
    })),
  );
  const { value } = await generateJson<{ facts: StatedFact[] }>(
    model,
    { ...prompt, temperature: 0, signal },
    schema,
  );
  const facts = value.facts.flatMap((each): Fact[] => {
    if (each.value === null || each.value.trim() === '') return [];
    const { id, publishedAt } = records[each.passage - 1]!;
    return [{ ...each, value: each.value, version: { id, publishedAt: publishedAt! } }];
  });
  return [...votesOf(facts)].flatMap(([id, { sum, lost }]): DroppedPassage[] => {
    if (sum >= 0 || !lost) return [];
    const [{ value: older }, { value: newer, version }] = lost;
    const day = formatDay(version.publishedAt, query.snapshot.timeZone);
    const because = `it says ${quoted(older)} where ${version.id} of ${day} says ${quoted(newer)}`;
    return [droppedPassage(records.find((each) => each.id === id)!, because, version.id)];
  });
}

/** Equation 14 for every fact, summed by passage. */
function votesOf(facts: readonly Fact[]): Map<string, Votes> {
  const clusters = new Map<string, Fact[]>();
  for (const fact of facts) {
    const key = [fact.head, fact.relation, fact.about].map(plain).join('|');
    clusters.set(key, [...(clusters.get(key) ?? []), fact]);
  }
  const votes = new Map<string, Votes>();
  for (const cluster of clusters.values()) {
    const newest = Math.max(...cluster.map(({ version }) => version.publishedAt));
    const winners = cluster.filter(({ version }) => version.publishedAt === newest);
    const supports = ({ value }: Fact): boolean =>
      winners.some((winner) => plain(value) === plain(winner.value));
    if (cluster.every(supports)) continue;
    for (const fact of cluster) {
      const { sum, ...known } = votes.get(fact.version.id) ?? { sum: 0 };
      votes.set(
        fact.version.id,
        supports(fact) ? { ...known, sum: sum + 1 } : { sum: sum - 1, lost: [fact, winners[0]!] },
      );
    }
  }
  return votes;
}

/** Words without case, accents and punctuation; numbers without separators. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(?<=\p{N})[,\u202F\u00A0'](?=\p{N}{3}(?!\p{N}))/gu, '')
    .replace(/(\.\p{N}*?)0+(?!\p{N})/gu, '$1')
    .replace(/(?<=\p{N})(?=\p{L})|\.(?!\p{N})|[^\p{L}\p{N}.]+/gu, ' ')
    .trim();

/** Characters of a value in a reason. */
const longestQuote = 80;
const quoted = (value: string): string =>
  `"${value.length > longestQuote ? `${value.slice(0, longestQuote)}...` : value}"`;

interface StatedFact {
  /** The passage's number in the list, from 1. */
  passage: number;
  /** Null if the passage states no answer. */
  value: string | null;
  /** Subject of the fact, under one name for all passages. */
  head: string;
  /** The property, under one name for all passages. */
  relation: string;
  /** Time of the fact, ISO 8601; empty for a state without one. Never the day of publication. */
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

function factsPrompt(
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
