// Releases of Debian and Ubuntu as Debian's distro-info-data lists them, and the
// passages that state them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { addDays, daysBetween, monthYear, spell } from '../dates.js';
import type { FamilyBuilder } from '../familyBuilder.js';
import type { Random } from '../family.js';
import { capital } from '../wordings.js';

export interface Release {
  distro: 'Debian' | 'Ubuntu';
  /** "Ubuntu 8.04". */
  entity: string;
  /** "Ubuntu 8.04 LTS". */
  label: string;
  codename: string;
  series: string;
  lts: boolean;
  created: string;
  release: string;
  /** End of each kind of support, by its name. */
  ends: [string, string][];
}

export interface Status {
  id: string;
  distro: string;
  published: string;
  stable: Release;
  lts: Release | undefined;
  devel: Release | undefined;
}

/** Passages by what they state: "Ubuntu 8.04 release", "Debian 7 LTS support". */
export type Facts = Map<string, { id: string; exact: boolean }[]>;

/** The last date of the package; later ends of support are in the future. */
export const present = '2026-04-25';
const supports = {
  Debian: ['regular security support', 'LTS support', 'ELTS support'],
  Ubuntu: ['standard support', 'server support', 'Expanded Security Maintenance', 'Legacy support'],
};

export function releasesOf(folder: string): Release[] {
  return (['Debian', 'Ubuntu'] as const).flatMap((distro) => {
    const path = join(folder, 'usr/share/distro-info', `${distro.toLowerCase()}.csv`);
    const rows = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(','));
    return rows
      .filter(([version]) => version)
      .map(
        ([version, codename, series, created, release, ...dates]): Release => ({
          distro,
          entity: `${distro} ${version!.replace(' LTS', '')}`,
          label: `${distro} ${version!}`,
          codename: codename!,
          series: series!,
          lts: version!.includes('LTS'),
          created: created!,
          release: release ?? '',
          ends: dates.flatMap((date, index): [string, string][] =>
            date && (index === 0 || date !== dates[index - 1])
              ? [[supports[distro][index]!, date]]
              : [],
          ),
        }),
      );
  });
}

/** The newest release on a day, among those with long-term support if asked. */
export const newest = (
  releases: Release[],
  distro: string,
  day: string,
  lts = false,
): Release | undefined =>
  releases
    .filter(
      (each) => each.distro === distro && each.release && each.release <= day && (!lts || each.lts),
    )
    .at(-1);
export const inDevelopment = (
  releases: Release[],
  distro: string,
  day: string,
): Release | undefined =>
  releases.find(
    (each) =>
      each.distro === distro && each.created <= day && !(each.release && each.release <= day),
  );

const quarter = (date: string): string =>
  `${['first', 'second', 'third', 'fourth'][Math.floor((Number(date.slice(5, 7)) - 1) / 3)]!} quarter of ${date.slice(0, 4)}`;

/** One release and the means to add its passages; `state` and `say` record the stated fact. */
interface Teller {
  each: Release;
  family: FamilyBuilder;
  random: Random;
  state: (each: Release, fact: string, id: string, exact?: boolean) => void;
  say: (fact: string, text: string, more?: object, exact?: boolean) => void;
  pick: <Shape>(shapes: Shape[]) => Shape;
  name: () => string;
  day: (iso: string) => string;
}

function tellStart({ each, pick, say, name, day }: Teller): void {
  const { label, created } = each;
  if (created < present)
    say(
      'created',
      pick([
        `Development of ${name()} began on ${day(created)}.`,
        `On ${day(created)} the archive for ${name()} was opened. Uploads are welcome from now on.`,
        `${day(created)}: work starts on what is to become ${name()}.`,
        `The series ${each.series} was created on ${day(created)}; it stands for ${label}.`,
        `${name()} has been in the making since ${day(created)}.`,
        `Created ${created}: series ${each.series} (${label}).`,
      ]),
    );
}

function tellRelease({ each, random, pick, say, name, day }: Teller, releases: Release[]): void {
  const { distro, label, codename, created, release, entity } = each;
  for (let count = 0; count < 2; count++)
    say(
      'release',
      ...pick<[string, object?]>([
        [`${name()} was released on ${day(release)}.`],
        [`On ${day(release)} the project published ${name()}.`],
        [
          `We are pleased to announce ${name()}, which is out today. Images can be fetched from the mirrors.`,
          { title: `${distro} announcement`, published_at: release },
        ],
        [
          `Released on ${day(release)} after ${Math.round(daysBetween(created, release))} days of development: ${name()}.`,
        ],
        [`The wait was over on ${day(release)}, when ${name()} reached the mirrors.`],
        [
          `${name()} is available for download as of this morning.`,
          { title: `News of ${spell(release)}`, published_at: release },
        ],
        [`${day(release)} saw the release of ${name()}. Reviews followed in the days after.`],
      ]),
    );
  if (random.next() < 0.35)
    say('release', `${name()} came out in the ${quarter(release)}.`, {}, false);
  const before = releases
    .filter((one) => one.distro === distro && one.release && one.release < release)
    .at(-1);
  if (before)
    say(
      'release',
      pick([
        `${before.label} was followed by ${label} on ${day(release)}.`,
        `Successor of ${before.codename}: ${codename}, ${day(release)}.`,
        `As of ${day(release)}, ${name()} takes the place of ${before.label} as the newest release.`,
      ]),
      { entities: [entity, before.entity] },
    );
}

function tellEnds({ each, random, pick, say, name, day }: Teller): void {
  for (const [phase, date] of each.ends) {
    const over = date <= present;
    const shapes: [string, object?, boolean?][] = [
      [`${phase} of ${name()} ${over ? 'ended' : 'ends'} on ${day(date)}.`],
      [`${name()}: ${phase} until ${date}.`],
      [
        `After ${day(date)} there ${over ? 'were' : 'will be'} no more updates for ${name()} under ${phase}.`,
      ],
      [
        `For ${name()}, the last day of ${phase} ${over ? 'was' : 'is'} ${day(date)}. Upgrade in time.`,
      ],
      over
        ? [
            `Today is the last day of ${phase} for ${name()}. Please move to a newer release.`,
            { title: 'End of support', published_at: date },
          ]
        : [`${phase} for ${name()} is planned to go on until ${day(date)}.`],
      over
        ? [`As of ${day(date)}, ${phase} for ${name()} is over.`]
        : [`Owners of machines with ${name()} have until ${day(date)}, when ${phase} stops.`],
      [`${phase} for ${name()} ${over ? 'ran' : 'runs'} out in ${monthYear(date)}.`, {}, false],
    ];
    const [first, second] = [pick(shapes), random.pick(shapes.slice(0, 4))];
    say(phase, ...first);
    if (first !== second && random.next() < 0.45) say(phase, ...second);
  }
}

function tellNames({ each, family, random, state }: Teller): void {
  const { distro, label, codename, created, release, entity } = each;
  const entities = [entity];
  if (random.next() < 0.5 && each.ends.length > 0) {
    const lines = each.ends.map(([phase, date]) => `${phase} until ${date}`).join(', ');
    const text = `${label} "${codename}": development from ${created}, release ${release}, ${lines}.`;
    const id = family.say(text, { title: `Table of ${distro} releases`, entities });
    for (const fact of ['created', 'release', ...each.ends.map(([phase]) => phase)])
      state(each, fact, id);
  }
  family.say(`deb http://archive.example.org/${distro.toLowerCase()} ${each.series} main`, {
    title: 'sources.list',
    entities,
  });
  state(
    each,
    'codename',
    family.say(
      random.pick([
        `The codename of ${label} is ${codename}.`,
        `${codename} is the name given to ${label}; in sources.list one writes ${each.series}.`,
        `"${codename}" stands for ${label}.`,
      ]),
      { entities },
    ),
  );
}

export function tellReleases(family: FamilyBuilder, releases: Release[], random: Random): Facts {
  const facts: Facts = new Map();
  let turn = 0;
  const state = (each: Release, fact: string, id: string, exact = true): void => {
    const key = `${each.entity} ${fact}`;
    facts.set(key, [...(facts.get(key) ?? []), { id, exact }]);
  };
  const pick = <Shape>(shapes: Shape[]): Shape => shapes[turn++ % shapes.length]!;
  for (const each of releases) {
    const { distro, label, codename, release, entity } = each;
    const entities = [entity];
    const day = (iso: string): string => spell(iso, random.below(3));
    const name = (): string =>
      random.pick([
        label,
        `${label} (${codename})`,
        distro === 'Debian' ? `Debian ${codename}` : `${codename} (${label})`,
      ]);
    const say = (fact: string, text: string, more = {}, exact = true): void =>
      state(each, fact, family.say(capital(text), { entities, ...more }), exact);
    const teller = { each, family, random, state, pick, say, name, day };
    tellStart(teller);
    if (!release || release > present) continue;
    tellRelease(teller, releases);
    tellEnds(teller);
    tellNames(teller);
  }
  return facts;
}

export function tellStatus(family: FamilyBuilder, releases: Release[], random: Random): Status[] {
  const pages: Status[] = [];
  for (const [distro, start, step] of [
    ['Debian', '1996-09-10', 100],
    ['Ubuntu', '2004-11-20', 75],
  ] as const)
    for (let day: string = start; day < present; day = addDays(day, step + random.below(40))) {
      const stable = newest(releases, distro, day)!;
      const lts = newest(releases, distro, day, true);
      const devel = inDevelopment(releases, distro, day);
      const old = newest(releases, distro, addDays(stable.release, -1));
      const shapes = [
        `The current release of ${distro} is ${stable.label} (${stable.codename}).${devel ? ` ${devel.codename} is in development.` : ''}`,
        `Stable: ${stable.label}.${devel ? ` In preparation: ${devel.label}.` : ''}${old ? ` Before that: ${old.label}.` : ''}`,
        `${distro} users should run ${stable.label} at present.${devel ? ` Those who like adventures test ${devel.codename}.` : ''}`,
        `Which version should I install? ${stable.label}, ${stable.codename}, is the newest.${devel ? ` Next will be ${devel.label}.` : ''}`,
      ];
      const extra =
        lts && lts !== stable ? ` The newest release with long-term support is ${lts.label}.` : '';
      const entities = [stable, lts, devel].flatMap((each) => (each ? [each.entity] : []));
      const title = random.pick([
        `${distro} releases`,
        `${distro} FAQ, ${monthYear(day)}`,
        'Download page',
      ]);
      const id = family.say(random.pick(shapes) + extra, { title, published_at: day, entities });
      pages.push({ id, distro, published: day, stable, lts, devel });
    }
  return pages;
}

/** Points of the package's changelog as written, with the date of their version. */
export function tellChanges(family: FamilyBuilder, folder: string): { id: string; text: string }[] {
  const path = join(folder, 'usr/share/doc/distro-info-data/changelog.gz');
  const versions = gunzipSync(readFileSync(path))
    .toString()
    .split(/\n(?=distro-info-data )/);
  return versions.flatMap((version) => {
    const date = new Date(/^ -- .*>  (.*)$/m.exec(version)![1]!).toISOString().slice(0, 10);
    const title = version.split(';')[0]!;
    return version
      .split(/\n -- /)[0]!
      .split(/\n\s+[*-] /)
      .slice(1)
      .map((point) => {
        const text = point.replace(/\s+/g, ' ').trim();
        return { id: family.say(text, { title, published_at: date }), text };
      });
  });
}
