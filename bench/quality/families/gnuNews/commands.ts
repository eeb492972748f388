// Questions on the commands of GNU programs and their options, as templates over the entries.
import { addDays, addMonths, monthYear, spell } from '../dates.js';
import type { FamilyBuilder } from '../familyBuilder.js';
import { graded, type Grades } from '../questions.js';
import type { Random } from '../family.js';
import { dates, ids, published, stated, type Item } from './data.js';

/** Commands whose names mean nothing else, so that their mentions can be counted. */
const plain = (
  'chmod chroot cp csplit dd df du ln ls md5sum mkdir mktemp mv nohup numfmt od ' +
  'readlink rm seq shred shuf stty tac uniq xargs'
).split(' ');

const isFix = ({ section }: Item): boolean => /bug fixes/i.test(section);
const isNew = (item: Item): boolean =>
  /new feature/i.test(item.section) ||
  (!isFix(item) && /now (accepts|supports)|new option/.test(item.text));
const fair = (list: Item[], most = 6): boolean => list.length > 0 && list.length <= most;

interface Scene {
  family: FamilyBuilder;
  command: string;
  own: Item[];
  random: Random;
  /** Grades of the entries that fit. */
  grades: (fits: (item: Item) => boolean) => Grades;
}

/** New features of a command, one chosen among them, and the date of the one before. */
interface Features {
  features: Item[];
  chosen: Item;
  previous: string;
}

function askPeriods({ family, command, own, random, grades }: Scene): void {
  const ask = family.ask.bind(family);
  const one = random.pick(own.slice(1, -1));
  const year = one.date.slice(0, 4);
  const inYear = own.filter(({ date }) => date.startsWith(year));
  if (fair(inYear) && random.next() < 0.5)
    ask(
      'in',
      [
        `What changed in ${command} in ${year}?`,
        `${command} changes ${year}`,
        `Which notes on ${command} does the year ${year} have?`,
        `How did ${command} behave differently after the releases of ${year}?`,
        `Please list what was done to ${command} during ${year}.`,
      ],
      {
        entity: command,
        answers: dates(inYear),
        relevant: grades(({ date }) => date.startsWith(year)),
      },
    );
  const fixes = own.filter(isFix);
  const end = `${Number(year) + 3}-01-01`;
  const between = fixes.filter(({ date }) => date >= `${year}-01-01` && date < end);
  if (fair(between) && random.next() < 0.6)
    ask(
      'between',
      [
        `Which bugs of ${command} were fixed between the start of ${year} and the end of ${Number(year) + 2}?`,
        `${command} bug fixes ${year}-${Number(year) + 2}`,
        `From ${year} to ${Number(year) + 2}, what went wrong in ${command} and was mended?`,
        `Between January ${year} and December ${Number(year) + 2}: repairs to ${command}?`,
        `I look for fixes of ${command} that came in the years ${year} through ${Number(year) + 2}.`,
        `what was broken and got repaired in ${command}, ${year} to ${Number(year) + 2}`,
      ],
      {
        entity: command,
        answers: dates(between),
        relevant: grades((item) => isFix(item) && item.date >= `${year}-01-01` && item.date < end),
      },
    );
}

function extremes(scene: Scene, { features, chosen }: Features): (() => unknown)[] {
  const { family, command, own, grades } = scene;
  const ask = family.ask.bind(family);
  const born = own.some(({ section }) => /new (program|command)/i.test(section));
  const asked = addDays(chosen.date, 5);
  return [
    () =>
      ask(
        'latest',
        [
          `What is the latest new feature of ${command}?`,
          `newest option or feature of ${command}`,
          `Which feature did ${command} get most recently?`,
          `What has ${command} learned last?`,
          `most recent addition to the features of ${command}`,
          `The last thing that ${command} learned to do, please.`,
        ],
        {
          entity: command,
          answers: dates([chosen]),
          relevant: grades((item) => isNew(item) && item.date === chosen.date),
          asked_at: asked,
          outdated: ids(features.filter(({ date }) => date < chosen.date)),
        },
      ),
    () =>
      born ||
      ask(
        'first',
        [
          `What was the first new feature of ${command} after coreutils 5.0?`,
          `earliest dated feature note on ${command}`,
          `Which new feature of ${command} is the oldest on record?`,
          `What do the notes name first as new in ${command}?`,
          `oldest dated addition to ${command}`,
          `With what did the row of new features of ${command} begin?`,
        ],
        {
          entity: command,
          answers: dates([features[0]!]),
          relevant: grades((item) => isNew(item) && item.date === features[0]!.date),
        },
      ),
  ];
}

function neighbours(scene: Scene, { features, chosen, previous }: Features): (() => unknown)[] {
  const { family, command, grades } = scene;
  const ask = family.ask.bind(family);
  return [
    () =>
      ask(
        'first_after',
        [
          `Which new feature did ${command} get first after ${spell(addDays(chosen.date, -1))}?`,
          `next feature of ${command} after ${spell(previous, 2)}`,
          `After the release of ${spell(previous)}, what was the first thing that ${command} newly learned?`,
        ],
        {
          entity: command,
          answers: dates([chosen]),
          relevant: grades((item) => isNew(item) && item.date === chosen.date),
        },
      ),
    () =>
      ask(
        'last_before',
        [
          `What was the last feature added to ${command} before ${spell(addDays(chosen.date, 20))}?`,
          `Before ${spell(addDays(chosen.date, 9), 1)}, what had been newly added to ${command} most recently?`,
          `${command}: last new feature prior to ${monthYear(addMonths(chosen.date, 1))}`,
        ],
        {
          entity: command,
          answers: dates([chosen]),
          relevant: grades((item) => isNew(item) && item.date === chosen.date),
        },
      ),
    () =>
      ask(
        'since',
        [
          `What new features has ${command} got since ${spell(features.at(-2)!.date)}?`,
          `${command} features since ${features.at(-2)!.date}`,
          `Since ${monthYear(features.at(-2)!.date)}, that month included, what can ${command} do that it could not before?`,
          `From ${spell(features.at(-2)!.date, 1)} on, which features came to ${command}?`,
        ],
        {
          entity: command,
          answers: dates(features.slice(-2)),
          relevant: grades((item) => isNew(item) && item.date >= features.at(-2)!.date),
        },
      ),
  ];
}

function askFeatures(scene: Scene): void {
  const { own, random } = scene;
  const features = own.filter(isNew);
  if (features.length < 3) return;
  const chosen = features[1 + random.below(features.length - 2)]!;
  const previous = features.filter(({ date }) => date < chosen.date).at(-1)?.date;
  if (!previous) return;
  const found = { features, chosen, previous };
  const kinds = [...extremes(scene, found), ...neighbours(scene, found)];
  for (const put of random.sample(kinds, 3)) put();
}

export function askCommands(family: FamilyBuilder, items: Item[], random: Random): void {
  const dated = items.filter(({ date, program }) => date && published.has(program));
  /** Grade 2 for entries on the command, grade 1 for others that mention it. */
  const grades = (command: string, fits: (item: Item) => boolean): Grades => {
    const chosen = dated.filter(fits);
    const mention = new RegExp(`(?<![\\w-])${command}(?![\\w-])`);
    return {
      ...graded(1, ids(chosen.filter(({ text }) => mention.test(text)))),
      ...graded(2, ids(chosen.filter(({ subjects }) => subjects.includes(command)))),
    };
  };
  for (const command of random.sample(plain, plain.length)) {
    const own = dated
      .filter(({ subjects }) => subjects.includes(command))
      .sort((a, b) => a.date.localeCompare(b.date));
    if (own.length < 6) continue;
    const scene = {
      family,
      command,
      own,
      random,
      grades: (fits: (item: Item) => boolean) => grades(command, fits),
    };
    askPeriods(scene);
    askFeatures(scene);
  }
}

export function askOptions(family: FamilyBuilder, items: Item[], random: Random): void {
  const found = items.flatMap((item) => {
    const option =
      /^[\w ,]+ (?:now )?(?:accepts?|supports?|has)(?: the| a)?(?: new)?(?: option:?)? '?(--[a-z-]+)/.exec(
        item.text,
      )?.[1];
    return option && item.date && item.subjects.length > 0 ? [{ item, option }] : [];
  });
  const single = found.filter(
    ({ item, option }) =>
      found.filter(
        (other) => other.option === option && other.item.subjects[0] === item.subjects[0],
      ).length === 1,
  );
  for (const { item, option } of random.sample(single, 12)) {
    const command = item.subjects[0]!;
    family.ask(
      'when',
      [
        `When did ${command} get the ${option} option?`,
        `${command} ${option} introduced`,
        `Since when does ${command} know ${option}?`,
        `In which year was ${option} added to ${command}?`,
        `I need the date on which ${command} began to accept ${option}.`,
      ],
      {
        entity: command,
        answers: [...stated(item.date), item.date.slice(0, 4)],
        relevant: graded(2, [item.id]),
      },
    );
  }
}
