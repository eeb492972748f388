// Metadata-aware retrieval over a small corpus: which clock is read of each passage, what a version
// ends, what the mismatch of publication and event looks like, and that dates nobody can read are
// said and passed over.
import assert from 'node:assert/strict';
import type { Corpus, Evidence, Passage } from '../../../lib/index.js';
import { reimplementation, type MetadataOptions } from '../../../lib/papers/index.js';
import { withCorpus } from '../../corpus.js';

const passages: Passage[] = [
  {
    id: 'fee-1',
    title: 'Museum fees',
    text: 'Entry to the museum is five pounds.',
    publishedAt: '2010-03-01',
    metadata: { page: 7 },
  },
  {
    id: 'fee-2',
    title: 'Museum fees',
    text: 'Entry to the museum is seven pounds.',
    publishedAt: '2015-03-01',
    metadata: { page: 7, crawled_at: '2016-05-01' },
  },
  {
    id: 'fee-3',
    title: 'Museum fees',
    text: 'Entry to the museum is nine pounds.',
    publishedAt: '2020-03-01',
    metadata: { page: 7, updated_at: 'no date', crawled_at: '2019-01-01' },
  },
  {
    id: 'fee-given',
    text: 'Entry to the museum is nothing.',
    publishedAt: '2001-01-01',
    validFrom: '2000-01-01',
    validTo: '2000-12-31',
    metadata: { crawled_at: '2018-01-01', page: 7 },
  },
  {
    id: 'history',
    text: 'Entry to the museum was free in 1990. Some say so.',
    publishedAt: '2020-06-01',
  },
  { id: 'plain', text: 'Entry to the museum is through the yard.' },
];

describe('metadata-aware retrieval', () => {
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));
  const ask = async (text: string, askedAt: string, metadata: MetadataOptions | true = true) => {
    const { evidence, trace } = await reimplementation({ corpus, metadata }).run({ text, askedAt });
    return {
      of: new Map<string, Evidence>(evidence.map((each) => [each.id, each])),
      notes: trace.find(({ stage }) => stage === 'derivedValidity')!.notes!,
    };
  };

  it('uses given validity, then content dates, then metadata, and reports the rule', async () => {
    const { of, notes } = await ask('What was entry to the museum in 2016?', '2024-01-01');
    const read = Object.fromEntries(
      [...of].map(([id, { validity, scores }]) => [
        id,
        [validity!.clock, validity!.rule, scores['validity']],
      ]),
    );
    assert.deepEqual(read, {
      'fee-1': ['derived', 'published', 1],
      'fee-2': ['derived', 'published to crawled', 1],
      'fee-3': ['derived', 'published', 0.5],
      'fee-given': ['validity', 'given', 0.5],
      history: ['content', 'published', 0.5],
      plain: ['none', 'none', 0.5],
    });
    assert.deepEqual(of.get('fee-3')!.validity!.ignored, ['crawledAt']);
    assert.deepEqual(notes['read by'], {
      published: 3,
      'published to crawled': 1,
      validity: 1,
      content: 1,
      none: 1,
    });
    assert.deepEqual(notes['unreadable'], ['updated_at: no date']);
    assert.equal(
      of.get('fee-given')!.validTo,
      Date.UTC(2001, 0, 1),
      'given clocks stay as they are',
    );
    assert.equal(of.get('fee-1')!.validFrom, undefined, 'and derived ones are not among them');
  });

  it("ends a version at the start of the next one known at the question's time", async () => {
    for (const versions of ['title', 'page']) {
      const { of } = await ask('What is entry to the museum?', '2017-01-01', { versions });
      assert.deepEqual(
        [of.get('fee-1')!.validity!.rule, of.get('fee-1')!.validity!.window!.end],
        ['superseded', Date.UTC(2015, 2, 1)],
      );
      assert.equal(of.get('fee-1')!.scores['validity'], 0.5);
      assert.equal(of.get('fee-given')!.validity!.rule, 'given');
      assert.equal(of.has('fee-3'), false, 'published later');
    }
    const { of } = await ask('What is entry to the museum?', '2016-01-01', { versions: 'title' });
    assert.deepEqual(
      [of.get('fee-2')!.validity!.rule, of.get('fee-2')!.scores['validity']],
      ['published to crawled', 1],
    );
  });

  it('shows where publication and event differ, and reads the event', async () => {
    const { of } = await ask('What was entry to the museum in 1990?', '2024-01-01');
    const { scores, validity } = of.get('history')!;
    assert.deepEqual([scores['validity'], validity!.clock], [1, 'content']);
    assert.ok(scores['eventGapDays']! < -29 * 365 && scores['eventGapDays']! > -31 * 366);
    assert.equal(of.get('plain')!.scores['eventGapDays'], undefined);
    const asOne = await ask('What was entry to the museum in 1990?', '2024-01-01', {
      contentFirst: false,
    });
    assert.deepEqual(
      [asOne.of.get('history')!.scores['validity'], asOne.of.get('history')!.validity!.clock],
      [0.5, 'derived'],
    );
  });

  it('weighs validity as told, and names its fields as told', async () => {
    const plain = await reimplementation({ corpus, metadata: { weight: 0 } }).run({
      text: 'What is entry to the museum?',
      askedAt: '2024-01-01',
    });
    for (const { score, scores } of plain.evidence)
      assert.equal(score, scores['overlap']! + scores['similarity']!);
    const { of } = await ask('What is entry to the museum?', '2024-01-01', {
      fields: { crawled: 'absent' },
    });
    assert.equal(of.get('fee-2')!.validity!.rule, 'published');
    for (const { score, scores } of of.values()) {
      assert.ok(
        Math.abs(score - (scores['overlap']! + scores['similarity']!) * scores['validity']!) <
          1e-12,
      );
    }
    assert.throws(() => reimplementation({ corpus, metadata: { outside: 2 } }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /outside/,
    });
  });
});
