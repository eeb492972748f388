// Options of the readers that prompt a model: temperature, fallback, and examples of the caller's.
import assert from 'node:assert/strict';
import type { ReaderMode, ReadOptions } from '../../lib/papers/index.js';
import type { ReadablePassage } from '../../lib/reading/answer.js';
import { readPassages } from '../../lib/reading/reader.js';
import { asks, scripted, type Scripted } from './doubles.js';

const question = { text: 'Who ran the harbour of Senn in 1999?', askedAt: '2012-05-01' };
const passages: ReadablePassage[] = [
  { id: 'harbour', text: 'Luis Orta ran the harbour from 1996 to 2004.' },
];
const modes = ['direct', 'chainOfThought', 'concatenated', 'selfMrag'] as const;

/** A model that finds nothing in passages, and from memory says `remembered`. */
const forgetful = (remembered: string, relevant = true): Scripted =>
  scripted((request) => {
    const kind = asks(request);
    if (kind === 'relevance') return { relevant };
    if (kind === 'reading') return { statement: 'Luis Orta from 1996.' };
    return { answer: /^\[1\]/.test(request.prompt) ? '' : remembered };
  });

describe('prompt options of the readers', () => {
  for (const mode of modes) {
    it(`${mode}: asks at the temperature, which is 0 by default`, async () => {
      const temperatures = async (options: ReadOptions): Promise<unknown[]> => {
        const model = forgetful('Luis Orta');
        await readPassages(question, passages, { mode, model, ...options });
        return [...new Set(model.requests.map(({ temperature }) => temperature))];
      };
      assert.deepEqual(await temperatures({}), [0]);
      assert.deepEqual(await temperatures({ temperature: 0.2 }), [0.2]);
    });

    it(`${mode}: shows the caller's examples in place of its own`, async () => {
      const systemOf = async (examples: ReadOptions['examples']): Promise<string> => {
        const model = forgetful('Luis Orta');
        const given = examples ? { examples } : {};
        await readPassages(question, passages, { mode, model, ...given });
        return model.requests.find((request) => asks(request) === 'answer')!.system!;
      };
      const own = await systemOf(undefined);
      const [instructions] = own.split('\n\nExample 1\n');
      assert.notEqual(own, instructions);
      assert.equal(await systemOf([]), instructions);
      const first = {
        question: 'Who owned the mill in 1920?',
        passages: [{ title: 'Mill', text: 'Ada Brook owned it.' }, { text: 'It burned in 1950.' }],
        reasoning: 'She owned it.',
        answer: 'ada brook',
      };
      const second = { question: 'Who owned the inn?', askedAt: '2001-02-03', answer: '' };
      const shown = mode === 'concatenated' || mode === 'selfMrag';
      const reasons = mode === 'chainOfThought' || mode === 'selfMrag';
      const json = (reasoning: object, answer: string, evidence: number[]): string =>
        JSON.stringify({ ...(reasons ? reasoning : {}), answer, ...(shown ? { evidence } : {}) });
      assert.equal(
        await systemOf([first, second]),
        [
          `${instructions}\n\nExample 1\n`,
          shown ? '[1] Mill\nAda Brook owned it.\n\n[2]\nIt burned in 1950.\n\n' : '',
          'Question: Who owned the mill in 1920?\nAsked on: 2012-05-01\n',
          'Time: only what held or happened from 1920-01-01 to 1920-12-31 counts.\n',
          `JSON: ${json({ reasoning: 'She owned it.' }, 'ada brook', [1])}\n\nExample 2\n`,
          'Question: Who owned the inn?\nAsked on: 2001-02-03\n',
          'Time: as things stood on the day of asking.\n',
          `JSON: ${json({}, '', [])}`,
        ].join(''),
      );
    });
  }

  for (const mode of ['concatenated', 'selfMrag'] as const) {
    it(`${mode}: falls back on memory where the passages do not tell, if it may`, async () => {
      const run = async (options: ReadOptions, read = passages, relevant = true) => {
        const model = forgetful('Mei Sato', relevant);
        const { answer, notes } = await readPassages(question, read, { mode, model, ...options });
        assert.equal(notes['calls'] ?? 0, model.requests.length);
        return [answer, notes['fallback'], model.requests.length];
      };
      const fallback = 'memory';
      const read = mode === 'selfMrag' ? 3 : 1;
      const remembered = { text: 'Mei Sato', evidence: [] };
      assert.deepEqual(await run({}), [undefined, undefined, read]);
      assert.deepEqual(await run({ fallback: 'abstain' }), [undefined, undefined, read]);
      assert.deepEqual(await run({ fallback }), [remembered, 'memory', read + 1]);
      assert.deepEqual(await run({ fallback }, []), [remembered, 'memory', 1]);
      if (mode === 'selfMrag')
        assert.deepEqual(await run({ fallback }, passages, false), [remembered, 'memory', 2]);
      const found = scripted((request) =>
        asks(request) === 'relevance'
          ? { relevant: true }
          : { statement: 'Luis Orta from 1996.', answer: 'Luis Orta', evidence: [1] },
      );
      const { answer, notes } = await readPassages(question, passages, {
        mode,
        model: found,
        fallback,
      });
      assert.deepEqual([answer!.text, notes['fallback']], ['Luis Orta', undefined]);
    });
  }

  it('leaves fewer characters to passages where examples fill a small context', async () => {
    const model = { ...forgetful('x'), contextSize: 2200 };
    const long = [{ id: 'a', text: 'The harbour of Senn was busy. '.repeat(400) }];
    const example = { question: 'Who led it?', answer: 'Ann', reasoning: 'x'.repeat(1500) };
    const shown = async (examples: ReadOptions['examples'] = []): Promise<number> => {
      await readPassages(question, long, { mode: 'concatenated', model, examples });
      return model.requests.at(-1)!.prompt.length;
    };
    assert.ok((await shown()) - (await shown([example])) > 1400);
  });

  it('refuses wrong values with a sentence', async () => {
    const model = forgetful('x');
    const good = { question: 'Who led it?', answer: 'Ann' };
    const wrong: [object, RegExp][] = [
      [{ temperature: -0.1 }, /read\.temperature to be a number from 0 to 2/],
      [{ temperature: 2.5 }, /from 0 to 2/],
      [{ temperature: '1' }, /from 0 to 2/],
      [{ fallback: 'guess' }, /read\.fallback to be one of abstain, memory/],
      [{ fallback: 'memory', mode: 'direct' }, /abstain with the mode direct.*concatenated/],
      [{ fallback: 'memory', mode: 'extract' }, /abstain with the mode extract/],
      [{ examples: good }, /at most 50 examples/],
      [{ examples: Array.from({ length: 51 }, () => good) }, /at most 50 examples/],
      [{ examples: [good, null] }, /read\.examples\[1\] to be an example/],
      [{ examples: [{ question: 'Who led it?' }] }, /an example \{ question, answer/],
      [{ examples: [{ ...good, question: 7 }] }, /received/],
      [{ examples: [{ ...good, askedAt: 'then' }] }, /askedAt/],
      [{ examples: [{ ...good, answers: [] }] }, /answers/],
      [{ examples: [{ ...good, reasoning: 7 }] }, /reasoning to be a text/],
      [{ examples: [{ ...good, passages: [{ title: 'x' }] }] }, /\{ title\?, text \}/],
    ];
    for (const [options, message] of wrong)
      await assert.rejects(
        readPassages(question, passages, { mode: 'concatenated' as ReaderMode, model, ...options }),
        { code: 'ERR_INVALID_ARGUMENT', message },
      );
    assert.equal(model.requests.length, 0);
  });
});
