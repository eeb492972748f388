// How much of a question candidates cover, against its definition, and of two details in passing.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../../lib/binding.js';
import { plain, type QuestionTerm } from '../matches.js';
import { encoder, lexicon, statementsOf } from '../passages.js';

const vocabulary = ['drummer', 'hurt', 'his', 'back', 'lifting', '2019', '15.3', 'drums', 'band'];
const text = fc
  .array(fc.constantFrom(...vocabulary), { maxLength: 12 })
  .map((words) => words.join(' '));
const term = (low: string, value = false): QuestionTerm => ({
  ...{ term: low, low, value },
  ...{ weight: 1, rarity: 5 },
});

const mean = (list: readonly number[]): number =>
  list.reduce((sum, each) => sum + each, 0) / list.length;

/** Without the share that passages of as many words cover, in standard deviations. */
function standardised(covered: readonly number[], words: readonly number[]): number[] {
  const lengths = words.map((count) => Math.log(5 + count));
  const xs = lengths.map((each) => each - mean(lengths));
  const ys = covered.map((each) => each - mean(covered));
  const squares = xs.reduce((sum, x) => sum + x * x, 0);
  const slope = xs.reduce((sum, x, at) => sum + x * ys[at]!, 0) / Math.max(squares, 1e-6);
  const rest = ys.map((y, at) => y - slope * xs[at]!);
  const deviation = Math.sqrt(mean(rest.map((each) => each * each)));
  return rest.map((each) => each / Math.max(deviation, 1e-6));
}

describe('coverage of a question', () => {
  it('is the weighted likeness of the nearest words, less what the length covers', () => {
    const terms = [term('drummer'), term('hurt'), term('15', true), term('injuri')];
    const idf = Float64Array.of(3, 2, 4, 1);
    const title = fc.constantFrom('', 'band', 'the drums of 2019');
    const passages = fc.array(fc.record({ text, title }), { maxLength: 5 });
    fc.assert(
      fc.property(
        passages,
        fc.infiniteStream(fc.double({ min: -1, max: 1, noNaN: true })),
        (given, values) => {
          const read = given.map(statementsOf);
          const handles = read.map(({ handle }) => handle);
          const pool = binding.openPool(lexicon.handle, handles, plain({ terms }));
          const none = new Uint32Array();
          const count = binding.poolWords(pool, none, none).ends.length;
          const cosines = Float64Array.from({ length: terms.length * count }, () =>
            Number(values.next().value),
          );
          const found = [...binding.coverageOf(pool, idf, cosines)];
          // Words of the pool in the order in which they first stand there.
          const wordsOf = ({ title: own, statements }: (typeof read)[number]): string[] => {
            const said = statements.flatMap(({ words }) => [...words]);
            return [...new Set([...own, ...said].map(({ low }) => low))];
          };
          const all = [...new Set(read.flatMap(wordsOf))];
          assert.equal(all.length, count);
          const likeness = (t: number, word: string): number => {
            const { low, value } = terms[t]!;
            if (value) return Number(word === low || word.startsWith(`${low}.`));
            return word === low ? 1 : Math.max(0, cosines[t * count + all.indexOf(word)]!);
          };
          const covered = read.map((passage) =>
            terms.reduce((sum, _, t) => {
              const most = Math.max(0, ...wordsOf(passage).map((word) => likeness(t, word)));
              return sum + idf[t]! * most;
            }, 0),
          );
          const expected = standardised(
            covered,
            read.map((passage) => wordsOf(passage).length),
          );
          assert.equal(found.length, expected.length);
          expected.forEach((each, at) =>
            assert.ok(
              Math.abs(found[at]! - each) < 1e-6 * (1 + Math.abs(each)),
              `${found[at]} ${each}`,
            ),
          );
        },
      ),
    );
  });

  it('finds a passage that has other words for two details', async () => {
    const texts = [
      'The drummer has put his back out lifting an amplifier, so Big Neil will sit in on Saturday.',
      'The band plays two sets on Saturday and wants to be paid in cash after the second set.',
      'A new singer has joined the band, and rehearsals are on Tuesdays in the parish hall.',
      'The hall has a stage of six metres, a kitchen, and a door behind it for the caterers.',
      'Guests park in the lower meadow, and the gates to it are closed at half past eleven.',
      'The florist wants to see the tables before she orders dahlias for the whole weekend.',
      'All quiet.',
    ];
    const terms = [term('injury'), term('percussionist')];
    const handles = texts.map((each) => statementsOf({ text: each }).handle);
    const pool = binding.openPool(lexicon.handle, handles, plain({ terms }));
    const { ids, ends } = encoder.tokenize(terms.map(({ low }) => low));
    const words = binding.poolWords(pool, ids, ends);
    const coverage = binding.coverageOf(
      pool,
      Float64Array.of(5, 6),
      await encoder.cosines(words, terms.length),
    );
    assert.ok(coverage[0]! > Math.max(...coverage.slice(1)), String(coverage));
  });
});
