// Initials of a question as names of its candidates, against a reading of their words one by one.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../../lib/binding.js';
import { seriesQuestion } from '../../../lib/facts/question/question.js';
import { withNamesOfInitials } from '../../../lib/facts/question/names.js';
import type { PassageStatements } from '../../../lib/statements/statements.js';
import { lexicon, statementsOf } from '../passages.js';

/** The names of some initials, as often as they stand; undefined where these are a word. */
function namesOf(letters: string, passages: readonly PassageStatements[]) {
  const names = new Map<string, number>();
  const ranges = passages.flatMap(({ title, statements }) => [
    title,
    ...statements.flatMap(({ words, whole }) => (whole ? [] : [words])),
  ]);
  for (const range of ranges) {
    const words = [...range];
    if (words.some(({ low }) => low === letters)) return undefined;
    for (let first = 0; first + letters.length <= words.length; first += 1) {
      const run = words.slice(first, first + letters.length);
      const isName = run.every(
        ({ capital, value, low }, at) =>
          capital && !value && low[0] === letters[at] && (at === 0 || range.joins(first + at)),
      );
      if (!isName) continue;
      const name = range.text.slice(run[0]!.start, run.at(-1)!.end);
      names.set(name, (names.get(name) ?? 0) + 1);
    }
  }
  return names;
}

describe('initials of a question', () => {
  it('are written out by the most frequent name of the candidates', () => {
    const passages = [
      { text: 'The European Central Bank met. The Eastern Coal Board did not.', title: 'Rates' },
      { text: 'Rates of the European Central Bank rose.' },
    ].map(statementsOf);
    assert.equal(
      withNamesOfInitials('What did the E.C.B. of the EU do?', passages, lexicon),
      'What did the European Central Bank of the EU do?',
    );
    const written = [...passages, statementsOf({ text: 'The ECB met.' })];
    assert.equal(
      withNamesOfInitials('What did the ECB do?', written, lexicon),
      'What did the ECB do?',
    );
  });

  it('are those of a reading word by word', () => {
    const word = fc.constantFrom(
      ...['Ann', 'Bell', 'Bank', 'of', 'the', 'ab', 'Ab', 'AB', 'B2', '1.5', 'and', 'Élan', 'Ça'],
      ...['.', ',', '. ', 'Bay-Area', 'iPhone', 'A', 'B', '(', 'In May 2019', '\n'],
    );
    const text = fc.array(word, { maxLength: 14 }).map((words) => words.join(' '));
    const passages = fc.array(fc.record({ text, title: text }), { maxLength: 4 });
    fc.assert(
      fc.property(
        passages,
        fc.constantFrom('AB', 'ABB', 'BA', 'A.B.', 'ÉB', 'BABA'),
        (all, asked) => {
          const read = all.map(statementsOf);
          const names = namesOf(asked.replaceAll('.', '').toLowerCase(), read);
          const most = Math.max(0, ...(names?.values() ?? []));
          const found = withNamesOfInitials(`What is ${asked}?`, read, lexicon);
          if (most === 0) assert.equal(found, `What is ${asked}?`);
          else assert.equal(names!.get(found.slice('What is '.length, -1)), most);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('names of a question without capitals', () => {
  const passages = [
    { text: 'The title of Ridley Town was won by Granada in spring. Spring came late.' },
    { text: 'A town near Granada, in spring.' },
  ].map(statementsOf);
  const { names } = binding.vocabularyOf(
    lexicon.handle,
    passages.map(({ handle }) => handle),
  );
  const capitalised = lexicon.texts(names);
  const read = (text: string) =>
    seriesQuestion(
      { text, askedAt: Date.UTC(2024, 0, 1) },
      {
        idf: (all) => new Float64Array(all.length).fill(3),
        rarity: () => 10,
        hasCompound: (compound) => compound === '2022-31072',
        opensTitle: () => false,
        isCapitalised: (low) => capitalised.includes(low),
        isUncommon: (low) => low === 'zlib',
      },
    );
  const namesOfQuestion = (text: string): string[][] => {
    const { terms, names: places } = read(text);
    return places.map((name) => name.map((place) => terms[place]!.low));
  };

  it('are words that candidates mostly write with one within sentences', () => {
    // "Spring" opens a sentence, "Town" is as often written without.
    assert.deepEqual(new Set(capitalised), new Set(['ridley', 'granada']));
    assert.deepEqual(namesOfQuestion('what did granada win in spring?'), [['granada']]);
    assert.deepEqual(namesOfQuestion('Granada win in spring'), [['granada']]);
  });

  it('are words that are none of English', () => {
    assert.deepEqual(namesOfQuestion('What did zlib win in a town?'), [['zlib']]);
  });

  it('are no identifiers, which candidates may have by their ends alone', () => {
    const { terms, names: none } = read('When was CVE-2022-31072 fixed?');
    const known = terms.map(({ term, value }) => [term, value]);
    assert.deepEqual(
      [known, none],
      [
        [
          ['2022-31072', true],
          ['fix', false],
        ],
        [],
      ],
    );
  });

  it('are those of the question where it has any', () => {
    assert.deepEqual(namesOfQuestion('What did granada win in Spring?'), []);
    assert.deepEqual(namesOfQuestion('What did granada of Ridley win?'), [['ridley']]);
  });
});
