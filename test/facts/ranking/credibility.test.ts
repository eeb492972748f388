// Credibility of sources: what it makes of a cascade, and how hybrid ranks conflicting passages.
import assert from 'node:assert/strict';
import { hybrid, type Corpus, type HybridOptions, type Passage } from '../../../lib/index.js';
import { createSystem } from '../../../lib/papers/index.js';
import { withCorpus } from '../../corpus.js';
import { fails } from '../../store/fixtures.js';

const towns = ['Dover', 'Lisbon', 'Oslo', 'Turin', 'Quito', 'Perth'];
const forecast = (town: string, high: number): string =>
  `The forecast for ${town} on 8 May 2025 is a high of ${high} F.`;
const passages: Passage[] = [
  ...towns.map(
    (town, at): Passage => ({
      id: town,
      text: forecast(town, 60 + at),
      publishedAt: '2025-05-05',
      metadata: { source: 'office' },
    }),
  ),
  {
    id: 'false',
    text: forecast('Dover', 91),
    publishedAt: '2025-05-06',
    metadata: { source: 'blog' },
  },
  {
    id: 'copy',
    text: forecast('Dover', 60),
    publishedAt: '2025-05-05',
    metadata: { source: 'paper' },
  },
];

describe('credibility of sources', () => {
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));
  const question = {
    text: 'What is the forecast high for Dover on 8 May 2025?',
    askedAt: '2025-05-07',
  };
  const ask = (credibility?: HybridOptions['credibility']) =>
    hybrid({ corpus, ...(credibility ? { credibility } : {}) }).run(question);
  const first = async (of: Record<string, number>, otherwise?: number) => {
    const { evidence } = await ask({
      field: 'source',
      of,
      ...(otherwise === undefined ? {} : { otherwise }),
    });
    return evidence[0]!.id;
  };

  it('lets the latest stand where all are alike, and drops what it restates', async () => {
    const { evidence, dropped = [] } = await ask();
    assert.equal(evidence[0]!.id, 'false');
    assert.ok(dropped.some(({ id, newer }) => id === 'Dover' && newer === 'false'));
  });

  it('keeps what only a source of little credibility contradicts', async () => {
    const { evidence, dropped = [] } = await ask({
      field: 'source',
      of: { office: 0.95, paper: 0.8, blog: 0.05 },
    });
    assert.ok(['Dover', 'copy'].includes(evidence[0]!.id), evidence[0]!.id);
    assert.ok(!dropped.some(({ id }) => id === 'Dover'));
    assert.ok(
      evidence.some(({ id }) => id === 'false'),
      'a soft filter',
    );
    assert.ok(evidence.every(({ score }, at) => at === 0 || score <= evidence[at - 1]!.score));
  });

  it('believes sources that agree more than one that is alone', async () => {
    assert.notEqual(await first({}), 'false');
    assert.equal(await first({ blog: 0.99 }), 'false');
  });

  it('keeps the order where nothing is in conflict', async () => {
    const asked = { ...question, text: question.text.replace('Dover', 'Oslo') };
    const ids = async (credibility?: HybridOptions['credibility']) =>
      (await hybrid({ corpus, ...(credibility ? { credibility } : {}) }).run(asked)).evidence
        .slice(0, 3)
        .map(({ id }) => id);
    assert.equal((await ids())[0], 'Oslo');
    assert.equal((await ids({ field: 'source', of: {} }))[0], 'Oslo');
    assert.deepEqual(await ids({ field: 'source', of: {}, otherwise: 1 }), await ids());
  });

  it('is a setting, shown in tables, and refuses what is no probability', () => {
    const credibility = { field: 'source', of: { office: 1 } };
    const system = createSystem('hybrid', { corpus, settings: { credibility } });
    assert.deepEqual(system.options['credibility'], credibility);
    for (const [wrong, message] of [
      [{ field: 'source', of: { office: 2 } }, /credibility\.of\.office/],
      [{ field: 'source', of: {}, otherwise: -1 }, /credibility\.otherwise/],
      [{ field: 'source' }, /credibility\.of/],
      [{ of: {} }, /credibility\.field/],
      [{ field: 'source', of: {}, weight: 1 }, /credibility/],
    ] as const)
      assert.throws(
        () =>
          hybrid({ corpus, credibility: wrong as unknown as HybridOptions['credibility'] & {} }),
        fails('ERR_INVALID_ARGUMENT', message),
      );
  });
});
