// Questions about releases of Electron and bundled components, with judgments from the data.
import { addDays, dateForms, monthYear } from '../dates.js';
import { rotation } from '../wordings.js';
import type { FamilyQuestion, Random } from '../family.js';
import { components, lastDay, type Release } from './data.js';
import { stateAt, type Event, type Judge, type Measure, type Series } from './judging.js';
import * as times from '../timeExpressions.js';
import { partWordings, releaseWordings, undatedWordings, type Slots } from './words.js';

export type Draft = Omit<FamilyQuestion, 'id'>;
type Class = FamilyQuestion['class'];
type AnswerDraft = Pick<Draft, 'answers' | 'relevant'> & Partial<Draft>;

/** Names of an entity in a question; a stable line is called so now and then. */
function slots({ entity, measure }: { entity: string; measure: Measure }, time: string): Slots {
  if (measure === 'major')
    return {
      who: 'Electron',
      one: 'major Electron version',
      many: 'major Electron versions',
      time,
    };
  const [, line, channel] = entity.split(' ');
  return channel === undefined
    ? {
        who: entity,
        one: `stable Electron ${line} release`,
        many: `stable Electron ${line} releases`,
        time,
      }
    : { who: `the ${entity} channel`, one: entity, many: `${entity}s`, time };
}

const blank: Slots = { who: '', one: 'release', many: 'release', time: '' };

/** Whether a wording concerns releases, so that it also fits major versions. */
const namesReleases = (wording: (slots: Slots) => string): boolean =>
  wording(blank).includes('release');

export class Asker {
  private readonly wordings = new Map<string, () => unknown>();

  constructor(
    private readonly judge: Judge,
    private readonly random: Random,
  ) {}

  private next<Wording>(key: string, list: Wording[]): Wording {
    const turn = this.wordings.get(key) ?? rotation(list, this.random);
    this.wordings.set(key, turn);
    return turn() as Wording;
  }

  /** The text of a question of a class about a measure of an entity. */
  word(
    kind: Exclude<Class, 'undated'>,
    about: { entity: string; measure: Measure },
    time = '',
  ): string {
    const filled = slots(about, time);
    const { measure } = about;
    const text =
      measure === 'major'
        ? this.next(`major ${kind}`, releaseWordings[kind].filter(namesReleases))(filled)
        : measure === 'release'
          ? this.next(kind, releaseWordings[kind])(filled)
          : this.next(`part ${kind}`, partWordings[kind as keyof typeof partWordings])(
              measure,
              filled,
            );
    const polite = text.endsWith('?') || text.endsWith('.');
    return polite ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  }

  private draft(
    kind: Exclude<Class, 'undated'>,
    series: Series,
    time: string,
    rest: AnswerDraft,
  ): Draft[] {
    if (Object.keys(rest.relevant).length === 0) return [];
    return [{ text: this.word(kind, series, time), class: kind, entity: series.entity, ...rest }];
  }

  /** A day after the first event of the series without an event. */
  quietDay({ events, releases }: Series): string {
    const { date } = this.random.pick(events.slice(0, -1));
    const day = addDays(date, 1 + this.random.below(20));
    return releases.some((each) => each.date === day) ? addDays(day, 1) : day;
  }

  private state(
    kind: 'as_of' | 'before_date',
    series: Series,
    { day, time }: times.Moment,
  ): Draft[] {
    const event = stateAt(series, day);
    if (event === undefined || day > lastDay) return [];
    if (series.releases.some(({ date }) => date === day)) return [];
    return this.draft(kind, series, time, {
      answers: [event.value],
      relevant: this.judge.holding(series, day),
    });
  }

  asOf(series: Series): Draft[] {
    return this.state('as_of', series, times.moment(this.quietDay(series), this.random));
  }

  /** As of the day on which another major version came out. */
  asOfRelease(series: Series, release: Release): Draft[] {
    const { date: day, version } = release;
    const verb = this.random.pick(['came out', 'was released', 'appeared']);
    return this.state('as_of', series, { day, time: `when Electron ${version} ${verb}` });
  }

  beforeDate(series: Series): Draft[] {
    const asked = times.offset(this.quietDay(series), lastDay, this.random);
    return asked === undefined ? [] : this.state('before_date', series, asked);
  }

  current(series: Series): Draft[] {
    const day = this.quietDay(series);
    return this.draft('current', series, '', {
      asked_at: day,
      answers: [stateAt(series, day)!.value],
      relevant: this.judge.holding(series, day, day),
      outdated: this.judge.outdated(series, day),
    });
  }

  latest(series: Series): Draft[] {
    const { value, date } = series.events.at(-1)!;
    const asked = date > '2022-07-01' ? lastDay : undefined;
    return this.draft('latest', series, '', {
      ...(asked === undefined ? {} : { asked_at: asked }),
      answers: [value],
      relevant: this.judge.holding(series, lastDay, asked),
      outdated: this.judge.outdated(series, lastDay),
    });
  }

  first(series: Series): Draft[] {
    const event = series.events[0]!;
    const relevant =
      series.measure === 'release'
        ? this.judge.telling(series, [event])
        : this.judge.holding(series, event.date);
    return this.draft('first', series, '', { answers: [event.value], relevant });
  }

  /** One event, unless another of the series fell on its day. */
  private single(
    kind: 'last_before' | 'first_after',
    series: Series,
    time: string,
    event?: Event,
  ): Draft[] {
    if (event === undefined || series.events.filter(({ date }) => date === event.date).length > 1)
      return [];
    const relevant = this.judge.telling(series, [event]);
    return this.draft(kind, series, time, { answers: [event.value], relevant });
  }

  lastBefore(series: Series): Draft[] {
    const { day, time } = times.before(this.quietDay(series), this.random);
    const event = series.events.filter(({ date }) => date < day).at(-1);
    return this.single('last_before', series, time, event);
  }

  firstAfter(series: Series): Draft[] {
    const { day, time } = times.after(this.quietDay(series), this.random);
    return this.single(
      'first_after',
      series,
      time,
      series.events.find(({ date }) => date > day),
    );
  }

  /** One to five events of a period. */
  private several(
    kind: 'in' | 'between' | 'since',
    series: Series,
    period: times.Period,
    asked?: string,
  ): Draft[] {
    const events = series.events.filter(({ date }) => date >= period.from && date <= period.to);
    if (events.length === 0 || events.length > 5) return [];
    return this.draft(kind, series, period.time, {
      ...(asked === undefined ? {} : { asked_at: asked }),
      answers: events.map(({ value }) => value),
      relevant: this.judge.telling(series, events, asked),
    });
  }

  in(series: Series): Draft[] {
    return this.several(
      'in',
      series,
      times.within(this.random.pick(series.events).date, this.random),
    );
  }

  between(series: Series): Draft[] {
    const from = this.quietDay(series);
    const to = addDays(from, 10 + this.random.below(70));
    return this.several('between', series, times.span(from, to, this.random));
  }

  since(series: Series): Draft[] {
    const { day, time } = times.since(this.quietDay(series), this.random);
    const to = addDays(day, 40 + this.random.below(60));
    return to > lastDay ? [] : this.several('since', series, { from: day, to, time }, to);
  }

  when(series: Series): Draft[] {
    const { value, date } = this.random.pick(series.events);
    const event = series.events.find((each) => each.value === value)!;
    return this.draft('when', series, value, {
      answers: [...dateForms(date), monthYear(date)],
      relevant: this.judge.telling(series, [event]),
    });
  }

  undated(release: Release): Draft[] {
    const part = this.random.pick([...components, 'abi'] as const);
    const relevant = this.judge.naming(release, part);
    if (Object.keys(relevant).length === 0) return [];
    const words = part === 'abi' ? 'module ABI' : part;
    return [
      {
        text: this.next('undated', undatedWordings)(words, release.version),
        class: 'undated',
        entity: `Electron ${release.line}`,
        answers: [part === 'abi' ? release.abi : release.bundles[part]],
        relevant,
      },
    ];
  }
}
