// Questions of the family on clocks of places, with complete judgments.
import type { FamilyPassage, FamilyQuestion, Random } from '../family.js';
import { graded, QuestionCollector, type Grades } from '../questions.js';
import { capital } from '../wordings.js';
import { absentPlaces, absentRelations, backgrounds } from './background.js';
import type { Zone } from './data.js';
import { Judging } from './judging.js';
import type { Facts } from './passages.js';
import { asking, idsOf, selection, type Operator } from './selection.js';
import { StandardQuestions } from './standardQuestions.js';
import { SummerQuestions } from './summerQuestions.js';
import { standing } from './times.js';
import { standard, summer, type Context, type Wording } from './wordings.js';

export class ZoneQuestions {
  private readonly collector: QuestionCollector<Context>;
  private readonly judging: Judging;

  constructor(
    private readonly zones: Zone[],
    private readonly summers: Zone[],
    facts: Facts,
    passages: FamilyPassage[],
    private readonly random: Random,
  ) {
    this.collector = new QuestionCollector('zone', random);
    this.judging = new Judging(facts, passages);
  }

  questions(): FamilyQuestion[] {
    const { zones, summers, judging, collector, random } = this;
    new StandardQuestions(zones, judging, collector, random).ask();
    new SummerQuestions(summers, judging, collector, random).ask();
    this.undated();
    this.unanswerable();
    return collector.questions;
  }

  private undated(): void {
    const { random, collector } = this;
    collector.ask(5, standard['position']!, () => {
      const zone = random.pick(this.zones);
      const statements = this.judging.facts.positions.get(zone.id);
      if (statements === undefined) return undefined;
      return {
        context: { place: zone.place, time: '', other: '' },
        draft: {
          key: `position ${zone.id}`,
          class: 'undated',
          entity: zone.place,
          answers: [zone.coordinates],
          relevant: graded(2, idsOf(statements)),
        },
      };
    });
    for (const { answer, text, questions } of backgrounds)
      for (const question of questions)
        this.fixed('undated', question, 'timekeeping', {
          answers: [answer],
          relevant: graded(2, idsOf(this.judging.facts.positions.get(text))),
        });
  }

  private fixed(
    operator: Operator,
    text: string,
    entity: string,
    more: { answers?: string[]; relevant?: Grades; asked_at?: string } = {},
  ): void {
    this.collector.ask(1, [() => text], () => ({
      context: { place: entity, time: '', other: '' },
      draft: { key: text, class: operator, entity, answers: [], relevant: {}, ...more },
    }));
  }

  /** Places that no passage names, matters that none tells, and years without any change. */
  private unanswerable(): void {
    const { random } = this;
    const operators = ['as_of', 'current', 'last_before', 'when', 'first_after'] as const;
    for (const [at, place] of absentPlaces.entries()) {
      const operator = operators[at % operators.length]!;
      const day = `${1950 + at * 7}-0${1 + (at % 9)}-17`;
      const time =
        operator === 'as_of' ? standing(day, random).time : selection(operator, day, random).time;
      const wording: Wording = random.pick(standard[operator]!);
      const text = wording({ place, time, other: 'UTC+05:00' });
      this.fixed(operator, capital(text), place, {
        ...(operator === 'current' ? { asked_at: asking(day) } : {}),
      });
    }
    for (const { text, class: operator, place } of absentRelations)
      this.fixed(operator, text, place);
    this.collector.ask(6, summer['in']!, () => {
      const zone = random.pick(this.summers);
      const year = String(1950 + random.below(74));
      if (zone.summer.some(({ day }) => day.startsWith(year))) return undefined;
      if (this.judging.news.some(({ entities }) => entities?.includes(zone.place)))
        return undefined;
      return {
        context: { place: zone.place, time: `in ${year}`, other: 'start' },
        draft: {
          key: `none ${zone.id}`,
          class: 'in',
          entity: zone.place,
          answers: [],
          relevant: {},
        },
      };
    });
  }
}
