// Condensing a passage by extraction: which sentences are taken, whose dates count, and when there
// is nothing to condense; and the same as choosing by the words themselves, with those of the title
// distinguished.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { condense } from '../../../../lib/papers/mrag/summary/condense.js';

interface Sentence {
  words: string[];
  dated: boolean;
}
const sentence = (text: string, dated = false): Sentence => ({
  words: text.toLowerCase().match(/\w+/g) ?? [],
  dated,
});

/** What is condensed of the sentences behind their title. */
function condensed(sentences: readonly Sentence[], wanted: string, beside = '', title = '') {
  const split = (words: string): string[] => words.split(' ').filter((word) => word !== '');
  const terms = [...new Set([...split(wanted), ...split(beside)])];
  const named = split(title);
  const counts = [
    7,
    ...sentences.flatMap(({ words }) =>
      terms.map((term) => [...named, ...words].filter((word) => word === term).length),
    ),
  ];
  const counted = {
    length: sentences.length,
    terms: terms.length,
    counts,
    from: 1,
    dated: (at: number) => sentences[at]!.dated,
  };
  return condense(
    counted,
    split(beside).map((term) => terms.indexOf(term)),
    (term) => named.includes(terms[term]!),
  );
}

describe('condense', () => {
  const record = [
    sentence('The medal in botany 1927', true),
    sentence('Born 1877 in Varn', true),
    sentence('Died 1957', true),
    sentence('Share 1'),
  ];

  it('takes the fewest sentences that say what is asked, in their order', () => {
    assert.deepEqual(condensed(record, 'born medal botany')?.chosen, [0, 1]);
  });

  it('has the dates of the sentence that the constraint hangs on', () => {
    assert.deepEqual(condensed(record, 'born medal botany', 'born')?.dating, [1]);
    assert.deepEqual(condensed(record, 'born medal botany', 'botany')?.dating, [0]);
    assert.deepEqual(condensed(record, 'born medal botany', 'anywhere')?.dating, [0, 1]);
    assert.deepEqual(condensed(record, 'born medal botany', 'born', 'born')?.dating, undefined);
  });

  it('adds the nearest date to sentences without one', () => {
    const story = [
      sentence('The first season began on air 2018', true),
      sentence('It was filmed at sea'),
      sentence('The winner was Ann'),
      sentence('A sequel came 2021', true),
    ];
    assert.deepEqual(condensed(story, 'winner')?.chosen, [2, 3]);
  });

  it('has nothing to add to one sentence, or to none that says anything', () => {
    assert.equal(condensed(record.slice(0, 1), 'medal'), undefined);
    assert.equal(condensed(record, 'zebra'), undefined);
    assert.equal(condensed(record, 'died'), undefined);
  });

  it('chooses as the words would, those of the title being said already', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const words = fc.uniqueArray(word).map((all) => all.join(' '));
    const sentences = fc.array(
      fc.record({ words: fc.array(word, { maxLength: 4 }), dated: fc.boolean() }),
      { maxLength: 7 },
    );
    fc.assert(
      fc.property(sentences, words, words, words, (sentences, wanted, beside, title) => {
        const [byTerms, byWords] = [
          condensed(sentences, wanted, beside, title),
          plainly(sentences, wanted, beside, title),
        ];
        assert.deepEqual(byTerms?.chosen, byWords?.chosen);
        // Only the dates of the dating ones count.
        assert.deepEqual(
          byTerms?.dating.filter((at) => sentences[at]!.dated),
          byWords?.dating.filter((at) => sentences[at]!.dated),
        );
      }),
      { numRuns: 3000 },
    );
  });
});

function plainly(
  sentences: readonly Sentence[],
  wantedWords: string,
  besideWords: string,
  title: string,
) {
  const named = new Set(title.split(' '));
  const open = (words: string): string[] =>
    words.split(' ').filter((word) => word !== '' && !named.has(word));
  const [wanted, beside] = [
    new Set([...open(wantedWords), ...open(besideWords)]),
    new Set(open(besideWords)),
  ];
  const shared = (set: ReadonlySet<string>, { words }: Sentence): number =>
    [...set].filter((word) => words.includes(word)).length;
  if (sentences.length < 2) return undefined;
  const taken: number[] = [];
  while (taken.length < 3) {
    const gains = sentences.map((each, at) => (taken.includes(at) ? 0 : shared(wanted, each)));
    const most = Math.max(...gains);
    if (most === 0) break;
    const dated = gains.findIndex((gain, at) => gain === most && sentences[at]!.dated);
    taken.push(dated >= 0 ? dated : gains.indexOf(most));
    for (const word of sentences[taken.at(-1)!]!.words) wanted.delete(word);
  }
  if (taken.length > 0 && !taken.some((at) => sentences[at]!.dated)) {
    const away = (at: number): number => Math.abs(at - taken[0]!);
    const nearest = [...sentences.keys()]
      .filter((at) => sentences[at]!.dated)
      .sort((a, b) => away(a) - away(b) || a - b)[0];
    if (nearest !== undefined) taken.push(nearest);
  }
  if (taken.length < 2) return undefined;
  const chosen = taken.sort((a, b) => a - b);
  const dating = chosen.filter((at) => sentences[at]!.dated && shared(beside, sentences[at]!) > 0);
  return { chosen, dating: dating.length > 0 ? dating : chosen };
}
