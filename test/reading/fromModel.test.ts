// The readers that prompt a model: what they ask, what they make of good, odd and bad answers, and
// how they stop.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AsOfError } from '../../lib/index.js';
import { readPassages } from '../../lib/reading/reader.js';
import type { ReaderMode } from '../../lib/papers/index.js';
import type { ReadablePassage } from '../../lib/reading/answer.js';
import { asks, scripted } from './doubles.js';

const passages: ReadablePassage[] = [
  {
    id: 'harbour',
    title: 'Harbour of Senn',
    text: 'Ada Brandt ran the harbour from 1990 to 1996. Luis Orta ran it from 1996 to 2004.',
    publishedAt: Date.UTC(2010, 2, 1),
  },
  {
    id: 'mill',
    title: 'Senn mill',
    text: 'The mill burned down in 1950.',
    validFrom: Date.UTC(1950, 0, 1),
    validTo: Date.UTC(1960, 0, 1),
  },
  {
    id: 'later',
    title: 'Harbour',
    text: 'In 2004 Luis Orta left and Mei Sato took over the harbour.',
  },
];
const question = { text: 'Who ran the harbour of Senn in 1999?', askedAt: '2012-05-01' };
const modes = [
  'direct',
  'chainOfThought',
  'concatenated',
  'selfMrag',
] as const satisfies readonly ReaderMode[];

const wellBehaved = () =>
  scripted(
    (request) => {
      const kind = asks(request);
      if (kind === 'relevance')
        return { relevant: /harbour/.test(request.prompt.split('Question:')[0]!) };
      if (kind === 'reading') {
        return {
          statement: /Brandt/.test(request.prompt)
            ? 'Brandt 1990 to 1996, Luis Orta 1996 to 2004'
            : 'Mei Sato from 2004',
        };
      }
      return { answer: 'Luis Orta', evidence: [1] };
    },
    { inputTokens: 100, outputTokens: 7 },
  );

describe('readers with a model', () => {
  for (const mode of modes) {
    it(`${mode}: answers with passages and a supporting sentence, and sums usage`, async () => {
      const model = wellBehaved();
      const { answer, notes } = await readPassages(question, passages, { mode, model });
      assert.equal(answer!.text, 'Luis Orta');
      assert.equal(answer!.sentence, 'Luis Orta ran it from 1996 to 2004.');
      assert.deepEqual(
        answer!.evidence,
        (mode.startsWith('c') && mode !== 'concatenated') || mode === 'direct'
          ? ['harbour', 'later']
          : ['harbour'],
      );
      const calls = model.requests.length;
      assert.equal(calls, mode === 'selfMrag' ? 6 : 1);
      assert.deepEqual(notes['usage'], { inputTokens: 100 * calls, outputTokens: 7 * calls });
      assert.deepEqual(
        [notes['by'], notes['mode'], notes['calls'], notes['passages'], notes['answerable']],
        ['scripted-v1', mode, calls, 3, true],
      );
    });

    it(`${mode}: states the query day and the times, except to judges of one passage`, async () => {
      const model = wellBehaved();
      await readPassages(question, passages, { mode, model });
      const answering = model.requests.filter((request) => asks(request) === 'answer');
      assert.equal(answering.length, 1);
      assert.match(answering[0]!.prompt, /Asked on: 2012-05-01/);
      assert.match(answering[0]!.prompt, /1999-01-01 to 1999-12-31/);
      for (const request of model.requests.filter((each) => asks(each) !== 'answer'))
        assert.doesNotMatch(request.prompt, /1999/);
    });

    it(`${mode}: no answer where the model has none, whatever words it uses for that`, async () => {
      for (const said of [
        { answer: '' },
        { answer: 'Not mentioned in the passages.' },
        'I cannot answer this from the passages.',
        { answer: 'N/A', evidence: [] },
        { answer: 'The passages do not say.' },
      ]) {
        const model = scripted((request) =>
          asks(request) === 'relevance'
            ? { relevant: true }
            : asks(request) === 'reading'
              ? { statement: 'Something of 1990.' }
              : said,
        );
        const { answer, notes } = await readPassages(question, passages, { mode, model });
        assert.equal(answer, undefined, JSON.stringify(said));
        assert.equal(notes['answerable'], false);
      }
    });

    it(`${mode}: takes bare words where the model gives no JSON, and notes it`, async () => {
      const model = scripted((request) =>
        asks(request) === 'relevance'
          ? 'Yes, it does.'
          : asks(request) === 'reading'
            ? 'Luis Orta, 1996 to 2004.'
            : 'Let me see.\nAnswer: Luis Orta.',
      );
      const { answer, notes } = await readPassages(question, passages, { mode, model });
      assert.equal(answer!.text, 'Luis Orta');
      assert.equal(notes['unstructured'], mode === 'selfMrag' ? 7 : 1);
      // each was asked for JSON once more
      assert.equal(notes['calls'], mode === 'selfMrag' ? 14 : 2);
    });

    it(`${mode}: names reading, code and model in the error of a failing model`, async () => {
      const model = scripted(() => Promise.reject(new Error('no such host')));
      await assert.rejects(readPassages(question, passages, { mode, model }), (error: unknown) => {
        assert.ok(AsOfError.is(error));
        assert.equal(error.code, 'ERR_MODEL_FAILED');
        assert.match(error.message, /^Reading the answer failed at the .*no such host/);
        assert.equal(error.details['stage'], 'read');
        return true;
      });
    });

    it(`${mode}: stops at the signal, before it and while the model thinks`, async () => {
      const aborted = (error: unknown): boolean =>
        AsOfError.is(error) && error.code === 'ERR_ABORTED';
      await assert.rejects(
        readPassages(question, passages, {
          mode,
          model: wellBehaved(),
          signal: AbortSignal.abort(),
        }),
        aborted,
      );
      const controller = new AbortController();
      const model = scripted(() => new Promise(() => setTimeout(() => controller.abort(), 5)));
      await assert.rejects(
        readPassages(question, passages, { mode, model, signal: controller.signal }),
        aborted,
      );
    });

    it(`${mode}: any words give an answer or none, and evidence is of the passages`, async () => {
      const ids = passages.map(({ id }) => id);
      const anything = fc.oneof(
        fc.string(),
        fc.json(),
        fc.record({
          answer: fc.oneof(fc.string(), fc.integer()),
          evidence: fc.array(fc.integer({ min: -3, max: 9 })),
          relevant: fc.boolean(),
          statement: fc.string(),
        }),
      );
      await fc.assert(
        fc.asyncProperty(anything, async (said) => {
          const { answer } = await readPassages(question, passages, {
            mode,
            model: scripted(() => said),
          });
          if (!answer) return;
          assert.notEqual(answer.text.trim(), '');
          assert.ok(
            answer.evidence.every((id) => ids.includes(id)) &&
              new Set(answer.evidence).size === answer.evidence.length,
          );
        }),
        { numRuns: 60 },
      );
    });
  }

  it('asks nothing where there is no passage to read, but of who answers from memory', async () => {
    for (const mode of modes) {
      const model = wellBehaved();
      const { answer } = await readPassages(question, [], { mode, model });
      const remembers = mode === 'direct' || mode === 'chainOfThought';
      assert.equal(model.requests.length, remembers ? 1 : 0);
      assert.deepEqual(answer, remembers ? { text: 'Luis Orta', evidence: [] } : undefined);
    }
  });

  it(
    'shows passages with their numbers, titles, publication and validity, and no more of ' +
      'them than asked for',
    async () => {
      const model = wellBehaved();
      const { notes } = await readPassages(question, passages, {
        mode: 'concatenated',
        model,
        passages: 2,
      });
      assert.match(
        model.requests[0]!.prompt,
        /\[1\] Harbour of Senn \(published 2010-03-01\)\nAda Brandt/,
      );
      assert.match(
        model.requests[0]!.prompt,
        /\[2\] Senn mill \(valid from 1950-01-01 to 1959-12-31\)/,
      );
      assert.doesNotMatch(model.requests[0]!.prompt, /Mei Sato/);
      assert.equal(notes['passages'], 2);
    },
  );

  it('leaves out numbers of passages that were not shown, and says so', async () => {
    const { answer, notes } = await readPassages(question, passages, {
      mode: 'concatenated',
      model: scripted(() => ({ answer: 'Mei Sato', evidence: [7, 3, 3, 0] })),
    });
    assert.deepEqual(answer!.evidence, ['later']);
    assert.equal(notes['unknownEvidence'], 2);
  });

  it(
    'names the passages that have the words where the model names none, and no sentence ' +
      'where none has them',
    async () => {
      const say = async (text: string) =>
        (
          await readPassages(question, passages, {
            mode: 'concatenated',
            model: scripted(() => ({ answer: text })),
          })
        ).answer;
      assert.deepEqual(await say('Mei Sato'), {
        text: 'Mei Sato',
        sentence: passages[2]!.text,
        evidence: ['later'],
      });
      assert.deepEqual(await say('Greta Moll'), { text: 'Greta Moll', evidence: [] });
    },
  );

  it('selfMrag reads passages judged relevant only, and none if there are none', async () => {
    const model = scripted((request) =>
      asks(request) === 'relevance' ? { relevant: false } : assert.fail('asked on'),
    );
    const { answer, notes } = await readPassages(question, passages, { mode: 'selfMrag', model });
    assert.equal(answer, undefined);
    assert.deepEqual(
      [model.requests.length, notes['relevant'], notes['answerable']],
      [3, 0, false],
    );
  });

  it('selfMrag stops the other passages when one fails', async () => {
    let stopped = 0;
    const model = scripted((request, call) => {
      if (call === 0) return Promise.reject(new Error('overloaded'));
      return new Promise((_, reject) =>
        request.signal!.addEventListener('abort', () =>
          reject(new Error(`stopped ${(stopped += 1)}`)),
        ),
      );
    });
    await assert.rejects(
      readPassages(question, passages, { mode: 'selfMrag', model }),
      /relevance of passage 1.*overloaded/,
    );
    assert.equal(stopped, 2);
  });

  it('cuts long passages by whole sentences around the best one', async () => {
    const sentences = Array.from(
      { length: 200 },
      (_, at) => `The harbour saw ${at + 1} ships in that season.`,
    );
    const long = [
      { id: 'long', text: sentences.join(' '), sentence: sentences[120]! },
      passages[2]!,
    ];
    const model = wellBehaved();
    await readPassages(question, long, { mode: 'concatenated', model, characters: 1000 });
    const shown = model.requests[0]!.prompt.split('\n\n[2]')[0]!.replace('[1]\n', '');
    assert.ok(shown.length <= 1000 - passages[2]!.text.length && shown.length > 850);
    assert.ok(
      shown.includes(sentences[120]!) &&
        shown.startsWith('The harbour') &&
        shown.endsWith('season.'),
    );
    assert.ok(model.requests[0]!.prompt.includes(passages[2]!.text));
  });

  it('takes long garbage for what it is', async () => {
    for (const piece of ['"', '\n', '{', 'Answer: ', '`', '\\"', 'the passages ', '<think>']) {
      const model = scripted(() => piece.repeat(Math.ceil(200_000 / piece.length)));
      for (const mode of modes) {
        const { answer } = await readPassages(question, passages, { mode, model });
        assert.ok(answer === undefined || answer.text.length <= 4000);
      }
    }
  });

  it('refuses wrong options with a sentence', async () => {
    const wrong: [object, RegExp][] = [
      [{ mode: 'guess' }, /one of extract, direct/],
      [{ mode: 'direct' }, /needs none/],
      [{ mode: 'direct', model: { id: 'x' } }, /a TextModel/],
      [{ passages: 0 }, /1 to 100/],
      [{ characters: 10 }, /from 200/],
    ];
    for (const [options, message] of wrong)
      await assert.rejects(readPassages(question, passages, options), message);
    await assert.rejects(readPassages(question, [{ id: 1 } as never]), /Expected passage 0/);
  });
});
