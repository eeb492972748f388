// Failing calls of the operating system: what operations answer, and whether their handle goes on
// (simulation/failures.ts holds what is left to what was there).
import assert from 'node:assert/strict';
import { isWindows } from './fixtures.js';
import { failEveryCall, type FailedCall } from './simulation/failures.js';

/** Failures of which names on disk are unknown: those end the writing of a handle. */
const isDoubtful = ({ call, error }: FailedCall): boolean =>
  /^sync (?:segments )?folder$/.test(call) || (call === 'rename manifest' && /^EIO/.test(error));
/** Operations that write through the handle. */
const writing =
  /^(?:add|replace|add nothing new|update|alter fields|delete|delete where|compact|fuse)$/;
/** Failures that no operation is to notice. */
const isHarmless = ({ call, error }: FailedCall): boolean =>
  /^(?:link|remove|removeFolder) /.test(call) || /short$/.test(error);

describe('a failing call of the operating system', () => {
  let failed: FailedCall[];
  before(async function () {
    this.timeout(0);
    if (isWindows) this.skip(); // the simulated disk has the paths of POSIX
    failed = await failEveryCall({ all: false });
  });

  it('ends the writing of a handle only where names on disk are unknown', () => {
    const wrong = failed.filter(
      (each) => each.goesOn === (isDoubtful(each) && writing.test(each.operation)),
    );
    assert.deepEqual(wrong, []);
  });

  it('is not noticed where there is another way', () => {
    assert.deepEqual(
      failed.filter((each) => isHarmless(each) && each.outcome !== 'done'),
      [],
    );
  });

  it('is met by every operation, of every kind', () => {
    const distinct = (key: keyof FailedCall): number =>
      new Set(failed.map((each) => each[key])).size;
    assert.ok(failed.length > 800, `${failed.length} failures`);
    assert.deepEqual([distinct('operation'), distinct('error')], [21, 12]);
  });
});
