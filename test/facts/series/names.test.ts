// Names in candidates: what opens a sentence is a name by its use elsewhere, a short title begins
// with the name of its subject, a longer name is one of its own, and names of the question are.
import assert from 'node:assert/strict';
import { candidateNames } from '../../../lib/facts/series/names.js';
import { seriesQuestion } from '../../../lib/facts/series/question.js';
import { AskedTerms, Vocabulary } from '../../../lib/facts/series/vocabulary.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';
import { lexicon, statementsOf, type TestPassage } from './passages.js';

const rare = new Set(['grell', 'tannau']);
const rarity = (low: string): number => (rare.has(low) ? 18 : 5);
/** Names as they are written in terms. */
interface WrittenNames {
  title: string[][];
  statements: string[][][];
}

/** Names of passages for a question about names, each of one word. */
function namesFor(names: readonly string[], passages: readonly TestPassage[]): WrittenNames[] {
  const text = `where is ${names.join(', ')}`;
  const question = seriesQuestion({ text, askedAt: 0 }, englishAnalyzer(), {
    idf: () => 5,
    rarity,
    hasCompound: () => false,
    opensTitle: (low) => names.includes(low),
  });
  const read = passages.map(statementsOf);
  const asked = new AskedTerms(question, new Vocabulary(lexicon, read));
  const written = (name: readonly number[]): string[] => name.map((term) => lexicon.texts[term]!);
  return candidateNames(read, rarity, asked).map(({ title, statements }) => ({
    title: title.map(written),
    statements: statements.map((own) => own.map(written)),
  }));
}
const namesOf = (...passages: TestPassage[]): WrittenNames[] => namesFor([], passages);
/** Names of the statements of the first of the passages. */
const stated = (...passages: TestPassage[]): string[][][] => namesOf(...passages)[0]!.statements;

describe('candidateNames', () => {
  it('takes runs of capitals for names, over small words of names', () => {
    assert.deepEqual(stated({ text: 'then the Bank of England and Ida Rowe met in Grell' }), [
      [['bank', 'england', 'ida', 'row'], ['grell']],
    ]);
    assert.deepEqual(stated({ text: 'then Ida Rowe, Karl Rau or 5 Holms met' }), [
      [['ida', 'row'], ['karl', 'rau'], ['holm']],
    ]);
  });

  it('decides an opener by its use elsewhere, in the same or another passage', () => {
    const opener = { text: 'Safari gained tabs.' };
    const [small, capital] = [{ text: 'they use safari' }, { text: 'they use Safari' }];
    assert.deepEqual(stated(opener, small), [[]]);
    assert.deepEqual(stated(opener, capital), [[['safari']]]);
    assert.deepEqual(stated(opener, capital, small), [[]], 'a tie is no name');
    assert.deepEqual(stated(opener, capital, small, capital), [[['safari']]]);
    assert.deepEqual(stated(opener, { text: 'Safari was slow.' }), [[]], 'openers tell nothing');
    const title = { title: 'Tabs of the Safari', text: 'they' };
    assert.deepEqual(stated(opener, title), [[['safari']]]);
    const own = stated({ text: 'Safari gained tabs. They use Safari.' });
    assert.deepEqual(own[0], [['safari']]);
  });

  it('counts words within a passage once, though it is also a statement as a whole', () => {
    const whole = { text: 'They use Safari. They stop.' };
    assert.equal(namesOf(whole)[0]!.statements.length, 3);
    const small = { text: 'they use safari' };
    assert.deepEqual(stated({ text: 'Safari gained tabs.' }, whole, small), [[]]);
  });

  it('takes an opener that is nowhere else for a name where the word is rare', () => {
    assert.deepEqual(stated({ text: 'Grell closed.' }), [[['grell']]]);
    assert.deepEqual(stated({ text: 'Mills closed.' }), [[]]);
  });

  it('never takes a word for a name that is mostly written small', () => {
    assert.deepEqual(
      stated({ text: 'then the Mill closed' }, { text: 'a mill' }, { text: 'the mill' }),
      [[]],
    );
    assert.deepEqual(stated({ text: 'then the Mill closed' }), [[['mill']]]);
  });

  it('finds a longer name to be another than the name in it', () => {
    const [ios, mac] = namesOf(
      { title: 'Safari on iOS 15', text: 'it runs Safari on iOS' },
      { title: 'Safari 15', text: 'it runs Safari' },
    );
    // The statement, and the title as one.
    const [onPhones, onMacs] = [[['safari', 'io']], [['safari']]];
    assert.deepEqual(ios, { title: onPhones, statements: [onPhones, onPhones] });
    assert.deepEqual(mac, { title: onMacs, statements: [onMacs, onMacs] });
    assert.deepEqual(stated({ text: 'then Safari in Grell' }), [[['safari'], ['grell']]]);
  });

  it('takes the first word of a short title for the name of its subject', () => {
    const title = (text: string) => namesOf({ title: text, text: 'it is out' })[0]!.title;
    assert.deepEqual(title('commander 2.9.0'), [['command']]);
    assert.deepEqual(title('the commander'), [['command']]);
    assert.deepEqual(title('commander for Node'), [['command'], ['node']]);
    assert.deepEqual(title('2.9.0 commander'), []);
    assert.deepEqual(title('commander can now parse many options'), []);
    assert.deepEqual(title('Grell Mill'), [['grell', 'mill']]);
    // A capital before a common noun tells nothing.
    assert.deepEqual(title('Inflation report of May 2019'), []);
    assert.deepEqual(title(''), []);
  });

  it('takes terms of the names in the question for names, in whatever case', () => {
    const asking = (text: string, ...names: string[]): WrittenNames =>
      namesFor(names, [{ title: '', text }])[0]!;
    const stated = (text: string, ...terms: string[]) => asking(text, ...terms).statements[0];
    const text = 'then the safari tabs of Grell were slow';
    assert.deepEqual(stated(text), [['grell']]);
    assert.deepEqual(stated(text, 'safari'), [['safari'], ['grell']]);
    assert.deepEqual(stated(text, 'safari', 'tabs'), [['safari', 'tab', 'grell']]);
    // Also what opens a sentence, and what is mostly written small.
    assert.deepEqual(stated('Mills closed, a mill or the mill', 'mill'), [
      ['mill'],
      ['mill'],
      ['mill'],
    ]);
    // A value is none.
    assert.deepEqual(stated('then 15 and v15 were slow', '15'), []);
    const titled = { title: 'what the safari can do with tabs', text };
    const { title } = namesFor(['safari'], [titled])[0]!;
    assert.deepEqual(title, [['safari']]);
  });

  it('takes no value for a name, and gives each passage its own names', () => {
    assert.deepEqual(stated({ text: 'then V8.1 and v2 met 2020 Grells' }), [[['grell']]]);
    const both = namesOf({ text: 'then Ida left' }, { text: 'then Karl left' });
    assert.deepEqual(
      both.map(({ statements }) => statements),
      [[[['ida']]], [[['karl']]]],
    );
    assert.deepEqual(namesOf(), []);
  });
});
