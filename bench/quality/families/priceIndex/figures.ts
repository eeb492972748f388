// Known figures of a month on a day, the news items that state them, and the judgments of
// questions on them.
import type { UnnumberedQuestion } from '../questions.js';
import type { FamilyQuestion, Random } from '../family.js';
import { monthAfter, type Measure, type Series } from './data.js';
import { percent, type Fact } from './passages.js';
import { direct, nouns, phrases } from './wordings.js';

type Operator = FamilyQuestion['class'];

const answersOf = (measure: Measure, value: number): string[] =>
  measure === 'level' ? [`${value}`] : [percent(value), `${Math.abs(value).toFixed(1)}%`];

/** Facts as stated by news items. */
export class Figures {
  private readonly lines = new Map<string, Fact[]>();

  constructor(
    protected readonly all: Series[],
    protected readonly facts: Fact[],
    protected readonly random: Random,
  ) {
    for (const fact of facts) {
      const key = `${fact.series} ${fact.measure}`;
      this.lines.set(key, [...(this.lines.get(key) ?? []), fact]);
    }
  }

  protected of(series: string, measure: Measure, day = '9999'): Fact[] {
    const facts = this.lines.get(`${series} ${measure}`) ?? [];
    return facts.filter((fact) => fact.published <= day);
  }

  /** The value of a month as last stated until a day, with the passages for and against it. */
  protected known(series: string, measure: Measure, month: string, day = '9999') {
    const facts = this.of(series, measure, day).filter((fact) => fact.month === month);
    const last = facts.reduce<Fact | undefined>(
      (best, fact) => (best === undefined || fact.published > best.published ? fact : best),
      undefined,
    );
    if (last === undefined || facts.every(({ passing }) => passing)) return undefined;
    const relevant: Record<string, 1 | 2> = {};
    for (const { passage, value, passing } of facts)
      if (value === last.value) relevant[passage] = passing ? 1 : 2;
    const outdated = facts
      .filter(({ value }) => value !== last.value)
      .map(({ passage }) => passage);
    return { value: last.value, relevant, outdated };
  }

  protected subject(): { series: Series; measure: Measure; noun: string } {
    const series = this.random.pick(this.all);
    const measure = this.random.pick<Measure>(['yearly', 'yearly', 'yearly', 'monthly', 'level']);
    return { series, measure, noun: this.random.pick(nouns[measure])(series.name) };
  }

  protected wording(
    operator: 'as_of' | 'current' | 'in' | 'before_date',
    { series, measure, noun }: { series: Series; measure: Measure; noun: string },
    time: string,
  ): string {
    const { random } = this;
    return measure === 'yearly' && random.next() < 0.5
      ? random.pick(direct[operator])(series.name, time)
      : random.pick(phrases[operator])(noun, time);
  }

  protected judged(
    operator: Operator,
    { series, measure, text }: { series: Series; measure: Measure; text: string },
    months: string[],
    more: { day?: string; asked?: string; older?: string[] } = {},
  ): UnnumberedQuestion | undefined {
    const found = months.map((month) => this.known(series.name, measure, month, more.day));
    const known = found.flatMap((each) => (each ? [each] : []));
    if (known.length < months.length || months.length === 0) return undefined;
    const relevant = Object.assign(
      {},
      ...known.map((each) => each.relevant),
    ) as UnnumberedQuestion['relevant'];
    const outdated = [
      ...new Set([...known.flatMap((each) => each.outdated), ...(more.older ?? [])]),
    ];
    const stale = outdated.filter((passage) => !(passage in relevant));
    return {
      text,
      class: operator,
      entity: series.name,
      answers: known.flatMap(({ value }) => answersOf(measure, value)),
      relevant,
      ...(more.asked ? { asked_at: `${more.asked}T15:00:00Z` } : {}),
      ...(more.older && stale.length > 0 ? { outdated: stale } : {}),
    };
  }

  /** The newest month with a figure published by a day, unless that was long before. */
  protected newest(series: Series, measure: Measure, day: string): string | undefined {
    const facts = this.of(series.name, measure, day).filter(({ passing }) => !passing);
    const month = facts
      .map((fact) => fact.month)
      .sort()
      .at(-1);
    return month !== undefined && month >= monthAfter(day.slice(0, 7), -3) ? month : undefined;
  }
}
