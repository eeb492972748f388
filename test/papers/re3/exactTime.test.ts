// The form of the times that a question is fused with: its lines, and when there is none.
import assert from 'node:assert/strict';
import { parseQuestion } from '../../../lib/time/index.js';
import { fusedTimeForm } from '../../../lib/papers/re3/exactTime.js';

const windows = (text: string): string[] | undefined => {
  const form = fusedTimeForm({ parsed: parseQuestion({ text, askedAt: '2022-03-01T12:00:00Z' }) });
  if (form.combine !== 'product') return undefined;
  assert.deepEqual([form.clock, form.outside], ['content', 0.8]);
  return form.lines.map(
    ({ window: { start, end } }) =>
      `${new Date(start).toISOString().slice(0, 10)} ${(end - start) / 86_400_000}`,
  );
};

describe('the form of the times that a question is fused with', () => {
  it('has a line for each of them, on what is told', () => {
    assert.deepEqual(windows('Who won the Harvest Cup in May 1998?'), ['1998-05-01 31']);
    assert.deepEqual(windows('How many cases had Peru reported by April 3, 2021?'), [
      '2021-04-03 1',
    ]);
    assert.deepEqual(
      windows('How warm will Lisbon be on April 3, 2022, and how warm on April 4, 2022?'),
      ['2022-04-03 1', '2022-04-04 1'],
    );
    assert.deepEqual(windows('Who won the Harvest Cup between 1996 and 1998?'), [
      '1996-01-01 1096',
    ]);
  });

  it('is none where no time is fused', () => {
    const untimed = [
      'Who led the council from 1950 to 1957?',
      'Who won the cup before 1990?',
      'Who won the cup?',
    ];
    for (const text of untimed) assert.equal(windows(text), undefined);
  });

  it('spans from first to last where there are more than a spline has lines', () => {
    const days = Array.from({ length: 9 }, (_, day) => `April ${2 * day + 1}, 2022`);
    const found = windows(
      `How warm will Lisbon be on ${days.slice(0, -1).join(', on ')} and on ${days.at(-1)!}?`,
    );
    assert.ok(found!.length <= 8);
  });
});
