// Answer spans: what is of a form in a sentence, by place.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tagText } from '../../lib/time/index.js';
import { addon } from '../addon.js';

/** In the order of native/reading/spans.hpp. */
const forms = ['date', 'value', 'name', 'quoted', 'code', 'chunk', 'phrase'] as const;
type SpanForm = (typeof forms)[number];

function spansOf(
  text: string,
  mentions: ReturnType<typeof tagText>['mentions'],
): { start: number; end: number; form: SpanForm }[] {
  const times = mentions
    .filter(({ timexType }) => timexType === 'DATE' || timexType === 'TIME')
    .flatMap(({ timexes }) => timexes);
  const found = addon.spansOf(
    text,
    Uint32Array.from(times.flatMap(({ start, end }) => [start, end])),
  );
  return Array.from(found.starts, (start, at) => ({
    start,
    end: found.ends[at]!,
    form: forms[found.forms[at]!]!,
  }));
}

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
      'Norway',
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
  it('finds values alone and with the words behind them, not years', () => {
    const found = words(
      'value',
      'In 1999 it had 445,452 people and cost $3.5 million, a fall of 12.5%, at 41°F.',
    );
    for (const each of ['445,452', '445,452 people', '$3.5 million', '12.5%', '41°F'])
      assert.ok(found.includes(each), `${each} of ${found.join(' | ')}`);
    assert.ok(!found.includes('1999'));
    assert.ok(words('value', 'The club has won twenty-two titles.').includes('twenty-two'));
    assert.ok(words('value', 'At 80 km/h, or 5 parts per million.').includes('80 km/h'));
  });
  it('finds versions, results and offsets, without the brackets around them', () => {
    const text = 'tool (1:1.0.0-3) unstable, chrome 93.0.4536.0, >= 2.3.0, UTC+5:30 and Lund 2-0.';
    const found = words('value', text);
    for (const each of ['1:1.0.0-3', '93.0.4536.0', '>= 2.3.0', 'UTC+5:30', '2-0'])
      assert.ok(found.includes(each), `${each} of ${found.join(' | ')}`);
  });
  it('finds words with signs inside, and runs of content words alone and joined', () => {
    assert.deepEqual(words('code', 'It reads json_each with os.path.join.'), [
      'json_each',
      'os.path.join',
    ]);
    const code = ['--dry-run', 'a::b', 'x->y', 'call()', 'fooBar'];
    assert.deepEqual(words('code', code.join(', ')), code);
    assert.deepEqual(words('quoted', 'He sang "the gulls" once.'), ['the gulls']);
    assert.deepEqual(words('name', "Mr. O'Neil met Capt. Vard of R&D at NATO"), [
      "Mr. O'Neil",
      'Capt. Vard',
      'Capt. Vard of R&D',
      'Capt. Vard of R&D at NATO',
      'R&D',
      'NATO',
    ]);
    const text = 'They come from a provider of auction data.';
    assert.ok(words('chunk', text).includes('auction data'));
    assert.ok(words('phrase', text).includes('provider of auction data'));
  });
  it('finds the two ends of an interval, and no word for the query day', () => {
    assert.deepEqual(words('date', 'Ada Brandt (14 June 1889 – 2 March 1971) now rests in Lund.'), [
      '14 June 1889',
      '2 March 1971',
    ]);
  });
  it('ends a name at a date between two', () => {
    assert.deepEqual(
      words('name', 'He led Lund from 2011 to 2016 and Brann in 2018.').filter((each) =>
        /[LB]/.test(each),
      ),
      ['Lund', 'Brann'],
    );
  });
  it('finds scores of several sets as one', () => {
    const found = words('value', 'A match with a score of 7-6(2) 5-7 6-4.');
    assert.ok(found.includes('7-6(2) 5-7 6-4'), found.join(' | '));
  });
  it('finds dates without their prepositions', () => {
    assert.deepEqual(words('date', 'He resigned on 9 August 1974.'), ['9 August 1974']);
  });
  it('finds offices that are no names, alone and with what they are of', () => {
    const text = 'In 1910 she was elected to direct the museum as keeper of coins.';
    assert.ok(words('chunk', text).includes('keeper'));
    assert.ok(words('phrase', text).includes('keeper of coins'));
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
