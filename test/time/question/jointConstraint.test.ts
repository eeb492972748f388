// Combined constraints of a question: alternatives, intersections, publication in addition to
// content, and the remaining content.
import assert from 'node:assert/strict';
import { stateDecayForm } from '../../../lib/time/stateDecay.js';
import { constrainedPublicationMask } from '../../../lib/retrieval/mask.js';
import { splineForm } from '../../../lib/time/spline.js';
import { intervalIso } from '../../../lib/time/records.js';
import {
  isCurrentQuery,
  contentOutsideConstraints,
  jointConstraint,
  publicationCutoff,
} from '../../../lib/time/question/jointConstraint.js';
import type { Constraint } from '../../../lib/time/constraint.js';
import type { Interval } from '../../../lib/time/interval.js';
import { parseQuestion } from '../../../lib/time/question/question.js';
import { mostly } from './mostly.js';

const parse = (text: string) => parseQuestion({ text, askedAt: '2024-06-15' });
const jointly = (text: string) => {
  const { relation, interval, alternatives } = jointConstraint(parse(text));
  const { start_iso, end_iso } = intervalIso(interval);
  return [relation, start_iso, end_iso, alternatives?.length ?? 1];
};

type Joint = readonly [text: string, relation: string, from: string, to: string, count: number];
const joined = (cases: readonly Joint[]): void =>
  mostly(cases, 0.6, ([text, ...expected]) => assert.deepEqual(jointly(text), expected, text));

describe('several constraints of a question', () => {
  it('are alternatives if both are separate days or intervals', () => {
    joined([
      [
        'How warm was it on January 8, 2022, and how warm on January 9, 2022?',
        'on',
        '2022-01-08',
        '2022-01-09',
        2,
      ],
      ['How warm was it on January 7 and on January 8, 2022?', 'on', '2022-01-07', '2022-01-08', 2],
      [
        'How warm was it on January 7 and on January 12, 2022?',
        'on',
        '2022-01-07',
        '2022-01-12',
        2,
      ],
      [
        'How warm was it on January 7 and 12, 2022, and how warm on January 20, 2022?',
        'on',
        '2022-01-07',
        '2022-01-20',
        3,
      ],
      ['How warm was it between January 7 and 12, 2022?', 'between', '2022-01-07', '2022-01-12', 1],
      [
        'How many came in 1950, how many in 1970, and how many in 1990?',
        'in',
        '1950-01-01',
        '1990-12-31',
        3,
      ],
    ]);
  });

  it('give each of a few alternatives a spline line', () => {
    const dated = { condition: 'none', relation: 'in', clock: 'content', binds: true } as const;
    const years = [1950, 1970, 1990].map(
      (year): Interval => ({
        start: Date.UTC(year, 0),
        end: Date.UTC(year + 1, 0),
        granularity: 'year',
      }),
    );
    const of = (interval: Interval): Constraint => ({ ...dated, interval, window: interval });
    const [first, ...others] = years.map(of);
    const three = jointConstraint({
      ...parse('How many came?'),
      constraint: first!,
      constraints: [first!, ...others],
    });
    for (const form of [stateDecayForm(three, 0), splineForm(three, 0)]) {
      assert.ok(form.combine === 'product');
      const full = form.lines
        .filter(({ atStart, atEnd }) => atStart === 1 && atEnd === 1)
        .map(({ window }) => new Date(window.start).getUTCFullYear());
      assert.deepEqual(full, [1950, 1970, 1990]);
      assert.ok(form.lines.length <= 8);
    }
  });

  it('are intersected if they overlap', () => {
    joined([
      ['Who owned the mill after 1990 and before 2000?', 'between', '1991-01-01', '1999-12-31', 1],
      ['who was the mayor in 1848 as of 2020', 'in', '1848-01-01', '1848-12-31', 1],
      ['Who owned the mill in 1921 before June 1921?', 'between', '1921-01-01', '1921-05-31', 1],
    ]);
  });

  it('leave the primary one unchanged if the others describe or contradict it', () => {
    joined([
      ['Who, born in 1871, owned the mill in 1905?', 'in', '1905-01-01', '1905-12-31', 1],
      ['Who owned the mill before 1920 and after 1950?', 'after', '1950-01-01', '1950-12-31', 1],
    ]);
  });

  it('bound publication in addition to content', () => {
    const parsed = parse('Who won the race on May 8, 2022?');
    const issued: Constraint = {
      ...parsed.constraint,
      clock: 'published',
      window: { start: Date.parse('2022-05-06'), end: Date.parse('2022-05-07') },
    };
    const both = { ...parsed, constraints: [...parsed.constraints, issued] };
    assert.equal(publicationCutoff(both), Date.parse('2022-05-07') - 1);
    assert.equal(
      constrainedPublicationMask({ parsed: both }).publishedUntil,
      Date.parse('2022-05-07') - 1,
    );
    assert.equal(publicationCutoff(parsed), undefined);
    const undated = parse('What is it?');
    assert.equal(constrainedPublicationMask({ parsed: undated }).publishedUntil, undated.askedAt);
  });

  it('are removed from the search text', () => {
    assert.equal(
      contentOutsideConstraints(
        parse('How warm was it on January 8, 2022, and how dry on January 9, 2022?'),
      ),
      'How warm was it, and how dry?',
    );
  });

  it('recognise a question about now', () => {
    for (const text of [
      'Who owns it?',
      'Who owns it now?',
      'Who is the current owner?',
      'Who owns it as of today?',
    ]) {
      assert.ok(isCurrentQuery(parse(text)), text);
    }
    for (const text of ['Who owned it in 1990?', 'Who owned it as of 1990?'])
      assert.ok(!isCurrentQuery(parse(text)), text);
  });
});
