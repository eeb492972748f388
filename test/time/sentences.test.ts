// Interval, relation and span of every time in our own sentences (sentences.jsonl), as specified by
// docs/decisions/time-in-text.md. The first batch is development data; the second and
// third were written before the tagger ran on them.
import assert from 'node:assert/strict';
import { ownSentenceCases, sentenceAccuracy, type Case } from '../../bench/quality/time/time.js';
import { assertEach } from '../assertEach.js';

/** Of the intervals, those that are read with another relation or span. */
const misread = {
  first: ['The Spring 1994 collection was shown in Milan.', 'The 1970s building was demolished.'],
  second: ['The 17th- and 18th-century houses survive.'],
  third: [],
};

describe('sentences of our own', () => {
  for (const batch of ['first', 'second', 'third'] as const) {
    it(`match the ${batch} batch`, () => {
      const cases = ownSentenceCases(batch);
      const { cases: intervals, timed, spurious, misses } = sentenceAccuracy(cases);
      assert.ok(cases.length > 50 && intervals > 50);
      assert.deepEqual([timed, spurious], [intervals, 0], misses.join('\n'));
      assertEach(misses, (miss) => miss.split('\n')[0], misread[batch]);
    });

    it(`have the spans of the ${batch} batch`, () => {
      for (const each of ownSentenceCases(batch)) {
        for (const interval of each['intervals'] as Case[]) {
          assert.equal(
            (each['sentence'] as string).slice(
              interval['start'] as number,
              interval['end'] as number,
            ),
            interval['text'],
          );
        }
      }
    });
  }
});
