// Questions on figures of price indexes: of a state of knowledge, of months and spans, on first
// and last times, peaks, publications and revisions.
import { addDays, anyDay, dayAnswers, monthYear } from '../dates.js';
import { collect, type UnnumberedQuestion } from '../questions.js';
import { figure, monthAfter, monthsBetween, type Measure } from './data.js';
import { Figures } from './figures.js';
import { nouns, phrases, revisions, sayMonthOf, thresholds } from './wordings.js';

const monthAnswers = (month: string): string[] => [month, monthYear(`${month}-01`)];

export class PriceQuestions extends Figures {
  /** On the newest figure of some day: as of it, before it, or asked on it. */
  state(operator: 'as_of' | 'current' | 'latest' | 'last_before'): UnnumberedQuestion | undefined {
    const { random } = this;
    const subject = this.subject();
    const { series, measure, noun } = subject;
    const fact = random.pick(this.of(series.name, measure));
    const day = addDays(fact.published, 1 + random.below(random.pick([4, 25])));
    const end = operator === 'latest' && random.next() < 0.3;
    const until = end ? '9999' : operator === 'last_before' ? addDays(day, -1) : day;
    const month = this.newest(series, measure, end ? '2026-09-01' : until);
    if (month === undefined) return undefined;
    const older = this.of(series.name, measure, until).filter((each) => each.month < month);
    const dated = operator === 'as_of' || operator === 'last_before';
    const time = dated ? anyDay(day, random) : '';
    const text =
      operator === 'as_of' || operator === 'current'
        ? this.wording(operator, subject, time)
        : random.pick(phrases[operator])(noun, time);
    return this.judged(operator, { series, measure, text }, [month], {
      day: until,
      ...(dated || end ? {} : { asked: day }),
      ...(operator === 'last_before' ? {} : { older: older.map(({ passage }) => passage) }),
    });
  }

  /** The first figure of a month to come out after a day. */
  next(): UnnumberedQuestion | undefined {
    const { random } = this;
    const { series, measure, noun } = this.subject();
    const facts = this.of(series.name, measure).filter(({ passing }) => !passing);
    const day = addDays(random.pick(facts).published, random.below(20));
    const [first] = facts
      .filter(({ published }) => published > day)
      .sort((left, right) => left.published.localeCompare(right.published));
    if (first === undefined || facts.some(({ published }) => published === day)) return undefined;
    if (first.published > addDays(day, 70)) return undefined;
    const text = random.pick(phrases.first_after)(noun, anyDay(day, random));
    return this.judged('first_after', { series, measure, text }, [first.month], {
      day: first.published,
    });
  }

  /** Figures of a month, of some months, or of a quarter or year. */
  period(operator: 'in' | 'between' | 'before_date'): UnnumberedQuestion | undefined {
    const { random } = this;
    const subject = this.subject();
    const { series, measure, noun } = subject;
    const start = random.pick(this.facts).month;
    if (operator === 'between') {
      const end = monthAfter(start, 1 + random.below(3));
      const time = `${sayMonthOf(start, random)} .. ${sayMonthOf(end, random)}`;
      const text = random.pick(phrases.between)(noun, time);
      return this.judged(operator, { series, measure, text }, monthsBetween(start, end));
    }
    if (operator === 'before_date') {
      const [count, length] = random.pick<[number, string]>([
        [3, 'three months'],
        [6, 'half a year'],
        [12, 'a year'],
        [24, 'two years'],
        [18, '18 months'],
      ]);
      if (monthAfter(start, count) > '2026-09') return undefined;
      const time = `${length} before ${sayMonthOf(monthAfter(start, count), random)}`;
      return this.judged(
        operator,
        { series, measure, text: random.pick(phrases.before_date)(noun, time) },
        [start],
      );
    }
    const average = random.next() < 0.3 ? random.pick<Measure>(['quarter', 'annual']) : undefined;
    if (average === undefined)
      return this.judged(
        operator,
        { series, measure, text: this.wording('in', subject, sayMonthOf(start, random)) },
        [start],
      );
    const last = random.pick(this.of(series.name, average)).month;
    const quarter = `${random.pick(['quarter', 'Q'])}${Number(last.slice(5)) / 3}`.replace(
      'quarter',
      'quarter ',
    );
    const time = average === 'annual' ? last.slice(0, 4) : `${quarter} of ${last.slice(0, 4)}`;
    const text = random.pick(phrases.in)(random.pick(nouns[average])(series.name), time);
    return this.judged(operator, { series, measure: average, text }, [last]);
  }

  /** Figures that came out between a day and that of asking. */
  since(): UnnumberedQuestion | undefined {
    const { random } = this;
    const { series, measure, noun } = this.subject();
    const day = addDays(random.pick(this.facts).published, random.below(20));
    const asked = addDays(day, random.pick([45, 75, 110]));
    const fresh = this.of(series.name, measure, asked).filter(({ published }) => published > day);
    const months = [...new Set(fresh.filter(({ passing }) => !passing).map(({ month }) => month))];
    if (months.length > 4 || fresh.some((fact) => fact.published < addDays(day, 2)))
      return undefined;
    const judged = this.judged(
      'since',
      { series, measure, text: random.pick(phrases.since)(noun, anyDay(day, random)) },
      months,
      { day: asked, asked },
    );
    if (judged === undefined) return undefined;
    const relevant: Record<string, 1 | 2> = {};
    for (const { passage, passing, month } of fresh)
      if (!passing) relevant[passage] = passage in judged.relevant ? 2 : 1;
      else if (months.includes(month) && passage in judged.relevant) relevant[passage] ??= 1;
    return { ...judged, relevant };
  }

  /** The provisional value of a month, or the one that replaced it. */
  revised(operator: 'first' | 'latest'): UnnumberedQuestion | undefined {
    const { random } = this;
    const series = random.pick(this.all);
    const facts = this.of(series.name, 'yearly').filter(({ passing }) => !passing);
    const { month } = random.pick(facts);
    const [initial, ...rest] = facts
      .filter((fact) => fact.month === month)
      .sort((left, right) => left.published.localeCompare(right.published));
    if (initial === undefined || rest.length === 0) return undefined;
    const text = random.pick(revisions[operator])(series.name, sayMonthOf(month, random));
    return operator === 'latest'
      ? this.judged('latest', { series, measure: 'yearly', text }, [month], { older: [] })
      : this.judged('first', { series, measure: 'yearly', text }, [month], {
          day: initial.published,
        });
  }

  /** First or last month of a year with a yearly change above a bound. */
  crossing(operator: 'first' | 'latest'): UnnumberedQuestion | undefined {
    const { random } = this;
    const series = random.pick(this.all);
    const year = `${2017 + random.below(9)}`;
    const bound = random.pick([1, 2, 3, 4, 5, 8, 10, 20]);
    const over = monthsBetween(`${year}-01`, `${year}-12`).map((month) => ({
      month,
      above: (figure(series, 'yearly', month) ?? NaN) > bound,
    }));
    const hits = over.filter(({ above }) => above);
    const hit = operator === 'first' ? hits[0] : hits.at(-1);
    const open = operator === 'first' ? over[0] : over.at(-1);
    if (hit === undefined || hit === open) return undefined;
    const { month } = hit;
    const stated = this.of(series.name, 'yearly').filter((fact) => fact.month.startsWith(year));
    const truth = stated.every((fact) => fact.value === figure(series, 'yearly', fact.month));
    const text = random.pick(thresholds[operator])(series.name, bound, year);
    const judged = truth
      ? this.judged(operator, { series, measure: 'yearly', text }, [month])
      : undefined;
    return judged && { ...judged, answers: [...judged.answers, ...monthAnswers(month)] };
  }

  /** Dates: of a peak, of a publication, of a correction. */
  when(): UnnumberedQuestion | undefined {
    const { random } = this;
    const series = random.pick(this.all);
    const year = `${2017 + random.below(9)}`;
    const facts = this.of(series.name, 'yearly');
    if (random.next() < 0.4) {
      const months = monthsBetween(`${year}-01`, `${year}-12`);
      const values = months.map((month) => figure(series, 'yearly', month) ?? -99);
      const top = Math.max(...values);
      const [month] = months.filter((_, at) => values[at] === top);
      if (values.filter((value) => value > top - 0.15).length > 1 || month === undefined)
        return undefined;
      if (facts.some((fact) => fact.month.startsWith(year) && fact.value > top)) return undefined;
      const judged = this.judged(
        'when',
        { series, measure: 'yearly', text: random.pick(thresholds.when)(series.name, 0, year) },
        [month],
      );
      return judged && { ...judged, answers: monthAnswers(month) };
    }
    const fact = random.pick(facts.filter(({ passing }) => !passing));
    const same = facts.filter(({ month, passing }) => month === fact.month && !passing);
    if (same.length > 1) return undefined;
    const text = random.pick(phrases.when)(
      random.pick(nouns.yearly)(series.name),
      sayMonthOf(fact.month, random),
    );
    const relevant = { [fact.passage]: 2 as const };
    return {
      text,
      class: 'when',
      entity: series.name,
      answers: dayAnswers(fact.published),
      relevant,
    };
  }

  /** Months of which no passage states the measure. */
  missing(): UnnumberedQuestion | undefined {
    const { random } = this;
    const { series, measure, noun } = this.subject();
    const month =
      random.next() < 0.7
        ? random.pick(this.facts).month
        : `20${10 + random.below(5)}-0${1 + random.below(9)}`;
    if (this.of(series.name, measure).some((fact) => fact.month === month)) return undefined;
    const text = random.pick(phrases.in)(noun, sayMonthOf(month, random));
    return { text, class: 'in', entity: series.name, answers: [], relevant: {} };
  }

  questions(): UnnumberedQuestion[] {
    return [
      ...(['as_of', 'current', 'latest', 'last_before'] as const).flatMap((operator) =>
        collect({ as_of: 18, current: 18, latest: 7, last_before: 11 }[operator], () =>
          this.state(operator),
        ),
      ),
      ...collect(10, () => this.next()),
      ...collect(18, () => this.period('in')),
      ...collect(10, () => this.period('between')),
      ...collect(11, () => this.period('before_date')),
      ...collect(10, () => this.since()),
      ...collect(11, () => this.crossing('first')),
      ...collect(6, () => this.crossing('latest')),
      ...collect(5, () => this.revised('first')),
      ...collect(6, () => this.revised('latest')),
      ...collect(14, () => this.when()),
      ...collect(12, () => this.missing()),
    ];
  }
}
