// hybrid with the weights of the package.
import assert from 'node:assert/strict';
import { Corpus, hybrid } from '../../lib/index.js';
import type { Reranker } from '../../lib/vectors/reranker.js';
import { failsWith } from '../failsWith.js';
import { temporaryFolder } from '../store/fixtures.js';

describe('hybrid', () => {
  const folder = temporaryFolder();

  it("keeps states that held at the question's time, however they changed since", async () => {
    const prices = await Corpus.open(folder.path('prices.asof'));
    await prices.add(
      [
        ['2019-01-15', 29],
        ['2021-01-15', 35],
        ['2023-02-01', 49],
      ].map(([publishedAt, price]) => ({
        id: `${price}`,
        text: `Varn pricing: the Team plan costs $${price} per month.`,
        publishedAt: publishedAt as string,
      })),
    );
    const price = async (when: string, askedAt = '2024-01-01') => {
      const { evidence, answer } = await hybrid({ corpus: prices }).run({
        text: `What did the Team plan of Varn cost ${when}?`,
        askedAt,
      });
      return [evidence[0]!.id, answer?.text];
    };
    assert.deepEqual(await price('as of June 2022'), ['35', '$35']);
    assert.deepEqual(await price('in 2020'), ['29', '$29']);
    assert.deepEqual(await price('before March 2020'), ['29', '$29']);
    assert.deepEqual(await price('as of May 2023'), ['49', '$49']);
    await prices.close();
  });

  it('is not led by the word for what is asked, which an answer need not say', async () => {
    await using log = await Corpus.open(folder.path('log.asof'));
    const changes = [
      'Fix the order of tokens in comments.',
      'Add an option for strict mode.',
      'Support the latest version of the grammar.',
      'Faster scanning of templates.',
      'Reject octal escapes in strings.',
      'Add hooks for comments.',
    ];
    await log.add(
      changes.map((text, at) => ({
        id: `${at + 1}.0.0`,
        title: `plum ${at + 1}.0.0 (${2015 + at}-03-09)`,
        text,
        publishedAt: `${2015 + at}-03-09`,
      })),
    );
    const ask = async (text: string): Promise<string> => {
      const { evidence } = await hybrid({ corpus: log }).run({ text, askedAt: '2019-06-01' });
      return evidence[0]!.id;
    };
    for (const question of [
      'Which version of plum is the newest?',
      'Which release of plum is the newest?',
      'plum latest version',
    ])
      assert.equal(await ask(question), '5.0.0', question);
    assert.equal(await ask('Which version of plum was the first?'), '1.0.0');
    // Of themselves these words are what is searched for.
    assert.equal(await ask('version'), '3.0.0');
  });

  it('takes the name of a neighbour for that of its series, if nothing else is named', async () => {
    await using logs = await Corpus.open(folder.path('logs.asof'));
    const releases = ['plum 1.2.0', 'plum 1.3.0', 'plum 2.0.0', 'quince 7.0.0-rc', 'quince 7.0.0'];
    await logs.add(
      releases.map((release, at) => ({
        id: release,
        title: `${release} (2021-0${2 + (at % 3)}-1${at})`,
        text:
          at < 3 ? 'Faster scanning of templates.' : 'This version was released before its time.',
        publishedAt: `2021-0${2 + (at % 3)}-1${at}`,
      })),
    );
    const ask = async (text: string): Promise<string> => {
      const { evidence } = await hybrid({ corpus: logs }).run({ text, askedAt: '2022-01-01' });
      return evidence[0]!.id;
    };
    assert.equal(await ask('What was released before plum 2.0.0?'), 'plum 1.3.0');
    assert.equal(await ask('What followed plum 1.2.0?'), 'plum 1.3.0');
  });

  it('counts the scores of a reranker next to time, of as many passages as asked for', async () => {
    await using notes = await Corpus.open(folder.path('notes.asof'));
    await notes.add(
      [
        ['cake', 'Mira brought a walnut cake to the roof party.', '2022-03-01'],
        ['tart', 'Jon brought a plum tart to the roof party.', '2022-03-02'],
        ['roof', 'The roof leaks again above the stairs.', '2022-09-09'],
        ['price-2021', 'The roofer charges 40 crowns an hour.', '2021-05-05'],
        ['price-2023', 'The roofer charges 55 crowns an hour.', '2023-05-05'],
      ].map(([id, text, publishedAt]) => ({ id: id!, text: text!, publishedAt: publishedAt! })),
    );
    const asked: string[][] = [];
    const preferring = (wanted: string): Reranker => ({
      id: 'wanted',
      score: async (_, texts) => {
        asked.push([...texts]);
        return Float32Array.from(texts, (text) => Number(text.includes(wanted)));
      },
    });
    const question = { text: 'What was eaten at the roof party?', askedAt: '2024-01-01' };
    for (const [wanted, id] of [
      ['walnut', 'cake'],
      ['plum', 'tart'],
    ] as const) {
      const system = hybrid({ corpus: notes, reranker: preferring(wanted), rerank: 3 });
      const { evidence } = await system.run(question);
      assert.equal(evidence[0]!.id, id);
      assert.equal(evidence[0]!.scores['reranker'], 1);
      assert.ok(evidence[0]!.shares!['reranker']! > 1);
      assert.equal(asked.at(-1)!.length, 3);
      assert.equal(evidence.filter(({ scores }) => 'reranker' in scores).length, 3);
    }
    // What the question says of time stands against it.
    const old = hybrid({ corpus: notes, reranker: preferring('40 crowns') });
    const { evidence } = await old.run({ ...question, text: 'What does the roofer charge now?' });
    assert.equal(evidence[0]!.id, 'price-2023');
  });

  it('refuses what a reranker cannot do, and passes its failures on', async () => {
    await using corpus = await Corpus.open(folder.path('few.asof'));
    await corpus.add([{ id: 'a', text: 'The gate of the park opens at nine.' }]);
    const reranker: Reranker = {
      id: 'broken',
      score: () => Promise.reject(new Error('no connection')),
    };
    const invalid = (message: RegExp) => failsWith('ERR_INVALID_ARGUMENT', message);
    assert.throws(() => hybrid({ corpus, reranker, ranker: false }), invalid(/with a ranker/));
    assert.throws(() => hybrid({ corpus, rerank: 5 }), invalid(/given with a reranker/));
    assert.throws(() => hybrid({ corpus, reranker: {} as Reranker }), invalid(/a Reranker/));
    assert.throws(() => hybrid({ corpus, reranker, rerank: 0 }), invalid(/rerank/));
    await assert.rejects(
      hybrid({ corpus, reranker }).run({ text: 'When does the gate open?' }),
      failsWith('ERR_RERANKER_FAILED', /broken/),
    );
  });
});
