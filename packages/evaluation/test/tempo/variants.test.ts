// TEMPO's query variants on our own questions, and robustness on any text.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { queryVariant, queryVariants } from '../../lib/tempo/variants.js';
import { parseQuestion, readTemporalQuery, type TemporalIntent } from 'asof/time';

const askedAt = '2026-11-22';
const variant = (text: string, name: (typeof queryVariants)[number]): string =>
  queryVariant({ text, askedAt }, name);

/** Question, strip, temporal-only, intent, anchors. */
const cases: [string, string, string, TemporalIntent, string][] = [
  [
    'When was the last fire at the mill as of 1970?',
    'When was the fire at the mill?',
    'When last as of 1970',
    'when',
    '1970',
  ],
  ['Which ferries ran before 2015?', 'Which ferries ran?', 'before 2015', 'before_after', '2015'],
  [
    'How were borders kept during the Cold War?',
    'How were borders kept during the Cold War?',
    'during the Cold War',
    'period_definition',
    '',
  ],
  ['How long did the strike last?', 'How long did the strike last?', 'How long', 'duration', ''],
  [
    'Who ran the mill from 1914 to 1927?',
    'Who ran the mill?',
    'from 1914 to 1927',
    'period_definition',
    '1914, 1927',
  ],
  [
    'In May 2021, who led the choir?',
    'who led the choir?',
    'In May 2021',
    'period_definition',
    '2021-05',
  ],
  ['Who is the current mayor of Ulm?', 'Who is the mayor of Ulm?', 'current', 'ongoing_status', ''],
  [
    'What did wheat cost in the 1990s, compared with the early 2000s?',
    'What did wheat cost, compared with?',
    'in the 1990s the early 2000s',
    'period_definition',
    'the 1990s, the early 2000s',
  ],
  [
    'What followed after the Treaty of Lunden?',
    'What followed after the Treaty of Lunden?',
    'after the Treaty of Lunden',
    'before_after',
    '',
  ],
  [
    'Who was the first keeper of the light?',
    'Who was the keeper of the light?',
    'first',
    'order',
    '',
  ],
  ['What is a hash tree?', 'What is a hash tree?', '', 'none', ''],
  [
    'How has the design of ploughs changed over time?',
    'How has the design of ploughs changed?',
    'over time',
    'timeline',
    '',
  ],
];

describe("TEMPO's query variants", () => {
  for (const [text, strip, only, intent, anchors] of cases) {
    it(text, () => {
      assert.equal(variant(text, 'baseline'), text);
      assert.equal(variant(text, 'strip'), strip);
      assert.equal(variant(text, 'temporal-only'), only);
      assert.equal(
        variant(text, 'normalized'),
        `${text} TEMPORAL_INTENT=${intent}; ANCHORS=[${anchors}]`,
      );
    });
  }

  it('leaves no constraint in a stripped question, whatever its date and place', () => {
    const date = fc.constantFrom(
      'in 1990',
      'before May 2001',
      'on 3 May 1999',
      'from 1914 to 1927',
      'since the 1980s',
      'around 1850',
      'by the end of 2016',
      'in the 19th century',
    );
    fc.assert(
      fc.property(date, fc.boolean(), (words, front) => {
        const text = front
          ? `${words[0]!.toUpperCase()}${words.slice(1)}, who ran the mill?`
          : `Who ran the mill ${words}?`;
        const stripped = variant(text, 'strip');
        assert.match(stripped, /^who ran the mill\?$/i);
        assert.equal(parseQuestion({ text: stripped, askedAt }).constraint.relation, 'none');
        assert.equal(variant(text, 'temporal-only').toLowerCase(), words.toLowerCase());
      }),
    );
  });

  it('accepts any text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        ' in 1990',
        ', ',
        ' the last ',
        ' when ',
        ' after the War ',
        '?',
        ' for three weeks',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        for (const name of queryVariants) assert.equal(typeof variant(text, name), 'string');
        const { signals } = readTemporalQuery({ text, askedAt });
        signals.forEach(({ start, end, text: words }, at) =>
          assert.ok(words === text.slice(start, end) && start >= (signals[at - 1]?.end ?? 0)),
        );
      }),
    );
  });
});
