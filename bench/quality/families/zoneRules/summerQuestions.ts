// Questions about the starts and ends of summer time.
import { addDays } from '../dates.js';
import type { Random } from '../family.js';
import { graded, type Grades, type QuestionCollector, type QuestionDraw } from '../questions.js';
import type { SummerEvent, Zone } from './data.js';
import type { Judging } from './judging.js';
import type { Statement } from './passages.js';
import { askedToday, asking, chosen, idsOf, known, selection, type Operator } from './selection.js';
import { eventAnswers } from './words.js';
import { summer, type Context } from './wordings.js';

type Draw = QuestionDraw<Context>;

export class SummerQuestions {
  constructor(
    private readonly summers: Zone[],
    private readonly judging: Judging,
    private readonly collector: QuestionCollector<Context>,
    private readonly random: Random,
  ) {}

  ask(): void {
    this.summerStates();
    this.summerChanges();
  }

  private summerIds(zone: Zone, day: string): Statement[] {
    return this.judging.facts.summers.get(`${zone.id} ${day}`) ?? [];
  }

  private summerStates(): void {
    const { random } = this;
    this.collector.ask(7, summer['current']!, () => {
      const zone = random.pick(this.summers);
      const at = 1 + random.below(zone.summer.length - 1);
      const { day, kind } = zone.summer[at]!;
      const asked = addDays(day, 1 + random.below(40));
      if (asked >= (zone.summer[at + 1]?.day ?? '2026-12-01')) return undefined;
      const relevant = graded(2, idsOf(known(this.summerIds(zone, day), asked)));
      if (Object.keys(relevant).length === 0) return undefined;
      const older = zone.summer
        .slice(0, at)
        .filter((event) => event.kind !== kind)
        .flatMap((event) => idsOf(this.summerIds(zone, event.day)));
      return {
        context: { place: zone.place, time: '', other: '' },
        draft: {
          key: `summer ${zone.id}`,
          class: 'current',
          asked_at: asking(asked),
          entity: zone.place,
          answers: eventAnswers(day),
          relevant: { ...this.judging.passing(zone, day), ...relevant },
          outdated: older.filter((id) => !(id in relevant)),
        },
      };
    });
  }

  private summerChanges(): void {
    const counts: [Operator, number][] = [
      ['latest', 3],
      ['first', 3],
      ['last_before', 6],
      ['first_after', 6],
      ['in', 6],
      ['between', 5],
      ['since', 3],
    ];
    for (const [operator, count] of counts)
      this.collector.ask(count, summer[operator]!, () => this.summerChange(operator));
    this.collector.ask(4, summer['pair']!, () => this.summerPair());
  }

  private summerGrades(zone: Zone, events: SummerEvent[]): Grades {
    const days = events.map(({ day }) => day);
    return Object.assign(
      {},
      ...days.map((day) => this.judging.passing(zone, day)),
      graded(
        2,
        days.flatMap((day) => idsOf(this.summerIds(zone, day))),
      ),
    ) as Grades;
  }

  private summerChange(operator: Operator): Draw {
    const { random } = this;
    const zone = random.pick(this.summers);
    const { day, kind } = random.pick(zone.summer);
    const select = selection(operator, day, random);
    const found = chosen(
      operator,
      zone.summer.filter((event) => event.kind === kind && select.admits(event.day)),
    );
    if (found.length === 0 || found.length > 4) return undefined;
    return {
      context: { place: zone.place, time: select.time, other: kind },
      draft: {
        key: `${operator} ${zone.id} ${kind}`,
        class: operator,
        ...askedToday(operator),
        entity: zone.place,
        answers: found.flatMap((event) => eventAnswers(event.day)),
        relevant: this.summerGrades(zone, found),
      },
    };
  }

  private summerPair(): Draw {
    const { random } = this;
    const [one, other] = random.sample(this.summers, 2);
    const year = String(1960 + random.below(66));
    const starts = (zone: Zone): SummerEvent[] =>
      zone.summer.filter(({ day, kind }) => kind === 'start' && day.startsWith(year));
    const [first, second] = [starts(one!), starts(other!)];
    if (first.length !== 1 || second.length !== 1) return undefined;
    return {
      context: { place: one!.place, time: `in ${year}`, other: other!.place },
      draft: {
        key: `pair ${one!.id} ${other!.id}`,
        class: 'in',
        entity: one!.place,
        answers: [...first, ...second].flatMap(({ day }) => eventAnswers(day)),
        relevant: { ...this.summerGrades(one!, first), ...this.summerGrades(other!, second) },
      },
    };
  }
}
