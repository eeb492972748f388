// Sentences of our own (sentences.jsonl): every interval with its ends, relation and span, and
// nothing else. The first batch was developed on; the second and third were written before the
// tagger saw them, and are kept right since. What a case expects is TIME_CONVENTIONS' word, or
// docs/decisions' where those are silent.
import assert from 'node:assert/strict';
import { ownSentenceCases, sentenceAccuracy, type Case } from '../../bench/quality/time/time.js';

const floors = {
  first: { timed: 0.995, exact: 0.985, spurious: 1 },
  second: { timed: 0.98, exact: 0.97, spurious: 1 },
  third: { timed: 0.98, exact: 0.97, spurious: 1 },
};

describe('sentences of our own', () => {
  for (const batch of ['first', 'second', 'third'] as const) {
    it(`are read as the ${batch} batch says`, () => {
      const cases = ownSentenceCases(batch);
      const { cases: intervals, timed, exact, spurious, misses } = sentenceAccuracy(cases);
      assert.ok(cases.length > 50 && intervals > 50);
      assert.ok(timed >= intervals * floors[batch].timed, misses.join('\n'));
      assert.ok(exact >= intervals * floors[batch].exact, misses.join('\n'));
      assert.ok(spurious <= floors[batch].spurious, misses.join('\n'));
    });

    it(`have the spans that the ${batch} batch says`, () => {
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
