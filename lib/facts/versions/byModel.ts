// Arbitration over facts that a model read (Re3 section 3.4): facts of one head, relation and time
// are versions of each other, the newest wins, and a passage's votes are summed. The model names
// what belongs together; values and dates are compared here.
import { generateJson } from '../../text/jsonAnswer.js';
import { factsPrompt, type StatedFact } from '../../text/prompts/facts.js';
import type { TextModel } from '../../text/textModel.js';
import type { ParsedQuestion } from '../../time/constraint.js';
import { formatDay } from '../../time/instant.js';
import type { ArbitratedVersion } from './arbitrate.js';
import { comparable, quantitiesOf, sameQuantity } from './quantities.js';
import type { Version } from './statement.js';

interface Fact extends StatedFact {
  version: Version & { publishedAt: number };
}

/**
 * One call for all versions that were published by `until`; votes in the order of `versions`.
 * @throws AsOfError as `generateJson`: an answer that does not fit is asked for once more, and is
 * then an error.
 */
export async function arbitrateByModel(
  model: TextModel,
  { text: question }: Pick<ParsedQuestion, 'text'>,
  versions: readonly Version[],
  { until, signal }: { until: number; signal?: AbortSignal },
): Promise<ArbitratedVersion[]> {
  const dated = versions.filter(
    (each): each is Fact['version'] => each.publishedAt !== undefined && each.publishedAt <= until,
  );
  if (dated.length < 2) return versions.map(({ id }) => ({ id, vote: 0 }));
  const { schema, ...prompt } = factsPrompt(
    question,
    dated.map(({ publishedAt, title, text }) => ({
      published: formatDay(publishedAt),
      text,
      ...(title === undefined ? {} : { title }),
    })),
  );
  const { value } = await generateJson<{ facts: StatedFact[] }>(
    model,
    { ...prompt, temperature: 0, ...(signal ? { signal } : {}) },
    schema,
  );
  const facts = value.facts
    .filter((each) => each.value !== null && each.value.trim() !== '')
    .map((each): Fact => ({ ...each, version: dated[each.passage - 1]! }));
  const sums = votesOf(facts);
  return versions.map(({ id }) => {
    const { sum = 0, ...why } = sums.get(id) ?? {};
    return sum < 0 ? { id, vote: -1, ...why } : { id, vote: sum > 0 ? 1 : 0 };
  });
}

/** Equation 14 for every fact, summed by passage. */
function votesOf(
  facts: readonly Fact[],
): Map<string, { sum: number; newer?: string; values?: readonly [string, string] }> {
  const clusters = new Map<string, Fact[]>();
  for (const fact of facts) {
    const key = [fact.head, fact.relation, fact.about].map(plain).join('|');
    clusters.set(key, [...(clusters.get(key) ?? []), fact]);
  }
  const sums = new Map<
    string,
    { sum: number; newer?: string; values?: readonly [string, string] }
  >();
  for (const cluster of clusters.values()) {
    const newest = Math.max(...cluster.map(({ version }) => version.publishedAt));
    const winners = cluster.filter(({ version }) => version.publishedAt === newest);
    const supports = (fact: Fact): boolean =>
      winners.some((winner) => sameValue(fact.value!, winner.value!));
    if (cluster.every(supports)) continue;
    for (const fact of cluster) {
      const known = sums.get(fact.version.id) ?? { sum: 0 };
      const winner = winners[0]!;
      sums.set(
        fact.version.id,
        supports(fact)
          ? { ...known, sum: known.sum + 1 }
          : { sum: known.sum - 1, newer: winner.version.id, values: [fact.value!, winner.value!] },
      );
    }
  }
  return sums;
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The same words, or the same quantities. */
function sameValue(a: string, b: string): boolean {
  if (plain(a) === plain(b)) return true;
  const [one, other] = [quantitiesOf(a), quantitiesOf(b)];
  if (one.length === 0 || one.length !== other.length) return false;
  const rest = (text: string, taken: typeof one): string =>
    plain(
      [...taken]
        .reverse()
        .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text),
    );
  return (
    one.every((each, at) => comparable(each, other[at]!) && sameQuantity(each, other[at]!)) &&
    rest(a, one) === rest(b, other)
  );
}
