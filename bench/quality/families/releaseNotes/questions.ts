// Questions on release notes by operator on time, drawn at random from the entries.
import type { FamilyQuestion, Random } from '../family.js';
import { addDays, addYears, american, british, monthYear, quarterOf, yearOf } from '../dates.js';
import { QuestionCollector, type Draft, type QuestionDraw } from '../questions.js';
import type { Entry, Product } from './data.js';
import {
  dayOf,
  lastDay,
  newest,
  older,
  oldest,
  seriesOf,
  type Change,
  type Series,
} from './series.js';
import { novelties, settings, unanswerable, undated } from './topics.js';
import * as wordings from './words.js';

type Class = FamilyQuestion['class'];
type NotesDraw = QuestionDraw<wordings.Words>;

const snippet = ({ text }: Entry): string => text.slice(0, 60);
const dates = (date: string): string[] => [date, british(date), american(date), monthYear(date)];

function momentOf(date: string, random: Random): string {
  return random.pick([
    british(date),
    american(date),
    monthYear(date),
    date,
    `the end of ${yearOf(date)}`,
  ]);
}
/** The day that such an expression means at the latest. */
const endOf = (date: string, moment: string): string =>
  moment.startsWith('the end')
    ? `${yearOf(date)}-12-31`
    : moment === monthYear(date)
      ? `${date.slice(0, 7)}-31`
      : date;

/** The release of a product that is the newest on a day, by date and by number. */
function releaseAt(entries: Entry[], product: Product, day: string): Entry[] {
  const seen = entries.filter((entry) => entry.product === product && entry.published_at <= day);
  const date = seen.at(-1)?.published_at;
  return seen.filter((entry) => entry.published_at === date);
}

type Scene = ReturnType<typeof sceneOf>;

function sceneOf(entries: Entry[], random: Random) {
  const collector = new QuestionCollector<wordings.Words>('b', random);
  const series = seriesOf(entries);
  for (const { name, changes } of series)
    for (const { entry } of changes) entry.entities!.push(name);

  const called = (name: string, product: Product): string =>
    random.pick([
      `${name} in ${product}`,
      `${name} (${product})`,
      name.replace(/^(the )?/, (article) => (article === '' ? `${product} ` : `${product}'s `)),
    ]);
  const relevanceOf = (changes: Change[]): Draft['relevant'] =>
    Object.fromEntries(changes.map(({ entry, about }) => [entry.id, about ? 2 : 1]));
  function about(
    operator: Class,
    { product, name }: Series,
    chosen: Change[],
    t: string,
    more: Partial<Draft> = {},
  ): NotesDraw {
    const strong = chosen.filter((change) => change.about);
    if (strong.length === 0 || chosen.length > 8) return undefined;
    const answers = strong.flatMap(({ entry }) => [entry.title, snippet(entry)]);
    const relevant = relevanceOf(chosen);
    const draft = {
      key: `${operator} ${name}`,
      class: operator,
      entity: name,
      answers,
      relevant,
    };
    return { draft: { ...draft, ...more }, context: { x: called(name, product), p: product, t } };
  }
  return { entries, series, random, collector, about };
}

function askStates({ entries, series, random, collector, about }: Scene): void {
  collector.ask(14, wordings.asOf, () => {
    const of = random.pick(series);
    const date = dayOf(of, random);
    const t = momentOf(date, random);
    const chosen = newest(of, endOf(date, t));
    if (newest(of, date.slice(0, 7))[0] !== chosen[0]) return undefined;
    return about('as_of', of, chosen, t, { outdated: older(of, chosen) });
  });
  collector.ask(14, wordings.latest, () => {
    const of = random.pick(series);
    const asked = dayOf(of, random);
    const chosen = newest(of, asked);
    return about('latest', of, chosen, '', { asked_at: asked, outdated: older(of, chosen) });
  });
  collector.ask(12, wordings.first, () => {
    const of = random.pick(series);
    return about('first', of, oldest(of), '');
  });
  for (const operator of ['last_before', 'first_after'] as const)
    collector.ask(
      13,
      operator === 'last_before' ? wordings.lastBefore : wordings.firstAfter,
      () => {
        const of = random.pick(series);
        const release = random.pick(entries.filter(({ product }) => product === of.product));
        const date = release.published_at;
        const exact = random.next() < 0.5 && /^\d+(\.\d+)+$/.test(release.version);
        const t = exact ? `${release.title}` : random.pick([british(date), american(date)]);
        const chosen =
          operator === 'last_before' ? newest(of, addDays(date, -1)) : oldest(of, date);
        return about(operator, of, chosen, t);
      },
    );
}

function askPeriods({ series, random, collector, about }: Scene): void {
  collector.ask(14, wordings.inPeriod, () => {
    const of = random.pick(series);
    const date = random.pick(of.changes).entry.published_at;
    const [t, same] = random.pick<[string, (at: string) => boolean]>([
      [date.slice(0, 4), (at) => yearOf(at) === yearOf(date)],
      [monthYear(date), (at) => at.slice(0, 7) === date.slice(0, 7)],
      [
        `Q${quarterOf(date)} ${yearOf(date)}`,
        (at) => yearOf(at) === yearOf(date) && quarterOf(at) === quarterOf(date),
      ],
    ]);
    return about(
      'in',
      of,
      of.changes.filter(({ entry }) => same(entry.published_at)),
      t,
    );
  });
  collector.ask(13, wordings.between, () => {
    const of = random.pick(series);
    const from = dayOf(of, random);
    const to = addDays(from, 300 + random.below(900));
    const t = random.pick([
      `between ${british(from)} and ${british(to)}`,
      `from ${monthYear(from)} to ${monthYear(to)}`,
      `between ${yearOf(from)} and ${yearOf(to)}`,
    ]);
    if (to > lastDay) return undefined;
    const digits = t.startsWith('from') ? 7 : t.length === 21 ? 4 : 10;
    const [first, last] = [from.slice(0, digits), `${to.slice(0, digits)}~`];
    const chosen = of.changes.filter(({ entry: { published_at: at } }) => first <= at && at < last);
    return about('between', of, chosen, t);
  });
}

function askBack({ series, random, collector, about }: Scene): void {
  collector.ask(11, wordings.asOf, () => {
    const of = random.pick(series);
    const date = dayOf(of, random);
    const years = 1 + random.below(4);
    const until = addYears(date, -years);
    return about(
      'before_date',
      of,
      newest(of, until),
      `${years === 1 ? 'one year' : `${years} years`} before ${british(date)}`,
    );
  });
  collector.ask(12, wordings.since, () => {
    const of = random.pick(series);
    const year = yearOf(dayOf(of, random));
    const asked = addDays(`${year + 1}-01-01`, random.below(1200));
    if (asked > lastDay) return undefined;
    const chosen = of.changes.filter(
      ({ entry: { published_at: at } }) => at >= `${year}` && at <= asked,
    );
    return about('since', of, chosen, String(year), { asked_at: asked });
  });
}

function askNovelties({ entries, random, collector }: Scene): void {
  const noveltyQuestion = (operator: Class): NotesDraw => {
    const [product, name, pattern] = random.pick(novelties);
    const found = entries.filter((entry) => entry.product === product && pattern.test(entry.text));
    const [entry] = found;
    if (entry === undefined || found.length > 3) return undefined;
    const relevant = Object.fromEntries(found.map(({ id }) => [id, 2 as const]));
    const answers = [entry.title, ...dates(entry.published_at)];
    return {
      draft: { key: name, class: operator, entity: product, answers, relevant },
      context: { x: name, p: product, t: '' },
    };
  };
  collector.ask(18, wordings.when, () => noveltyQuestion('when'));
  collector.ask(6, wordings.firstRelease, () => noveltyQuestion('first'));
}

function askReleases({ entries, random, collector }: Scene): void {
  const release = (operator: 'current' | 'as_of'): NotesDraw => {
    const product = random.pick<Product>(['SQLite', 'PostgreSQL']);
    const asked = addDays(
      product === 'SQLite' ? '2002-01-01' : '2022-11-20',
      random.below(product === 'SQLite' ? 7500 : 1440),
    );
    const now = releaseAt(entries, product, asked);
    const before = releaseAt(entries, product, addDays(now[0]!.published_at, -1));
    const rising = now[0]!.version.localeCompare(before[0]!.version, 'en', { numeric: true }) > 0;
    const versions = new Set(now.map(({ version }) => version));
    if (versions.size > 1 || now.length > 25 || !rising) return undefined;
    const relevant = Object.fromEntries(now.map(({ id }) => [id, 2 as const]));
    const t = operator === 'as_of' ? random.pick([british(asked), american(asked), asked]) : '';
    const draft = {
      key: `${operator} ${now[0]!.title}`,
      class: operator,
      entity: product,
      answers: [now[0]!.title, now[0]!.version],
      relevant,
      outdated: before.map(({ id }) => id),
      ...(t === '' ? { asked_at: asked } : {}),
    };
    return {
      draft,
      context: { x: product === 'SQLite' ? product : 'PostgreSQL 15', p: product, t },
    };
  };
  collector.ask(9, wordings.currentRelease, () => release('current'));
  collector.ask(5, wordings.releaseAsOf, () => release('as_of'));
}

function askSettings({ entries, random, collector }: Scene): void {
  for (const [operator, forms] of [
    ['current', wordings.currentSetting],
    ['as_of', wordings.settingAsOf],
  ] as const)
    collector.ask(5, forms, () => {
      const [name, pattern] = random.pick(settings);
      const set = entries.filter(({ text }) => pattern.test(text));
      const asked = addDays(set[0]!.published_at, 5 + random.below(1400));
      const [now, ...past] = set.filter((entry) => entry.published_at <= asked).reverse();
      const t = operator === 'as_of' ? random.pick([british(asked), american(asked)]) : '';
      const draft = {
        key: `${operator} ${now!.id}`,
        class: operator,
        entity: name,
        answers: [pattern.exec(now!.text)![1]!],
        relevant: { [now!.id]: 2 as const },
        outdated: past.map(({ id }) => id),
        ...(t === '' ? { asked_at: asked } : {}),
      };
      return { draft, context: { x: name, p: 'PostgreSQL' as const, t } };
    });
}

function addUndated({ entries, collector }: Scene): void {
  const questions = collector.questions;
  for (const [text, pattern] of undated) {
    const found = entries.filter((entry) => pattern.test(entry.text));
    const relevant = Object.fromEntries(found.map(({ id }) => [id, 2 as const]));
    const answers = found.map(snippet);
    questions.push({
      id: `b-${questions.length + 1}`,
      text,
      class: 'undated',
      entity: found[0]!.product,
      answers,
      relevant,
    });
  }
  for (const [operator, text, entity, asked] of unanswerable)
    questions.push({
      id: `b-${questions.length + 1}`,
      text,
      class: operator,
      entity,
      answers: [],
      relevant: {},
      ...(asked === undefined ? {} : { asked_at: asked }),
    });
}

export function questionsOf(entries: Entry[], random: Random): FamilyQuestion[] {
  const scene = sceneOf(entries, random);
  for (const ask of [askStates, askPeriods, askBack, askNovelties, askReleases, askSettings])
    ask(scene);
  addUndated(scene);
  return scene.collector.questions;
}
