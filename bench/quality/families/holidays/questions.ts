// Questions on public holidays: dates, the holiday of a day, neighbours of a day, spans, moved
// days, introductions and ends.
import { addDays, anyDay, dayAnswers, monthName, yearOf } from '../dates.js';
import { collect, graded, type UnnumberedQuestion } from '../questions.js';
import type { Random } from '../family.js';
import { firstYear, lastYear, type Change, type Holiday, type Move } from './data.js';
import * as wordings from './wordings.js';

/** A holiday as a passage states it. */
export interface DayFact extends Holiday {
  passage: string;
  published: string;
}

export interface ItemPassages<Item> {
  item: Item;
  passages: string[];
}

const keyOf = ({ country, name, date }: Holiday): string => `${country}|${name}|${date}`;
const plain = (name: string): string => name.replace(' (observed)', '');
const sorted = (days: Holiday[]): Holiday[] =>
  [...days].sort((left, right) => left.date.localeCompare(right.date));

export class HolidayQuestions {
  private readonly byCountry = new Map<string, Holiday[]>();
  private readonly byDay = new Map<string, DayFact[]>();
  private readonly countries: string[];

  constructor(
    all: Holiday[],
    private readonly facts: DayFact[],
    private readonly random: Random,
  ) {
    for (const day of sorted(all))
      this.byCountry.set(day.country, [...(this.byCountry.get(day.country) ?? []), day]);
    for (const fact of facts) {
      const key = keyOf(fact);
      this.byDay.set(key, [...(this.byDay.get(key) ?? []), fact]);
    }
    this.countries = [...this.byCountry.keys()];
  }

  private stating(days: Holiday[], until = '9999'): DayFact[] {
    return days.flatMap((day) =>
      (this.byDay.get(keyOf(day)) ?? []).filter(({ published }) => published <= until),
    );
  }

  /** Judged by the passages that state the days, unless one of the days is in none of them. */
  private judged(
    operator: UnnumberedQuestion['class'],
    text: string,
    days: Holiday[],
    more: { asked?: string; older?: Holiday[] } = {},
  ): UnnumberedQuestion | undefined {
    const facts = this.stating(days, more.asked);
    const dates = new Set(days.map(({ date }) => date));
    if (days.length === 0 || new Set(facts.map(({ date }) => date)).size < dates.size)
      return undefined;
    const relevant = graded(
      2,
      facts.map(({ passage }) => passage),
    );
    const older = this.stating(more.older ?? [], more.asked).map(({ passage }) => passage);
    const outdated = [...new Set(older)].filter((passage) => !(passage in relevant));
    return {
      text,
      class: operator,
      entity: days[0]!.country,
      answers: days.flatMap(({ name, date }) => [plain(name), ...dayAnswers(date)]),
      relevant,
      ...(more.asked ? { asked_at: `${more.asked}T11:00:00Z` } : {}),
      ...(outdated.length > 0 ? { outdated } : {}),
    };
  }

  /** A holiday that its country keeps once a year, and its earlier days. */
  private yearly(): { fact: DayFact; same: Holiday[] } | undefined {
    const fact = this.random.pick(this.facts);
    const { country, name, date } = fact;
    const same = this.byCountry.get(country)!.filter((day) => day.name === name);
    const inYear = same.filter((day) => yearOf(day.date) === yearOf(date));
    const steady = inYear.length === 1 && same.length > 3 && !/observed|Substitute/.test(name);
    const fixed = same.every((day) => day.date.slice(5) === date.slice(5));
    return steady && (!fixed || this.random.next() < 0.15) ? { fact, same } : undefined;
  }

  named(operator: 'when' | 'current' | 'latest' | 'before_date'): UnnumberedQuestion | undefined {
    const { random } = this;
    const found = this.yearly();
    if (found === undefined) return undefined;
    const { fact, same } = found;
    const { country, name, date } = fact;
    const year = yearOf(date);
    const answer = (judged: UnnumberedQuestion | undefined): UnnumberedQuestion | undefined =>
      judged && { ...judged, answers: dayAnswers(date) };
    if (operator === 'when' || operator === 'before_date') {
      const years = 1 + random.below(3);
      const time =
        operator === 'when'
          ? year
          : `${['the year', 'two years', 'three years'][years - 1]} before ${Number(year) + years}`;
      const ask = random.pick(wordings.dateWordings);
      const text = ask(name, country, time).replace(/\b([Ii])n (?=\w+ (year|years) before)/, '');
      if (operator === 'before_date' && /[(]|I need/.test(text)) return undefined;
      return answer(this.judged(operator, text, [fact]));
    }
    const asked =
      operator === 'current'
        ? `${year}-${String(1 + random.below(12)).padStart(2, '0')}-1${random.below(9)}`
        : addDays(date, 1 + random.below(300));
    const ask = random.pick(
      operator === 'current' ? wordings.currentWordings : wordings.lastWordings,
    );
    const older = same.filter((day) => day.date < date);
    return answer(this.judged(operator, ask(name, country, ''), [fact], { asked, older }));
  }

  /** The holiday of a day: the day of asking, a date, or a distance from another date. */
  on(operator: 'as_of' | 'current' | 'before_date'): UnnumberedQuestion | undefined {
    const { random } = this;
    const { country, date } = random.pick(this.facts);
    const days = this.byCountry.get(country)!.filter((day) => day.date === date);
    const names = (judged: UnnumberedQuestion | undefined): UnnumberedQuestion | undefined =>
      judged && { ...judged, answers: days.map(({ name }) => plain(name)) };
    if (operator === 'current') {
      const text = random.pick(wordings.todayWordings)(country, '');
      return names(this.judged(operator, text, days, { asked: date }));
    }
    if (operator === 'as_of')
      return names(
        this.judged(
          operator,
          random.pick(wordings.onWordings)(country, anyDay(date, random)),
          days,
        ),
      );
    const weeks = 1 + random.below(6);
    const length = ['a week', 'two weeks', 'three weeks', 'four weeks', 'five weeks', 'six weeks'];
    const time = `${length[weeks - 1]} before ${anyDay(addDays(date, weeks * 7), random)}`;
    return names(this.judged(operator, random.pick(wordings.spanWordings)(country, time), days));
  }

  /** The holiday next to a day, or next to another holiday of the country. */
  neighbour(operator: 'last_before' | 'first_after'): UnnumberedQuestion | undefined {
    const { random } = this;
    const country = random.pick(this.countries);
    const days = this.byCountry.get(country)!;
    const day = `${2006 + random.below(21)}-${addDays('2001-01-01', random.below(365)).slice(5)}`;
    const before = days.filter(({ date }) => date < day).at(-1)!;
    const after = days.find(({ date }) => date > day)!;
    if (days.some(({ date }) => date === day)) return undefined;
    const date = operator === 'last_before' ? before.date : after.date;
    const ask = operator === 'last_before' ? wordings.beforeWordings : wordings.afterWordings;
    const found = days.filter((each) => each.date === date);
    return this.judged(operator, random.pick(ask)(country, anyDay(day, random)), found);
  }

  span(operator: 'in' | 'between' | 'since' | 'first'): UnnumberedQuestion | undefined {
    const { random } = this;
    const country = random.pick(this.countries);
    const days = this.byCountry.get(country)!;
    const year = `${2006 + random.below(21)}`;
    const month = `${year}-${String(1 + random.below(12)).padStart(2, '0')}`;
    const within = (from: string, to: string): Holiday[] =>
      days.filter(({ date }) => date >= from && date <= to);
    if (operator === 'in') {
      const time = random.pick([`${monthName(`${month}-01`)} ${year}`, month]);
      const text = random.pick(wordings.inWordings)(country, time);
      return this.judged(operator, text, within(`${month}-01`, `${month}-31`));
    }
    if (operator === 'first') {
      const [time, from] = random.pick([
        [`the second half of ${year}`, `${year}-07-01`],
        [`the second quarter of ${year}`, `${year}-04-01`],
        [`the last quarter of ${year}`, `${year}-10-01`],
        [`${monthName(`${month}-01`)} ${year}`, `${month}-01`],
      ] as const);
      const [first] = within(from, addDays(from, 85));
      if (first === undefined || (!/half|quarter/.test(time) && first.date.slice(0, 7) !== month))
        return undefined;
      const found = days.filter(({ date }) => date === first.date);
      return this.judged(operator, random.pick(wordings.firstWordings)(country, time), found);
    }
    const from = `${month}-0${2 + random.below(8)}`;
    const to = addDays(from, 20 + random.below(90));
    const found = within(from, to);
    if (found.length === 0 || found.length > 6 || found.some(({ date }) => date === from))
      return undefined;
    if (operator === 'since') {
      const text = random.pick(wordings.sinceWordings)(country, anyDay(from, random));
      return this.judged(operator, text, found, { asked: to });
    }
    const time = `${anyDay(from, random)} and ${anyDay(to, random)}`;
    return this.judged(operator, random.pick(wordings.betweenWordings)(country, time), found);
  }

  /** On the introduction, end or gap of a holiday. */
  change({ item, passages }: ItemPassages<Change>, state: boolean): UnnumberedQuestion | undefined {
    const { random } = this;
    const { country, name, kind, from, to } = item;
    const inYear = (year: number): string[] =>
      this.facts
        .filter((fact) => fact.country === country && fact.name === name)
        .filter(({ date }) => yearOf(date) === `${year}`)
        .map(({ passage }) => passage);
    const judge = (
      operator: UnnumberedQuestion['class'],
      text: string,
      year: number,
      grade: 1 | 2,
    ): UnnumberedQuestion => {
      const stating = Object.fromEntries(inYear(year).map((passage) => [passage, grade]));
      const relevant = { ...stating, ...graded(2, passages) };
      return { text, class: operator, entity: country, answers: [`${year}`], relevant };
    };
    if (state) {
      const after = random.below(6);
      const before = -1 - random.below(6);
      const shift =
        kind === 'suspended' ? random.below(to - from + 1) : random.pick([after, before]);
      const year = from + shift;
      if (kind === 'once' || year < firstYear || year > lastYear) return undefined;
      const text = random.pick(wordings.stateWordings)(name, country, `${year}`);
      return { ...judge('as_of', text, year, 2), answers: [`${from}`, `${from - 1}`] };
    }
    if (kind === 'suspended') return undefined;
    const operator = {
      introduced: random.pick(['since', 'first'] as const),
      abolished: 'latest' as const,
      once: 'when' as const,
    }[kind];
    const text = random.pick(wordings.changeWordings[operator])(name, country);
    const grade = operator === 'when' ? 2 : 1;
    return judge(operator, text, kind === 'abolished' ? from - 1 : from, grade);
  }

  /** On a moved day, before or after the decision. */
  moved({ item, passages }: ItemPassages<Move>): UnnumberedQuestion {
    const { random } = this;
    const { country, name, date, planned, decided } = item;
    const early = random.next() < 0.5;
    const asked = addDays(decided, (early ? -1 : 1) * (3 + random.below(50)));
    const [old, fresh] = passages as [string, string];
    const year = yearOf(date);
    const current = random.next() < 0.6;
    const text = current
      ? random.pick([
          `When will ${name} be kept in ${country} in ${year}?`,
          `${name} ${year} ${country} planned date`,
          `On which day should I expect ${name} ${year} in ${country}?`,
        ])
      : random.pick([
          `As of ${anyDay(asked, random)}, when was ${name} ${year} to be in ${country}?`,
          `Which date for ${name} ${year} in ${country} was known on ${anyDay(asked, random)}?`,
          `${country}, ${name} ${year}: date as announced by ${anyDay(asked, random)}`,
        ]);
    const kept = this.stating([item], asked).map(({ passage }) => passage);
    return {
      text,
      class: current ? 'current' : 'as_of',
      ...(current ? { asked_at: `${asked}T11:00:00Z` } : {}),
      entity: country,
      answers: dayAnswers(early ? planned : date),
      relevant: early ? { [old]: 2 } : graded(2, [fresh, ...kept]),
      ...(early ? {} : { outdated: [old] }),
    };
  }

  questions(changes: ItemPassages<Change>[], moves: ItemPassages<Move>[]): UnnumberedQuestion[] {
    const { random } = this;
    return [
      ...collect(14, () => this.named('when')),
      ...collect(9, () => this.named('current')),
      ...collect(9, () => this.named('latest')),
      ...collect(5, () => this.named('before_date')),
      ...collect(8, () => this.on('as_of')),
      ...collect(6, () => this.on('current')),
      ...collect(6, () => this.on('before_date')),
      ...collect(11, () => this.neighbour('last_before')),
      ...collect(12, () => this.neighbour('first_after')),
      ...collect(11, () => this.span('in')),
      ...collect(11, () => this.span('between')),
      ...collect(8, () => this.span('since')),
      ...collect(7, () => this.span('first')),
      ...collect(8, () => this.moved(random.pick(moves))),
      ...collect(8, () => this.change(random.pick(changes), true)),
      ...collect(17, () => this.change(random.pick(changes), false)),
    ];
  }
}
