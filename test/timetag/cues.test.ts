// Cues of time in wording (native/timetag/cues): tense and aspect of a predicate, the end of a
// state that words name, temporal signals of a query, and states that end or last.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';

const reader = binding.openQuestionReader(
  ...(['question-reader', 'default-encoder'].map((name) =>
    fileURLToPath(new URL(`../../models/${name}.bin`, import.meta.url)),
  ) as [string, string]),
);

/** Names of the bits that a sum has. */
const bitsOf = (sum: number, names: readonly string[]): string =>
  names.filter((_, bit) => sum & (1 << bit)).join(' ');

describe('timetag: cues of wording', () => {
  it('tell the aspect and tense of a predicate', () => {
    const names = ['state', 'past', 'perfect', 'future', 'prediction', 'every', 'interrogative'];
    for (const [text, expected] of [
      ['Who was mayor of Lund in 1995?', 'state past interrogative'],
      ['Which lines had closed by 1990?', 'state past perfect interrogative'],
      ['Which papers appeared in May 2019?', 'past interrogative'],
      ['Which roads were closed on 3 May?', 'state past interrogative'],
      ['Which laws were passed before 1990?', 'past interrogative'],
      ['What happened in 2011?', 'past interrogative'],
      ['Where did Nils play in 2003?', 'state past interrogative'],
      ['What is computed in 2020?', 'state interrogative'],
      ['Who will lead the party in 2030?', 'state future interrogative'],
      ['What rain is expected on 9 May?', 'state prediction interrogative'],
      ['List all kings of Saxony', 'state every'],
    ] as const) {
      const { predicate } = binding.readQuestion(reader, text, 0);
      assert.equal(bitsOf(predicate, names), expected, text);
    }
  });

  it('tell which end of a state is named', () => {
    for (const [text, course] of [
      ['joined the choir', 1],
      ['the birth of Ada', 1],
      ['the outbreak of war', 1],
      ['left the club', 2],
      ['stepped down', 2],
      ['the death of Ada Lund', 2],
      ['played for Viborg', 0],
      ['', 0],
    ] as const)
      assert.equal(binding.courseOf(text), course, text);
  });

  it('are the temporal signals of a query', () => {
    const kinds = ['asking', 'period', 'event', 'sequence', 'word'];
    const cues = ['length', 'timeline', 'ordering', 'ongoing', 'period'];
    for (const [text, signals, expected] of [
      ['When was the bridge built?', ['asking: When'], ''],
      ['How many days was it shut?', ['asking: How many days'], 'length'],
      ['In which year did he die?', ['asking: In which year'], ''],
      [
        'Who led it before the Battle of Hastings?',
        ['sequence: before the Battle of Hastings'],
        '',
      ],
      ['The history of the mill', [], 'timeline'],
      ['What came first, the sequence of events?', [], 'timeline ordering'],
      ['Who has led it since the war, so far?', ['word: so far'], 'ongoing'],
      ['Over the years of the Taisho era', ['word: Over the years'], 'timeline period'],
      ['present-day Lohr throughout the period', ['word: present-day'], 'ongoing period'],
      ['older ferries', [], ''],
    ] as const) {
      const read = binding.querySignals(text);
      const found = Array.from(
        read.kinds,
        (kind, at) => `${kinds[kind]}: ${text.slice(read.spans[2 * at], read.spans[2 * at + 1])}`,
      );
      assert.deepEqual([found, bitsOf(read.cues, cues)], [signals, expected], text);
    }
  });

  it('tell that a state ends (1) or lasts (2)', () => {
    for (const [text, year, cue] of [
      ['Ida Rowe was mayor until 1934.', 1934, 1],
      ['Ida Rowe was mayor until 1934.', 1935, 0],
      ['Ida Rowe left in 1934.', 1934, 1],
      ['He resigned in May 2011', 2011, 1],
      ['Ida Rowe died in 1934.', 1934, 0],
      ['up to early 1934', 1934, 1],
      ['- ?-1827 - Karl Rau', 1827, 1],
      ['- 1796-? - Anna Wirth', 1796, 0],
      ['Harbour master (2011–present).', 2011, 2],
      ['- 2003–: coach', 2003, 2],
      ['Since 1990 he has led it.', 1990, 0],
    ] as const)
      assert.deepEqual([...addon.stateCues(text, Int32Array.of(year))], [cue], text);
  });

  it('refuse arguments of other types, and offsets beyond the text', () => {
    const refused = [
      () => binding.courseOf(1 as never),
      () => binding.querySignals(undefined as never),
      () => addon.stateCues('a', [1] as never),
      () => binding.contentMentions('a', Uint32Array.of(0, 2), new Float64Array(0), 0),
      () => binding.contentMentions('a', Uint32Array.of(0, 1), Float64Array.of(0, 2, 0, 1, 1), 0),
      () => binding.contentMentions('a', Uint32Array.of(0, 1), Float64Array.of(NaN, 1, 0, 1, 1), 0),
    ];
    for (const call of refused) assert.throws(call, { code: 'ERR_INVALID_ARGUMENT' });
  });
});
