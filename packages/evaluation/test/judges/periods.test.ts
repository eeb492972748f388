// Which questions need several periods and which periods those are: the published code's form
// against its golden vectors, ours against questions of our own.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { formatWindow, isCrossPeriod, periodWindows, periodsOf } from '../../lib/judges/periods.js';
import type { JudgeQuestion, TemporalFocus } from '../../lib/judges/judgement.js';

const vectorsPath = '../shared/reference/tempo_vectors.json';

interface Vector<Value> {
  query: string;
  guidance: {
    temporal_reasoning_class_primary?: string;
    key_time_anchors?: string[] | null;
  } | null;
  intent_focus?: TemporalFocus;
  value: Value;
}

const question = ({ query, guidance }: Vector<unknown>): JudgeQuestion => ({
  id: 'q',
  text: query,
  guidance: {
    ...(guidance?.temporal_reasoning_class_primary
      ? { reasoningClass: guidance.temporal_reasoning_class_primary }
      : {}),
    ...(guidance?.key_time_anchors ? { keyTimeAnchors: guidance.key_time_anchors } : {}),
  },
});

describe('periods of a question', () => {
  it("are the published code's on its golden vectors", function () {
    if (!existsSync(vectorsPath)) return this.skip();
    const vectors = JSON.parse(readFileSync(vectorsPath, 'utf8')) as {
      cross_period: Vector<boolean>[];
      anchors: Vector<string[]>[];
    };
    assert.ok(vectors.cross_period.length > 0 && vectors.anchors.length > 0);
    for (const each of vectors.cross_period)
      assert.equal(
        isCrossPeriod(question(each), each.intent_focus!, 'code'),
        each.value,
        each.query,
      );
    for (const each of vectors.anchors)
      assert.deepEqual(periodsOf(question(each), 'code'), each.value, each.query);
  });

  const cases: [text: string, cross: boolean, periods: string[]][] = [
    ['How did rail fares differ between 1990 and 2020?', true, ['1990', '2020']],
    [
      'How did the population of Stenby in 1900, 1950 and 2000 compare?',
      true,
      ['1900', '1950', '2000'],
    ],
    ['Who has led the harbour board since May 2012?', true, ['May 2012', 'later / recent period']],
    [
      'How has inheritance law evolved from the 18th century to now?',
      true,
      ['the 18th century', 'nowadays / current period'],
    ],
    ['Were taxes higher in 1950 than in 1990?', true, ['1950', '1990']],
    ['Since he was ill, who ruled?', false, []],
    ['trendy hats of 1920', false, []],
    ['Who was the president between 1920 and 1930?', false, []],
    ['What is a sluice gate?', false, []],
  ];
  for (const [text, cross, periods] of cases) {
    it(`are ${cross ? periods.join(', ') : 'not needed'} for: ${text}`, () => {
      const asked = { id: 'q', text, askedAt: '2024-06-01' };
      assert.equal(isCrossPeriod(asked, 'none'), cross);
      if (cross) assert.deepEqual(periodsOf(asked), periods);
    });
  }

  it('are all anchors of the guidance where there are two or more, and each once', () => {
    const asked = {
      id: 'q',
      text: 'x',
      guidance: { keyTimeAnchors: ['2008', '2015', '2008 ', '2020'] },
    };
    assert.deepEqual(periodsOf(asked), ['2008', '2015', '2020']);
    assert.deepEqual(periodsOf(asked, 'code'), ['2008', '2015']);
  });

  it('have days, where their words name any', () => {
    const asked = { id: 'q', text: 'x', askedAt: '2024-06-01' };
    const days = (...periods: string[]): string[] =>
      periodWindows(periods, asked).map(formatWindow);
    assert.deepEqual(days('2017', 'later / recent period'), [
      '2017-01-01 to 2017-12-31',
      '2018-01-01 to 2024-06-02',
    ]);
    assert.deepEqual(days('the 1990s', 'March 2004', 'the reign of the last king'), [
      '1990-01-01 to 1999-12-31',
      '2004-03-01 to 2004-03-31',
      '',
    ]);
    const [past, present] = days('historical baseline', 'nowadays / current period');
    assert.match(past!, /^until 2021/);
    assert.match(present!, /^2021-.* to 2024-06-02$/);
  });
});
