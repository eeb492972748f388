// A reader of the caller as `read: { reader }`: what it is asked, what is taken, its failures.
import assert from 'node:assert/strict';
import { createSystem } from '../../lib/papers/index.js';
import { hybrid } from '../../lib/index.js';
import { readPassages } from '../../lib/reading/reader.js';
import type { SpanReader } from '../../lib/reading/spanReader.js';
import { withCorpus } from '../corpus.js';
import { failsWith } from '../failsWith.js';
import type { Corpus } from '../../lib/index.js';

const passages = [
  { id: 'a', title: 'Mill', text: 'It stood in Lund. It closed in May 1949.' },
  { id: 'b', text: 'Ann Lee  led it from 2001.' },
];
const question = { text: 'Who led it in 2004?' };
const saying = (span: unknown): SpanReader => ({ id: 'r', read: async () => span as never });

describe('readers of spans', () => {
  it('are asked the question and the texts, and give the text of their span', async () => {
    const asked: unknown[] = [];
    const reader: SpanReader = {
      id: 'mine-1',
      async read(...given) {
        asked.push(given);
        return { text: 1, start: 0, end: 8, probability: 0.7 };
      },
    };
    const { signal } = new AbortController();
    const { answer, notes } = await readPassages(question, passages, { reader, signal });
    assert.deepEqual(asked, [[question.text, passages.map(({ text }) => text), { signal }]]);
    assert.deepEqual(answer, {
      text: 'Ann Lee',
      spanConfidence: 0.7,
      sentence: 'Ann Lee  led it from 2001.',
      evidence: ['b'],
    });
    assert.deepEqual([notes['by'], notes['mode']], ['mine-1', 'extract']);
    const second = saying({ text: 0, start: 31, end: 39, probability: 1 });
    const dated = await readPassages({ text: 'What year did it close?' }, passages, {
      reader: second,
    });
    assert.equal(dated.answer!.text, '1949');
    assert.equal(dated.answer!.sentence, 'It closed in May 1949.');
  });

  it('leave the answer to what the first passage states where they are not sure', async () => {
    const statement = { text: `Mill: ${passages[0]!.text}`, sentence: passages[0]!.text };
    for (const [span, leastConfidence] of [
      [{ text: 1, start: 0, end: 8, probability: 0.59 }, undefined],
      [{ text: 1, start: 0, end: 8, probability: 0.89 }, 0.9],
      [undefined, 0],
    ] as const) {
      const options = { reader: saying(span), leastConfidence };
      const { answer } = await readPassages(question, passages, options);
      assert.deepEqual(answer, { ...statement, evidence: ['a'] });
    }
    assert.equal(
      (await readPassages(question, [], { reader: saying(undefined) })).answer,
      undefined,
    );
  });

  it('fail the answer where they fail or give no span of a text', async () => {
    const reads = (reader: SpanReader) => readPassages(question, passages, { reader });
    const right = { text: 1, start: 0, end: 8, probability: 0.7 };
    for (const wrong of [
      null,
      'Ann',
      { ...right, text: 2 },
      { ...right, start: 8 },
      { ...right, start: -1 },
      { ...right, end: 99 },
      { ...right, end: 1.5 },
      { ...right, probability: NaN },
      { ...right, probability: 1.1 },
    ])
      await assert.rejects(
        reads(saying(wrong)),
        failsWith('ERR_MODEL_FAILED', /reader r to give a span.*received/),
      );
    const failing = { id: 'r', read: () => Promise.reject(new Error('out of memory')) };
    await assert.rejects(reads(failing), failsWith('ERR_MODEL_FAILED', /r to read 2 .*of memory/));
    const never = { id: 'r', read: () => new Promise<undefined>(() => {}) };
    const aborting = readPassages(question, passages, {
      reader: never,
      signal: AbortSignal.timeout(5),
    });
    await assert.rejects(aborting, failsWith('ERR_ABORTED', /signal/));
  });

  it('are of the mode extract, and refused where they are none', async () => {
    const refuses = (reader: unknown, pattern: RegExp, mode?: 'direct') =>
      assert.rejects(
        readPassages(question, passages, {
          reader: reader as SpanReader,
          ...(mode ? { mode, model: { id: 'm', generate: async () => ({ text: '' }) } } : {}),
        }),
        failsWith('ERR_INVALID_ARGUMENT', pattern),
      );
    await refuses({ id: 'r' }, /read\.reader .*SpanReader \{ id, read \}/);
    await refuses({ id: '', read: saying(undefined).read }, /read\.reader\.id/);
    await refuses(saying(undefined), /read\.reader .*absent with the mode direct/, 'direct');
  });

  describe('of systems', () => {
    let corpus: Corpus;
    withCorpus(
      [{ id: 'a', text: 'Ann Lee led the mill from 2001 to 2006.' }],
      (made) => (corpus = made),
    );

    it('read what was found, and are named in the trace and the options', async () => {
      const reader = saying({ text: 0, start: 4, end: 7, probability: 0.9 });
      for (const system of [
        hybrid({ corpus, read: { reader } }),
        createSystem('bm25', { corpus, read: { reader } }),
      ]) {
        const { answer, trace } = await system.run({ text: 'Who led the mill in 2004?' });
        assert.equal(answer!.text, 'Lee');
        assert.equal(trace.at(-1)!.notes!['by'], 'r');
        assert.deepEqual(system.options['read'], { mode: 'extract', reader: 'r', passages: 5 });
      }
    });
  });
});
