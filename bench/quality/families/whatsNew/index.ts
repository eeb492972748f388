// Changes of Python by version: its "What's new" articles as written, and the headings and some
// items of its changelog.
import type { Family, FamilyDefinition, FamilyPassage, Random } from '../family.js';
import { Asker, type Draft } from './ask.js';
import {
  readArticles,
  readChangelog,
  releaseDate,
  versions,
  type Changelog,
  type Paragraph,
} from './data.js';
import {
  arrivals,
  isNew,
  moduleOf,
  moduleTopics,
  releaseTopics,
  type SourcePassage,
  type Topic,
} from './topics.js';

type UnnumberedPassage = Omit<SourcePassage, 'id'>;

/** A paragraph with the date of its article, unless it describes a later bugfix release. */
function tellParagraph(source: Paragraph, date: string): UnnumberedPassage {
  const { path, text, version } = source;
  const later = path.some((heading) => heading.startsWith('Notable'));
  const module = moduleOf(source);
  return {
    title: [path[0] ?? `What's New In Python ${version}`, ...path.slice(1).slice(-1)].join(': '),
    text,
    ...(later ? {} : { published_at: date }),
    entities: [module ?? `Python ${version}`],
    source,
  };
}

/** The heading of a release with its date and one item; some more items without a date. */
function tellRelease(source: Changelog, random: Random): UnnumberedPassage[] {
  const { name, minor, stage, date, items } = source;
  const entities = [`Python ${minor} ${stage}`];
  const kept = random.sample(
    items.filter(({ section, text }) => section !== 'Library' && text.length > 70),
    7,
  );
  const [first, ...rest] = kept;
  const opening = first === undefined ? '' : ` ${first.section} ${first.text}`;
  return [
    { title: `Python ${name}`, text: `Release date: ${date}${opening}`, entities, source },
    ...rest.map(({ section, text }) => ({
      title: `Changelog, Python ${name}, ${section}`,
      text,
      entities,
      source,
    })),
  ];
}

function draw<Item>(
  count: number,
  random: Random,
  pool: Item[],
  ask: (item: Item) => Draft[],
): Draft[] {
  const drafts = new Map<string, Draft>();
  for (let tries = 0; drafts.size < count && tries < count * 60; tries++)
    for (const draft of ask(random.pick(pool))) drafts.set(draft.text, draft);
  return [...drafts.values()];
}

/** Questions that no passage answers: foreign packages, absent functions, times without event. */
function unanswerable(asker: Asker): Draft[] {
  const none = (
    kind: Exclude<Draft['class'], 'undated'>,
    topic: Topic['kind'],
    name: string,
    time = '',
    asked?: string,
  ): Draft => ({
    text: asker.word(kind, { kind: topic, name }, time),
    class: kind,
    entity: name,
    answers: [],
    relevant: {},
    ...(asked === undefined ? {} : { asked_at: asked }),
  });
  return [
    none('as_of', 'release', 'Python 3.11 alpha', 'as of 3 March 2020'),
    none('as_of', 'module', 'zoneinfo', 'at the end of 2017'),
    none('current', 'module', 'numpy', '', '2021-05-02'),
    none('current', 'release', 'Python 3.13 beta', '', '2023-01-15'),
    none('current', 'module', 'requests', '', '2018-09-12'),
    none('latest', 'module', 'pandas'),
    none('latest', 'release', 'Jython 2.7 release candidate'),
    none('first', 'release', 'Python 3.14 alpha'),
    none('first', 'module', 'sqlalchemy'),
    none('last_before', 'release', 'Python 3.10 beta', 'before 2019'),
    none('last_before', 'module', 'graphlib', 'before September 2014'),
    none('first_after', 'release', 'Python 3.6 alpha', 'after 30 November 2019'),
    none('first_after', 'module', 'typing', 'after March 2024'),
    none('in', 'release', 'Python 3.5 beta', 'in 2020'),
    none('in', 'module', 'zipapp', 'in 2012'),
    none('between', 'release', 'Python 3.7 alpha', 'between 3 March 2020 and 4 June 2020'),
    none('before_date', 'release', 'Python 3.9 alpha', 'three years before 14 April 2020'),
    none('since', 'release', 'Python 3.8 alpha', 'since March 2022', '2022-10-03'),
    none('when', 'module', 'math.median_of'),
    none('when', 'release', '3.12.0 beta 2'),
    none('when', 'module', 'asyncio.run_forever_async'),
  ];
}

function ask(sourced: SourcePassage[], dates: Map<string, string>, random: Random): Draft[] {
  const asker = new Asker(random, [...dates.values()]);
  const releases = releaseTopics(sourced, dates);
  const modules = moduleTopics(sourced, dates);
  const long = modules.filter(({ events }) => events.length >= 3);
  const fresh = modules.filter((topic) => isNew(topic, sourced));
  const arrived = arrivals(sourced, dates);
  const both = (
    releaseCount: number,
    moduleCount: number,
    pose: (topic: Topic) => Draft[],
  ): Draft[] => [
    ...draw(releaseCount, random, releases, pose),
    ...draw(moduleCount, random, long, pose),
  ];
  return [
    ...both(7, 10, (topic) => asker.asOf(topic)),
    ...both(6, 10, (topic) => asker.current(topic)),
    ...both(5, 8, (topic) => asker.latest(topic)),
    ...draw(6, random, releases.slice(0, -1), (topic) => asker.first(topic)),
    ...draw(7, random, fresh, (topic) => asker.first(topic)),
    ...both(6, 7, (topic) => asker.lastBefore(topic)),
    ...both(6, 7, (topic) => asker.firstAfter(topic)),
    ...both(6, 7, (topic) => asker.in(topic)),
    ...both(6, 6, (topic) => asker.between(topic)),
    ...both(5, 6, (topic) => asker.beforeDate(topic)),
    ...both(4, 5, (topic) => asker.since(topic)),
    ...draw(7, random, releases, (topic) => asker.whenReleased(topic)),
    ...draw(9, random, arrived, (arrival) => asker.whenArrived(arrival)),
    ...draw(12, random, arrived, (arrival) => asker.undated(arrival)),
    ...unanswerable(asker),
  ];
}

export const whatsNew: FamilyDefinition = {
  name: 'whatsNew',
  description: 'What is new in each version of Python, in the words of its documentation.',
  sources: [{ registry: 'Debian', package: 'python3.11-doc', license: 'PSF-2.0' }],
  build([folder], random): Family {
    const articles = readArticles(folder!);
    const changelog = readChangelog(folder!);
    const dates = new Map(versions.map((each) => [each, releaseDate(each, articles, changelog)]));
    const drafts = [
      ...articles.map((each) => tellParagraph(each, dates.get(each.version)!)),
      ...changelog.flatMap((each) => tellRelease(each, random)),
    ];
    const sourced = random
      .sample(drafts, drafts.length)
      .map((draft, index): SourcePassage => ({ id: `w-${index}`, ...draft }));
    return {
      passages: sourced.map(({ source: _, ...passage }): FamilyPassage => passage),
      questions: ask(sourced, dates, random).map((draft, index) => ({
        id: `wq-${index}`,
        ...draft,
      })),
    };
  },
};
