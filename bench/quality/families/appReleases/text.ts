// Passages about releases of Electron in several shapes: notes, table rows, changes of bundled
// components, monthly round-ups, states at the end of a quarter, and undated background.
import { addDays, american, anyDate, british, monthEnd, monthYear } from '../dates.js';
import { rotation } from '../wordings.js';
import { lastDay, type Component, type Release } from './data.js';
import type { FamilyPassage, Random } from '../family.js';

/** Releases that a passage states, each with the bundled components that it names. */
export interface Statement {
  release: Release;
  parts: ('release' | 'abi' | Component)[];
  grade: 1 | 2;
  /** The day at which the release is stated to be the newest, where its own date is not. */
  stateAt?: string;
}

export interface ReleasePassage extends FamilyPassage {
  states: Statement[];
}

type Draft = Omit<ReleasePassage, 'id' | 'states' | 'entities'>;
type Shape = [parts: Statement['parts'], write: (release: Release, date: string) => Draft];

export const entityOf = ({ line, channel }: Release): string =>
  channel === 'stable' ? `Electron ${line}` : `Electron ${line} ${channel}`;

const all: Component[] = ['Chromium', 'Node.js', 'V8'];
const kindOf = ({ channel }: Release): string =>
  channel === 'stable' ? 'stable release' : `${channel} pre-release`;

const notes: Shape[] = [
  [
    ['release', ...all],
    ({ version, bundles }, date) => ({
      text:
        `Electron ${version} was released on ${date}. It bundles Chromium ${bundles.Chromium}, ` +
        `Node.js ${bundles['Node.js']} and V8 ${bundles.V8}.`,
    }),
  ],
  [
    ['release', 'Chromium'],
    (release, date) => ({
      text:
        `${date}: ${release.version} is out, a ${kindOf(release)} of the ${release.line} line ` +
        `built on Chromium ${release.bundles.Chromium}. ` +
        'Reports of regressions go to the usual place.',
    }),
  ],
  [
    ['release', ...all],
    (release) => ({
      title: `Electron ${release.version}`,
      published_at: release.date,
      text:
        `A new ${kindOf(release)} can be installed from npm today. Inside are Chromium ` +
        `${release.bundles.Chromium}, V8 ${release.bundles.V8} and Node.js ` +
        `${release.bundles['Node.js']}.`,
    }),
  ],
  [
    ['release', 'V8'],
    (release) => ({
      published_at: addDays(release.date, 1),
      text:
        `Yesterday the maintainers tagged Electron ${release.version}. The JavaScript engine in ` +
        `this ${kindOf(release)} is V8 ${release.bundles.V8}.`,
    }),
  ],
  [
    ['release', 'Chromium', 'Node.js'],
    ({ version, date, bundles }) => ({
      title: `Components of Electron ${version} (${date})`,
      text: `Chromium: ${bundles.Chromium}. Node.js: ${bundles['Node.js']}. The rest is as usual.`,
    }),
  ],
  [
    ['release', 'abi', ...all],
    ({ version, date, bundles, abi }) => ({
      text:
        `${date} | electron ${version} | chrome ${bundles.Chromium} | ` +
        `node ${bundles['Node.js']} | v8 ${bundles.V8} | modules ${abi}`,
    }),
  ],
  [
    ['release', 'Chromium'],
    (release, date) => ({
      text:
        `From ${date} on, users of the Electron ${release.line} line could move to ` +
        `${release.version}. Its renderer is Chromium ${release.bundles.Chromium}.`,
    }),
  ],
  [
    ['release', 'V8', 'Chromium'],
    (release, date) => ({
      text:
        `V8 ${release.bundles.V8} and Chromium ${release.bundles.Chromium} are what the ` +
        `${kindOf(release)} ${release.version} of Electron carries, which was published ${date}.`,
    }),
  ],
  [
    ['release', 'Node.js'],
    (release, date) => ({
      text:
        `On ${date} the Electron team published ${release.version}. Node.js in this build is ` +
        `${release.bundles['Node.js']}; native modules compiled for the line keep working.`,
    }),
  ],
  [
    ['release'],
    (release) => ({
      published_at: release.date,
      text: `Just released: Electron ${release.version}. Update with your package manager.`,
    }),
  ],
];

type Change = (now: Release, before: Release, part: Component, date: string) => string;
const changes: Change[] = [
  ({ version, line, bundles }, before, part, date) =>
    `With ${version} of ${date}, Electron ${line} moved from ${part} ${before.bundles[part]} to ` +
    `${bundles[part]}.`,
  ({ version, line, bundles }, before, part, date) =>
    `${part} in the ${line} line: ${bundles[part]} since ${version} (${date}), ` +
    `${before.bundles[part]} in ${before.version} and some builds before it.`,
  ({ version, line, bundles }, _, part, date) =>
    `Electron ${line} was given ${part} ${bundles[part]} on ${date}, when ${version} appeared.`,
  ({ version, line, bundles }, before, part, date) =>
    `${date} brought a new ${part} to everybody on Electron ${line}: version ${version} contains ` +
    `${bundles[part]} and thereby replaces ${before.bundles[part]}.`,
];

/** A note for each release, or for a share of those of the older lines. */
export function tellReleases(releases: Release[], random: Random): Omit<ReleasePassage, 'id'>[] {
  const shape = rotation(notes, random);
  return releases.map((release) => {
    const [parts, write] = shape();
    const draft = write(release, anyDate(release.date, random));
    return { ...draft, entities: [entityOf(release)], states: [{ release, parts, grade: 2 }] };
  });
}

export function tellChanges(stable: Release[][], random: Random): Omit<ReleasePassage, 'id'>[] {
  const shape = rotation(changes, random);
  return stable.flatMap((line) =>
    line.slice(1).flatMap((release, index) =>
      all
        .filter((part) => line[index]!.bundles[part] !== release.bundles[part])
        .map((part) => ({
          text: shape()(release, line[index]!, part, anyDate(release.date, random)),
          entities: [entityOf(release)],
          states: [{ release, parts: ['release', part], grade: 2 as const }] as Statement[],
        })),
    ),
  );
}

const groupBy = (releases: Release[], size: number): Release[][] =>
  Array.from({ length: Math.ceil(releases.length / size) }, (_, index) =>
    releases.slice(index * size, (index + 1) * size),
  );

/** Round-ups of the stable releases of each month, at most five releases in one. */
export function tellMonths(stable: Release[]): Omit<ReleasePassage, 'id'>[] {
  const found = [...new Set(stable.map(({ date }) => date.slice(0, 7)))].filter(
    (month) => month < lastDay.slice(0, 7),
  );
  return found.flatMap((month) =>
    groupBy(
      stable.filter(({ date }) => date.startsWith(month)),
      5,
    ).map((group, index) => ({
      title: `Stable Electron releases of ${monthYear(`${month}-01`)}, part ${index + 1}`,
      published_at: monthEnd(`${month}-01`),
      text: `${group.map(({ version, date }) => `${version} on ${american(date)}`).join('; ')}.`,
      entities: group.map(entityOf),
      states: group.map((release) => ({ release, parts: ['release'], grade: 1 as const })),
    })),
  );
}

/** The newest release of each line that had one in the half year before the end of a quarter. */
export function tellQuarters(stable: Release[][], ends: string[]): Omit<ReleasePassage, 'id'>[] {
  return ends.flatMap((end) => {
    const newest = stable.flatMap((line) => {
      const release = line.filter(({ date }) => date <= end).at(-1);
      return release !== undefined && release.date > addDays(end, -180) ? [release] : [];
    });
    return groupBy(newest, 4).map((group) => ({
      text:
        `Supported lines and their newest versions at the close of ${british(end)}: ` +
        `${group.map(({ line, version }) => `Electron ${line} at ${version}`).join(', ')}.`,
      entities: group.map(entityOf),
      states: group.map((release) => ({
        release,
        parts: ['release'] as Statement['parts'],
        grade: 2 as const,
        stateAt: end,
      })),
    }));
  });
}

const asides: ((release: Release) => string)[] = [
  ({ version, downloads }) =>
    `Electron ${version} has been downloaded ${downloads.toLocaleString('en')} times in all.`,
  ({ version, abi }) => `Native modules for Electron ${version} are compiled against ABI ${abi}.`,
  ({ version, line }) =>
    `${version} can be had with npm install electron@${line} on macOS as well.`,
];

export function tellBackground(
  releases: Release[],
  fixes: { line: string; text: string }[],
  random: Random,
): Omit<ReleasePassage, 'id'>[] {
  return [
    ...releases.map((release) => {
      const which = random.below(asides.length);
      return {
        text: asides[which]!(release),
        entities: [entityOf(release)],
        states: which === 1 ? [{ release, parts: ['abi'], grade: 2 } satisfies Statement] : [],
      };
    }),
    ...fixes.map(({ line, text }) => ({
      title: `A fix in Electron ${line}`,
      text,
      entities: [`Electron ${line}`],
      states: [],
    })),
  ];
}
