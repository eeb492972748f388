// Places in a roll of holders.
import assert from 'node:assert/strict';
import { officeHoldersIn, placesIn } from '../../lib/reading/rosters.js';

const roll =
  'The bishops of Varn were Osmund Tarrant (1902–1924), Leopold Crane (1924–1950), Hugh Bell ' +
  '(1950–63) and Martin Sele (since 1963).';

/** Whom a question asks for in the roll. */
const asked = (question: string, timed = false): string[] => {
  const of = placesIn(question, roll, timed);
  const right = (name: string): boolean => {
    const start = roll.indexOf(name);
    return of?.({ start, end: start + name.length, form: 'name' })['contestRight'] === 1;
  };
  return officeHoldersIn(roll)
    .map(({ name }) => name)
    .filter(right);
};

describe('a roll of holders', () => {
  it('has at least three names with years in brackets, in order of time', () => {
    assert.deepEqual(
      officeHoldersIn(roll).map(({ name, year }) => [name, year]),
      [
        ['Osmund Tarrant', 1902],
        ['Leopold Crane', 1924],
        ['Hugh Bell', 1950],
        ['Martin Sele', 1963],
      ],
    );
    assert.deepEqual(
      officeHoldersIn(
        'Leopold Crane (1871–1950) was bishop. He followed Osmund Tarrant (1850–1924).',
      ),
      [],
    );
    assert.deepEqual(officeHoldersIn('Ada (1990), Bo (1980) and Cy (2000) won.'), []);
  });
  it('has the first, the third, who followed and who came before', () => {
    assert.deepEqual(asked('Who was the first bishop of Varn?'), ['Osmund Tarrant']);
    assert.deepEqual(asked('Who was the third bishop of Varn?'), ['Hugh Bell']);
    assert.deepEqual(asked('Who succeeded Leopold Crane as bishop of Varn?'), ['Hugh Bell']);
    assert.deepEqual(asked('Who was the predecessor of Martin Sele?'), ['Hugh Bell']);
    assert.deepEqual(asked('Who was bishop of Varn before Leopold Crane?'), ['Osmund Tarrant']);
  });
  it('is left to its dates where a question asks for a time, or for nobody in it', () => {
    assert.deepEqual(asked('Who was the first bishop of Varn after 1940?', true), []);
    assert.deepEqual(asked('Who was bishop of Varn in 1930?'), []);
    assert.deepEqual(asked('Who succeeded Ada Brandt as mayor?'), []);
    assert.deepEqual(asked('Who succeeded Martin Sele as bishop of Varn?'), []);
  });
});
