// How much of weighted terms each statement has, itself or in its title, against the words.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../../lib/binding.js';
import { matchesOf, type QuestionTerm } from '../matches.js';
import { lexicon, statementsOf } from '../passages.js';

const vocabulary = ['pope', 'elected', 'conclave', '2013', 'CVE-2015-8314', 'Rome', 'bridge'];
const words = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...vocabulary), { maxLength }).map((list) => list.join(' '));
const passage = fc.record({
  text: fc.array(words(6), { maxLength: 3 }).map((list) => list.join('. ')),
  title: words(3),
});
const forms = fc.array(fc.constantFrom('pope', 'elect', 'rome', 'cve-2015-8314', 'absent'), {
  minLength: 1,
  maxLength: 3,
});
const term: QuestionTerm = { term: 'bridg', low: 'bridge', value: false, weight: 1, rarity: 5 };

describe('held shares', () => {
  it('are those of the words of statements and titles', () =>
    fc.assert(
      fc.property(
        fc.array(passage, { maxLength: 4 }),
        fc.array(fc.record({ forms, weight: fc.integer({ min: 1, max: 5 }) }), { minLength: 1 }),
        (passages, terms) => {
          const read = passages.map(statementsOf);
          const handles = read.map(({ handle }) => handle);
          const { handle, candidate, statement } = matchesOf(lexicon, handles, { terms: [term] });
          let end = 0;
          const shares = binding.heldShares(
            handle,
            terms.flatMap((each) => each.forms),
            Uint32Array.from(terms, (each) => (end += each.forms.length)),
            Float64Array.from(terms, ({ weight }) => weight),
          );
          const total = terms.reduce((sum, { weight }) => sum + weight, 0);
          assert.equal(shares.length, candidate.length);
          shares.forEach((share, nth) => {
            const { title, statements } = read[candidate[nth]!]!;
            const own = statements[statement[nth]!]!.words;
            const held = new Set([...own, ...title].map((word) => word.term));
            const sum = terms
              .filter((each) => each.forms.some((form) => held.has(form)))
              .reduce((all, { weight }) => all + weight, 0);
            assert.ok(Math.abs(share - sum / total) < 1e-12);
          });
        },
      ),
    ));

  it('refuse lists that do not fit', () => {
    const { handle } = matchesOf(lexicon, [], { terms: [term] });
    const call = (ends: number[], weights: number[]) => () =>
      binding.heldShares(handle, ['a', 'b'], Uint32Array.from(ends), Float64Array.from(weights));
    assert.throws(call([1], [1]), /Expected ends to be ascending up to 2/);
    assert.throws(call([2, 1, 2], [1, 1, 1]), /Expected ends to be ascending/);
    assert.throws(call([1, 2], [1]), /Expected weights to be/);
  });
});
