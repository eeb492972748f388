// Questions about standard time: states and changes.
import { addDays, yearOf } from '../dates.js';
import type { Random } from '../family.js';
import { graded, type Grades, type QuestionCollector, type QuestionDraw } from '../questions.js';
import type { Zone } from './data.js';
import type { Judging } from './judging.js';
import { eraAt } from './passages.js';
import {
  askedToday,
  asking,
  chosen,
  idsOf,
  known,
  selection,
  today,
  type Operator,
} from './selection.js';
import { standing } from './times.js';
import { eventAnswers, offsetAnswers, relative, signed } from './words.js';
import { standard, type Context } from './wordings.js';

type Draw = QuestionDraw<Context>;

export class StandardQuestions {
  private readonly moving: Zone[];
  private readonly siblings: Zone[][];

  constructor(
    zones: Zone[],
    private readonly judging: Judging,
    private readonly collector: QuestionCollector<Context>,
    private readonly random: Random,
  ) {
    this.moving = zones.filter(({ eras }) => eras.length > 2 && eras[0]!.local && !eras[1]!.local);
    const groups = ['Indiana', 'Argentina', 'Kazakhstan', 'Russia', 'Mexico', 'Kentucky'];
    this.siblings = [...groups, 'North Dakota', 'Greenland', 'Canada', 'Brazil', 'Micronesia']
      .map((group) => this.moving.filter(({ place }) => place.endsWith(`, ${group}`)))
      .filter((group) => group.length > 1);
  }

  ask(): void {
    this.standardStates();
    this.standardChanges();
  }

  /** Half of the draws are of places with siblings. */
  private zone(): Zone {
    const { random } = this;
    const roll = random.next();
    if (roll < 0.2) return random.pick(random.pick(this.siblings));
    return random.pick(roll < 0.55 ? this.siblings.flat() : this.moving);
  }

  private stateAt(
    zone: Zone,
    day: string,
    asked?: string,
  ): { relevant: Grades; seconds: number } | undefined {
    const at = eraAt(zone, day);
    if (at < 1 || eraAt(zone, addDays(day, -2)) !== at || eraAt(zone, addDays(day, 2)) !== at)
      return undefined;
    const { seconds, from } = zone.eras[at]!;
    const key = `${zone.id} ${at}`;
    const earlier = this.judging.facts.snapshots.filter(
      (each) => each.zone === zone && each.day <= day && eraAt(zone, each.day) === at,
    );
    return {
      seconds,
      relevant: {
        ...this.judging.passing(zone, from!),
        ...graded(1, [...idsOf(earlier), ...idsOf(this.judging.facts.olds.get(key))]),
        ...graded(2, idsOf(known(this.judging.facts.starts.get(key), asked ?? today))),
      },
    };
  }

  /** A day within a later era than that of local mean time, near its limits by chance. */
  private dayIn(zone: Zone): string {
    const { random } = this;
    const at = 1 + random.below(zone.eras.length - 1);
    const { from, to = '2026-06-01' } = zone.eras[at]!;
    const days = Math.max(1, (Date.parse(to) - Date.parse(from!)) / 86_400_000);
    return addDays(from!, random.below(Math.min(days, random.pick([200, 3000, 20_000]))));
  }

  private standardStates(): void {
    const { random, collector } = this;
    const draft = (operator: 'as_of', zone: Zone, other?: Zone): Draw => {
      const { day, time } = standing(this.dayIn(zone), random);
      const state = this.stateAt(zone, day);
      const second = other === undefined ? undefined : this.stateAt(other, day);
      if (state === undefined || (other !== undefined && second === undefined)) return undefined;
      const answers = [...offsetAnswers(state.seconds)];
      if (second !== undefined) answers.push(...offsetAnswers(second.seconds));
      return {
        context: { place: zone.place, time, other: other?.place ?? '' },
        draft: {
          key: `state ${zone.id} ${other?.id ?? ''} ${day.slice(0, 4)}`,
          class: operator,
          entity: zone.place,
          answers,
          relevant: { ...second?.relevant, ...state.relevant },
        },
      };
    };
    collector.ask(20, standard['as_of']!, () => draft('as_of', this.zone()));
    collector.ask(5, standard['pair']!, () => {
      const [one, other] = random.sample(random.pick(this.siblings), 2);
      return one === undefined || other === undefined ? undefined : draft('as_of', one, other);
    });
    collector.ask(12, standard['current']!, () => {
      const zone = this.zone();
      const day = this.dayIn(zone);
      const state = this.stateAt(zone, day, day);
      const at = eraAt(zone, day);
      if (state === undefined || at < 2 || yearOf(day) < 1960) return undefined;
      if (!Object.values(state.relevant).includes(2)) return undefined;
      return {
        context: { place: zone.place, time: '', other: '' },
        draft: {
          key: `current ${zone.id}`,
          class: 'current',
          asked_at: asking(day),
          entity: zone.place,
          answers: offsetAnswers(state.seconds),
          relevant: state.relevant,
          outdated: this.olderStates(zone, day, state.relevant),
        },
      };
    });
  }

  private olderStates(zone: Zone, day: string, relevant: Grades): string[] {
    const at = eraAt(zone, day);
    const { seconds } = zone.eras[at]!;
    const starts = zone.eras.flatMap((era, index) =>
      index > 0 && index < at && era.seconds !== seconds
        ? idsOf(this.judging.facts.starts.get(`${zone.id} ${index}`))
        : [],
    );
    const snapshots = this.judging.facts.snapshots.filter(
      (each) =>
        each.zone === zone &&
        each.day <= day &&
        zone.eras[eraAt(zone, each.day)]!.seconds !== seconds,
    );
    return [...starts, ...idsOf(snapshots)].filter((id) => !(id in relevant));
  }

  private standardChanges(): void {
    const counts: [Operator, number][] = [
      ['latest', 5],
      ['first', 4],
      ['last_before', 7],
      ['first_after', 6],
      ['in', 6],
      ['between', 5],
      ['before_date', 6],
      ['since', 5],
    ];
    for (const [operator, count] of counts)
      this.collector.ask(count, standard[operator]!, () => this.standardChange(operator));
    this.collector.ask(8, standard['when']!, () => {
      const zone = this.zone();
      const at = 1 + this.random.below(zone.eras.length - 1);
      const { from, seconds } = zone.eras[at]!;
      if (zone.eras.filter((era) => era.seconds === seconds).length > 1) return undefined;
      const other = this.random.next() < 0.5 ? `UTC${signed(seconds)}` : relative(seconds);
      return {
        context: { place: zone.place, time: '', other },
        draft: {
          key: `when ${zone.id} ${at}`,
          class: 'when',
          entity: zone.place,
          answers: eventAnswers(from!),
          relevant: this.changes(zone, [at]),
        },
      };
    });
  }

  private changes(zone: Zone, eras: number[]): Grades {
    const passing = eras.map((at) => this.judging.passing(zone, zone.eras[at]!.from!));
    const ended = eras.flatMap((at) => idsOf(this.judging.facts.ends.get(`${zone.id} ${at - 1}`)));
    const starts = eras.flatMap((at) => idsOf(this.judging.facts.starts.get(`${zone.id} ${at}`)));
    return Object.assign({}, ...passing, graded(1, ended), graded(2, starts)) as Grades;
  }

  private standardChange(operator: Operator): Draw {
    const { random } = this;
    const zone = this.zone();
    const at = 1 + random.below(zone.eras.length - 1);
    const select = selection(operator, zone.eras[at]!.from!, random);
    const all = zone.eras.flatMap((era, index) =>
      index > 0 && select.admits(era.from!) ? [index] : [],
    );
    const found = chosen(operator, all);
    if (found.length === 0 || found.length > 4) return undefined;
    return {
      context: { place: zone.place, time: select.time, other: '' },
      draft: {
        key: `${operator} ${zone.id}`,
        class: operator,
        ...askedToday(operator),
        entity: zone.place,
        answers: found.flatMap((index) => [
          ...eventAnswers(zone.eras[index]!.from!),
          ...offsetAnswers(zone.eras[index]!.seconds),
        ]),
        relevant: this.changes(zone, found),
      },
    };
  }
}
