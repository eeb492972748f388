// Topics of questions about Python's history: series of releases, improvements of modules by
// feature release, and additions of functions, each with the passages that state them.
import { dateForms, monthYear } from '../dates.js';
import type { FamilyPassage } from '../family.js';
import { versions, type Changelog, type Paragraph } from './data.js';

export interface Event {
  date: string;
  answers: string[];
  relevant: Record<string, 1 | 2>;
}

export interface Topic {
  kind: 'release' | 'module';
  /** As questions name it: "Python 3.9 beta", "asyncio". */
  name: string;
  entity: string;
  events: Event[];
}

/** A function or class, and the passage that states its addition. */
export interface Arrival {
  name: string;
  entity: string;
  answers: string[];
  contributor: string | undefined;
  relevant: Record<string, 1 | 2>;
}

export type SourcePassage = FamilyPassage & { source: Paragraph | Changelog };

const isParagraph = (source: SourcePassage['source']): source is Paragraph => 'raw' in source;

/** The module in the heading of a paragraph. */
export const moduleOf = ({ path }: Paragraph): string | undefined =>
  path.find((heading) => /^[a-z_0-9]+(\.[a-z_]+)*$/.test(heading));

const grade2 = (passages: FamilyPassage[]): Record<string, 2> =>
  Object.fromEntries(passages.map(({ id }) => [id, 2]));

/** Words of stages as the changelog has them and as people write them. */
const answersOf = ({ name }: Changelog): string[] => [
  name.replace(' final', ''),
  name.replace(' release candidate ', 'rc').replace(' beta ', 'b').replace(' alpha ', 'a'),
];

/** Passages that state the date of a feature release in an article. */
const inArticles = (sourced: SourcePassage[], version: string): Record<string, 2> =>
  grade2(
    sourced.filter(
      ({ source, text }) =>
        isParagraph(source) &&
        source.version === version &&
        text.includes(`Python ${version} was released on`),
    ),
  );

/** Alphas, betas, candidates and final releases of each series, and the feature releases. */
export function releaseTopics(sourced: SourcePassage[], dates: Map<string, string>): Topic[] {
  const releases = sourced
    .flatMap(({ id, source, title }) =>
      !isParagraph(source) && title === `Python ${source.name}` ? [{ id, source }] : [],
    )
    .map(({ id, source }) => {
      const { date, minor, name, stage } = source;
      const article = name === `${minor}.0 final` ? inArticles(sourced, minor) : {};
      const relevant: Event['relevant'] = { ...article, [id]: 2 };
      return { name, minor, stage, date, answers: answersOf(source), relevant };
    })
    .sort((one, other) => (one.date < other.date ? -1 : 1));
  const stages = versions.flatMap((minor) =>
    ['alpha', 'beta', 'release candidate', 'final'].map(
      (stage): Topic => ({
        kind: 'release',
        name: `Python ${minor} ${stage === 'final' ? 'stable release' : stage}`,
        entity: `Python ${minor} ${stage}`,
        events: releases.filter((each) => each.minor === minor && each.stage === stage),
      }),
    ),
  );
  const features = versions.map(
    (version): Event => ({
      date: dates.get(version)!,
      answers: [`Python ${version}`, version],
      relevant: {
        ...inArticles(sourced, version),
        ...releases.find(({ name }) => name === `${version}.0 final`)?.relevant,
      },
    }),
  );
  const feature = { name: 'Python 3 feature release', entity: 'Python', events: features };
  return [...stages.filter(({ events }) => events.length >= 3), { kind: 'release', ...feature }];
}

const identifiers = (paragraphs: Paragraph[]): string[] => {
  const found = paragraphs.flatMap(({ raw }) =>
    [...raw.matchAll(/:(?:func|meth|class|attr):`[~!]?(\w+\.[\w.]+)/g)].map(([, name]) => name!),
  );
  return [...new Set(found)].slice(0, 8);
};

/** Whether the subject of a paragraph is a module or a part of it, under any heading. */
const isAbout = ({ raw }: Paragraph, module: string): boolean =>
  new RegExp(
    `^(?:[*-] )?(?:The |Added |New )?:\\w+:\`~?${module.replaceAll('.', '\\.')}[.\`]`,
  ).test(raw);

const isRemoval = ({ text }: FamilyPassage): boolean => /deprecated|removed/i.test(text);

/** Names of modules that are also words of the language. */
const words = new Set(
  'array code copy email locale operator queue random resource select signal site string time types'
    .split(' ')
    .concat('warnings', 'trace', 'test', 'html', 'platform'),
);

type SourcedParagraph = SourcePassage & { source: Paragraph };

/** The improvement of a module by a version: paragraphs under its heading and elsewhere. */
function improvement(
  name: string,
  main: SourcedParagraph[],
  all: SourcedParagraph[],
): Omit<Event, 'date'> {
  const passing = all.filter(({ source }) => isAbout(source, name));
  return {
    answers: [
      `Python ${main[0]!.source.version}`,
      ...identifiers(main.map(({ source }) => source)),
    ],
    relevant: {
      ...Object.fromEntries(passing.map(({ id }) => [id, 1 as const])),
      ...Object.fromEntries(main.map(({ id, text }) => [id, text.endsWith(':') ? 1 : 2])),
    },
  };
}

/** Modules with at most five passages in each version, and not only removals. */
export function moduleTopics(sourced: SourcePassage[], dates: Map<string, string>): Topic[] {
  const paragraphs = sourced.filter((each): each is SourcedParagraph => isParagraph(each.source));
  const under = paragraphs.filter(
    ({ source }) => /Modules$/.test(source.path[1] ?? '') && moduleOf(source) !== undefined,
  );
  const modules = new Set(under.map(({ source }) => moduleOf(source)!));
  return [...modules].flatMap((name): Topic[] => {
    const main = under.filter(
      ({ source }) => moduleOf(source) === name || (name.includes('.') && isAbout(source, name)),
    );
    const byVersion = versions
      .map((version) => main.filter(({ source }) => source.version === version))
      .filter((list) => list.length > 0);
    if (words.has(name) || byVersion.some((list) => list.length > 5 || list.every(isRemoval)))
      return [];
    const events = byVersion.map((list): Event => {
      const { version } = list[0]!.source;
      const all = paragraphs.filter(({ source }) => source.version === version);
      return { date: dates.get(version)!, ...improvement(name, list, all) };
    });
    return [{ kind: 'module', name, entity: name, events }];
  });
}

/** Modules whose first event stands under the heading of new modules. */
export const isNew = (topic: Topic, sourced: SourcePassage[]): boolean =>
  sourced.some(
    ({ id, source }) =>
      topic.events[0]!.relevant[id] === 2 &&
      isParagraph(source) &&
      source.path[1] === 'New Modules',
  );

/** The start of an item on a new function or class, whose name is the group. */
const addition = new RegExp(
  [
    /^(?:\* )?(?:Added|Add|A new|New|The new)/,
    /(?: (?:a|an|the|new|functions?|methods?|class|context|manager|decorator))* /,
    /:(?:func|meth|class):`!?([\w.]+\.[\w.]+)/,
  ]
    .map(({ source }) => source)
    .join(''),
);

/** Functions and classes that the article of one version adds, and no older article names. */
export function arrivals(sourced: SourcePassage[], dates: Map<string, string>): Arrival[] {
  return sourced.flatMap(({ id, source }): Arrival[] => {
    const name = isParagraph(source) ? addition.exec(source.raw)?.[1] : undefined;
    if (
      name === undefined ||
      !name.startsWith(`${isParagraph(source) ? moduleOf(source) : ''}.`) ||
      !isParagraph(source) ||
      source.path.some((each) => /Notable/.test(each))
    )
      return [];
    const mention = new RegExp(`(?<![\\w.])${name.replaceAll('.', '\\.')}(?![\\w.]*\\w)`);
    const others = sourced.filter(
      ({ source: other, text }) => isParagraph(other) && mention.test(text),
    );
    const same = others.filter(
      ({ source: other }) => (other as Paragraph).version === source.version,
    );
    if (same.length !== others.length) return [];
    const date = dates.get(source.version)!;
    return [
      {
        name,
        entity: name,
        answers: [source.version, ...dateForms(date), monthYear(date), date.slice(0, 4)],
        contributor: /\((?:Contributed|Written) by ([^()]+?) (?:in|as) /.exec(source.text)?.[1],
        relevant: { ...Object.fromEntries(same.map((each) => [each.id, 1 as const])), [id]: 2 },
      },
    ];
  });
}
