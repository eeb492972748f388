// Questions on single releases of distributions: order, dates and support.
import { addDays, addMonths, monthYear, spell } from '../dates.js';
import { graded, type Grades } from '../questions.js';
import type { Judge } from './judgments.js';
import { present, type Release } from './data.js';
import type { Random } from '../family.js';

const stated = (date: string): string[] => [0, 1, 2].map((style) => spell(date, style));

type Scene = ReturnType<typeof sceneOf>;

/** A release among those of its distribution. */
interface Place {
  distro: string;
  own: Release[];
  here: Release;
}

function sceneOf(judge: Judge, random: Random) {
  const { family } = judge;
  const all = (list: Release[], fact: (one: Release) => string): Grades =>
    Object.assign({}, ...list.map((one) => judge.telling(one, fact(one)))) as Grades;
  const released = (list: Release[]): Grades => all(list, () => 'release');
  const names = (list: Release[]): string[] =>
    list.flatMap(({ label, codename }) => [label, codename]);
  return { ask: family.ask.bind(family), judge, random, all, released, names };
}

function askNeighbours(
  { ask, judge, random, names, released }: Scene,
  { distro, own, here }: Place,
): void {
  const [before, after] = [own[own.indexOf(here) - 1]!, own[own.indexOf(here) + 1]!];
  const day = addDays(here.release, 5 + random.below(20));
  const soon = judge.pages
    .filter((page) => page.stable === here && judge.names(page.id, after))
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
    {
      entity: distro,
      answers: names([after]),
      relevant: {
        ...graded(2, judge.order(here, after)),
        ...graded(1, soon),
        ...released([after]),
      },
    },
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
    {
      entity: distro,
      answers: names([before]),
      relevant: { ...released([before]), ...graded(2, judge.order(before, here)) },
    },
  );
}

function askSpans({ ask, all, names, released }: Scene, { distro, own, here }: Place): void {
  const [before, after] = [own[own.indexOf(here) - 1]!, own[own.indexOf(here) + 1]!];
  const support = distro === 'Debian' ? 'regular security support' : 'standard support';
  const endOf = (one: Release): string => one.ends[0]![1];
  const year = here.release.slice(0, 4);
  const same = own.filter(({ release }) => release.startsWith(year));
  ask(
    'in',
    [
      `Which ${distro} release came out in ${year}?`,
      `${distro} releases ${year}`,
      `Which versions of ${distro} appeared during ${year}?`,
    ],
    { entity: distro, answers: names(same), relevant: graded(2, Object.keys(released(same))) },
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
    {
      entity: distro,
      answers: names(ending),
      relevant: graded(2, Object.keys(all(ending, () => support))),
    },
  );
  const from = `${before.release.slice(0, 7)}-01`;
  const until = addDays(addMonths(`${after.release.slice(0, 7)}-01`, 1), -1);
  const between = own.filter(({ release }) => release >= from && release <= until);
  ask(
    'between',
    [
      `Which ${distro} releases came out between ${spell(from)} and ${spell(until)}?`,
      `${distro} releases from ${monthYear(from)} to ${monthYear(until)}`,
      `From ${monthYear(from)} through ${monthYear(until)}, what did ${distro} release?`,
      `List the ${distro} versions published ${from} to ${until}.`,
      `Between ${monthYear(from)} and ${monthYear(until)}, both included, which new ${distro} versions appeared?`,
      `During the time from ${spell(from, 1)} to ${spell(until, 1)}, which releases of ${distro} were made?`,
    ],
    { entity: distro, answers: names(between), relevant: released(between) },
  );
}

function askFirst({ ask, judge, names, released }: Scene, distro: string, own: Release[]): void {
  ask('first', [`What was the first release of ${distro}?`, `earliest ${distro} release`], {
    entity: distro,
    answers: names([own[0]!]),
    relevant: released([own[0]!]),
  });
  ask(
    'first',
    [
      `With which version did ${distro} begin to publish releases?`,
      `Name the oldest ${distro} release on record.`,
    ],
    { entity: distro, answers: names([own[0]!]), relevant: released([own[0]!]) },
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
      { entity: distro, answers: names([one!]), relevant: judge.telling(one!, phase) },
    );
  }
}

function askSupport({ ask, judge, random }: Scene, out: Release[]): void {
  const ends = out.flatMap((one) => one.ends.map(([phase, date]) => ({ one, phase, date })));
  for (const { one, phase, date } of random.sample(ends, 26)) {
    const evidence = judge.telling(one, phase);
    const name = random.pick([
      one.label,
      one.distro === 'Debian' ? `Debian ${one.codename}` : one.codename,
    ]);
    const near = addDays(date, random.below(400) - 200);
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
        { entity: one.entity, answers: stated(date), relevant: evidence },
      );
    else
      ask(
        'as_of',
        [
          `Was ${name} still under ${phase} on ${spell(near)}?`,
          `Did ${name} get updates by way of ${phase} as of ${spell(near, 1)}?`,
        ],
        { entity: one.entity, answers: stated(date), relevant: evidence },
      );
  }
}

function askNames({ ask, judge, random }: Scene, out: Release[]): void {
  for (const one of random.sample(out, 10)) {
    ask(
      'when',
      [
        `When was ${one.label} released?`,
        `${one.codename} release date`,
        `On what day did ${one.label} come out?`,
      ],
      { entity: one.entity, answers: stated(one.release), relevant: judge.telling(one, 'release') },
    );
    if (random.next() < 0.5)
      ask(
        'undated',
        [
          `What is the codename of ${one.label}?`,
          `${one.label} codename`,
          `By what name does ${one.label} go?`,
        ],
        { entity: one.entity, answers: [one.codename], relevant: judge.naming(one) },
      );
    else
      ask(
        'undated',
        [
          `Which version is ${one.codename}?`,
          `${one.codename} version number`,
          `what number stands behind the name ${one.codename}`,
        ],
        { entity: one.entity, answers: [one.label, one.entity], relevant: judge.naming(one) },
      );
  }
  for (const one of random.sample(out, 4))
    ask(
      'when',
      [`When did development of ${one.label} start?`, `${one.codename} start of development`],
      { entity: one.entity, answers: stated(one.created), relevant: judge.telling(one, 'created') },
    );
}

export function askReleases(judge: Judge, random: Random): void {
  const out = judge.releases.filter(({ release }) => release && release <= present);
  const scene = sceneOf(judge, random);
  const { ask, names, released } = scene;
  for (const distro of ['Debian', 'Ubuntu']) {
    const own = out.filter((one) => one.distro === distro);
    for (const here of random.sample(own.slice(2, -2), 6)) {
      const place = { distro, own, here };
      askNeighbours(scene, place);
      askSpans(scene, place);
    }
    for (const count of [2, 3, 4, 5]) {
      const rest = own.slice(-count);
      ask(
        'since',
        [
          `Which releases has ${distro} made since ${spell(rest[0]!.release)}?`,
          `${distro} releases since ${monthYear(rest[0]!.release)}`,
          `Since ${spell(addDays(rest[0]!.release, -3), 1)}, what has ${distro} released?`,
          `What came out from ${distro} from ${rest[0]!.release} on?`,
          `Every ${distro} version published since ${spell(addDays(rest[0]!.release, -9))}, please.`,
          `since ${addDays(rest[0]!.release, -1)}: new ${distro} versions?`,
        ],
        { entity: distro, answers: names(rest), relevant: released(rest) },
      );
    }
    askFirst(scene, distro, own);
  }
  askSupport(scene, out);
  askNames(scene, out);
}
