// Keywords: extraction by rules, validation of a model's answer, and scores of texts.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../../../lib/binding.js';
import { answerTokens, containsAnswer } from '../../../../lib/text/answerTokens.js';
import { inflections } from '../../../../lib/text/inflections.js';
import { keywordForms, type Keyword } from '../../../../lib/papers/mrag/keywords/keyword.js';
import { keywordOf } from '../../../../lib/papers/mrag/keywords/forms.js';
import {
  extractKeywordsBy,
  extractKeywords,
} from '../../../../lib/papers/mrag/keywords/findKeywords.js';
import { scripted } from '../../../reading/doubles.js';
import { writeSegmentFile } from '../../../segmentFiles.js';
import { temporaryFolder } from '../../../store/fixtures.js';

const keywordScorer = (keywords: readonly Keyword[]) => (text: string) =>
  binding.keywordScores([text], keywordForms(keywords))[0]!;
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

  it('are those of the four examples that the paper prints (table 11)', () => {
    const examples = {
      'When was the last time the United States hosted the Olympics?': [
        'United States',
        'hosted',
        'Olympics',
      ],
      'Who sang 1 national anthem for Super Bowl last year?': [
        'sang',
        '1',
        'national anthem',
        'Super Bowl',
      ],
      'Who runs the fastest 40-yard dash in the NFL?': [
        'runs',
        'fastest',
        '40-yard',
        'dash',
        'NFL',
      ],
      'When did Khalid write Young Dumb and Broke?': ['Khalid', 'write', 'Young Dumb and Broke'],
      'When did Khalid write Young Dumb & Broke?': ['Khalid', 'write', 'Young Dumb & Broke'],
      'Who led France and Germany?': ['led', 'France', 'Germany'],
    };
    for (const [question, keywords] of Object.entries(examples))
      assert.deepEqual(
        extractKeywords(question).map(({ text }) => text),
        keywords,
      );
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

describe('keyword scores of passages', () => {
  const folder = temporaryFolder();
  let files = 0;
  /** The scores of passages with these records. */
  async function scoresOf(
    records: readonly string[],
    keywords: readonly Keyword[],
    passage = Uint32Array.from(records.keys()),
  ) {
    const bytes = records.map((record) => Buffer.from(record));
    let end = 0n;
    const path = folder.path(`${files++}.seg`);
    await writeSegmentFile(path, [
      { name: 'passages.record', data: new Uint8Array(Buffer.concat(bytes)) },
      {
        name: 'passages.record_offset',
        data: BigUint64Array.from([0n, ...bytes.map(({ length }) => (end += BigInt(length)))]),
      },
    ]);
    const segment = binding.Segment.open(path);
    try {
      const places = { segment: new Uint32Array(passage.length), passage };
      return Array.from(
        await binding.passageKeywordScores([segment], places, keywordForms(keywords)),
      );
    } finally {
      segment.close();
    }
  }

  const piece = fc.constantFrom(
    ...[
      'Port',
      'Varn',
      ' ',
      ' ',
      '\n',
      '"',
      '\\',
      '\\u0041',
      '\t',
      'É',
      'e\u0301',
      'İ',
      '東京',
      '😀',
    ],
    ...['\ud800', '\udc00', '{"text":"', '},', 'a'.repeat(20), '\u0000', 'ΟΔΟΣ', 'title'],
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

  it('are those of title and text', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ text, title: fc.option(text, { nil: undefined }) }), {
          minLength: 1,
          maxLength: 70,
        }),
        fc.array(
          text.filter((form) => form !== ''),
          { minLength: 1, maxLength: 6 },
        ),
        async (passages, forms) => {
          const keywords = forms.map(
            (form, at): Keyword => ({
              ...{ text: form, forms: [form] },
              type: at % 2 === 0 ? 'general' : 'special',
            }),
          );
          const records = passages.map((each, at) =>
            JSON.stringify({ id: `{"${at}`, ...each, metadata: { text: forms[0], list: [1, {}] } }),
          );
          assert.deepEqual(
            await scoresOf(records, keywords),
            passages.map(({ title, text }) =>
              keywordScorer(keywords)(title === undefined ? text : `${title} ${text}`),
            ),
          );
        },
      ),
      { numRuns: 100 },
    ));

  it('are refused of damaged records, and of passages beyond the segment', async () => {
    const whole = JSON.stringify({ text: 'Port "Varn"', title: 'É', at: [1, { b: null }] });
    const codes = { read: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), fc.nat(255), async (at, value) => {
        const bytes = Buffer.from(whole);
        if (at < bytes.length) bytes[at] = value;
        const record = bytes.subarray(0, at % 3 === 0 ? at : bytes.length).toString('latin1');
        try {
          await scoresOf([record], extractKeywords('Port Varn'));
          codes.read += 1;
        } catch (error) {
          assert.equal((error as { code: string }).code, 'ERR_CORPUS_CORRUPT');
          codes.refused += 1;
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(codes.read > 20 && codes.refused > 20, JSON.stringify(codes));
    for (const record of ['', '[]', '{}', '{"title":"a"}', '{"text":1}', '{"text":"a"', '{"text"'])
      await assert.rejects(scoresOf([record], []), { code: 'ERR_CORPUS_CORRUPT' });
    await assert.rejects(scoresOf([whole], [], Uint32Array.of(1)), {
      ...{ code: 'ERR_INVALID_ARGUMENT', message: /passages/ },
    });
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
