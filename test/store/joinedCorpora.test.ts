// Corpora searched as one: results are those of one corpus with the passages of all.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bm25,
  Corpus,
  dense,
  hybrid,
  joinCorpora,
  searchVectors,
  staticEncoder,
  timeline,
  type AskOptions,
  type Passage,
  type SearchableCorpus,
} from '../../lib/index.js';
import { createSystem, systemNames } from '../../lib/papers/index.js';
import { assertClose } from '../assertClose.js';
import { needed } from '../reranker.js';
import { fails, hashEncoder, temporaryFolder } from './fixtures.js';

const encoder = hashEncoder();
const fields = { color: 'keyword' } as const;
const askedAt = '2024-06-01';
const passage = (number: number): Passage => ({
  id: `p${number}`,
  title: `Station ${number % 5}`,
  text:
    `The mayor of town ${number % 7} is Ada${number} since ${1990 + number}. ` +
    `It has ${'many '.repeat(number % 3)}bridges over river ${number % 3}.`,
  publishedAt: Date.UTC(1990 + number, number % 12, 1),
  metadata: { color: ['red', 'green', 'blue'][number % 3] },
});
const questions = ['Who is the mayor of town 3?', 'Who was the mayor of town 2 in 2001?'];

describe('joined corpora', () => {
  const folder = temporaryFolder();
  let made = 0;
  const created = (options = {}): Promise<Corpus> =>
    Corpus.open(folder.path(`${(made += 1)}`), { encoder, fields, ...options });

  async function divided(parts: readonly (readonly number[])[], options = {}): Promise<Corpus[]> {
    const corpora = [];
    for (const numbers of parts) {
      const corpus = await created(options);
      await corpus.add(numbers.map(passage));
      corpora.push(corpus);
    }
    return corpora;
  }

  async function answers(corpus: SearchableCorpus): Promise<unknown[]> {
    const where = { color: 'red' };
    const all: unknown[] = [
      await searchVectors(corpus, Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0), 5, { where }),
      await timeline(corpus, { text: 'mayor of town 3', askedAt }),
    ];
    for (const system of [bm25({ corpus }), dense({ corpus }), hybrid({ corpus })])
      for (const text of questions)
        for (const options of [{}, { where }, { where, statistics: 'filtered' as const }]) {
          const { evidence, answer } = await system.run({ text, askedAt }, { k: 6, ...options });
          all.push({ answer, evidence });
        }
    return all;
  }

  it('are one corpus of all passages, however they are divided (property)', async () => {
    const division = fc.array(fc.nat(2), { minLength: 20, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(division, async (places) => {
        const numbers = places.map((_, number) => number);
        const parts = [0, 1, 2].map((part) => numbers.filter((each) => places[each] === part));
        const corpora = await divided(parts);
        const [whole] = (await divided([numbers])) as [Corpus];
        assertClose(await answers(joinCorpora(corpora)), await answers(whole));
        for (const corpus of [...corpora, whole]) await corpus.close();
      }),
      { numRuns: 3 },
    );
  });

  it('are that for every system, with fused vectors of the corpora', async () => {
    const embedded = await staticEncoder();
    const numbers = Array.from({ length: 24 }, (_, number) => number);
    const halves = [numbers.slice(0, 10), numbers.slice(10)];
    const corpora = await divided(halves, { encoder: embedded });
    const [whole] = (await divided([numbers], { encoder: embedded })) as [Corpus];
    const joined = joinCorpora(corpora);
    for (const name of systemNames) {
      const answer = async (corpus: SearchableCorpus): Promise<unknown> => {
        const system = createSystem(name, { corpus, ...needed(name) });
        const { evidence, dropped } = await system.run({ text: questions[1]!, askedAt }, { k: 8 });
        return { evidence, dropped };
      };
      assertClose(await answer(joined), await answer(whole), name);
    }
    for (const corpus of [...corpora, whole]) await corpus.close();
  });

  it('see the newest commits of each, and what was recorded', async () => {
    const [a, b] = (await divided([[1, 2], [3]], { history: true })) as [Corpus, Corpus];
    const joined = joinCorpora([a, b]);
    const ids = async (options: AskOptions = {}): Promise<string[]> => {
      const { evidence } = await bm25({ corpus: joined }).run({ text: 'mayor' }, options);
      return evidence.map(({ id }) => id).sort();
    };
    const before = Date.now();
    assert.deepEqual(await ids(), ['p1', 'p2', 'p3']);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await b.add([passage(4)]);
    await a.delete(['p1']);
    assert.deepEqual(await ids(), ['p2', 'p3', 'p4']);
    assert.deepEqual(await ids({ asRecorded: before }), ['p1', 'p2', 'p3']);
    await b.close();
    await assert.rejects(ids(), fails('ERR_CLOSED'));
    await a.close();
  });

  it('are refused where they differ', async () => {
    const corpus = await created();
    assert.throws(() => joinCorpora([]), fails('ERR_INVALID_ARGUMENT', /array of open corpora/));
    assert.throws(
      () => joinCorpora([corpus, {} as Corpus]),
      fails('ERR_INVALID_ARGUMENT', /open corpora only/),
    );
    for (const [options, name] of [
      [{ encoder: hashEncoder(4) }, 'encoder'],
      [{ fields: {} }, 'fields'],
      [{ timeZone: 'Asia/Tokyo' }, 'timeZone'],
      [{ sentences: false }, 'sentences'],
      [{ history: true }, 'fields'],
    ] as const) {
      const other = await created(options);
      assert.throws(
        () => joinCorpora([corpus, other]),
        fails('ERR_INVALID_ARGUMENT', new RegExp(`corpora\\[1\\] .*same ${name}`)),
      );
      await other.close();
    }
    await corpus.close();
    assert.throws(() => joinCorpora([corpus]), fails('ERR_CLOSED'));
  });
});
