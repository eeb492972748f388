// Typed answer spans: what is of a kind in a sentence, by place.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tagText } from '../../lib/time/index.js';
import { spansOf } from '../../lib/reading/spans.js';
import { answerTypes, type AnswerType } from '../../lib/text/answerType.js';

const words = (kind: AnswerType, text: string): string[] =>
  spansOf(kind, text, tagText(text).mentions).map(({ start, end }) => text.slice(start, end));

describe('spansOf', () => {
  it('finds names, with small words inside them and without dates', () => {
    assert.deepEqual(
      words('person', 'In May 2016 Ursula von der Leyen met Emmanuel Macron, in Paris.'),
      ['Ursula von der Leyen', 'Emmanuel Macron', 'Paris'],
    );
  });
  it('gives the whole of a joined name and its parts', () => {
    assert.deepEqual(words('person', 'Then Ada Lind of Norway beat Eva Ross.'), [
      'Ada Lind',
      'Ada Lind of Norway',
      'Eva Ross',
    ]);
    assert.ok(
      words('organisation', 'She taught at the University of Lower Saxony at Celle.').includes(
        'University of Lower Saxony',
      ),
    );
  });
  it('does not take the first word of a sentence for a name', () => {
    assert.deepEqual(words('person', 'The winner was Steffi Graf.'), ['Steffi Graf']);
  });
  it('ends a name at a comma, a bracket, a possessive and a line', () => {
    assert.deepEqual(words('person', "They met Lund (Sweden), Oslo's Vard and\nBrann"), [
      'Lund',
      'Sweden',
      'Oslo',
      'Vard',
      'Brann',
    ]);
  });
  it('finds quantities with their units, not years', () => {
    assert.deepEqual(
      words(
        'number',
        'In 1999 it had 445,452 people and cost $3.5 million, a fall of 12.5%, at 41°F.',
      ),
      ['445,452', '$3.5 million', '12.5%', '41°F'],
    );
    assert.deepEqual(words('number', 'The club has won twenty-two titles.'), ['twenty-two']);
  });
  it('ends quantities with their units, which are no names, and takes no result apart', () => {
    assert.deepEqual(
      words('number', 'It has a mirror of 60 cm and 8 MB, for 212 million crowns at 80 km/h.'),
      ['60 cm', '8 MB', '212 million crowns', '80 km/h'],
    );
    assert.deepEqual(words('name', 'Varn allows 8 MB of Lund.'), ['Varn', 'Lund']);
    assert.deepEqual(words('number', 'Lund beat Brann 2–0 before 7,530 people.'), ['7,530']);
    assert.deepEqual(words('number', 'It was replaced by one of 155 cm.'), ['155 cm']);
  });
  it('finds versions', () => {
    assert.deepEqual(
      words('version', 'In 2019 Varn 2.0 needed Python 3.6, then 3.8, for 12 users and 40%.'),
      ['Varn 2.0', 'Python 3.6', '3.8'],
    );
  });
  it('gives the requested end of an interval, and no word for the query day', () => {
    const text = 'Ada Brandt (14 June 1889 – 2 March 1971) now rests in Lund.';
    const spans = (bound?: 'start' | 'end'): string[] =>
      spansOf('date', text, tagText(text).mentions, bound).map(({ start, end }) =>
        text.slice(start, end),
      );
    assert.deepEqual(
      [spans(), spans('start'), spans('end')],
      [['14 June 1889 – 2 March 1971'], ['14 June 1889'], ['2 March 1971']],
    );
  });
  it('ends a name at a date between two', () => {
    assert.deepEqual(
      words('name', 'He led Lund from 2011 to 2016 and Brann in 2018.').filter((each) =>
        /[LB]/.test(each),
      ),
      ['Lund', 'Brann'],
    );
  });
  it('finds score lines', () => {
    assert.deepEqual(words('score', 'A match with a score of 7-6(2) 5-7 6-4.'), ['7-6(2) 5-7 6-4']);
  });
  it('finds dates without their prepositions', () => {
    assert.deepEqual(words('date', 'He resigned on 9 August 1974.'), ['9 August 1974']);
  });
  it('finds offices that are no names, alone and with what they are of', () => {
    const found = words('role', 'In 1910 she was appointed director of the county library.');
    assert.ok(
      found.includes('director') && found.includes('director of the county library'),
      found.join(' | '),
    );
  });
  it('gives parts of the text only, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 120 }),
        fc.constantFrom(...answerTypes),
        (text, kind) => {
          for (const { start, end } of spansOf(kind, text, tagText(text).mentions))
            assert.ok(start >= 0 && end <= text.length && end > start);
        },
      ),
    );
  });
  it('comes to an end on long runs of one thing', () => {
    for (const piece of [
      'A',
      'a ',
      'A ',
      '(',
      '"',
      '1-',
      '1,',
      'of ',
      'as ',
      'A of ',
      'as a b of ',
      '!',
      '- ',
    ]) {
      const text = piece.repeat(Math.ceil(20_000 / piece.length));
      for (const kind of answerTypes)
        assert.ok(Array.isArray(spansOf(kind, text, [])), JSON.stringify(piece));
    }
  });
});
