// Questions about the talk between Apollo 11 and the ground, with complete judgments.
import type { FamilyQuestion, Random } from '../family.js';
import { graded, QuestionCollector, type Grades, type QuestionDraw } from '../questions.js';
import type { Exchange } from './data.js';
import { absent, remarks } from './particulars.js';
import { during, onward, past, range, shift, standing, upTo, wholes } from './times.js';
import { crew, topics, wordsOf, type Topic } from './topics.js';
import { orbits, spoken, talk, type Context } from './wordings.js';

export interface Told {
  id: string;
  exchange: Exchange;
}

type Operator = FamilyQuestion['class'];
type Draw = QuestionDraw<Context>;

interface Selection {
  time: string;
  /** Limits, near which a member makes a question doubtful. */
  limits: string[];
  admits(at: string): boolean;
}

const asking = (at: string): string => `${at}:00Z`;
const landed = '1969-07-24T17:00';

function selection(operator: Operator, at: string, random: Random): Selection {
  if (operator === 'in' || operator === 'between') {
    const { from, to, time } = (operator === 'in' ? during : range)(at, random);
    return { time, limits: [from, to], admits: (each) => each >= from && each <= to };
  }
  if (operator === 'last_before' || operator === 'before_date') {
    const limit = upTo(at, random);
    return { time: limit.time, limits: [limit.at], admits: (each) => each < limit.at };
  }
  if (operator === 'first_after') {
    const limit = past(at, random);
    return { time: limit.time, limits: [limit.at], admits: (each) => each > limit.at };
  }
  if (operator === 'since') {
    const limit = onward(at, random);
    return { time: limit.time, limits: [limit.at], admits: (each) => each >= limit.at };
  }
  return { time: random.pick(wholes), limits: [], admits: () => true };
}

const minutesApart = (one: string, other: string): number =>
  Math.abs(Date.parse(`${one}Z`) - Date.parse(`${other}Z`)) / 60_000;

/** Whether a member lies so near to a limit that its side is doubtful; midnight is exact. */
const doubtful = (members: Told[], limits: string[]): boolean =>
  limits.some((limit) => members.some(({ exchange }) => minutesApart(exchange.time, limit) < 5));

export class MissionQuestions {
  private readonly collector: QuestionCollector<Context>;
  private readonly members: Map<Topic, Told[]>;
  private readonly orbits: { told: Told; number: string }[];

  constructor(
    private readonly told: Told[],
    private readonly random: Random,
  ) {
    this.collector = new QuestionCollector('log', random);
    this.members = new Map(topics.map((topic) => [topic, this.about(topic)]));
    this.orbits = told.flatMap((each) => {
      const number = /BEGIN LUNAR REV (\d+)/.exec(wordsOf(each.exchange))?.[1];
      return number === undefined ? [] : [{ told: each, number }];
    });
  }

  questions(): FamilyQuestion[] {
    const counts: [Operator, number][] = [
      ['latest', 7],
      ['first', 9],
      ['last_before', 16],
      ['first_after', 14],
      ['in', 14],
      ['between', 11],
      ['before_date', 8],
      ['since', 9],
    ];
    for (const [operator, count] of counts)
      this.collector.ask(count, talk[operator]!, () => this.talk(operator));
    this.states();
    for (const operator of ['last_before', 'first_after', 'in'] as const)
      this.collector.ask(7, spoken[operator]!, () => this.talk(operator, this.random.pick(crew)));
    this.collector.ask(6, spoken['pair']!, () => this.pair());
    this.revolutions();
    this.particulars();
    this.silences();
    return this.collector.questions;
  }

  private about({ words }: Topic, speaker?: string): Told[] {
    return this.told.filter(({ exchange }) => words.test(wordsOf(exchange, speaker)));
  }

  /** The chosen exchanges, and in passing those of the same talk within ten minutes. */
  private judged(chosen: Told[], members: Told[]): Grades {
    const near = members.filter(({ exchange }) =>
      chosen.some((each) => minutesApart(each.exchange.time, exchange.time) <= 10),
    );
    return {
      ...graded(
        1,
        near.map(({ id }) => id),
      ),
      ...graded(
        2,
        chosen.map(({ id }) => id),
      ),
    };
  }

  private talk(operator: Operator, speaker?: string): Draw {
    const { random } = this;
    const topic = random.pick(topics);
    const members = speaker === undefined ? this.members.get(topic)! : this.about(topic, speaker);
    if (members.length < 2) return undefined;
    const { limits, time, admits } = selection(
      operator,
      random.pick(members).exchange.time,
      random,
    );
    if (doubtful(members, limits)) return undefined;
    const admitted = members.filter(({ exchange }) => admits(exchange.time));
    const chosen =
      operator === 'last_before' || operator === 'latest'
        ? admitted.slice(-1)
        : operator === 'first_after' || operator === 'first'
          ? admitted.slice(0, 1)
          : admitted;
    if (chosen.length === 0 || chosen.length > 8) return undefined;
    const single = chosen.length === 1 && ['first', 'latest'].includes(operator);
    const pool = chosen.length === 1 && operator !== 'in' ? members : admitted;
    return {
      context: { topic: topic.name, time, other: speaker ?? '' },
      draft: {
        key: `${operator} ${topic.name} ${speaker ?? ''} ${single ? '' : time}`,
        class: operator,
        ...(operator === 'latest' || operator === 'since' ? { asked_at: asking(landed) } : {}),
        entity: topic.name,
        answers: [],
        relevant: this.judged(
          chosen,
          pool.filter(({ exchange }) => admits(exchange.time)),
        ),
      },
    };
  }

  private states(): void {
    const { random, collector } = this;
    const stated = topics.filter(({ state }) => state);
    const draw = (operator: 'as_of' | 'current'): Draw => {
      const topic = random.pick(stated);
      const members = this.members.get(topic)!;
      const { exchange } = random.pick(members);
      const later = shift(exchange.time, 20 + random.below(300));
      const { at, time } =
        operator === 'current' ? { at: later, time: '' } : standing(exchange.time, random);
      if (at > landed || doubtful(members, [at])) return undefined;
      const before = members.filter((each) => each.exchange.time <= at);
      const last = before.slice(-1);
      if (last.length === 0) return undefined;
      const relevant = this.judged(last, before);
      const outdated = before.map(({ id }) => id).filter((id) => !(id in relevant));
      return {
        context: { topic: topic.name, time, other: '' },
        draft: {
          key: `${operator} ${topic.name} ${last[0]!.id}`,
          class: operator,
          entity: topic.name,
          answers: [],
          relevant,
          ...(operator === 'current' ? { asked_at: asking(at), outdated } : {}),
        },
      };
    };
    collector.ask(16, talk['as_of']!, () => draw('as_of'));
    collector.ask(17, talk['current']!, () => draw('current'));
  }

  private pair(): Draw {
    const { random } = this;
    const [one, other] = random.sample(topics, 2);
    const { from, to, time } = during(random.pick(this.members.get(one!)!).exchange.time, random);
    const within = (topic: Topic): Told[] =>
      this.members.get(topic)!.filter(({ exchange: { time: at } }) => at >= from && at <= to);
    const [first, second] = [within(one!), within(other!)];
    if (first.length === 0 || second.length === 0 || first.length + second.length > 7)
      return undefined;
    return {
      context: { topic: one!.name, time, other: other!.name },
      draft: {
        key: `pair ${one!.name} ${other!.name}`,
        class: 'in',
        entity: one!.name,
        answers: [],
        relevant: graded(
          2,
          [...first, ...second].map(({ id }) => id),
        ),
      },
    };
  }

  /** The count of revolutions about the Moon, which the log marks, until the burn for home. */
  private revolutions(): void {
    const { random, collector } = this;
    const entity = 'lunar revolutions';
    const draw = (operator: 'as_of' | 'current'): Draw => {
      const index = random.below(this.orbits.length - 1);
      const { told, number } = this.orbits[index]!;
      const end = this.orbits[index + 1]!.told.exchange.time;
      const { at, time } =
        operator === 'as_of'
          ? standing(told.exchange.time, random)
          : { at: shift(told.exchange.time, 10 + random.below(90)), time: '' };
      if (at <= told.exchange.time || at >= end) return undefined;
      const older = this.orbits.slice(0, index).map((each) => each.told.id);
      return {
        context: { topic: '', time, other: number },
        draft: {
          key: `${operator} rev ${number}`,
          class: operator,
          entity,
          answers: [`REV ${number}`],
          relevant: graded(2, [told.id]),
          ...(operator === 'current' ? { asked_at: asking(at), outdated: older } : {}),
        },
      };
    };
    collector.ask(7, orbits['as_of']!, () => draw('as_of'));
    collector.ask(5, orbits['current']!, () => draw('current'));
    collector.ask(5, orbits['when']!, () => {
      const { told, number } = random.pick(this.orbits);
      return {
        context: { topic: '', time: '', other: number },
        draft: {
          key: `when rev ${number}`,
          class: 'when',
          entity,
          answers: [told.exchange.time.slice(0, 10), told.exchange.time.slice(11)],
          relevant: graded(2, [told.id]),
        },
      };
    });
  }

  private fixed(draft: NonNullable<Draw>['draft'], text: string): void {
    this.collector.ask(1, [() => text], () => ({
      draft,
      context: { topic: '', time: '', other: '' },
    }));
  }

  private particulars(): void {
    for (const { text, class: operator, words, answers } of remarks) {
      const found = this.told.filter(({ exchange }) => words.test(wordsOf(exchange)));
      if (found.length === 0 || found.length > 7) continue;
      this.fixed(
        {
          key: text,
          class: operator,
          entity: 'Apollo 11',
          answers,
          relevant: graded(
            2,
            found.map(({ id }) => id),
          ),
        },
        text,
      );
    }
    for (const { text, class: operator, asked } of absent)
      this.fixed(
        {
          key: text,
          class: operator,
          ...(asked === undefined ? {} : { asked_at: asking(asked) }),
          entity: 'Apollo 11',
          answers: [],
          relevant: {},
        },
        text,
      );
  }

  /** Parts of days without a word on a topic: no question about them has an answer. */
  private silences(): void {
    const { random } = this;
    const draw = (operator: 'in' | 'between'): Draw => {
      const topic = random.pick(topics);
      const members = this.members.get(topic)!;
      const any = random.pick(this.told).exchange.time;
      const { from, to, time } = (operator === 'in' ? during : range)(any, random);
      const near = shift(from, -60);
      const after = shift(to, 60);
      if (members.some(({ exchange: { time: at } }) => at >= near && at <= after)) return undefined;
      return {
        context: { topic: topic.name, time, other: '' },
        draft: {
          key: `silent ${topic.name}`,
          class: operator,
          entity: topic.name,
          answers: [],
          relevant: {},
        },
      };
    };
    this.collector.ask(5, talk['in']!, () => draw('in'));
    this.collector.ask(4, talk['between']!, () => draw('between'));
  }
}
