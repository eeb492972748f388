// Fact versions that a model reads (Re3 section 3.4): facts of one head, relation and time are
// versions of each other, the newest wins, and a passage's votes are summed. The model names what
// belongs together; values and dates are compared here.
import { droppedPassage, type Candidate, type DroppedPassage } from '../../retrieval/candidate.js';
import { passageTexts } from '../../retrieval/passageTexts.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { generateJson } from '../../text/jsonAnswer.js';
import { filledPrompt } from '../../text/promptTemplates.js';
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
    model,
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

/** Tokens of one fact in the answer, with a margin. */
const tokensOfFact = 80;

function factsPrompt(
  { templates }: TextModel,
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
    ...filledPrompt('facts', templates, { question, passages: listed.join('\n') }),
    schema: {
      type: 'object',
      properties: { facts: { type: 'array', items: fact } },
      required: ['facts'],
    },
    maxTokens: 60 + tokensOfFact * passages.length,
  };
}
