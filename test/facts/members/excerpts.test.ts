// Excerpts of candidates: short passages whole, of long ones the nearest sentences, bounded by
// number and by length.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corpus, type Passage } from '../../../lib/index.js';
import { excerptsOf, type Excerpt } from '../../../lib/facts/members/excerpts.js';
import { retrieve } from '../../../lib/retrieval/retrieve.js';
import { semanticOnly } from '../../../lib/retrieval/search.js';
import { questionAsQuery } from '../../../lib/systems/queryAnalysis.js';

const about = (n: number): string => `The mayor of town ${n} left in ${1900 + n}.`;
const other = (n: number): string => `Ships carry ${n} tons of grain along the coast.`;
const many = (count: number, of: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => of(n));
const padded = (text: string, length: number): string =>
  text.replace('.', ` ${'and so on '.repeat(length)}`.slice(0, length).replace(/\s*$/, '.'));

describe('excerptsOf', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asof-excerpts-'));
  let corpus: Corpus;
  const passages: Passage[] = [
    { id: 'short', text: many(48, about).join(' ') },
    { id: 'many', title: 'Town', text: [...many(40, other), ...many(60, about)].join(' ') },
    { id: 'long', text: many(20, (n) => padded(about(n), 6000)).join(' ') },
    { id: 'one', text: padded(about(1), 8000) },
  ];
  before(async () => {
    corpus = await Corpus.open(join(folder, 'c'));
    await corpus.add(passages);
  });
  after(async () => {
    await corpus.close();
    rmSync(folder, { recursive: true });
  });

  async function excerpts(signal?: AbortSignal): Promise<Map<string, Excerpt>> {
    using snapshot = corpus.snapshot();
    const context = { note: () => {} };
    const question = { text: 'Which mayor of a town left?', askedAt: '2020-01-01' };
    const query = await questionAsQuery().run({ question, k: 10, corpus, snapshot }, context);
    const all = { n: 10, scope: 'passages', relevance: semanticOnly } as const;
    const { hits } = await retrieve('dense', all).run(query, context);
    const read = await excerptsOf(query, hits, signal);
    return new Map(read.map((each) => [each.record.id, each]));
  }

  it('reads short passages whole, and of long ones the nearest sentences in order', async () => {
    const read = await excerpts();
    for (const [id, { record, isWhole, rows, sentences }] of read) {
      const { text, title } = passages.find((each) => each.id === id)!;
      assert.equal(isWhole, id === 'short' || id === 'one', id);
      assert.equal(record.title, title);
      assert.equal(rows.length, sentences.length);
      assert.deepEqual(
        rows,
        [...rows].sort((a, b) => a - b),
      );
      if (isWhole) assert.equal(record.text, text);
      else
        assert.ok(
          sentences.every(({ start, end }) => text.includes(record.text.slice(start, end))),
        );
    }
    const ofMany = read.get('many')!;
    assert.equal(ofMany.rows.length, 48);
    assert.ok(
      ofMany.sentences.every(({ start, end }) =>
        /^The mayor/.test(ofMany.record.text.slice(start, end)),
      ),
    );
    const { rows, record } = read.get('long')!;
    assert.ok(rows.length === 10 && record.text.length <= 65_546, `${rows.length}`);
  });

  it('stops at a signal', async () => {
    await assert.rejects(excerpts(AbortSignal.abort()), { code: 'ERR_ABORTED' });
  });
});
