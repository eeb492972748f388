// Questions of the family `offices` on releases of Perl and those who made them.
import { judged, shifted, spell, spellMonth, type Builder } from '../builder.js';
import type { Random } from '../family.js';
import type { Release } from './data.js';

export function askReleases(family: Builder, releases: Release[], random: Random): void {
  const ask = family.ask.bind(family);
  const bySeries = new Map<string, Release[]>();
  const byPerson = new Map<string, Release[]>();
  for (const each of releases) {
    if (each.series) bySeries.set(each.series, [...(bySeries.get(each.series) ?? []), each]);
    byPerson.set(each.by, [...(byPerson.get(each.by) ?? []), each]);
  }
  const distinct = (list: Release[]): boolean =>
    new Set(list.map(({ date }) => date)).size === list.length;
  const sorted = (list: Release[]): Release[] => list.sort((a, b) => a.date.localeCompare(b.date));
  const ids = (list: Release[]): string[] => list.map(({ id }) => id);
  const versions = (list: Release[]): string[] => list.map(({ version }) => version);
  const series = [...bySeries].filter(([, list]) => list.length > 6 && distinct(list));
  series.forEach(([, list]) => sorted(list));
  random.sample(series, 14).forEach(([name, list], turn) => {
    const finals = list.slice(2, -2).filter(({ version }) => !/RC|TRIAL|foolish/.test(version));
    const index = list.indexOf(random.pick(finals));
    const [before, here, after] = [list[index - 1]!, list[index]!, list[index + 1]!];
    const gap = (Date.parse(after.date) - Date.parse(here.date)) / 86_400_000;
    const day = shifted(here.date, Math.max(1, Math.floor(gap * random.next())));
    const state = { asked_at: day, outdated: ids(list.slice(0, index)) };
    const now = judged(2, [here.id]);
    const perl = `Perl ${name}`;
    if (turn % 3 === 0) {
      if (gap > 2)
        ask(
          'as_of',
          [
            `What was the newest release of the ${perl} series on ${spell(day)}?`,
            `${perl}.x state as of ${spell(day, 2)}`,
            `As of ${spell(day, 1)}, how far had the ${perl} series come, candidates included?`,
            `By ${spell(day)} which ${perl} version was out most recently?`,
          ],
          perl,
          [here.version],
          now,
          { outdated: state.outdated },
        );
      ask(
        'last_before',
        [
          `Which ${perl} release was the last one before ${spell(here.date)}?`,
          `last ${perl} version preceding ${here.version}`,
          `What came out just before perl ${here.version} in its series?`,
          `In the ${perl} series, the release right before ${spell(here.date, 1)}?`,
        ],
        perl,
        [before.version],
        judged(2, [before.id]),
      );
    } else if (turn % 3 === 1) {
      ask(
        'current',
        [
          `What is the current release of the ${perl} series?`,
          `${perl} up-to-date version now`,
          `Which release of ${perl} should I be running today?`,
          `How far along is the ${perl} series at the moment?`,
        ],
        perl,
        [here.version],
        now,
        state,
      );
      ask(
        'first_after',
        [
          `Which ${perl} release came next after ${spell(here.date)}?`,
          `first ${perl} version following ${here.version}`,
          `What did perl ${here.version} get followed by in its series?`,
          `After ${spell(here.date, 1)}, what was the first new release in the ${perl} series?`,
        ],
        perl,
        [after.version],
        judged(2, [after.id]),
      );
    } else {
      ask(
        'between',
        [
          `Which releases in the ${perl} series appeared from ${spell(before.date)} to ${spell(after.date)}?`,
          `${perl} releases between ${before.date} and ${after.date} inclusive`,
          `Between ${spell(shifted(before.date, -1), 1)} and ${spell(shifted(after.date, 1), 1)}, what was published of ${perl}?`,
        ],
        perl,
        versions([before, here, after]),
        judged(2, ids([before, here, after])),
      );
      ask(
        'latest',
        [
          `Latest release of the ${perl} series?`,
          `newest ${perl} version`,
          `Which ${perl} release is the most recent?`,
        ],
        perl,
        [here.version],
        now,
        state,
      );
      const rest = list.slice(-2);
      ask(
        'since',
        [
          `What has been released in the ${perl} series since ${spell(rest[0]!.date)}?`,
          `${perl} versions since ${rest[0]!.date}`,
          `Since ${spell(rest[0]!.date, 1)}, including that day, which ${perl} releases have there been?`,
        ],
        perl,
        versions(rest),
        judged(2, ids(rest)),
      );
    }
    if (turn % 3 > 0)
      ask(
        'first',
        [
          `What was the first release of the ${perl} series?`,
          `earliest ${perl} version and who made it`,
          `With which version did the ${perl} series begin?`,
          `When did the very first ${perl} come out?`,
        ],
        perl,
        [list[0]!.version, list[0]!.by],
        judged(2, [list[0]!.id]),
      );
  });
  const people = [...byPerson].filter(([name, list]) => name.includes(' ') && list.length > 3);
  for (const [name, list] of random.sample(people, 5)) {
    sorted(list);
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
      name,
      versions(firsts),
      judged(2, ids(firsts)),
    );
    ask(
      'latest',
      [
        `Which is the most recent Perl release by ${name}?`,
        `${name} last perl release`,
        `What did ${name} release last?`,
      ],
      name,
      versions(lasts),
      judged(2, ids(lasts)),
      {
        outdated: ids(list.filter(({ date }) => date < last.date)),
      },
    );
    ask(
      'in',
      [
        `What did ${name} release of Perl in ${spellMonth(one.date)}?`,
        `${name} perl releases ${one.date.slice(0, 7)}`,
        `During ${spellMonth(one.date)}, which versions of Perl came from ${name}?`,
      ],
      name,
      versions(month),
      judged(2, ids(month)),
    );
    ask(
      'undated',
      [
        `Who released Perl ${one.version}?`,
        `perl ${one.version} release manager`,
        `I need the name behind perl ${one.version}.`,
      ],
      `Perl ${one.version}`,
      [name],
      judged(2, [one.id]),
    );
    const other = random.pick(list);
    ask(
      'when',
      [
        `When was Perl ${other.version} released?`,
        `perl ${other.version} release date`,
        `On what day did ${name} publish perl ${other.version}?`,
      ],
      `Perl ${other.version}`,
      [0, 1, 2].map((style) => spell(other.date, style)),
      judged(2, [other.id]),
    );
  }
}
