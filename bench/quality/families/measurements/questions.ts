// Questions on measured quantities by operator on time, drawn at random from their points.
import type { FamilyQuestion, Random } from '../family.js';
import { addDays, american, british, yearOf } from '../dates.js';
import { QuestionCollector, type Draft } from '../questions.js';
import type { Point, Series } from './data.js';
import { judging, type FigureDraw } from './judging.js';
import {
  endOf,
  figureOf,
  later,
  lengthOf,
  momentOf,
  periodForms,
  provisionalOf,
  type FigurePassage,
} from './text.js';
import * as wordings from './words.js';

/** The highest of some points (the lowest with -1), unless another has the same figure. */
function extremeOf(points: Point[], sign: 1 | -1): Point | undefined {
  const [best, second] = [...points].sort((one, other) => sign * (other.value - one.value));
  return best !== undefined && (second === undefined || figureOf(best) !== figureOf(second))
    ? best
    : undefined;
}

type Scene = ReturnType<typeof sceneOf>;

function sceneOf(all: Series[], stated: FigurePassage[], random: Random) {
  const collector = new QuestionCollector<wordings.Words>('c', random);
  const { statementsOf, isKnown, judge, question } = judging(stated);
  const pick = (wanted: (series: Series) => boolean = () => true): Point =>
    random.pick(random.pick(all.filter(wanted)).points);
  const period = (point: Point): string => random.pick(periodForms(point));
  const indexOf = (point: Point): number => point.series.points.indexOf(point);
  /** The figures of a period as answers to a question for its time. */
  const times = (point: Point): Partial<Draft> => ({ answers: [...new Set(periodForms(point))] });
  return {
    all,
    stated,
    random,
    collector,
    statementsOf,
    isKnown,
    judge,
    question,
    pick,
    period,
    indexOf,
    times,
  };
}

function askStates({ random, collector, question, pick, period }: Scene): void {
  collector.ask(13, wordings.asOf, () => {
    const point = pick(({ level }) => level);
    return question('as_of', [point], { t: momentOf(point, random) });
  });
  collector.ask(13, wordings.inPeriod, () => {
    const point = pick();
    return question('in', [point], { t: period(point) });
  });
}

function askRevisions({ statementsOf, random, collector, judge, question, period }: Scene): void {
  const revised = [...statementsOf].flatMap(([point, list]) => {
    const [early, late] = ['provisional', 'final'].map((kind) =>
      list.find(
        ({ of, provisional }) =>
          of.published_at !== undefined && (provisional === true) === (kind === 'provisional'),
      ),
    );
    return early && late && early.provisional ? [{ point, early: early.of, late: late.of }] : [];
  });
  collector.ask(9, wordings.known, () => {
    const { point, early, late } = random.pick(revised);
    const day = addDays((random.next() < 0.5 ? early : late).published_at!, 3 + random.below(100));
    const { relevant, outdated } = judge([point], day);
    const answers = [day < late.published_at! ? provisionalOf(point) : figureOf(point)];
    return question(
      'as_of',
      [point],
      { t: period(point), v: random.pick([british, american])(day) },
      { relevant, outdated, answers },
    );
  });
  collector.ask(4, wordings.provisional, () => {
    const { point, early, late } = random.pick(revised);
    const relevant = { [early.id]: 2, [late.id]: 2 } as const;
    return question(
      'in',
      [point],
      { t: period(point) },
      { relevant, answers: [provisionalOf(point)] },
    );
  });
}

function askNewest({
  all,
  random,
  collector,
  statementsOf,
  isKnown,
  judge,
  question,
  indexOf,
}: Scene): void {
  /** A question on the newest point, some days after its report. */
  const newest = (operator: 'current' | 'latest', series: Series): FigureDraw => {
    const point = random.pick(series.points.slice(2));
    const wait = series.lag ?? 10;
    const asked = addDays(
      endOf(point),
      wait + 1 + random.below(28 * lengthOf[series.grain] - wait - 4),
    );
    const { relevant, outdated } = judge([point], asked);
    const past = series.points.slice(0, indexOf(point)).flatMap((each) => statementsOf.get(each)!);
    const old = past.filter(({ of }) => isKnown(of, asked) && !(of.id in relevant));
    const final = statementsOf
      .get(point)!
      .some(({ provisional, of }) => !provisional && isKnown(of, asked));
    return question(
      operator,
      [point],
      {},
      {
        asked_at: asked,
        relevant,
        outdated: [...new Set([...outdated, ...old.map(({ of }) => of.id)])],
        ...(final ? {} : { answers: [provisionalOf(point)] }),
      },
    );
  };
  collector.ask(15, wordings.current, () =>
    newest('current', random.pick(all.filter(({ lag, level }) => lag !== undefined && level))),
  );
  collector.ask(15, wordings.latest, () =>
    newest('latest', random.pick(all.filter(({ lag }) => lag !== undefined))),
  );
}

function askFirst({ all, random, collector, question, times }: Scene): void {
  collector.ask(8, wordings.first, () => question('first', [random.pick(all).points[0]!]));
  collector.ask(5, wordings.firstTime, () => {
    const { points, ...series } = random.pick(all);
    const limit = Number(random.pick(points).value.toPrecision(2));
    const point = points.find(({ value }) => value > limit);
    if (point === undefined || point === points[0]) return undefined;
    return question('first', [point], { v: series.unit(limit) }, times(point));
  });
}

function askNeighbours({ random, collector, question, pick, period, indexOf, times }: Scene): void {
  for (const step of [1, -1] as const) {
    const operator = step === 1 ? 'first_after' : 'last_before';
    collector.ask(7, step === 1 ? wordings.firstAfter : wordings.lastBefore, () => {
      const anchor = pick();
      const { points, unit } = anchor.series;
      const limit = Number(random.pick(points).value.toPrecision(2));
      const side = anchor.value > limit ? -1 : 1;
      const rest =
        step === 1 ? points.slice(indexOf(anchor) + 1) : points.slice(0, indexOf(anchor)).reverse();
      const at = rest.findIndex(({ value }) => (value - limit) * side > 0);
      const found = rest[at];
      if (found === undefined || at > 40) return undefined;
      const words = { t: period(anchor), v: unit(limit), side: side === 1 ? 'above' : 'below' };
      return question(operator, [found], words, times(found));
    });
    collector.ask(7, step === 1 ? wordings.next : wordings.previous, () => {
      const anchor = pick();
      const found = anchor.series.points[indexOf(anchor) + step];
      if (found?.start !== later(anchor.start, step * lengthOf[anchor.series.grain]))
        return undefined;
      return question(operator, [found], { t: period(anchor) });
    });
  }
}

function askPeriods({ random, collector, question, pick, indexOf }: Scene): void {
  collector.ask(8, wordings.between, () => {
    const from = pick();
    const { points, grain } = from.series;
    const list = points.slice(indexOf(from), indexOf(from) + 3 + random.below(3));
    const last = list.at(-1)!;
    if (last.start !== later(from.start, (list.length - 1) * lengthOf[grain]) || list.length < 3)
      return undefined;
    const [start, end] = [periodForms(from)[0]!, periodForms(last)[0]!];
    return question('between', list, {
      t: random.pick([`between ${start} and ${end}`, `from ${start} to ${end}`]),
    });
  });
  collector.ask(6, wordings.highestBetween, () => {
    const from = pick();
    const { points } = from.series;
    const list = points.slice(indexOf(from), indexOf(from) + 6 + random.below(20));
    const best = extremeOf(list, 1);
    if (best === undefined || list.length < 6) return undefined;
    const [start, end] = [periodForms(from)[0]!, periodForms(list.at(-1)!)[0]!];
    const answers = [...new Set([figureOf(best), ...periodForms(best)])];
    return question(
      'between',
      [best],
      { t: random.pick([`between ${start} and ${end}`, `from ${start} to ${end}`]) },
      { answers },
    );
  });
  collector.ask(12, wordings.asOf, () => {
    const point = pick();
    const { grain, points } = point.series;
    const count = 2 + random.below(9);
    const years = grain === 'year' || random.next() < 0.5;
    const anchor = later(point.start, count * (years ? 12 : lengthOf[grain]));
    const at = points.find(({ start }) => start === anchor);
    if (at === undefined) return undefined;
    return question('before_date', [point], {
      t: `${count} ${years ? 'year' : grain}s before ${periodForms(at)[0]!}`,
    });
  });
}

function askHighestSince({ random, collector, judge, question, pick, indexOf }: Scene): void {
  collector.ask(12, wordings.highestSince, () => {
    const from = pick();
    const { points, lag = 10 } = from.series;
    const list = points.slice(indexOf(from), indexOf(from) + 5 + random.below(30));
    const best = extremeOf(list, 1);
    if (best === undefined || list.length < 5 || best === from) return undefined;
    const asked = addDays(endOf(list.at(-1)!), lag + 1);
    const { relevant } = judge([best], asked);
    const answers = [...new Set([figureOf(best), ...periodForms(best)])];
    return question(
      'since',
      [best],
      { t: periodForms(from)[0]! },
      { asked_at: asked, relevant, answers },
    );
  });
}

function askDates({ collector, question, pick, times }: Scene): void {
  collector.ask(12, wordings.when, () => {
    const point = pick();
    const same = point.series.points.filter((each) => figureOf(each) === figureOf(point));
    return same.length > 1
      ? undefined
      : question('when', [point], { v: figureOf(point) }, times(point));
  });
  collector.ask(5, wordings.whenLowest, () => {
    const { series, start } = pick();
    const decade = start.slice(0, 3);
    const list = series.points.filter((each) => each.start.startsWith(decade));
    const lowest = extremeOf(list, -1);
    const whole = list[0]?.start === `${decade}0-01-01` && yearOf(list.at(-1)!.start) % 10 === 9;
    return lowest && whole
      ? question('when', [lowest], { t: `${decade}0s` }, times(lowest))
      : undefined;
  });
}

function addUndated({ stated, collector }: Scene): void {
  const questions = collector.questions;
  const next = (): string => `c-${questions.length + 1}`;
  for (const [text, note] of wordings.undated) {
    const found = stated.filter((passage) => passage.text.includes(note));
    const relevant = Object.fromEntries(
      found.map(({ id, statements }) => [
        id,
        statements.length === 0 ? (2 as const) : (1 as const),
      ]),
    );
    questions.push({
      id: next(),
      text,
      class: 'undated',
      entity: found[0]!.entities![0]!,
      answers: [note],
      relevant,
    });
  }
  for (const [operator, text, entity, asked] of wordings.unanswerable)
    questions.push({
      id: next(),
      text,
      class: operator,
      entity,
      answers: [],
      relevant: {},
      ...(asked === undefined ? {} : { asked_at: asked }),
    });
}

export function questionsOf(
  all: Series[],
  stated: FigurePassage[],
  random: Random,
): FamilyQuestion[] {
  const scene = sceneOf(all, stated, random);
  askStates(scene);
  askRevisions(scene);
  askNewest(scene);
  askFirst(scene);
  askNeighbours(scene);
  askPeriods(scene);
  askHighestSince(scene);
  askDates(scene);
  addUndated(scene);
  return scene.collector.questions;
}
