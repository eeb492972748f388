// Answer spans: what is of a form in a sentence, by place.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tagText } from '../../lib/time/index.js';
import { spansOf } from '../../lib/reading/spans.js';
import type { SpanForm } from '../../lib/reading/spans.js';

const words = (form: SpanForm, text: string): string[] =>
  spansOf(text, tagText(text).mentions)
    .filter((span) => span.form === form)
    .map(({ start, end }) => text.slice(start, end));

describe('spansOf', () => {
  it('finds names, with small words inside them and without dates', () => {
    assert.deepEqual(
      words('name', 'In May 2016 Ursula von der Leyen met Emmanuel Macron, in Paris.'),
      ['Ursula von der Leyen', 'Emmanuel Macron', 'Paris'],
    );
  });
  it('gives the whole of a joined name and its parts', () => {
    assert.deepEqual(words('name', 'Then Ada Lind of Norway beat Eva Ross.'), [
      'Ada Lind',
      'Ada Lind of Norway',
      'Eva Ross',
    ]);
    assert.ok(
      words('name', 'She taught at the University of Lower Saxony at Celle.').includes(
        'University of Lower Saxony',
      ),
    );
  });
  it('does not take the first word of a sentence for a name', () => {
    assert.deepEqual(words('name', 'The winner was Steffi Graf.'), ['Steffi Graf']);
  });
  it('ends a name at a comma, a bracket, a possessive and a line', () => {
    assert.deepEqual(words('name', "They met Lund (Sweden), Oslo's Vard and\nBrann"), [
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
      ['445,452', '445,452 people', '$3.5 million', '12.5%', '41°F'],
    );
    assert.deepEqual(words('number', 'The club has won twenty-two titles.'), ['twenty-two']);
  });
  it('ends quantities with their units, which are no names, and takes no result apart', () => {
    assert.deepEqual(
      words('number', 'It has a mirror of 60 cm and 8 MB, for 212 million crowns at 80 km/h.'),
      ['60 cm', '8 MB', '212 million crowns', '80 km/h'],
    );
    assert.deepEqual(words('name', 'Varn allows 8 MB of Lund.'), ['Varn', 'Lund']);
    assert.deepEqual(words('number', 'Lund beat Brann 2–0 before 7,530 people.'), [
      '7,530',
      '7,530 people',
    ]);
    assert.deepEqual(words('number', 'It was replaced by one of 155 cm.'), ['155 cm']);
  });
  it('finds versions, alone and with their program', () => {
    assert.deepEqual(words('version', 'In 2019 Varn 2.0 needed 3.6.1, then v3.8, not -3.7%.'), [
      'Varn 2.0',
      '3.6.1',
      '3.8',
    ]);
    assert.deepEqual(words('version', 'chrome 93.0.4536.0, qs@~6.5.2 and perl-5.6.2-RC1'), [
      '93.0.4536.0',
      '6.5.2',
      '5.6.2-RC1',
    ]);
    assert.deepEqual(words('version', 'Now at 14.0.0-beta.8.'), ['14.0.0-beta.8']);
  });
  it('finds words with signs inside, and runs of content words', () => {
    assert.deepEqual(words('code', 'It reads json_each with os.path.join and --dry-run.'), [
      'json_each',
      'os.path.join',
      '--dry-run',
    ]);
    assert.ok(
      words('chunk', 'They are taken from a provider of auction data.').includes('auction data'),
    );
  });
  it('gives the requested end of an interval, and no word for the query day', () => {
    const text = 'Ada Brandt (14 June 1889 – 2 March 1971) now rests in Lund.';
    const spans = (bound?: 'start' | 'end'): string[] =>
      spansOf(text, tagText(text).mentions, bound)
        .filter(({ form }) => form === 'date')
        .map(({ start, end }) => text.slice(start, end));
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
    const found = words('phrase', 'In 1910 she was appointed director of the county library.');
    assert.ok(
      found.includes('director') && found.includes('director of the county library'),
      found.join(' | '),
    );
  });
  it('gives parts of the text only, each once, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
        const spans = spansOf(text, tagText(text).mentions);
        for (const { start, end } of spans)
          assert.ok(start >= 0 && end <= text.length && end > start);
        assert.equal(new Set(spans.map(({ start, end }) => `${start} ${end}`)).size, spans.length);
      }),
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
      assert.ok(Array.isArray(spansOf(text, [])), JSON.stringify(piece));
    }
  });
});
