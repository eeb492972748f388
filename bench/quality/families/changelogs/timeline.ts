// Time expressions over a line of dated versions, with the versions that answer: the newest as of a
// day, the next after it, those of a month.
import { addDays, addMonths, anyDay, dayOrPeriodEnd, monthYear } from '../dates.js';
import type { FamilyQuestion, Random } from '../family.js';

/** A version of a package, or of a dependency, from the release that introduced it. */
export interface Fact {
  package: string;
  version: string;
  value: string;
  date: string;
  passages: string[];
}

export interface FactQuery {
  time: string;
  facts: Fact[];
  older?: Fact[];
  /** Day of asking. */
  asked?: string;
}

export function compare(left: string, right: string): number {
  const [own, other] = [left, right].map((version) => version.split(/\D+/).map(Number));
  const unlike = [0, 1, 2].find((at) => own![at] !== other![at]);
  return unlike === undefined ? 0 : own![unlike]! - other![unlike]!;
}

const between = (facts: Fact[], from: string, to: string): Fact[] =>
  facts.filter(({ date }) => date >= from && date <= to);

/** The version that is newest on a day by date and number, unless another could be meant. */
function newest(facts: Fact[], day: string): { fact: Fact; older: Fact[] } | undefined {
  const held = facts.filter(({ date }) => date <= day);
  const fact = held.at(-1);
  if (fact === undefined || held.length < 2 || /-/.test(fact.version)) return undefined;
  const older = held.slice(0, -1);
  const clear =
    fact.date < day && facts[held.length]?.date !== day && older.at(-1)!.date < fact.date;
  return clear && older.every(({ version }) => compare(version, fact.version) < 0)
    ? { fact, older: older.filter(({ value }) => value !== fact.value) }
    : undefined;
}

/** Resolves an operator at a random place of a line (facts by date), or gives up. */
export function resolve(
  operator: FamilyQuestion['class'],
  facts: Fact[],
  events: Fact[],
  random: Random,
): FactQuery | undefined {
  const start = random.pick(facts.slice(1, -1));
  const day = addDays(start.date, 1 + random.below(60));
  if (day >= facts.at(-1)!.date) return undefined;
  const year = day.slice(0, 4);
  const month = `${day.slice(0, 7)}-01`;
  if (operator === 'as_of' || operator === 'last_before') {
    const event = random.next() < 0.2 && operator === 'as_of' ? random.pick(events) : undefined;
    const point = event
      ? { day: event.date, text: `the release of ${event.package} ${event.version}` }
      : dayOrPeriodEnd(day, random);
    const found = point.day < facts.at(-1)!.date ? newest(facts, point.day) : undefined;
    const older = operator === 'as_of' ? { older: found?.older ?? [] } : {};
    return found && { time: point.text, facts: [found.fact], ...older };
  }
  if (operator === 'before_date') {
    const months = random.pick([2, 3, 6, 12, 24]);
    const point = addMonths(day, months);
    const found = addMonths(point, -months) === day ? newest(facts, day) : undefined;
    const length = { 12: 'a year', 24: 'two years' }[months] ?? `${months} months`;
    return found && { time: `${length} before ${anyDay(point, random)}`, facts: [found.fact] };
  }
  if (operator === 'current' || operator === 'latest') {
    const end = operator === 'latest' && random.next() < 0.4;
    const asked = end ? addDays(facts.at(-1)!.date, 30) : day;
    const found = newest(facts, asked);
    return (
      found && { time: '', facts: [found.fact], older: found.older, ...(end ? {} : { asked }) }
    );
  }
  if (operator === 'first') {
    const [first, second] = between(facts, `${year}-01-01`, `${year}-12-31`);
    return first && second && first.date < second.date ? { time: year, facts: [first] } : undefined;
  }
  if (operator === 'first_after') {
    const [next, second] = facts.filter(({ date }) => date > day);
    const clear = next && !facts.some(({ date }) => date === day) && next.date !== second?.date;
    return clear ? { time: anyDay(day, random), facts: [next] } : undefined;
  }
  return resolveSpan(operator, facts, month, random);
}

function resolveSpan(
  operator: FamilyQuestion['class'],
  facts: Fact[],
  month: string,
  random: Random,
): FactQuery | undefined {
  const few = (found: Fact[]): Fact[] | undefined =>
    found.length > 0 && found.length <= 6 ? found : undefined;
  const months = random.pick([2, 3, 5, 9, 14]);
  const end = addDays(addMonths(month, months), -1);
  if (operator === 'between' || operator === 'since') {
    const found = few(between(facts, month, end));
    if (found === undefined) return undefined;
    return operator === 'since'
      ? { time: anyDay(month, random), facts: found, asked: end }
      : { time: `${anyDay(month, random)} .. ${anyDay(end, random)}`, facts: found };
  }
  const quarter = Math.floor((Number(month.slice(5, 7)) - 1) / 3);
  const first = `${month.slice(0, 4)}-${String(quarter * 3 + 1).padStart(2, '0')}-01`;
  const [from, length, time] = random.pick<[string, number, string]>([
    [month, 1, monthYear(month)],
    [month, 1, monthYear(month)],
    [
      first,
      3,
      `${['the first', 'the second', 'the third', 'the last'][quarter]} quarter of ${first.slice(0, 4)}`,
    ],
    [`${month.slice(0, 4)}-01-01`, 12, month.slice(0, 4)],
  ]);
  const found = few(between(facts, from, addDays(addMonths(from, length), -1)));
  return found && { time, facts: found };
}
