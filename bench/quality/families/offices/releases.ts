// Questions on releases of Perl and their release managers.
import { addDays, daysBetween, monthYear, spell } from '../dates.js';
import type { FamilyBuilder } from '../familyBuilder.js';
import { graded } from '../questions.js';
import type { Random } from '../family.js';
import type { Release } from './data.js';

const distinct = (list: Release[]): boolean =>
  new Set(list.map(({ date }) => date)).size === list.length;
const sorted = (list: Release[]): Release[] => list.sort((a, b) => a.date.localeCompare(b.date));
const ids = (list: Release[]): string[] => list.map(({ id }) => id);
const versions = (list: Release[]): string[] => list.map(({ version }) => version);

/** A series in the order of its dates, one of its releases, and a day while it was the newest. */
interface Place {
  perl: string;
  list: Release[];
  index: number;
  day: string;
}
type Ask = FamilyBuilder['ask'];

function askBefore(ask: Ask, { perl, list, index, day }: Place): void {
  const [before, here, after] = [list[index - 1]!, list[index]!, list[index + 1]!];
  if (daysBetween(here.date, after.date) > 2)
    ask(
      'as_of',
      [
        `What was the newest release of the ${perl} series on ${spell(day)}?`,
        `${perl}.x state as of ${spell(day, 2)}`,
        `As of ${spell(day, 1)}, how far had the ${perl} series come, candidates included?`,
        `By ${spell(day)} which ${perl} version was out most recently?`,
      ],
      {
        entity: perl,
        answers: [here.version],
        relevant: graded(2, [here.id]),
        outdated: ids(list.slice(0, index)),
      },
    );
  ask(
    'last_before',
    [
      `Which ${perl} release was the last one before ${spell(here.date)}?`,
      `last ${perl} version preceding ${here.version}`,
      `What came out just before perl ${here.version} in its series?`,
      `In the ${perl} series, the release right before ${spell(here.date, 1)}?`,
    ],
    { entity: perl, answers: [before.version], relevant: graded(2, [before.id]) },
  );
}

function askNext(ask: Ask, { perl, list, index, day }: Place): void {
  const [here, after] = [list[index]!, list[index + 1]!];
  const state = { asked_at: day, outdated: ids(list.slice(0, index)) };
  ask(
    'current',
    [
      `What is the current release of the ${perl} series?`,
      `${perl} up-to-date version now`,
      `Which release of ${perl} should I be running today?`,
      `How far along is the ${perl} series at the moment?`,
    ],
    { entity: perl, answers: [here.version], relevant: graded(2, [here.id]), ...state },
  );
  ask(
    'first_after',
    [
      `Which ${perl} release came next after ${spell(here.date)}?`,
      `first ${perl} version following ${here.version}`,
      `What did perl ${here.version} get followed by in its series?`,
      `After ${spell(here.date, 1)}, what was the first new release in the ${perl} series?`,
    ],
    { entity: perl, answers: [after.version], relevant: graded(2, [after.id]) },
  );
}

function askSpans(ask: Ask, { perl, list, index, day }: Place): void {
  const [before, here, after] = [list[index - 1]!, list[index]!, list[index + 1]!];
  const state = { asked_at: day, outdated: ids(list.slice(0, index)) };
  ask(
    'between',
    [
      `Which releases in the ${perl} series appeared from ${spell(before.date)} to ${spell(after.date)}?`,
      `${perl} releases between ${before.date} and ${after.date} inclusive`,
      `Between ${spell(addDays(before.date, -1), 1)} and ${spell(addDays(after.date, 1), 1)}, what was published of ${perl}?`,
    ],
    {
      entity: perl,
      answers: versions([before, here, after]),
      relevant: graded(2, ids([before, here, after])),
    },
  );
  ask(
    'latest',
    [
      `Latest release of the ${perl} series?`,
      `newest ${perl} version`,
      `Which ${perl} release is the most recent?`,
    ],
    { entity: perl, answers: [here.version], relevant: graded(2, [here.id]), ...state },
  );
  const rest = list.slice(-2);
  ask(
    'since',
    [
      `What has been released in the ${perl} series since ${spell(rest[0]!.date)}?`,
      `${perl} versions since ${rest[0]!.date}`,
      `Since ${spell(rest[0]!.date, 1)}, including that day, which ${perl} releases have there been?`,
    ],
    { entity: perl, answers: versions(rest), relevant: graded(2, ids(rest)) },
  );
}

function askFirst(ask: Ask, { perl, list }: Place): void {
  ask(
    'first',
    [
      `What was the first release of the ${perl} series?`,
      `earliest ${perl} version and who made it`,
      `With which version did the ${perl} series begin?`,
      `When did the very first ${perl} come out?`,
    ],
    {
      entity: perl,
      answers: [list[0]!.version, list[0]!.by],
      relevant: graded(2, [list[0]!.id]),
    },
  );
}

function askSeries(
  ask: Ask,
  [name, list]: [string, Release[]],
  turn: number,
  random: Random,
): void {
  const finals = list.slice(2, -2).filter(({ version }) => !/RC|TRIAL|foolish/.test(version));
  const index = list.indexOf(random.pick(finals));
  const [here, after] = [list[index]!, list[index + 1]!];
  const gap = daysBetween(here.date, after.date);
  const day = addDays(here.date, Math.max(1, Math.floor(gap * random.next())));
  const place = { perl: `Perl ${name}`, list, index, day };
  [askBefore, askNext, askSpans][turn % 3]!(ask, place);
  if (turn % 3 > 0) askFirst(ask, place);
}

function askPerson(ask: Ask, name: string, list: Release[], random: Random): void {
  const [first, last] = [list[0]!, list.at(-1)!];
  const firsts = list.filter(({ date }) => date === first.date);
  const lasts = list.filter(({ date }) => date === last.date);
  const one = random.pick(list);
  const month = list.filter(({ date }) => date.slice(0, 7) === one.date.slice(0, 7));
  ask(
    'first',
    [
      `Which Perl release was ${name}'s first?`,
      `${name} earliest perl release`,
      `What was the first version of Perl that ${name} put out?`,
    ],
    { entity: name, answers: versions(firsts), relevant: graded(2, ids(firsts)) },
  );
  ask(
    'latest',
    [
      `Which is the most recent Perl release by ${name}?`,
      `${name} last perl release`,
      `What did ${name} release last?`,
    ],
    {
      entity: name,
      answers: versions(lasts),
      relevant: graded(2, ids(lasts)),

      outdated: ids(list.filter(({ date }) => date < last.date)),
    },
  );
  ask(
    'in',
    [
      `What did ${name} release of Perl in ${monthYear(one.date)}?`,
      `${name} perl releases ${one.date.slice(0, 7)}`,
      `During ${monthYear(one.date)}, which versions of Perl came from ${name}?`,
    ],
    { entity: name, answers: versions(month), relevant: graded(2, ids(month)) },
  );
  ask(
    'undated',
    [
      `Who released Perl ${one.version}?`,
      `perl ${one.version} release manager`,
      `I need the name behind perl ${one.version}.`,
    ],
    { entity: `Perl ${one.version}`, answers: [name], relevant: graded(2, [one.id]) },
  );
  const other = random.pick(list);
  ask(
    'when',
    [
      `When was Perl ${other.version} released?`,
      `perl ${other.version} release date`,
      `On what day did ${name} publish perl ${other.version}?`,
    ],
    {
      entity: `Perl ${other.version}`,
      answers: [0, 1, 2].map((style) => spell(other.date, style)),
      relevant: graded(2, [other.id]),
    },
  );
}

export function askReleases(family: FamilyBuilder, releases: Release[], random: Random): void {
  const ask = family.ask.bind(family);
  const bySeries = new Map<string, Release[]>();
  const byPerson = new Map<string, Release[]>();
  for (const each of releases) {
    if (each.series) bySeries.set(each.series, [...(bySeries.get(each.series) ?? []), each]);
    byPerson.set(each.by, [...(byPerson.get(each.by) ?? []), each]);
  }
  const series = [...bySeries].filter(([, list]) => list.length > 6 && distinct(list));
  series.forEach(([, list]) => sorted(list));
  random.sample(series, 14).forEach((each, turn) => askSeries(ask, each, turn, random));
  const people = [...byPerson].filter(([name, list]) => name.includes(' ') && list.length > 3);
  for (const [name, list] of random.sample(people, 5)) {
    askPerson(ask, name, sorted(list), random);
  }
}
