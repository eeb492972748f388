// Questions of the family `distributions` on single releases, their order, dates and support.
import { judged, monthsLater, shifted, spell, spellMonth, type Judged } from '../builder.js';
import type { Asker } from './asker.js';
import { present, type Release } from './data.js';
import type { Random } from '../family.js';

const stated = (date: string): string[] => [0, 1, 2].map((style) => spell(date, style));

export function askReleases(asker: Asker, random: Random): void {
  const { family, releases } = asker;
  const ask = family.ask.bind(family);
  const out = releases.filter(({ release }) => release && release <= present);
  const all = (list: Release[], fact: (one: Release) => string): Judged =>
    Object.assign({}, ...list.map((one) => asker.telling(one, fact(one)))) as Judged;
  const released = (list: Release[]): Judged => all(list, () => 'release');
  const names = (list: Release[]): string[] =>
    list.flatMap(({ label, codename }) => [label, codename]);
  for (const distro of ['Debian', 'Ubuntu']) {
    const own = out.filter((one) => one.distro === distro);
    const support = distro === 'Debian' ? 'regular security support' : 'standard support';
    const endOf = (one: Release): string => one.ends[0]![1];
    for (const here of random.sample(own.slice(2, -2), 6)) {
      const [before, after] = [own[own.indexOf(here) - 1]!, own[own.indexOf(here) + 1]!];
      const day = shifted(here.release, 5 + random.below(20));
      const soon = asker.pages
        .filter((page) => page.stable === here && asker.names(page.id, after))
        .map(({ id }) => id);
      ask(
        'first_after',
        [
          `Which ${distro} release was the first after ${spell(day)}?`,
          `What came next after ${here.label}?`,
          `next ${distro} release following ${here.codename}`,
          `After ${spell(day, 1)}, which release did ${distro} publish first?`,
          `successor of ${here.label}`,
          `Which release took over from ${here.codename}?`,
        ],
        distro,
        names([after]),
        { ...judged(2, asker.order(here, after)), ...judged(1, soon), ...released([after]) },
      );
      ask(
        'last_before',
        [
          `Which ${distro} release was the last before ${spell(here.release)}?`,
          `What came right before ${here.label}?`,
          `predecessor of ${here.codename}`,
          `${distro} release preceding ${here.release}`,
          `Before ${spell(here.release, 1)}, which ${distro} release had come out most recently?`,
          `Which release did ${here.label} replace as the newest?`,
        ],
        distro,
        names([before]),
        { ...released([before]), ...judged(2, asker.order(before, here)) },
      );
      const year = here.release.slice(0, 4);
      const same = own.filter(({ release }) => release.startsWith(year));
      ask(
        'in',
        [
          `Which ${distro} release came out in ${year}?`,
          `${distro} releases ${year}`,
          `Which versions of ${distro} appeared during ${year}?`,
        ],
        distro,
        names(same),
        judged(2, Object.keys(released(same))),
      );
      const end = endOf(here).slice(0, 4);
      const ending = own.filter((one) => one.ends.length > 0 && endOf(one).startsWith(end));
      ask(
        'in',
        [
          `Which ${distro} releases lost ${support} in ${end}?`,
          `${distro} end of ${support} ${end}`,
          `For which versions of ${distro} does ${support} end during the year ${end}?`,
        ],
        distro,
        names(ending),
        judged(2, Object.keys(all(ending, () => support))),
      );
      const from = `${before.release.slice(0, 7)}-01`;
      const until = shifted(monthsLater(`${after.release.slice(0, 7)}-01`, 1), -1);
      const between = own.filter(({ release }) => release >= from && release <= until);
      ask(
        'between',
        [
          `Which ${distro} releases came out between ${spell(from)} and ${spell(until)}?`,
          `${distro} releases from ${spellMonth(from)} to ${spellMonth(until)}`,
          `From ${spellMonth(from)} through ${spellMonth(until)}, what did ${distro} release?`,
          `List the ${distro} versions published ${from} to ${until}.`,
          `Between ${spellMonth(from)} and ${spellMonth(until)}, both included, which new ${distro} versions appeared?`,
          `During the time from ${spell(from, 1)} to ${spell(until, 1)}, which releases of ${distro} were made?`,
        ],
        distro,
        names(between),
        released(between),
      );
    }
    for (const count of [2, 3, 4, 5]) {
      const rest = own.slice(-count);
      ask(
        'since',
        [
          `Which releases has ${distro} made since ${spell(rest[0]!.release)}?`,
          `${distro} releases since ${spellMonth(rest[0]!.release)}`,
          `Since ${spell(shifted(rest[0]!.release, -3), 1)}, what has ${distro} released?`,
          `What came out from ${distro} from ${rest[0]!.release} on?`,
          `Every ${distro} version published since ${spell(shifted(rest[0]!.release, -9))}, please.`,
          `since ${shifted(rest[0]!.release, -1)}: new ${distro} versions?`,
        ],
        distro,
        names(rest),
        released(rest),
      );
    }
    ask(
      'first',
      [`What was the first release of ${distro}?`, `earliest ${distro} release`],
      distro,
      names([own[0]!]),
      released([own[0]!]),
    );
    ask(
      'first',
      [
        `With which version did ${distro} begin to publish releases?`,
        `Name the oldest ${distro} release on record.`,
      ],
      distro,
      names([own[0]!]),
      released([own[0]!]),
    );
    for (const phase of new Set(own.flatMap(({ ends }) => ends.map(([name]) => name)))) {
      const [one] = own.filter(({ ends }) => ends.some(([name]) => name === phase));
      ask(
        'first',
        [
          `Which was the first ${distro} release to have ${phase}?`,
          `first ${distro} release with ${phase}`,
          `${phase} of ${distro}: given to which release first?`,
          `The earliest ${distro} version that ever got ${phase} was which?`,
        ],
        distro,
        names([one!]),
        asker.telling(one!, phase),
      );
    }
  }
  const ends = out.flatMap((one) => one.ends.map(([phase, date]) => ({ one, phase, date })));
  for (const { one, phase, date } of random.sample(ends, 26)) {
    const told = asker.telling(one, phase);
    const name = random.pick([
      one.label,
      one.distro === 'Debian' ? `Debian ${one.codename}` : one.codename,
    ]);
    const near = shifted(date, random.below(400) - 200);
    if (random.next() < 0.75)
      ask(
        'when',
        [
          `When does ${phase} of ${name} end?`,
          `${name} ${phase} end date`,
          `Until when is there ${phase} for ${name}?`,
          `What is the last day of ${phase} for ${name}?`,
          `I must plan an upgrade: date on which ${name} leaves ${phase}?`,
          `How long does ${phase} of ${name} last, to the day?`,
        ],
        one.entity,
        stated(date),
        told,
      );
    else
      ask(
        'as_of',
        [
          `Was ${name} still under ${phase} on ${spell(near)}?`,
          `Did ${name} get updates by way of ${phase} as of ${spell(near, 1)}?`,
        ],
        one.entity,
        stated(date),
        told,
      );
  }
  for (const one of random.sample(out, 10)) {
    ask(
      'when',
      [
        `When was ${one.label} released?`,
        `${one.codename} release date`,
        `On what day did ${one.label} come out?`,
      ],
      one.entity,
      stated(one.release),
      asker.telling(one, 'release'),
    );
    if (random.next() < 0.5)
      ask(
        'undated',
        [
          `What is the codename of ${one.label}?`,
          `${one.label} codename`,
          `By what name does ${one.label} go?`,
        ],
        one.entity,
        [one.codename],
        asker.naming(one),
      );
    else
      ask(
        'undated',
        [
          `Which version is ${one.codename}?`,
          `${one.codename} version number`,
          `what number stands behind the name ${one.codename}`,
        ],
        one.entity,
        [one.label, one.entity],
        asker.naming(one),
      );
  }
  for (const one of random.sample(out, 4))
    ask(
      'when',
      [`When did development of ${one.label} start?`, `${one.codename} start of development`],
      one.entity,
      stated(one.created),
      asker.telling(one, 'created'),
    );
}
