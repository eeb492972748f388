// Questions on tenures of currencies by operator on time, drawn at random from the data.
import type { FamilyQuestion, Random } from '../family.js';
import { addDays, addYears, monthYear, quarterOf, yearOf } from '../dates.js';
import { QuestionCollector, type Draft, type QuestionDraw } from '../questions.js';
import {
  inForce,
  soleAt,
  type othersOf,
  type Part,
  type Spell,
  type CurrencyPassage,
} from './data.js';
import {
  absent,
  asOf,
  dateForms,
  events,
  momentOf,
  between,
  current,
  first,
  firstAfter,
  inPeriod,
  lastBefore,
  latest,
  since,
  whenFrom,
  whenTo,
  type Words,
} from './words.js';

type Need = 'state' | 'from' | 'to' | 'before' | 'after';
type Class = FamilyQuestion['class'];
const grades: Record<Need, (part: Part, open: boolean) => 0 | 1 | 2> = {
  state: (part, open) =>
    part === 'tenure' || (open && part === 'from') ? 2 : part === 'profile' ? 0 : 1,
  from: (part) => (part === 'tenure' || part === 'from' ? 2 : part === 'history' ? 1 : 0),
  to: (part) => (part === 'tenure' || part === 'to' ? 2 : 0),
  before: (part) => (part === 'profile' || part === 'from' ? 0 : 1),
  after: (part) => (part === 'profile' || part === 'to' ? 0 : 1),
};

/** Tenures by country, the passages that state them, and other facts about countries. */
export interface Tenures {
  countries: Map<string, Spell[]>;
  stated: CurrencyPassage[];
  others: ReturnType<typeof othersOf>;
}

function judgesOf(stated: CurrencyPassage[]) {
  const statementsOf = (
    country: string,
  ): (CurrencyPassage['statements'][number] & { of: CurrencyPassage })[] =>
    stated.flatMap((of) =>
      of.statements
        .filter(({ spell }) => spell.country === country)
        .map((each) => ({ ...each, of })),
    );

  function judge(spell: Spell, need: Need, asked = '9999', year?: number): Draft['relevant'] {
    const relevant: Draft['relevant'] = {};
    for (const { spell: of, part, of: passage } of statementsOf(spell.country)) {
      if (of !== spell || (passage.published_at ?? '') > asked) continue;
      const sameYear = part === 'profile' && yearOf(passage.published_at!) === year;
      const grade = sameYear ? 1 : grades[need](part, spell.to === undefined);
      if (grade > 0) relevant[passage.id] = grade === 2 ? 2 : (relevant[passage.id] ?? 1);
    }
    return relevant;
  }
  /** The state at asking: profiles count, older units are outdated. */
  function judgeNow(spell: Spell, asked: string): Pick<Draft, 'relevant' | 'outdated'> {
    const relevant = judge(spell, 'state', asked);
    const visible = statementsOf(spell.country).filter(
      ({ of }) => (of.published_at ?? '') <= asked,
    );
    const profiles = visible.filter((each) => each.part === 'profile' && each.spell === spell);
    const newest = Math.max(...profiles.map(({ of }) => Date.parse(of.published_at!)));
    for (const { of } of profiles)
      relevant[of.id] = Date.parse(of.published_at!) === newest ? 2 : 1;
    const old = visible.filter((each) => each.spell.from < spell.from && !(each.of.id in relevant));
    return { relevant, outdated: [...new Set(old.map(({ of }) => of.id))] };
  }
  return { judge, judgeNow };
}

function question(
  operator: Class,
  spell: Spell,
  judged: Pick<Draft, 'relevant' | 'outdated'> & { asked_at?: string },
  words: Partial<Words> = {},
  answers = [spell.currency],
): QuestionDraw<Words> {
  if (!Object.values(judged.relevant).includes(2)) return undefined;
  const key = `${operator} ${spell.country}`;
  const draft = { key, class: operator, entity: spell.country, answers, ...judged };
  return { draft, context: { x: spell.the, c: spell.currency, t: '', ...words } };
}

const nothing = (operator: Class, words: Partial<Words>, asked?: string) => ({
  draft: {
    key: `none ${operator} ${words.x}`,
    class: operator,
    entity: words.x!.replace(/^the /, ''),
    relevant: {},
    answers: [],
    ...(asked === undefined ? {} : { asked_at: asked }),
  },
  context: { x: '', c: '', t: '', ...words },
});

type Scene = ReturnType<typeof sceneOf>;

function sceneOf({ countries, stated, others }: Tenures, random: Random) {
  const several = [...countries.values()].filter(({ length }) => length > 1);
  const recent = several.flat().filter(({ from }) => '1960' < from && from < '2020');
  const collector = new QuestionCollector<Words>('a', random);
  const { judge, judgeNow } = judgesOf(stated);
  const anyDay = (from: number, to: number): string =>
    addDays(`${from}-01-01`, random.below((to - from) * 365));
  const pickSpell = (): Spell => random.pick(random.pick(several));
  const state = (operator: Class, date: string, t: string, spells = random.pick(several)) => {
    const spell = soleAt(spells, date);
    return (
      spell &&
      question(operator, spell, { relevant: judge(spell, 'state', '9999', yearOf(date)) }, { t })
    );
  };
  /** "Estonia adopted the euro", with the day. */
  const adoption = (): [string, string] => {
    const { the, currency, from } = random.pick(recent);
    return [`${the} adopted the ${currency}`, from];
  };
  return {
    countries,
    stated,
    others,
    several,
    collector,
    random,
    judge,
    judgeNow,
    anyDay,
    pickSpell,
    state,
    adoption,
  };
}

function askStates({ collector, random, anyDay, state, adoption }: Scene): void {
  collector.ask(16, asOf, () => {
    const date = anyDay(1955, 2020);
    return state('as_of', date, momentOf(date, random));
  });
  collector.ask(6, asOf, () => {
    const [words, date] = random.pick(events);
    return state('as_of', date, words);
  });
  collector.ask(6, asOf, () => {
    const [event, date] = adoption();
    return state('as_of', date, `when ${event}`);
  });
}

function askNow({ judgeNow, several, collector, random, anyDay }: Scene): void {
  collector.ask(16, current, () => {
    const asked = anyDay(1992, 2025);
    const spell = soleAt(random.pick(several), asked);
    return spell && question('current', spell, { ...judgeNow(spell, asked), asked_at: asked });
  });
  collector.ask(14, latest, () => {
    const asked = anyDay(1996, 2026);
    const [before, spell] = random
      .pick(several)
      .filter(({ from }) => from <= addDays(asked, -20))
      .slice(-2);
    if (spell === undefined || !inForce(spell, asked) || before!.from === spell.from)
      return undefined;
    return question('latest', spell, { ...judgeNow(spell, asked), asked_at: asked });
  });
}

function askNeighbours({ stated, several, collector, random, judge, pickSpell }: Scene): void {
  collector.ask(11, first, () => {
    const [spell, second] = random.pick(several);
    if (spell!.from === second!.from) return undefined;
    return question('first', spell!, { relevant: judge(spell!, 'from') });
  });
  for (const [operator, need, wordings] of [
    ['last_before', 'before', lastBefore],
    ['first_after', 'after', firstAfter],
  ] as const)
    collector.ask(13, wordings, () => {
      const spell = pickSpell();
      const answer = need === 'before' ? spell.previous : spell.next;
      if (answer === undefined || answer.currency === spell.currency) return undefined;
      const relevant = judge(answer, need);
      const later = need === 'before' ? spell : answer;
      for (const { id, statements } of stated)
        if (statements.length === 2 && statements[0]!.spell === later) relevant[id] = 2;
      return question(operator, answer, { relevant }, { c: spell.currency });
    });
}

function askPeriods({ countries, several, collector, random, judge, pickSpell }: Scene): void {
  collector.ask(14, inPeriod, () => {
    const spell = pickSpell();
    const t = random.pick([
      String(yearOf(spell.from)),
      monthYear(spell.from),
      `the ${['first', 'second', 'third', 'fourth'][quarterOf(spell.from) - 1]!} ` +
        `quarter of ${yearOf(spell.from)}`,
    ]);
    const sameYear = countries
      .get(spell.country)!
      .filter((s) => yearOf(s.from) === yearOf(spell.from));
    if (sameYear.length > 1 || yearOf(spell.from) < 1900) return undefined;
    return question('in', spell, { relevant: judge(spell, 'from') }, { t });
  });
  collector.ask(13, between, () => {
    const from = 1950 + random.below(65);
    const to = from + 2 + random.below(8);
    const spells = random.pick(several);
    const spell = soleAt(spells, `${from}-01-20`);
    if (
      spell === undefined ||
      spells.some((s) => s !== spell && s.from <= `${to}-12-31` && (s.to ?? '9999') >= `${from}`)
    )
      return undefined;
    const t = random.pick([
      `between ${from} and ${to}`,
      `from ${from} to ${to}`,
      `in the years ${from}-${to}`,
      `during ${from}–${to}`,
    ]);
    return question('between', spell, { relevant: judge(spell, 'state') }, { t });
  });
}

function askBack({ several, collector, random, judge, state, adoption }: Scene): void {
  collector.ask(11, asOf, () => {
    const years = random.pick([2, 3, 5, 10, 20]);
    const [named, anchor] = random.pick([
      ...events,
      ['1 January 2002', '2002-01-01'],
      ['May 2011', '2011-05-01'],
      adoption(),
      adoption(),
      adoption(),
    ]);
    const event = named.replace(/^(when|at the time of|on the day of) /, '');
    return state('before_date', addYears(anchor, -years), `${years} years before ${event}`);
  });
  collector.ask(11, since, () => {
    const spell = random.pick(several).at(-1)!;
    if (spell.to !== undefined) return undefined;
    const t = random.pick([String(yearOf(spell.from)), monthYear(spell.from)]);
    return question('since', spell, { relevant: judge(spell, 'from') }, { t });
  });
}

function askDates({ countries, collector, judge, pickSpell }: Scene): void {
  for (const [need, wordings] of [
    ['from', whenFrom],
    ['to', whenTo],
  ] as const)
    collector.ask(9, wordings, () => {
      const spell = pickSpell();
      const date = need === 'from' ? spell.from : spell.to;
      const twice = countries.get(spell.country)!.filter((s) => s.currency === spell.currency);
      if (date === undefined || twice.length > 1) return undefined;
      return question('when', spell, { relevant: judge(spell, need) }, {}, dateForms(date));
    });
}

function askOthers({ others, collector, random }: Scene): void {
  collector.ask(
    10,
    [
      (w) =>
        ({
          population: `How many people live in ${w.x}?`,
          literacy: `share of adults in ${w.x} who can read`,
          week: `On which day does the week begin in ${w.x}?`,
        })[w.c]!,
    ],
    () => {
      const { passage, relation, the, country, answer } = random.pick(others);
      const draft = {
        key: passage.id,
        class: 'undated' as const,
        entity: country,
        answers: [answer],
      };
      return {
        draft: { ...draft, relevant: { [passage.id]: 2 } },
        context: { x: the, c: relation, t: '' },
      };
    },
  );
}

function askUnanswerable({ several, collector, random, anyDay, pickSpell }: Scene): void {
  collector.ask(5, asOf, () => {
    const spells = random.pick(several);
    const date = addYears(spells[0]!.from, -30 - random.below(60));
    return nothing('as_of', { x: spells[0]!.the, t: momentOf(date, random) });
  });
  collector.ask(4, current, () =>
    nothing('current', { x: random.pick(absent) }, anyDay(2000, 2025)),
  );
  collector.ask(3, latest, () => nothing('latest', { x: random.pick(absent) }, anyDay(2000, 2025)));
  collector.ask(
    3,
    [
      (w) => `Which countries pegged their currency to that of ${w.x} in ${w.t}?`,
      (w) => `inflation rate ${w.x} ${w.t}`,
      (w) => `Who was governor of the central bank of ${w.x} in ${w.t}?`,
    ],
    () => nothing('in', { x: pickSpell().the, t: String(1985 + random.below(30)) }),
  );
  collector.ask(
    3,
    [
      (w) => `When did ${w.x} first issue a banknote of plastic?`,
      (w) => `${w.x} devaluation date`,
      (w) => `When did ${w.x} join the International Monetary Fund?`,
    ],
    () => nothing('when', { x: pickSpell().the, c: pickSpell().currency }),
  );
  collector.ask(3, since, () =>
    nothing('since', { x: random.pick(absent), t: String(1990 + random.below(25)) }),
  );
}

export function questionsOf(tenures: Tenures, random: Random): FamilyQuestion[] {
  const scene = sceneOf(tenures, random);
  askStates(scene);
  askNow(scene);
  askNeighbours(scene);
  askPeriods(scene);
  askBack(scene);
  askDates(scene);
  askOthers(scene);
  askUnanswerable(scene);
  return scene.collector.questions;
}
