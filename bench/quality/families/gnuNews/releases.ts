// Questions of the family `gnuNews` on the versions of the programs, as templates over the entries.
import { judged, monthsLater, shifted, spell, spellMonth, type Builder } from '../builder.js';
import type { Random } from '../family.js';
import { ids, stated, type Item } from './data.js';

export function askReleases(family: Builder, releases: Item[], random: Random): void {
  const ask = family.ask.bind(family);
  for (const program of [
    'coreutils',
    'grep',
    'gzip',
    'coreutils',
    'grep',
    'diffutils',
    'coreutils',
    'grep',
  ]) {
    const list = releases
      .filter((each) => each.program === program && each.date)
      .sort((a, b) => a.date.localeCompare(b.date));
    const index = 1 + random.below(list.length - 3);
    const [before, here, after] = [list[index - 1]!, list[index]!, list[index + 1]!];
    const gap = (Date.parse(after.date) - Date.parse(here.date)) / 86_400_000;
    if (
      gap < 3 ||
      list[index - 2]?.date === before.date ||
      before.date === here.date ||
      after.date === list[index + 2]?.date
    )
      continue;
    const day = shifted(here.date, 1 + Math.floor((gap - 2) * random.next()));
    const outdated = ids(list.slice(0, index));
    const now = judged(2, [here.id]);
    ask(
      'as_of',
      [
        `What was the newest release of GNU ${program} on ${spell(day)}?`,
        `${program} newest version as of ${spell(day, 2)}`,
        `Which version of ${program} would one have got by ${spell(day, 1)}?`,
      ],
      program,
      [here.version],
      now,
      { outdated },
    );
    ask(
      'current',
      [
        `What is the current release of GNU ${program}?`,
        `${program} current version`,
        `Which ${program} version is the one to install now?`,
        `How far has GNU ${program} come by now, by version number?`,
        `Is there a newer ${program} than last year's, and what is its number?`,
        `present release of ${program}, please`,
      ],
      program,
      [here.version],
      now,
      { asked_at: day, outdated },
    );
    const other = random.pick(list);
    ask(
      'when',
      [
        `When was ${program} ${other.version} released?`,
        `release date of GNU ${program} ${other.version}`,
        `On which day did version ${other.version} of ${program} come out?`,
      ],
      program,
      stated(other.date),
      judged(2, [other.id]),
    );
    ask(
      'first_after',
      [
        `Which release of ${program} was the first after ${spell(here.date)}?`,
        `next GNU ${program} release following version ${here.version}`,
        `What came after ${program} ${here.version}?`,
      ],
      program,
      [after.version],
      judged(2, [after.id]),
    );
    ask(
      'last_before',
      [
        `Which ${program} release preceded ${spell(here.date)}?`,
        `What was the last ${program} release before version ${here.version}?`,
        `${program} version just before the one of ${spellMonth(here.date)}`,
      ],
      program,
      [before.version],
      judged(2, [before.id]),
    );
    const count = 2 + random.below(4);
    ask(
      'before_date',
      [
        `Which release of ${program} was the newest ${count} years before ${spell(monthsLater(day, count * 12))}?`,
        `${count} years prior to ${spell(monthsLater(day, count * 12), 1)}: newest ${program}?`,
        `Go back ${count} years from ${monthsLater(day, count * 12)}. What was the most recent ${program} then?`,
        `How new was ${program} ${count} years before ${spell(monthsLater(day, count * 12))}, by version?`,
      ],
      program,
      [here.version],
      now,
    );
    const year = after.date.slice(0, 4);
    const same = list.filter(({ date }) => date.startsWith(year));
    ask(
      'in',
      [
        `Which releases of ${program} came out in ${year}?`,
        `${program} releases ${year}`,
        `During ${year}, what versions of GNU ${program} were published?`,
      ],
      program,
      same.map(({ version }) => version),
      judged(2, ids(same)),
    );
  }
  for (const program of ['coreutils', 'grep']) {
    const list = releases.filter((each) => each.program === program && each.date > '2019');
    ask(
      'since',
      [
        `Which versions of ${program} have been released since 2019 began?`,
        `all ${program} releases since 1 January 2019`,
      ],
      program,
      list.map(({ version }) => version),
      judged(2, ids(list)),
    );
  }
}
