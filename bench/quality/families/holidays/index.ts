// Public holidays of twenty countries in sentences and calendars, with questions about their
// dates, neighbours, moved days, introductions and ends.
import { graded, numbered, type UnnumberedQuestion } from '../questions.js';
import type { FamilyDefinition, FamilyPassage, Random } from '../family.js';
import { changesOf, holidaysOf, moves, type Change, type Holiday, type Move } from './data.js';
import {
  changeNotes,
  customNote,
  dayNote,
  monthNote,
  moveNotes,
  rules,
  type Note,
} from './passages.js';
import { HolidayQuestions, type DayFact, type ItemPassages } from './questions.js';
import * as wordings from './wordings.js';

/** Passages and the holidays that they state, during the build. */
class Press {
  readonly passages: FamilyPassage[] = [];
  readonly facts: DayFact[] = [];

  add({ text, title, published }: Note, country: string, days: Holiday[] = []): string {
    const id = `h-${this.passages.length + 1}`;
    this.passages.push({
      id,
      text,
      title,
      published_at: published,
      entities: [country],
    });
    for (const day of days) this.facts.push({ ...day, passage: id, published: published ?? '' });
    return id;
  }
}

function tellDays(all: Holiday[], press: Press, random: Random): void {
  const months = new Map<string, Holiday[]>();
  for (const day of all) {
    if (random.next() < 0.5) press.add(dayNote(day, random), day.country, [day]);
    const month = `${day.country} ${day.date.slice(0, 7)}`;
    months.set(month, [...(months.get(month) ?? []), day]);
  }
  for (const days of months.values()) {
    const plain = days.every(({ name }) => !name.includes('(observed)'));
    if (days.length > 1 && plain && random.next() < 0.2)
      press.add(monthNote(days, random), days[0]!.country, days);
  }
}

function unanswerable(all: Holiday[], facts: DayFact[], random: Random): UnnumberedQuestion[] {
  const blank = { answers: [], relevant: {} };
  const foreign: [string, string, number][] = [
    ['Juneteenth National Independence Day', 'Ireland', 2022],
    ['Great Prayer Day', 'Sweden', 2015],
    ['Matariki', 'South Africa', 2023],
    ["King's Day", 'Denmark', 2019],
    ['Thanksgiving Day', 'Portugal', 2011],
    ['Diwali', 'South Korea', 2016],
    ['Mountain Day', 'Italy', 2018],
    ['Boxing Day', 'Brazil', 2013],
    ['Easter Monday', 'Poland', 1978],
    ['Bastille Day parade', 'Finland', 2014],
  ];
  const silent = random
    .sample(
      all.filter(({ name, date }) => date > '2008' && !/observed|Sub/.test(name)),
      300,
    )
    .filter(
      ({ country, name, date }) =>
        !facts.some(
          (fact) =>
            fact.country === country &&
            fact.name === name &&
            fact.date.slice(0, 4) === date.slice(0, 4),
        ),
    )
    .slice(0, 6)
    .map(({ country, name, date }): [string, string, number] => [
      name,
      country,
      Number(date.slice(0, 4)),
    ]);
  const dated = [...foreign, ...silent].map(
    ([name, country, year], at): UnnumberedQuestion => ({
      text: wordings.dateWordings[at % 6]!(name, country, `${year}`),
      class: 'when',
      entity: country,
      ...blank,
    }),
  );
  const elsewhere = ['Hungary', 'Iceland', 'Northern Cyprus', 'Kenya', 'North Korea', 'Wales'].map(
    (country, at): UnnumberedQuestion => ({
      ...(at % 3 === 0
        ? {
            text: wordings.afterWordings[at]!(country, `3 May 201${at}`),
            class: 'first_after' as const,
          }
        : at % 3 === 1
          ? {
              text: wordings.beforeWordings[at]!(country, `October 9, 201${at}`),
              class: 'last_before' as const,
            }
          : {
              text: wordings.todayWordings[at]!(country, ''),
              class: 'current' as const,
              asked_at: `201${at}-05-01T08:00:00Z`,
            }),
      entity: country,
      ...blank,
    }),
  );
  return [...dated, ...elsewhere];
}

export const holidays: FamilyDefinition = {
  name: 'holidays',
  description: 'Public holidays of twenty countries from 2005 to 2027',
  sources: [
    { registry: 'PyPI', package: 'holidays', version: '0.109', license: 'MIT' },
    {
      registry: 'PyPI',
      package: 'python-dateutil',
      version: '2.9.0.post0',
      license: 'Apache-2.0 OR BSD-3-Clause',
    },
    { registry: 'PyPI', package: 'six', version: '1.17.0', license: 'MIT' },
  ],
  build(folders, random) {
    const all = holidaysOf(folders);
    const announced = all.filter(({ date }) => date >= '2005');
    const press = new Press();
    tellDays(announced, press, random);
    const changes = changesOf(all).map(
      (item): ItemPassages<Change> => ({
        item,
        passages: changeNotes(item, random).map((note) => press.add(note, item.country)),
      }),
    );
    const moved = moves.map((item): ItemPassages<Move> => {
      const [old, fresh] = moveNotes(item, random);
      return {
        item,
        passages: [press.add(old, item.country), press.add(fresh, item.country, [item])],
      };
    });
    const pairs = random.sample(announced, 150).filter(({ name }) => !/observed|Sub/.test(name));
    const seen = new Set<string>();
    for (const { country, name } of pairs) {
      const note = customNote(country, name, random);
      if (!seen.has(note.text)) press.add(note, country);
      seen.add(note.text);
    }
    const explained = rules.map(({ text, question, answer }): UnnumberedQuestion => {
      const id = press.add({ text }, 'public holidays');
      return {
        text: question,
        class: 'undated',
        entity: 'public holidays',
        answers: [answer],
        relevant: graded(2, [id]),
      };
    });
    const asked = new HolidayQuestions(all, press.facts, random).questions(changes, moved);
    const missing = unanswerable(announced, press.facts, random);
    return { passages: press.passages, questions: numbered([...asked, ...explained, ...missing]) };
  },
};
