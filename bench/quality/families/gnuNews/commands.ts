// Questions of the family `gnuNews` on the commands and their options, as templates over the entries.
import {
  judged,
  monthsLater,
  shifted,
  spell,
  spellMonth,
  type Builder,
  type Judged,
} from '../builder.js';
import type { Random } from '../family.js';
import { dates, ids, published, stated, type Item } from './data.js';

/** Commands whose names mean nothing else, so that their mentions can be counted. */
const plain =
  'chmod chroot cp csplit dd df du ln ls md5sum mkdir mktemp mv nohup numfmt od readlink rm seq shred shuf stty tac uniq xargs'.split(
    ' ',
  );

export function askCommands(family: Builder, items: Item[], random: Random): void {
  const ask = family.ask.bind(family);
  const dated = items.filter(({ date, program }) => date && published.has(program));
  const isFix = ({ section }: Item): boolean => /bug fixes/i.test(section);
  const isNew = (item: Item): boolean =>
    /new feature/i.test(item.section) ||
    (!isFix(item) && /now (accepts|supports)|new option/.test(item.text));
  const fair = (list: Item[], most = 6): boolean => list.length > 0 && list.length <= most;
  /** Entries about the command answer, others that mention it do in passing. */
  const grades = (command: string, fits: (item: Item) => boolean): Judged => {
    const chosen = dated.filter(fits);
    const mention = new RegExp(`(?<![\\w-])${command}(?![\\w-])`);
    return {
      ...judged(1, ids(chosen.filter(({ text }) => mention.test(text)))),
      ...judged(2, ids(chosen.filter(({ subjects }) => subjects.includes(command)))),
    };
  };
  for (const command of random.sample(plain, plain.length)) {
    const own = dated
      .filter(({ subjects }) => subjects.includes(command))
      .sort((a, b) => a.date.localeCompare(b.date));
    if (own.length < 6) continue;
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
        command,
        dates(inYear),
        grades(command, ({ date }) => date.startsWith(year)),
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
        command,
        dates(between),
        grades(command, (item) => isFix(item) && item.date >= `${year}-01-01` && item.date < end),
      );
    const features = own.filter(isNew);
    if (features.length < 3) continue;
    const chosen = features[1 + random.below(features.length - 2)]!;
    const sameDay = (item: Item): boolean => isNew(item) && item.date === chosen.date;
    const previous = features.filter(({ date }) => date < chosen.date).at(-1)?.date;
    const born = own.some(({ section }) => /new (program|command)/i.test(section));
    if (!previous) continue;
    const value = dates([chosen]);
    const asked = shifted(chosen.date, 5);
    const kinds: (() => unknown)[] = [
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
          command,
          value,
          grades(command, sameDay),
          { asked_at: asked, outdated: ids(features.filter(({ date }) => date < chosen.date)) },
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
          command,
          dates([features[0]!]),
          grades(command, (item) => isNew(item) && item.date === features[0]!.date),
        ),
      () =>
        ask(
          'first_after',
          [
            `Which new feature did ${command} get first after ${spell(shifted(chosen.date, -1))}?`,
            `next feature of ${command} after ${spell(previous, 2)}`,
            `After the release of ${spell(previous)}, what was the first thing that ${command} newly learned?`,
          ],
          command,
          value,
          grades(command, sameDay),
        ),
      () =>
        ask(
          'last_before',
          [
            `What was the last feature added to ${command} before ${spell(shifted(chosen.date, 20))}?`,
            `Before ${spell(shifted(chosen.date, 9), 1)}, what had been newly added to ${command} most recently?`,
            `${command}: last new feature prior to ${spellMonth(monthsLater(chosen.date, 1))}`,
          ],
          command,
          value,
          grades(command, sameDay),
        ),
      () =>
        ask(
          'since',
          [
            `What new features has ${command} got since ${spell(features.at(-2)!.date)}?`,
            `${command} features since ${features.at(-2)!.date}`,
            `Since ${spellMonth(features.at(-2)!.date)}, that month included, what can ${command} do that it could not before?`,
            `From ${spell(features.at(-2)!.date, 1)} on, which features came to ${command}?`,
          ],
          command,
          dates(features.slice(-2)),
          grades(command, (item) => isNew(item) && item.date >= features.at(-2)!.date),
        ),
    ];
    for (const put of random.sample(kinds, 3)) put();
  }
}

export function askOptions(family: Builder, items: Item[], random: Random): void {
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
      command,
      [...stated(item.date), item.date.slice(0, 4)],
      judged(2, [item.id]),
    );
  }
}
