// Judgments of passages on points: the known value of a point on a day.
import type { FamilyQuestion } from '../family.js';
import type { Draft, QuestionDraw } from '../questions.js';
import type { Point } from './data.js';
import { endOf, figureOf, type FigurePassage, type Statement } from './text.js';
import type { Words } from './words.js';

type Class = FamilyQuestion['class'];
export type FigureDraw = QuestionDraw<Words>;

/** Functions that judge by the statements of passages. */
export function judging(stated: FigurePassage[]) {
  const statementsOf = new Map<Point, (Statement & { of: FigurePassage })[]>();
  for (const of of stated)
    for (const statement of of.statements)
      statementsOf.set(statement.point, [
        ...(statementsOf.get(statement.point) ?? []),
        { ...statement, of },
      ]);

  const isKnown = (
    { published_at: published = '', statements }: FigurePassage,
    day: string,
  ): boolean => published <= day && endOf(statements[0]!.point) <= day;
  /** Passages on a point published by a day; a provisional figure counts until its revision. */
  function judge(points: Point[], asked?: string): Required<Pick<Draft, 'relevant' | 'outdated'>> {
    const relevant: Draft['relevant'] = {};
    const outdated: string[] = [];
    for (const point of points) {
      const seen = statementsOf.get(point)!.filter(({ of }) => isKnown(of, asked ?? '9999'));
      const final = seen.some(({ provisional }) => !provisional);
      for (const { grade, provisional, of } of seen)
        if (provisional && final && asked !== undefined) outdated.push(of.id);
        else relevant[of.id] = provisional && final ? 1 : grade;
    }
    return { relevant, outdated };
  }
  function question(
    operator: Class,
    points: Point[],
    words: Partial<Words> = {},
    more: Partial<Draft> = {},
  ): FigureDraw {
    const [point] = points;
    if (point === undefined) return undefined;
    const { series } = point;
    const { relevant } = judge(points);
    const answers = points.flatMap((each) => [figureOf(each)]);
    const key = `${operator} ${series.name} ${point.start}`;
    const draft = { key, class: operator, entity: series.entity, answers, relevant, ...more };
    if (!Object.values(draft.relevant).includes(2)) return undefined;
    return {
      draft,
      context: { x: series.name, t: '', v: '', side: '', grain: series.grain, ...words },
    };
  }
  return { statementsOf, isKnown, judge, question };
}
