// Questions about releases of Python and improvements of its modules, with the events that answer.
import { addDays, dateForms, monthYear } from '../dates.js';
import { rotation } from '../wordings.js';
import type { FamilyQuestion, Random } from '../family.js';
import * as times from '../timeExpressions.js';
import type { Arrival, Event, Topic } from './topics.js';
import { moduleWordings, releaseWordings, undatedWordings, type DatedClass } from './words.js';

export type Draft = Omit<FamilyQuestion, 'id'>;

/** The day of the package's last release. */
const lastDay = '2023-02-07';

const merged = (events: Event[]): Pick<Draft, 'answers' | 'relevant'> => ({
  answers: [...new Set(events.flatMap(({ answers }) => answers))],
  relevant: Object.assign({}, ...events.map(({ relevant }) => relevant)) as Draft['relevant'],
});

export class Asker {
  private readonly turns = new Map<string, () => unknown>();

  constructor(
    private readonly random: Random,
    /** Days of the feature releases, the oldest first. */
    private readonly features: string[],
  ) {}

  private next<Wording>(key: string, list: Wording[]): Wording {
    const turn = this.turns.get(key) ?? rotation(list, this.random);
    this.turns.set(key, turn);
    return turn() as Wording;
  }

  word(kind: DatedClass, { kind: topic, name }: Pick<Topic, 'kind' | 'name'>, time = ''): string {
    const list = topic === 'module' ? moduleWordings[kind] : releaseWordings[kind];
    const text = this.next(`${topic} ${kind}`, list)(name, time);
    return /[?.]$/.test(text) && !text.startsWith(name) && /^[a-z]/.test(text) && time !== ''
      ? text.charAt(0).toUpperCase() + text.slice(1)
      : text;
  }

  private draft(
    kind: DatedClass,
    topic: Topic,
    time: string,
    events: Event[],
    rest: Partial<Draft> = {},
  ): Draft[] {
    if (events.length === 0 || events.length > 4) return [];
    const text = this.word(kind, topic, time);
    return [{ text, class: kind, entity: topic.entity, ...rest, ...merged(events) }];
  }

  /** Whether no event of a topic fell on a day. */
  private quiet({ events }: Topic, day: string): boolean {
    return events.every(({ date }) => date !== day);
  }

  /** A day some time after an event of a topic, not the last one. */
  private day({ kind, events }: Topic): string {
    const { date } = this.random.pick(events.length > 1 ? events.slice(0, -1) : events);
    return addDays(date, 1 + this.random.below(kind === 'module' ? 400 : 30));
  }

  private at = ({ events }: Topic, day: string): Event[] =>
    events.filter(({ date }) => date <= day).slice(-1);

  asOf(topic: Topic): Draft[] {
    const { day, time } = times.moment(this.day(topic), this.random);
    if (day > lastDay || !this.quiet(topic, day)) return [];
    return this.draft('as_of', topic, time, this.at(topic, day));
  }

  beforeDate(topic: Topic): Draft[] {
    const asked = times.offset(this.day(topic), lastDay, this.random);
    if (asked === undefined || !this.quiet(topic, asked.day)) return [];
    return this.draft('before_date', topic, asked.time, this.at(topic, asked.day));
  }

  private outdated({ events }: Topic, now: Event | undefined): string[] {
    const older = events.filter(({ date }) => date < (now?.date ?? ''));
    const sourced = older.flatMap(({ relevant }) => Object.keys(relevant));
    return [...new Set(sourced)].filter((id) => now !== undefined && !(id in now.relevant));
  }

  /** For a module, only while the newest feature release improved it. */
  current(topic: Topic): Draft[] {
    const day = this.day(topic);
    const [event] = this.at(topic, day);
    const newest = this.features.filter((date) => date <= day).at(-1);
    if (event === undefined || (topic.kind === 'module' && event.date !== newest)) return [];
    const outdated = this.outdated(topic, event);
    return this.draft('current', topic, '', [event], { asked_at: day, outdated });
  }

  latest(topic: Topic): Draft[] {
    const event = topic.events.at(-1);
    const outdated = this.outdated(topic, event);
    return this.draft('latest', topic, '', event === undefined ? [] : [event], { outdated });
  }

  first(topic: Topic): Draft[] {
    return this.draft('first', topic, '', topic.events.slice(0, 1));
  }

  lastBefore(topic: Topic): Draft[] {
    const { day, time } = times.before(this.day(topic), this.random);
    return this.draft('last_before', topic, time, this.at(topic, addDays(day, -1)));
  }

  firstAfter(topic: Topic): Draft[] {
    const { day, time } = times.after(this.day(topic), this.random);
    const event = topic.events.filter(({ date }) => date > day).slice(0, 1);
    return this.draft('first_after', topic, time, event);
  }

  private inside({ events }: Topic, from: string, to: string): Event[] {
    return events.filter(({ date }) => date >= from && date <= to);
  }

  in(topic: Topic): Draft[] {
    const { from, to, time } = times.within(this.random.pick(topic.events).date, this.random);
    return this.draft('in', topic, time, this.inside(topic, from, to));
  }

  between(topic: Topic): Draft[] {
    const start = this.day(topic);
    const length =
      topic.kind === 'module' ? 200 + this.random.below(900) : 20 + this.random.below(80);
    const { from, to, time } = times.span(start, addDays(start, length), this.random);
    return to > lastDay ? [] : this.draft('between', topic, time, this.inside(topic, from, to));
  }

  since(topic: Topic): Draft[] {
    const { day, time } = times.since(this.day(topic), this.random);
    const asked = addDays(day, topic.kind === 'module' ? 700 : 90);
    if (asked > lastDay) return [];
    return this.draft('since', topic, time, this.inside(topic, day, asked), { asked_at: asked });
  }

  /** The date of a release. */
  whenReleased(topic: Topic): Draft[] {
    const event = this.random.pick(topic.events);
    const { date, relevant } = event;
    const name = event.answers[0]!.replace('Python ', '');
    const answers = [...dateForms(date), monthYear(date)];
    const text = this.word('when', { kind: 'release', name });
    return [{ text, class: 'when', entity: topic.entity, answers, relevant }];
  }

  whenArrived({ name, entity, answers, relevant }: Arrival): Draft[] {
    const text = this.word('when', { kind: 'module', name });
    return [{ text, class: 'when', entity, answers, relevant }];
  }

  undated({ name, entity, contributor, relevant }: Arrival): Draft[] {
    if (contributor === undefined) return [];
    const text = this.next('undated', undatedWordings)(name);
    const sourced = Object.entries(relevant).filter(([, grade]) => grade === 2);
    return [
      {
        text,
        class: 'undated',
        entity,
        answers: contributor.split(/,? and |, /),
        relevant: Object.fromEntries(sourced),
      },
    ];
  }
}
