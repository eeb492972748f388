// Interval, relation and span of every time in our own sentences (sentences.jsonl), as specified by
// docs/decisions/time-in-text.md. The first batch is development data; the second and
// third were written before the tagger ran on them.
import assert from 'node:assert/strict';
import { ownSentenceCases, sentenceAccuracy, type Case } from '../../bench/quality/time/time.js';

const floors = {
  first: { timed: 0.995, exact: 0.985, spurious: 1 },
  second: { timed: 0.98, exact: 0.97, spurious: 1 },
  third: { timed: 0.98, exact: 0.97, spurious: 1 },
};

describe('sentences of our own', () => {
  for (const batch of ['first', 'second', 'third'] as const) {
    it(`match the ${batch} batch`, () => {
      const cases = ownSentenceCases(batch);
      const { cases: intervals, timed, exact, spurious, misses } = sentenceAccuracy(cases);
      assert.ok(cases.length > 50 && intervals > 50);
      assert.ok(timed >= intervals * floors[batch].timed, misses.join('\n'));
      assert.ok(exact >= intervals * floors[batch].exact, misses.join('\n'));
      assert.ok(spurious <= floors[batch].spurious, misses.join('\n'));
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
