// Changelogs of npm packages as written, an entry per release, with questions about the
// newest version at a time, the versions of dependencies, and single changes.
import { changelogSources, readmeOf, releasesOf } from './entries.js';
import { compare, resolve, type FactQuery, type Fact } from './timeline.js';
import { topics, type Topic } from './topics.js';
import { dependencyWordings, undatedWordings, versionWordings, whenWordings } from './wordings.js';
import { dayAnswers } from '../dates.js';
import { collect, graded, numbered, type UnnumberedQuestion } from '../questions.js';
import type { FamilyDefinition, FamilyPassage, Random } from '../family.js';

interface Entry extends Fact {
  parts: FamilyPassage[];
}

/** Parts of at most some 1,200 characters, divided before sections and items. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (const block of text.split(/\n(?=#|\n| ? ?[*-] )/)) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + block.length < 1200)
      parts[parts.length - 1] = `${last}\n${block}`;
    else parts.push(block);
  }
  return parts.map((part) => part.trim());
}

/** Entries by date; the date stands in the text alone, or in title and `published_at`. */
function entriesOf(name: string, folder: string, dateInText: boolean): Entry[] {
  const entries = releasesOf(name, folder).map(({ version, date, heading, text }, order) => {
    const parts = partsOf(text).map((part, number) => ({
      id: `${name}-${order + 1}${number === 0 ? '' : `.${number}`}`,
      title: dateInText ? `${name} changelog` : `${name} ${heading}`,
      text: dateInText || part === '' ? `${heading}\n\n${part}`.trim() : part,
      ...(dateInText ? {} : { published_at: date }),
      entities: [name],
    }));
    return {
      package: name,
      version,
      value: version,
      date,
      passages: parts.map(({ id }) => id),
      parts,
    };
  });
  return entries.sort(
    (left, right) => left.date.localeCompare(right.date) || compare(left.version, right.version),
  );
}

/** Versions of a dependency in the order in which the releases of a package name them. */
function stepsOf(entries: Entry[], dependency: string): Fact[] {
  const pattern = new RegExp(`^ *\\* deps: ${dependency}@[~^]?(\\d[\\w.-]*)`, 'm');
  return entries.flatMap((entry) => {
    const part = entry.parts.find(({ text }) => pattern.test(text));
    return part ? [{ ...entry, value: pattern.exec(part.text)![1]!, passages: [part.id] }] : [];
  });
}

function judged(
  operator: UnnumberedQuestion['class'],
  text: string,
  { facts, older = [], asked }: FactQuery,
  more: string[] = [],
): UnnumberedQuestion {
  return {
    text: text.replace(/\b(on|at|At) (the end|the release)/, (_, word: string, next: string) =>
      word === 'on' ? `at ${next}` : `${word} ${next}`,
    ),
    class: operator,
    entity: facts[0]!.package,
    answers: [...facts.map(({ value }) => value), ...more],
    relevant: graded(
      2,
      facts.flatMap(({ passages }) => passages),
    ),
    ...(asked ? { asked_at: `${asked}T10:00:00Z` } : {}),
    ...(older.length > 0 ? { outdated: older.flatMap(({ passages }) => passages) } : {}),
  };
}

/** Entries that match the pattern of a topic within its bounds, limited by its operator. */
function topicQuestion(
  topic: Topic,
  entries: Entry[],
  readme: FamilyPassage[],
): UnnumberedQuestion {
  const { class: operator, text, pattern, from, to, asked } = topic;
  if (pattern === undefined)
    return { text, class: operator, entity: topic.package, answers: [], relevant: {} };
  const found = entries.flatMap((entry) => {
    const parts = entry.parts.filter((part) => pattern.test(part.text));
    const within = parts.length > 0 && entry.date >= from && entry.date <= to;
    const match = pattern.exec(parts[0]?.text ?? '');
    return within
      ? [{ ...entry, passages: parts.map(({ id }) => id), value: match![1] ?? match![0] }]
      : [];
  });
  if (found.length === 0) throw new Error(`nothing matches ${text}`);
  const newest = /current|latest|last_before|as_of/.test(operator);
  const single = newest || /first|since|when|undated/.test(operator);
  const facts = single ? found.splice(newest ? -1 : 0, 1) : found;
  const dates = facts.flatMap(({ version, date }) => [version, ...dayAnswers(date)]);
  const state = /current|latest|as_of/.test(operator) ? { older: found } : {};
  const question = judged(
    operator,
    text,
    { time: '', facts, ...state, ...(asked ? { asked } : {}) },
    operator === 'undated' || operator === 'current' ? [] : dates,
  );
  const passing = readme.filter(
    (each) => each.entities?.[0] === topic.package && pattern.test(each.text),
  );
  for (const { id } of passing) question.relevant[id] = operator === 'undated' ? 2 : 1;
  return question;
}

function versionQuestions(lines: Fact[][], events: Fact[], random: Random): UnnumberedQuestion[] {
  const operators = Object.keys(versionWordings) as (keyof typeof versionWordings)[];
  const asked = operators.flatMap((operator) =>
    collect(operator === 'as_of' || operator === 'current' ? 10 : 7, () => {
      const line = random.pick(lines);
      const found = resolve(
        operator,
        line,
        events.filter((event) => event.package !== line[0]!.package),
        random,
      );
      const wording = random.pick(versionWordings[operator]);
      return found && judged(operator, wording(line[0]!.package, found.time), found);
    }),
  );
  const named = (['when', 'undated'] as const).flatMap((operator) =>
    collect(4, () => {
      const fact = random.pick(random.pick(lines));
      const wording = random.pick(operator === 'when' ? whenWordings : undatedWordings);
      const dates = operator === 'when' ? dayAnswers(fact.date) : [];
      return judged(
        operator,
        wording(fact.package, fact.version),
        { time: '', facts: [fact] },
        dates,
      );
    }),
  );
  return [...asked, ...named];
}

function dependencyQuestions(lines: [string, Fact[]][], random: Random): UnnumberedQuestion[] {
  return (['as_of', 'before_date', 'when', 'current'] as const).flatMap((operator) =>
    collect(operator === 'before_date' ? 3 : 5, () => {
      const [dependency, line] = random.pick(lines);
      const wording = random.pick(dependencyWordings[operator]);
      const fact = random.pick(line);
      const { package: name, value } = fact;
      const found = operator === 'when' ? undefined : resolve(operator, line, line, random);
      if (operator !== 'when')
        return found && !found.time.includes('the release')
          ? judged(operator, wording(name, dependency, found.time), found)
          : undefined;
      const facts = line.filter((other) => other.value === value);
      const asked = { time: '', facts };
      return facts.length === 1
        ? judged(operator, wording(name, dependency, value), asked, dayAnswers(fact.date))
        : undefined;
    }),
  );
}

/** Times before the first release of a package, and versions that it never had. */
function unanswerable(lines: Fact[][], random: Random): UnnumberedQuestion[] {
  const early = (['as_of', 'last_before', 'in'] as const).flatMap((operator) =>
    collect(3, () => {
      const line = random.pick(lines);
      const name = line[0]!.package;
      const year = Number(line[0]!.date.slice(0, 4)) - 1 - random.below(2);
      const time = operator === 'in' ? `${year}` : `1 June ${year}`;
      const text = random.pick(versionWordings[operator])(name, time);
      return { text, class: operator, entity: name, answers: [], relevant: {} };
    }),
  );
  const unknown = ['koa', 'socket.io-redis', 'moment-duration-format', 'express-validator'].map(
    (name, at) => ({
      text: versionWordings.current[at]!(name, ''),
      class: 'current' as const,
      asked_at: `201${5 + at}-03-0${1 + at}T08:00:00Z`,
      entity: name,
      answers: [],
      relevant: {},
    }),
  );
  return [...early, ...unknown];
}

export const changelogs: FamilyDefinition = {
  name: 'changelogs',
  description: 'Changelogs of npm packages as written, one entry per release',
  sources: changelogSources,
  build(folders, random) {
    const names = changelogSources.map((source) => source.package);
    const entries = new Map(
      names.map((name, at) => [name, entriesOf(name, folders[at]!, at % 5 < 2)]),
    );
    const readme = names.flatMap((name, at) =>
      random.sample(readmeOf(folders[at]!), 8).map((text, part) => ({
        id: `${name}-readme-${part + 1}`,
        title: `${name} readme`,
        text,
        entities: [name],
      })),
    );
    // Some releases of moment have no date, so its newest release is not always known.
    const lines = names
      .filter((name) => name !== 'moment')
      .map((name) => entries.get(name)!.filter(({ date }) => date > '2010-06'));
    const events = ['mocha', 'express', 'moment', 'handlebars'].flatMap((name) =>
      entries.get(name)!.filter(({ version }) => /^\d+\.\d*0\.0$/.test(version)),
    );
    const users =
      'body-parser morgan serve-index compression express-session mime-types send'.split(' ');
    const dependencies = users.flatMap((name) =>
      [
        'debug',
        'qs',
        'ms',
        'accepts',
        'type-is',
        'mime-types',
        'on-headers',
        'mime-db',
        'uid-safe',
        'depd',
        'raw-body',
      ]
        .map((dependency): [string, Fact[]] => [
          dependency,
          stepsOf(entries.get(name)!, dependency),
        ])
        .filter(([, line]) => line.length >= 5),
    );
    return {
      passages: [...[...entries.values()].flat().flatMap(({ parts }) => parts), ...readme],
      questions: numbered([
        ...versionQuestions(lines, events, random),
        ...dependencyQuestions(dependencies, random),
        ...topics.map((topic) => topicQuestion(topic, entries.get(topic.package)!, readme)),
        ...unanswerable(lines, random),
      ]),
    };
  },
};
