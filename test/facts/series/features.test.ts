// Features of statements: that of a name in place of the question's, and of no name.
import assert from 'node:assert/strict';
import {
  featureNames,
  featurePlaces,
  featureSigns,
  missingOf,
} from '../../../lib/facts/series/features.js';
import { featureOf, matched, matchedBy } from './matches.js';
import type { TestPassage } from './passages.js';

describe('features of statements', () => {
  const substituted = (question: string, passage: TestPassage): number[] =>
    featureOf(matched(question, passage), 'substituted');

  it('have one sign and one place each', () => {
    assert.equal(new Set(featureNames).size, featureNames.length);
    assert.equal(featureSigns.length, featureNames.length);
    featureNames.forEach((name, place) => assert.equal(featurePlaces[name], place));
    assert.ok(featureSigns.every((sign) => [-1, 0, 1].includes(sign)));
    assert.equal(featureSigns[featurePlaces.substituted], -1);
  });

  it('know a name that stands in place of the one that is asked for', () => {
    const question = 'How many ships did the harbour of Tannau handle?';
    for (const [text, expected] of [
      ['then the harbour of Grell handled 390 ships', 1],
      ['then the harbour of Tannau handled 390 ships', 0],
      ['then the harbour of Tannau sent ships to Grell', 0],
      // Without a name, it may still be the one.
      ['then the harbour handled 390 ships', 0],
      // The question's own word, written small.
      ['then Grell harbour and tannau', 0],
    ] as const)
      assert.deepEqual(substituted(question, { text }), [expected], text);
    assert.deepEqual(substituted('How many ships?', { text: 'then Grell handled ships' }), [0]);
  });

  it('take a name from the title and from what a sentence continues', () => {
    const question = 'How many ships did the harbour of Tannau handle?';
    const text = 'then the harbour sent 390 ships to Grell';
    assert.deepEqual(substituted(question, { text }), [1]);
    assert.deepEqual(substituted(question, { title: 'Harbours of Tannau', text }), [0]);
    // Another name in the title alone does not count.
    const unnamed = 'then the harbour handled 390 ships';
    assert.deepEqual(substituted(question, { title: 'Harbours of Grell', text: unnamed }), [0]);
    // The sentence before and the first one count; so does the passage as a whole.
    const names = 'Then Tannau grew. Then it sent ships to Grell. Then to Lohr. Then Ulm went.';
    assert.deepEqual(substituted(question, { text: names }), [0, 0, 0, 0, 0]);
    const later = 'Then we saw Grell. Then we saw Tannau. Then we saw Lohr. Then we saw Ulm.';
    assert.deepEqual(substituted(question, { text: later }), [1, 0, 0, 1, 0]);
  });

  it('miss one of several names', () => {
    const question = 'Did Ida Rowe sail to Tannau?';
    assert.deepEqual(substituted(question, { text: 'then Ida Rowe sailed to Grell' }), [1]);
    assert.deepEqual(substituted(question, { text: 'then Ida Rowe sailed away' }), [0]);
    // A part of a name is that name.
    assert.deepEqual(substituted(question, { text: 'then Rowe sailed from Grell to Tannau' }), [0]);
  });

  it('tell passages of another title where one has the name that is asked for', () => {
    const question = 'Which version of Send was out?';
    const passages = [
      { title: 'Send 0.15.1', text: 'it mends a fault' },
      { title: 'Express 4.15.1', text: 'it takes Send 0.15.1' },
      { text: 'it takes Send 0.15.0' },
    ];
    const found = matched(question, ...passages);
    assert.deepEqual(featureOf(found, 'titleSibling'), [0, 0, 1, 1, 0]);
    const without = matched(question, ...passages.slice(1));
    assert.deepEqual(featureOf(without, 'titleSibling'), [0, 0, 0]);
    // The title alone has no score of the text's.
    assert.deepEqual(featureOf(found, 'ofTitleAlone'), [0, 1, 0, 1, 0]);
    assert.deepEqual(
      featureOf(found, 'scanUnordered').map((each) => each > 0),
      [true, false, true, false, true],
    );
  });

  it('take no value of another name for that of the question', () => {
    const question = 'What came with Grell 12?';
    const missing = (text: string): number[] =>
      featureOf(matched(question, { text }), 'valueMissing');
    assert.deepEqual(missing('then Grell 12 came with masts'), [0]);
    assert.deepEqual(missing('then Grell 5 came with Tannau 12'), [1]);
  });

  it('count a name less the more passages have it', () => {
    const question = 'Who led Tannau?';
    const overlap = (text: string, idf: number): number =>
      featureOf(matchedBy({ idf }, question, { text }), 'nameOverlap')[0]!;
    assert.ok(overlap('then Rowe led Tannau', 0.1) < 0.2);
    assert.ok(overlap('then Rowe led Tannau', 5) > 0.95);
  });

  it('know questions for a figure, which is of its time', () => {
    const text = 'then Tannau had ships';
    for (const [question, expected] of [
      ['How many ships had Tannau?', 1],
      ['When had Tannau ships?', 1],
      ['Who led Tannau?', 0],
      ['Where is Tannau?', 0],
    ] as const)
      assert.deepEqual(featureOf(matched(question, { text }), 'beforeOfFigure'), [expected]);
  });

  it('count a missing noun of "which" by itself, since instances need not name their kind', () => {
    const missing = (question: string): [kind: number, word: number] => {
      const holiday = { text: 'then Corpus Christi fell on a Thursday in Tannau' };
      const found = matched(question, holiday, { text: 'a public holiday follows a population' });
      return [featureOf(found, 'kindMissing')[0]!, featureOf(found, 'rarityMissing')[0]!];
    };
    const [kind, word] = missing('Which public holiday fell on a Thursday in Tannau?');
    assert.ok(kind > 1 && word === 0, 'both words');
    assert.equal(missing('Which holiday follows in Tannau?')[0], kind / 2, 'not the verb');
    assert.equal(missing('Was a public holiday on a Thursday in Tannau?')[0], 0);
    assert.equal(missing('What population had Tannau?')[0], 0, 'a quantity is named');
  });

  it('count what is missing of words by rarity, of names and of values', () => {
    const all = matched(
      'Did ships of Tannau carry 40 masts?',
      { text: 'then ships of Tannau carried 40 masts' },
      { text: 'then boats of Tannau carried 40 masts' },
      { text: 'then ships of Grell carried 40 masts' },
      { text: 'then ships of Tannau carried 50 masts' },
    );
    for (const [name, of] of [
      ['rarityMissing', 1],
      ['nameMissing', 2],
      ['valueMissing', 3],
    ] as const)
      featureOf(all, name).forEach((value, at) => assert.equal(value > 0, at === of, name));
    const missing = all.matches.map(missingOf);
    assert.ok(missing.every((each, at) => at === 0 || each > missing[0]!));
  });
});
