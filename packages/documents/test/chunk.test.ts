// Chunks of documents: exact slices that cover the text, within the limits, at sentences, headings
// and blocks.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { joinSoftBreaks, markdownBlocks } from '../lib/markdownBlocks.js';
import { countTokens } from '../lib/tokens.js';
import type { Passage } from '../../../lib/index.js';
import { chunk } from '../lib/index.js';
import { preparePassage } from '../../../lib/store/passages/passages.js';
import { splitSentences } from '../../../lib/text/sentences.js';
import { failsWith } from '../../../test/failsWith.js';
import { markdown, prose } from './documents.js';

type By = 'sentence' | 'markdown';
const sizes = fc.integer({ min: 1, max: 60 }).chain((maxTokens) =>
  fc.record({
    maxTokens: fc.constant(maxTokens),
    overlap: fc.integer({ min: 0, max: Math.floor(maxTokens / 2) }),
  }),
);
const texts = (passages: readonly Passage[]): string[] => passages.map(({ text }) => text);
const placeOf = ({ chunk: place }: Passage) => place!;

for (const by of ['sentence', 'markdown'] as const satisfies By[])
  describe(`chunks by ${by}, of any text`, () => {
    const source = by === 'sentence' ? prose : fc.oneof(markdown, prose);
    const property = (
      check: (
        passages: Passage[],
        text: string,
        size: { maxTokens: number; overlap: number },
      ) => void,
    ): void =>
      fc.assert(
        fc.property(source, sizes, (text, size) =>
          check(chunk({ id: 'd', text }, { by, ...size }), text, size),
        ),
      );

    it('are exact slices, numbered in order, which add accepts', () =>
      property((passages, text) => {
        let before = { start: -1, end: -1 };
        for (const [n, passage] of passages.entries()) {
          const { parent, start, end } = placeOf(passage);
          assert.deepEqual([passage.id, parent], [`d#${n}`, 'd']);
          assert.equal(passage.text, text.slice(start, end));
          assert.ok(start > before.start && end > before.end, `${start} to ${end}`);
          before = { start, end };
          if (!text.isWellFormed()) continue; // refused by add
          const rules = { dimensions: 1, sentences: true, encodes: true, fields: {} };
          assert.equal(preparePassage(passage, n, rules).stored.chunk!.end, end);
        }
      }));

    it('cover all text that is no white space', () =>
      property((passages, text) => {
        let covered = 0;
        for (const { start, end } of passages.map(placeOf)) {
          assert.equal(text.slice(covered, Math.max(covered, start)).trim(), '');
          covered = end;
        }
        assert.equal(text.slice(covered).trim(), '');
      }));

    it('have at most maxTokens, and share at most overlap', () =>
      property((passages, text, { maxTokens, overlap }) => {
        for (const [n, { text: own }] of passages.entries()) {
          assert.ok(countTokens(own) <= maxTokens, own);
          const [end, start] = [
            placeOf(passages[n - 1] ?? passages[n]!).end,
            placeOf(passages[n]!).start,
          ];
          if (n > 0 && start < end) assert.ok(countTokens(text.slice(start, end)) <= overlap);
        }
      }));

    it('begin and end with sentences that fit', () =>
      property((passages, text, { maxTokens }) => {
        const blocks = markdownBlocks(text);
        const joined = by === 'markdown' ? joinSoftBreaks(text, blocks) : text;
        const spans = by === 'markdown' ? blocks : [{ start: 0, end: text.length, kind: 'text' }];
        const sentences = spans
          .filter(({ kind }) => kind === 'text')
          .flatMap(({ start: from, end: to }) =>
            splitSentences(joined.slice(from, to)).map(
              (each) => [each.start + from, each.end + from] as const,
            ),
          );
        for (const [from, to] of sentences) {
          if (countTokens(text.slice(from, to)) > maxTokens) continue;
          for (const { start, end } of passages.map(placeOf))
            for (const edge of [start, end])
              assert.ok(edge <= from || edge >= to, JSON.stringify(text.slice(from, to)));
        }
      }));

    it('do not depend on earlier calls', () =>
      property((passages, text, size) =>
        assert.deepEqual(chunk({ id: 'd', text }, { by, ...size }), passages),
      ));
  });

describe('chunks by markdown', () => {
  const text = '---\ntitle: Hours\ndate: 2023-02-01\nteam: hr\n---\nThe office opens at nine.\n';

  it('have the fields of front matter, which is in no chunk', () =>
    assert.deepEqual(chunk({ id: 'd', text }, { by: 'markdown' }), [
      {
        id: 'd#0',
        text: 'The office opens at nine.',
        title: 'Hours',
        publishedAt: Date.parse('2023-02-01'),
        metadata: { team: 'hr' },
        chunk: { parent: 'd', start: 47, end: 72 },
      },
    ]));

  it('prefer what the document gives', () => {
    const given = { title: 'Office', publishedAt: '2024', metadata: { team: 'it' } };
    const [first] = chunk({ id: 'd', text, ...given }, { by: 'markdown' });
    const { title, publishedAt, metadata } = first!;
    assert.deepEqual({ title, publishedAt, metadata }, given);
    const [absent] = chunk({ id: 'd', text, title: undefined }, { by: 'markdown' });
    assert.equal(absent!.title, 'Hours');
  });

  it('refuse a date that is none, by line', () =>
    assert.throws(
      () => chunk({ id: 'd', text: '---\ndate: soon\n---\nA.' }, { by: 'markdown' }),
      failsWith('ERR_INVALID_INPUT', /d:2: Expected "date" to be a date/, { line: 2 }),
    ));
});

describe('chunks by sentence', () => {
  it('repeat whole sentences of the chunk before', () => {
    const text = 'Ann came in. Bob left at two. Cleo slept on. Dan wrote all day.';
    assert.deepEqual(texts(chunk({ id: 'd', text }, { maxTokens: 9, overlap: 4 })), [
      'Ann came in. Bob left at two.',
      'Cleo slept on. Dan wrote all day.',
    ]);
    assert.deepEqual(texts(chunk({ id: 'd', text }, { maxTokens: 10, overlap: 5 })), [
      'Ann came in. Bob left at two.',
      'Bob left at two. Cleo slept on.',
      'Cleo slept on. Dan wrote all day.',
    ]);
  });

  it('cut a sentence that is too long after white space', () => {
    const text = 'one two three four five six seven';
    assert.deepEqual(texts(chunk({ id: 'd', text }, { maxTokens: 3 })), [
      'one two three',
      'four five six',
      'seven',
    ]);
    const long = `ab ${'x'.repeat(100)}`;
    assert.deepEqual(
      texts(chunk({ id: 'd', text: long }, { maxTokens: 4 })).map(({ length }) => length),
      [2, 64, 36],
    );
  });

  it('keep times, title and metadata of the document', () => {
    const document = {
      text: 'It rained.',
      title: 'Log',
      publishedAt: '2021-05-06',
      validFrom: 1,
      validTo: 2,
      metadata: { tags: ['a'] },
    };
    assert.deepEqual(chunk({ id: 'log', ...document }), [
      { id: 'log#0', ...document, chunk: { parent: 'log', start: 0, end: 10 } },
    ]);
  });

  it('a text of white space has none', () => assert.deepEqual(chunk({ id: 'd', text: ' \n' }), []));
});

describe('chunks by Markdown', () => {
  const text = [
    '# Handbook',
    '',
    '## Leave',
    'Parents have ten weeks. They ask in',
    'writing.',
    '',
    '### Pay ###',
    '| grade | pay |',
    '|---|---|',
    '| a | 100 |',
    '',
    '## `asof` *index*',
    '```sh',
    '# no heading',
    '```',
  ].join('\n');

  it('begin at headings, which their title names', () => {
    const passages = chunk({ id: 'h.md', text, title: 'Handbook' }, { by: 'markdown' });
    assert.deepEqual(
      passages.map(({ title, chunk: place }) => [title, place!.headings]),
      [
        ['Handbook: Leave', ['Handbook', 'Leave']],
        ['Handbook: Leave: Pay', ['Handbook', 'Leave', 'Pay']],
        ['Handbook: asof index', ['Handbook', 'asof index']],
      ],
    );
    assert.ok(passages[0]!.text.startsWith('# Handbook\n\n## Leave\nParents'));
    assert.ok(passages[2]!.text.endsWith('# no heading\n```'));
  });

  it('keep a code block and a table whole where they fit, and cut them between lines', () => {
    const rows = ['| a | b |', '|---|---|', '| 1 | 2 |', '| 3 | 4 |'];
    const source = `Five words of prose here.\n\n${rows.join('\n')}\n\nThe end.`;
    const count = countTokens(rows.join('\n'));
    assert.deepEqual(
      texts(chunk({ id: 'd', text: source }, { by: 'markdown', maxTokens: count })),
      ['Five words of prose here.', rows.join('\n'), 'The end.'],
    );
    const cut = chunk({ id: 'd', text: source }, { by: 'markdown', maxTokens: count - 1 });
    assert.ok(cut.every((each) => each.text.split('\n').every((line) => source.includes(line))));
    assert.ok(rows.every((row) => cut.some((each) => each.text.split('\n').includes(row))));
  });

  it('see a sentence that goes on in the next line', () => {
    const wrapped = 'The mill was built in\n1850 by Ann Lee. It\nburned.';
    assert.deepEqual(texts(chunk({ id: 'd', text: wrapped }, { by: 'markdown', maxTokens: 11 })), [
      'The mill was built in\n1850 by Ann Lee.',
      'It\nburned.',
    ]);
  });

  it('do not repeat a heading that the title has as words', () => {
    const titleOf = (title: string): string | undefined =>
      chunk({ id: 'd', text: '# Leave\n\n## Pay\n\nText.', title }, { by: 'markdown' })[0]!.title;
    assert.equal(titleOf('Leave - ACME'), 'Leave - ACME: Pay');
    assert.equal(titleOf('Leaves'), 'Leaves: Leave: Pay');
  });

  it('shorten a path of headings to the limit of a title', () => {
    const long = (mark: string): string => mark.repeat(600);
    const source = `# ${long('a')}\n## ${long('b')}\n### c\nText.`;
    const [passage] = chunk(
      { id: 'd', text: source, title: 'T' },
      { by: 'markdown', maxTokens: 400 },
    );
    assert.equal(passage!.title, `T: ${long('b')}: c`);
    assert.equal(passage!.chunk!.headings!.length, 3);
  });
});

describe('chunk', () => {
  it('takes lists and quotations nested deeper than the stack', () => {
    const text = `${'> '.repeat(50_000)}a\n\n${'- '.repeat(50_000)}b`;
    const passages = chunk({ id: 'd', text }, { by: 'markdown', maxTokens: 65_536 });
    const dense = (all: string): string => all.replace(/\s/g, '');
    assert.ok(dense(texts(passages).join('')) === dense(text));
  });

  it('refuses what is no document, and options out of range', () => {
    const bad = (document: unknown, options: object, pattern: RegExp): void =>
      assert.throws(
        () => chunk(document as Passage, options),
        failsWith('ERR_INVALID_ARGUMENT', pattern),
      );
    const document = { id: 'd', text: 'x' };
    bad(undefined, {}, /document to be an object/);
    bad({ id: '', text: 'x' }, {}, /document.id/);
    bad({ id: 'd', text: 1 }, {}, /document.text/);
    bad({ ...document, title: 1 }, {}, /document.title/);
    bad({ ...document, published_at: 1 }, {}, /published_at/);
    bad(document, { by: 'page' }, /'sentence' or 'markdown'/);
    bad(document, { maxTokens: 0 }, /maxTokens/);
    bad(document, { maxTokens: 10, overlap: 6 }, /overlap .*0 to 5.*half/);
    bad(document, { size: 1 }, /maxTokens/);
  });
});
