// Questions and corpora in time zones, end to end: which of two passages on either side of a local
// midnight answers, dates of texts and fields, what evidence and answers say.
import assert from 'node:assert/strict';
import { Corpus, hybrid, timeline } from '../../lib/index.js';
import { mrag, re3 } from '../../lib/papers/index.js';
import { readPassages } from '../../lib/reading/reader.js';
import { temporaryFolder } from '../store/fixtures.js';

const zones = ['Asia/Tokyo', 'America/New_York'] as const;

describe('questions in the time zone of who asks', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  before(async () => {
    corpus = await Corpus.open(folder.path('corpus'));
    // 5 and 6 May, early in the morning, in Tokyo; 4 and 5 May, in the afternoon, in New York.
    await corpus.add([
      {
        id: 'brahms',
        text: 'The orchestra plays Brahms in the town hall.',
        validFrom: '2021-05-04T20:00Z',
        validTo: '2021-05-04T22:00Z',
      },
      {
        id: 'mahler',
        text: 'The orchestra plays Mahler in the town hall.',
        validFrom: '2021-05-05T20:00Z',
        validTo: '2021-05-05T22:00Z',
      },
      {
        id: 'low',
        text: 'The gauge of Lohr stood at 310 centimetres.',
        publishedAt: '2021-05-04T20:00Z',
      },
      {
        id: 'high',
        text: 'The gauge of Lohr stood at 344 centimetres.',
        publishedAt: '2021-05-05T20:00Z',
      },
    ]);
  });
  after(() => corpus.close());

  for (const [name, make] of Object.entries({ hybrid, mrag })) {
    const best = async (text: string, askedAt: string): Promise<(string | undefined)[]> => {
      const system = make({ corpus });
      const results = zones.map((timeZone) => system.run({ text, askedAt, timeZone }));
      return (await Promise.all(results)).map(({ evidence }) => evidence[0]?.id);
    };

    it(`gives ${name} the day that a date is there`, async () => {
      const played = 'What did the orchestra play in the town hall on 5 May 2021?';
      assert.deepEqual(await best(played, '2021-05-09'), ['brahms', 'mahler']);
      const reported = 'What did the report of 5 May 2021 say of the gauge of Lohr?';
      assert.deepEqual(await best(reported, '2021-05-09'), ['low', 'high']);
    });

    it(`gives ${name} the day that today is there`, async () => {
      const text = 'What will the orchestra play in the town hall today?';
      assert.deepEqual(await best(text, '2021-05-05T12:00Z'), ['brahms', 'mahler']);
    });
  }

  it('hides what was published after the end of the day there', async () => {
    const text = 'How high did the gauge of Lohr stand?';
    const ids = zones.map(async (timeZone) => {
      const { evidence } = await hybrid({ corpus }).run({ text, askedAt: '2021-05-05', timeZone });
      return evidence.map(({ id }) => id).filter((id) => id === 'high');
    });
    assert.deepEqual(await Promise.all(ids), [[], ['high']]);
  });
});

describe('a corpus in a time zone', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  before(async () => {
    corpus = await Corpus.open(folder.path('corpus'), { timeZone: 'Asia/Tokyo' });
    await corpus.add([
      { id: 'low', text: 'On 5 May 2021 the gauge of Lohr stood at 310 centimetres.' },
      { id: 'high', text: 'On 6 May 2021 the gauge of Lohr stood at 344 centimetres.' },
      {
        id: 'report',
        text: 'The ferry of Arendal sank yesterday.',
        publishedAt: '2021-05-07',
        validTo: '2021-05-08',
      },
    ]);
  });
  after(() => corpus.close());

  it('stores instants of the days of its zone', () => {
    const { publishedAt, validTo } = corpus.get('report')!;
    assert.equal(publishedAt, Date.parse('2021-05-06T15:00Z'));
    assert.equal(validTo, Date.parse('2021-05-08T15:00Z'));
    assert.deepEqual(corpus.info().spans.content, [
      Date.parse('2021-05-04T15:00Z'),
      Date.parse('2021-05-06T15:00Z'),
    ]);
  });

  it('is asked in its own zone by default, and finds the day that texts name', async () => {
    for (const make of [hybrid, mrag, re3]) {
      for (const [day, id] of [
        ['5', 'low'],
        ['6', 'high'],
      ] as const) {
        const text = `How high was the gauge of Lohr on ${day} May 2021?`;
        const { evidence, question } = await make({ corpus }).run({ text });
        assert.equal(evidence[0]!.id, id, `${make.name} ${day}`);
        assert.equal(question.timeZone, 'Asia/Tokyo');
        assert.equal(evidence[0]!.timeZone, 'Asia/Tokyo');
      }
    }
  });

  it('compares days of other zones as stretches of time', async () => {
    // Of 5 May in New York 11 hours are of 5 May in Tokyo, and 13 of 6 May.
    const text = 'How high was the gauge of Lohr on 5 May 2021?';
    const { evidence } = await mrag({ corpus }).run({ text, timeZone: 'America/New_York' });
    assert.deepEqual(new Set(evidence.slice(0, 2).map(({ id }) => id)), new Set(['low', 'high']));
    assert.ok(evidence[0]!.score - evidence[1]!.score < 0.1);
  });

  it('answers with the day that a relative one is in its zone', async () => {
    const text = 'When did the ferry of Arendal sink?';
    const { answer } = await hybrid({ corpus }).run({ text });
    assert.equal(answer?.text, '6 May 2021');
    const passages = [{ ...corpus.get('report')!, timeZone: 'Asia/Tokyo' }];
    const { answer: read } = await readPassages({ text }, passages);
    assert.equal(read?.text, '6 May 2021');
  });

  it('has timelines by its days', async () => {
    const entries = await timeline(corpus, { text: 'gauge of Lohr' });
    assert.deepEqual(
      entries.map(({ start, end }) => [start, end]),
      [
        [Date.parse('2021-05-04T15:00Z'), Date.parse('2021-05-05T15:00Z')],
        [Date.parse('2021-05-05T15:00Z'), undefined],
      ],
    );
  });
});
