// Questions on the releases of GNU programs, as templates over the entries.
import { addDays, addMonths, daysBetween, monthYear, spell } from '../dates.js';
import type { FamilyBuilder } from '../familyBuilder.js';
import { graded } from '../questions.js';
import type { Random } from '../family.js';
import { ids, stated, type Item } from './data.js';

/** A program's dated releases, one of them by its index, and a day while it was the newest. */
interface Scene {
  family: FamilyBuilder;
  program: string;
  list: Item[];
  index: number;
  day: string;
  random: Random;
}

function askState({ family, program, list, index, day }: Scene): void {
  const ask = family.ask.bind(family);
  const here = list[index]!;
  const now = graded(2, [here.id]);
  const outdated = ids(list.slice(0, index));
  ask(
    'as_of',
    [
      `What was the newest release of GNU ${program} on ${spell(day)}?`,
      `${program} newest version as of ${spell(day, 2)}`,
      `Which version of ${program} would one have got by ${spell(day, 1)}?`,
    ],
    { entity: program, answers: [here.version], relevant: now, outdated },
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
    { entity: program, answers: [here.version], relevant: now, asked_at: day, outdated },
  );
}

function askNeighbours({ family, program, list, index, random }: Scene): void {
  const ask = family.ask.bind(family);
  const [before, here, after] = [list[index - 1]!, list[index]!, list[index + 1]!];
  const other = random.pick(list);
  ask(
    'when',
    [
      `When was ${program} ${other.version} released?`,
      `release date of GNU ${program} ${other.version}`,
      `On which day did version ${other.version} of ${program} come out?`,
    ],
    { entity: program, answers: stated(other.date), relevant: graded(2, [other.id]) },
  );
  ask(
    'first_after',
    [
      `Which release of ${program} was the first after ${spell(here.date)}?`,
      `next GNU ${program} release following version ${here.version}`,
      `What came after ${program} ${here.version}?`,
    ],
    { entity: program, answers: [after.version], relevant: graded(2, [after.id]) },
  );
  ask(
    'last_before',
    [
      `Which ${program} release preceded ${spell(here.date)}?`,
      `What was the last ${program} release before version ${here.version}?`,
      `${program} version just before the one of ${monthYear(here.date)}`,
    ],
    { entity: program, answers: [before.version], relevant: graded(2, [before.id]) },
  );
}

function askYears({ family, program, list, index, day, random }: Scene): void {
  const ask = family.ask.bind(family);
  const [here, after] = [list[index]!, list[index + 1]!];
  const now = graded(2, [here.id]);
  const count = 2 + random.below(4);
  ask(
    'before_date',
    [
      `Which release of ${program} was the newest ${count} years before ${spell(addMonths(day, count * 12))}?`,
      `${count} years prior to ${spell(addMonths(day, count * 12), 1)}: newest ${program}?`,
      `Go back ${count} years from ${addMonths(day, count * 12)}. What was the most recent ${program} then?`,
      `How new was ${program} ${count} years before ${spell(addMonths(day, count * 12))}, by version?`,
    ],
    { entity: program, answers: [here.version], relevant: now },
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
    {
      entity: program,
      answers: same.map(({ version }) => version),
      relevant: graded(2, ids(same)),
    },
  );
}

export function askReleases(family: FamilyBuilder, releases: Item[], random: Random): void {
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
    const gap = daysBetween(here.date, after.date);
    if (
      gap < 3 ||
      list[index - 2]?.date === before.date ||
      before.date === here.date ||
      after.date === list[index + 2]?.date
    )
      continue;
    const day = addDays(here.date, 1 + Math.floor((gap - 2) * random.next()));
    const scene = { family, program, list, index, day, random };
    askState(scene);
    askNeighbours(scene);
    askYears(scene);
  }
  for (const program of ['coreutils', 'grep']) {
    const list = releases.filter((each) => each.program === program && each.date > '2019');
    family.ask(
      'since',
      [
        `Which versions of ${program} have been released since 2019 began?`,
        `all ${program} releases since 1 January 2019`,
      ],
      {
        entity: program,
        answers: list.map(({ version }) => version),
        relevant: graded(2, ids(list)),
      },
    );
  }
}
