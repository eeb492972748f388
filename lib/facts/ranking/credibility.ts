// Credibility of sources where they conflict (named as open in Re3 section 6): how likely what a
// member states is right, by who states it and who agrees.
import { invalidArgument, mustBe } from '../../errors.js';
import type { MemberTable } from '../members/members.js';
import { restatementsInSeries, type RestatementColumns } from '../members/restatements.js';

export interface Credibility {
  /** The metadata field that names a passage's source. */
  field: string;
  /** By source: the probability that its statements are right, 0 to 1. */
  of: Readonly<Record<string, number>>;
  /** That of other sources, and of passages without one. Default 0.7. */
  otherwise?: number | undefined;
}

/** @throws AsOfError ERR_INVALID_ARGUMENT for a probability out of range. */
export function checkCredibility({ field, of, otherwise = 0.7 }: Credibility): void {
  if (typeof field !== 'string') throw invalidArgument('credibility.field', 'a string', field);
  mustBe('an object', { 'credibility.of': of });
  for (const [source, value] of Object.entries({ ...of, otherwise }))
    if (!(value >= 0 && value <= 1))
      throw invalidArgument(
        source === 'otherwise' ? 'credibility.otherwise' : `credibility.of.${source}`,
        'a probability from 0 to 1',
        value,
      );
}

/** Log-odds of a source that is always right or never; sums of them stay finite. */
const most = 20;

/**
 * By member: the probability that its statement is right. Members that restate one another state
 * one fact; each value of it has the odds c / (1 - c) of every independent source that states it,
 * multiplied, against those of the other values and of none. A source that restates itself does
 * not contradict itself: of others its latest value counts.
 */
export function memberCredibility(
  table: MemberTable,
  { field, of, otherwise = 0.7 }: Credibility,
): Float64Array {
  const { match, matches } = table;
  const sourceOf = (member: number): string => {
    const source = matches.at(match[member]!).passage.record.metadata?.[field];
    return typeof source === 'string' || typeof source === 'number' ? String(source) : '';
  };
  const publishedAt = (member: number): number =>
    matches.at(match[member]!).passage.record.publishedAt ?? -Infinity;
  const logOdds = (source: string): number => {
    const right = Object.hasOwn(of, source) ? of[source]! : otherwise;
    return Math.min(most, Math.max(-most, Math.log(right) - Math.log1p(-right)));
  };
  const credibility = new Float64Array(match.length);
  for (const fact of factsOf(table)) {
    const values: ReadonlySet<string>[] = [];
    const valueOf = (member: number): number => {
      const { slots } = matches.at(match[member]!);
      const known = values.findIndex((each) => agree(each, slots));
      return known < 0 ? values.push(slots) - 1 : known;
    };
    const latest = new Map<string, number>();
    const stated = fact
      .sort((a, b) => publishedAt(a) - publishedAt(b))
      .map((member) => ({ member, source: sourceOf(member), value: valueOf(member) }));
    for (const { source, value } of stated) latest.set(source, value);
    for (const { member, source, value } of stated) {
      const votes = new Float64Array(values.length).fill(-Infinity);
      for (const [other, theirs] of new Map([...latest, [source, value]])) {
        const vote = logOdds(other);
        votes[theirs] = votes[theirs] === -Infinity ? vote : votes[theirs]! + vote;
      }
      const odds = votes.map((vote) => Math.exp(vote));
      credibility[member] = odds[value]! / (1 + odds.reduce((sum, each) => sum + each, 0));
    }
  }
  return credibility;
}

/** Members by the fact that they state: those that restatements connect. */
function factsOf(table: RestatementColumns): Iterable<number[]> {
  const parent = [...table.restatementEnds.keys()];
  const rootOf = (member: number): number => {
    let root = member;
    while (parent[root] !== root) root = parent[root]!;
    return (parent[member] = root);
  };
  for (const member of parent.keys())
    for (const newer of restatementsInSeries(table, member)) parent[rootOf(member)] = rootOf(newer);
  const facts = new Map<number, number[]>();
  parent.forEach((_, member) => {
    const root = rootOf(member);
    facts.set(root, [...(facts.get(root) ?? []), member]);
  });
  return facts.values();
}

const isNumber = (value: string): boolean => /^\p{N}/u.test(value);

/**
 * Whether two sets of values state the same: the numbers of one are among those of the other, or
 * where one has none, its values. Names next to numbers are those of the wording: of who reports,
 * of a unit. What states nothing contradicts nothing.
 */
export function agree(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [a, b] = [[...one].filter(isNumber), [...other].filter(isNumber)];
  return a.length > 0 && b.length > 0 ? isAmong(a, b) : isAmong([...one], [...other]);
}

/** Whether the smaller of two lists is among the other. */
function isAmong(one: readonly string[], other: readonly string[]): boolean {
  const [fewer, more] = one.length <= other.length ? [one, other] : [other, one];
  return fewer.every((value) => more.includes(value));
}
