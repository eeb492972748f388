// Packed rows of keywords: distinct ones once, empty rows included.
import assert from 'node:assert/strict';
import { packTermRows } from '../../lib/text/termRows.js';

describe('packed term rows', () => {
  it('have all rows, empty ones included', () => {
    const packed = packTermRows([['b', 'é', 'b'], [], ['a', 'b']]);
    assert.equal(new TextDecoder().decode(packed.termBytes), 'béa');
    assert.deepEqual([...packed.termOffsets], [0, 1, 3, 4]);
    assert.deepEqual([...packed.rowOffsets], [0, 3, 3, 5]);
    assert.deepEqual([...packed.rowTerms], [0, 1, 0, 2, 0]);
    assert.deepEqual([...packTermRows([]).rowOffsets], [0]);
  });
});
