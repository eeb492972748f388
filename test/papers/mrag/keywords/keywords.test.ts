// Keywords: extraction by rules, validation of a model's answer, and scores of texts.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { answerTokens, containsAnswer } from '../../../../lib/text/answerTokens.js';
import { inflections } from '../../../../lib/text/inflections.js';
import { keywordScorer } from '../../../../lib/papers/mrag/keywords/keyword.js';
import { keywordOf } from '../../../../lib/papers/mrag/keywords/forms.js';
import {
  extractKeywordsBy,
  extractKeywords,
} from '../../../../lib/papers/mrag/keywords/findKeywords.js';
import { scripted } from '../../../reading/doubles.js';

/** As the store gives a record to look at. */
const found = (question: string): string[] =>
  extractKeywords(question).map(({ text, type }) => `${text}/${type}`);

describe('keywords by rules', () => {
  it('are names, quoted titles, numbers, superlatives and content words', () => {
    assert.deepEqual(found('Who captained the Harbour Rovers in the Cup of Good Hope?'), [
      'captained/general',
      'Harbour Rovers/special',
      'Cup of Good Hope/special',
    ]);
    assert.deepEqual(found('Which two players wrote "Grey Gulls" with Ida Holm?'), [
      'Grey Gulls/special',
      'two/numeric',
      'players/general',
      'wrote/general',
      'Ida Holm/special',
    ]);
    assert.deepEqual(found('What is the tallest lighthouse on Sark?'), [
      'tallest/superlative',
      'lighthouse/general',
      'Sark/special',
    ]);
    assert.deepEqual(found("Who is Ann Lee's head coach?"), [
      'Ann Lee/special',
      'head coach/general',
    ]);
  });

  it(
    'leave out question words at the start, and have nothing to say of a question without ' +
      'content',
    () => {
      assert.deepEqual(found('Name the owner'), ['owner/general']);
      assert.deepEqual(found('Who was it?'), []);
      assert.deepEqual(found(''), []);
    },
  );

  it('are spans of any question', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (question) => {
        for (const { text, forms } of extractKeywords(question)) {
          assert.ok(question.includes(text));
          assert.ok(forms.length > 0);
        }
      }),
    );
  });

  it('include the inflected forms of a word', () => {
    assert.ok(['plays', 'played', 'playing'].every((form) => inflections('play').includes(form)));
    assert.ok(inflections('married').includes('marry'));
    assert.ok(inflections('won').includes('win'));
    assert.ok(inflections('stopped').includes('stop'));
    assert.deepEqual(inflections('us'), ['us']);
    assert.ok(keywordOf('2nd').forms.includes('second'));
    assert.ok(keywordOf('Salt and Pepper').forms.includes('Salt & Pepper'));
  });
});

describe('keyword scores', () => {
  it('count each keyword once: general ones as substrings, others as token sequences', () => {
    const score = keywordScorer(extractKeywords('Who sang the longest aria in Port Varn?'));
    assert.equal(score('Port Varn: she sang, and sang again'), 1.4);
    assert.equal(score('port-varn'), 0);
    assert.equal(score('Port  Varn had the LONGEST pier'), 1.7);
    assert.equal(keywordScorer([])('anything'), 0);
  });

  it('find consecutive tokens exactly where the tokens of the text are consecutive', () => {
    const usual = [
      'a',
      'ab',
      'É',
      'é',
      'e\u0301',
      '-',
      '.',
      ' ',
      '\u00a0',
      '\n',
      '$',
      '(',
      '1',
      'i',
      'k',
    ];
    // Blanks, marks, what decomposes to a sign and a mark, letters of two units, signs that are
    // letters in lower case, half a letter.
    const rare = ['\u2009', '\u2260', '\u0338', '\u{1d400}', '\u212a', '\u0130', '\ud835'];
    const text = fc
      .array(fc.constantFrom(...usual, ...rare), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (form, searched) => {
        const score = keywordScorer([{ text: form, type: 'special', forms: [form] }]);
        assert.equal(
          score(searched) > 0,
          containsAnswer(answerTokens(searched), answerTokens(form)),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe('forms of a general keyword', () => {
  it('count if any of them is a substring of the text', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'A'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 4 }), letters, (forms, text) => {
        const has = forms.some((form) => text.toLowerCase().includes(form.toLowerCase()));
        assert.equal(
          keywordScorer([{ text: forms[0]!, type: 'general', forms }])(text),
          has ? 0.4 : 0,
        );
      }),
    );
  });
});

describe('keywords by a model', () => {
  const question = 'Who captained the Harbour Rovers for two years?';
  const ask = async (said: unknown): Promise<string[] | string> => {
    const answer = await extractKeywordsBy(
      scripted(() => said),
      question,
    );
    return 'unusable' in answer ? answer.unusable : answer.keywords.map(({ text }) => text);
  };

  it('are keywords of the question, shortened until they occur, in its spelling', async () => {
    assert.deepEqual(
      await ask({ keywords: ['captained', 'harbour rovers club', 'two', 'years', 'goals', ''] }),
      ['captained', 'Harbour Rovers', 'two'],
    );
  });

  it('are unusable if none occurs in the question', async () => {
    assert.match((await ask({ keywords: ['goals'] })) as string, /no keyword/);
    assert.match((await ask('I cannot help with that.')) as string, /text without JSON/);
    assert.match((await ask({ words: ['captained'] })) as string, /does not fit/);
  });

  it('stop at the signal', async () => {
    await assert.rejects(
      extractKeywordsBy(
        scripted(() => ({ keywords: ['two'] })),
        question,
        AbortSignal.abort(),
      ),
      { code: 'ERR_ABORTED' },
    );
  });
});
