// Decoding of the learned extractor's heads, against tuples computed by hand and by Date: masks,
// days that a month lacks, anchors. No model.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dayMilliseconds } from '../../../lib/time/civil.js';
import {
  anchors,
  extractorInput,
  heads,
  headsWidth,
  referenceDay,
  decodeTuple,
  type HeadName,
} from '../../../lib/models/onnx/timeHeads.js';
import { checkTuple } from '../../../lib/time/tuple.js';
import { failsWith } from '../../failsWith.js';

/**
 * Logits whose greatest, in each head, are at the given classes; second greatest ones where a list
 * is given.
 */
function logits(classes: Partial<Record<HeadName, number | number[]>>): Float32Array {
  const values = new Float32Array(headsWidth);
  for (const [head, given] of Object.entries(classes))
    [given].flat().forEach((each, at) => (values[heads[head as HeadName].from + each] = 9 - at));
  return values;
}
const day = (iso: string): number => Date.parse(`${iso}T00:00Z`) / dayMilliseconds;
const anchor = (name: string): number => {
  assert.ok(anchors.includes(name), name);
  return anchors.indexOf(name);
};
const show = (values: ArrayLike<number>, reference?: number): string => {
  const { year, month, dayOfMonth, mask } = decodeTuple(values, reference);
  return `${year} ${month} ${dayOfMonth} ${mask.join('')}`;
};

describe('time: the heads of the learned extractor', () => {
  const date = { thousands: 2, hundreds: 0, tens: 2, ones: 4, month: 1, day: 28 };

  it('reads digits, month and day, as far as the mask goes', () => {
    assert.equal(show(logits({ ...date, known: 3 })), '2024 2 29 111');
    assert.equal(show(logits({ ...date, known: 2 })), '2024 2 0 110');
    assert.equal(show(logits({ ...date, known: 1 })), '2024 0 0 100');
    assert.equal(show(logits({ ...date, known: 0 })), '0 0 0 000');
  });

  it('returns the most probable day that the month has', () => {
    assert.equal(show(logits({ ...date, ones: 3, known: 3, day: [30, 28, 6] })), '2023 2 7 111');
    assert.equal(show(logits({ ...date, month: 3, known: 3, day: [30, 11] })), '2024 4 12 111');
  });

  it('counts days, months and years from the reference by the calendar', () => {
    const from = day('2023-12-31');
    assert.equal(show(logits({ known: 3, anchor: anchor('day 1') }), from), '2024 1 1 111');
    assert.equal(show(logits({ known: 2, anchor: anchor('day -7') }), from), '2023 12 0 110');
    assert.equal(show(logits({ known: 3, anchor: anchor('month 2') }), from), '2024 2 0 110');
    assert.equal(show(logits({ known: 2, anchor: anchor('month -6') }), from), '2023 6 0 110');
    assert.equal(show(logits({ known: 3, anchor: anchor('year -10') }), from), '2013 0 0 100');
    assert.equal(show(logits({ known: 3, anchor: anchor('day 1') })), '0 0 0 000');
  });

  it('takes the year that brings a date nearest to the reference', () => {
    const nearest = { known: 3, anchor: anchor('nearest') };
    assert.equal(show(logits({ ...nearest, month: 0, day: 4 }), day('2023-12-20')), '2024 1 5 111');
    assert.equal(
      show(logits({ ...nearest, month: 11, day: 30 }), day('2024-02-01')),
      '2023 12 31 111',
    );
    assert.equal(
      show(logits({ ...nearest, known: 2, month: 11 }), day('2024-02-01')),
      '2023 12 0 110',
    );
    assert.equal(
      show(logits({ ...nearest, month: 1, day: [28, 27] }), day('2023-02-01')),
      '2023 2 28 111',
    );
    assert.equal(show(logits({ ...nearest, month: 1, day: 28 })), '0 0 0 000');
  });

  it('returns a valid tuple for any logits', () => {
    const any = fc.array(fc.float(), { minLength: headsWidth, maxLength: headsWidth });
    fc.assert(
      fc.property(
        any,
        fc.option(fc.integer({ min: -400_000, max: 400_000 }), { nil: undefined }),
        (values, reference) => {
          checkTuple(decodeTuple(values, reference));
        },
      ),
    );
  });

  it('writes references of a fixed length, and rejects invalid ones', () => {
    assert.equal(
      extractorInput('In May.', 'passage', day('2026-11-22')),
      'passage 2026 11 22 sunday : In May.',
    );
    assert.equal(
      extractorInput('In May.', 'query', undefined),
      'query none none none none none : In May.',
    );
    assert.equal(referenceDay('passage', undefined), undefined);
    const today = () => Math.floor(Date.now() / dayMilliseconds);
    const [before, found, after] = [today(), referenceDay('query', undefined), today()];
    assert.ok(found === before || found === after);
    assert.equal(referenceDay('passage', '2026-11-22'), day('2026-11-22'));
    assert.throws(
      () => referenceDay('passage', 'some day'),
      failsWith('ERR_INVALID_ARGUMENT', /reference/),
    );
    assert.ok(extractorInput('x'.repeat(1e6), 'query', 0).length < 5000);
  });
});
