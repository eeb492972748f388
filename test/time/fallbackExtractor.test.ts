// Chains of extractors, and the grammar for texts with a single time. No model.
import assert from 'node:assert/strict';
import {
  fallbackExtractor,
  grammarExtractor,
  singleTimeExtractor,
  timeTuples,
  type TimeExtractor,
} from '../../lib/time/timeExtractor.js';
import { noTime, type TimeTuple } from '../../lib/time/tuple.js';
import { failsWith } from '../failsWith.js';

const show = ({ year, month, dayOfMonth }: TimeTuple): string =>
  [year, month, dayOfMonth].filter(Boolean).join('-') || 'none';

describe('time: chained extractors', () => {
  it('passes texts without a grammar time to the next extractor', async () => {
    const calls: string[][] = [];
    const next: TimeExtractor = {
      id: 'next',
      extract: async (texts) => {
        calls.push([...texts]);
        return texts.map(() => ({ year: 7, month: 0, dayOfMonth: 0, mask: [1, 0, 0] }));
      },
    };
    const both = fallbackExtractor(grammarExtractor, next);
    const tuples = await timeTuples(['In 1987.', 'Long ago.', 'In May 1990.'], {
      extractor: both,
      references: ['2000', '2001', undefined],
    });
    assert.deepEqual(tuples.map(show), ['1987', '7', '1990-5']);
    assert.deepEqual(calls, [['Long ago.']]);
    assert.equal(both.id, 'grammar else next');
    assert.deepEqual(
      await fallbackExtractor(grammarExtractor).extract(['Never.'], {
        kind: 'passage',
        references: [undefined],
      }),
      [noTime],
    );
    assert.throws(() => fallbackExtractor(), failsWith('ERR_INVALID_ARGUMENT', /extractors/));
    assert.throws(
      () => fallbackExtractor({} as TimeExtractor),
      failsWith('ERR_INVALID_ARGUMENT', /extractors/),
    );
  });

  it('passes texts with several times on', async () => {
    const extractor = singleTimeExtractor;
    const passages = [
      'It fell in 1987, in the year 1987.',
      'It fell in 1987 and rose in May 1990.',
      'Nobody knows.',
    ];
    assert.deepEqual((await timeTuples(passages, { extractor })).map(show), [
      '1987',
      'none',
      'none',
    ]);
    const questions = ['Who led it in May 2021?', 'Who was born before 1950 and led it in 1990?'];
    assert.deepEqual((await timeTuples(questions, { extractor, kind: 'query' })).map(show), [
      '2021-5',
      'none',
    ]);
    for (const kind of ['query', 'passage'] as const) {
      await assert.rejects(
        timeTuples(questions, { extractor, kind, signal: AbortSignal.abort() }),
        failsWith('ERR_ABORTED', /abort/i),
      );
    }
  });
});
