// Re3 with times of an extractor: which texts and references it gets, what is compared, under which
// key the vectors of rows are kept, and what is refused.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Corpus, type Passage } from '../../../lib/index.js';
import { re3 } from '../../../lib/papers/index.js';
import { derivedColumnKey } from '../../../lib/store/derived/derivedColumn.js';
import { fusedVectorColumn } from '../../../lib/store/derived/fusedVectorColumn.js';
import {
  fallbackExtractor,
  grammarExtractor,
  timeTuple,
  type TimeExtractor,
  type TimeTuple,
} from '../../../lib/time/index.js';
import { timeEncoder } from '../../../lib/models/index.js';
import type { TimeEncoder } from '../../../lib/vectors/timeEncoder.js';
import { fails, temporaryFolder } from '../../store/fixtures.js';

const passages: Passage[] = [
  {
    id: 'a',
    title: 'Lohr',
    text: 'The mill shut in 1949. It opened again in 1955.',
    publishedAt: '1960-01-01T20:00:00Z',
  },
  { id: 'b', text: 'The mill burnt down in 1972.' },
  { id: 'c', text: 'The mill is of stone.' },
];
const inYear = (year: number): TimeTuple => ({ year, month: 0, dayOfMonth: 0, mask: [1, 0, 0] });
const unknown: TimeTuple = { year: 0, month: 0, dayOfMonth: 0, mask: [0, 0, 0] };

/** The last year that a text has, and what it was asked. */
function lastYear(id = 'last year'): TimeExtractor & { seen: Map<string, unknown> } {
  const seen = new Map<string, unknown>();
  return {
    id,
    seen,
    extract: (texts, { kind, references }) => {
      texts.forEach((text, at) => void seen.set(`${kind}: ${text}`, references[at]));
      return Promise.resolve(
        texts.map((text) => {
          const year = text.match(/\d{4}/g)?.at(-1);
          return year === undefined ? unknown : inYear(Number(year));
        }),
      );
    },
  };
}

describe('re3 by an extractor', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  let times: TimeEncoder;
  before(async () => {
    corpus = await Corpus.open(folder.path('corpus'));
    await corpus.add(passages);
    times = await timeEncoder(corpus.encoder);
  });
  after(() => corpus.close());
  const bare = { mask: false, versions: false } as const;
  const saved = (of = corpus): string[] =>
    readdirSync(join(of.path, 'segments')).filter((name) => name.endsWith('.vec'));

  it('compares the question and whole passages, each fused with its time', async () => {
    const extractor = lastYear();
    const text = 'What happened to the mill before 1973, or in 1972?';
    const { evidence, trace } = await re3({ corpus, ...bare, extractor }).run({ text }, { k: 3 });
    assert.equal(trace[1]?.notes?.['time'], '1972');
    const whole = ['Lohr. The mill shut in 1949. It opened again in 1955.', passages[1]!.text];
    const dense = async (kind: 'query' | 'passage', of: string, time: TimeTuple) =>
      times.fuse(await corpus.encoder.encode([of], { kind }), [time]);
    const asked = await dense('query', text, inYear(1972));
    for (const [id, of, year] of [
      ['a', whole[0]!, 1955],
      ['b', whole[1]!, 1972],
    ] as const) {
      const row = await dense('passage', of, inYear(year));
      const product = asked.reduce((sum, value, c) => sum + value * row[c]!, 0);
      const { score } = evidence.find((each) => each.id === id)!;
      assert.ok(Math.abs(product - score) < 1e-5, `${id}: ${product}, ${score}`);
    }
    assert.deepEqual(
      [...extractor.seen.keys()].sort(),
      [
        `query: ${text}`,
        `passage: ${whole[0]}`,
        'passage: Lohr The mill shut in 1949.',
        'passage: Lohr It opened again in 1955.',
        `passage: ${whole[1]}`,
        'passage: The mill is of stone.',
      ].sort(),
    );
    assert.equal(extractor.seen.get(`passage: ${whole[0]}`), Date.parse('1960-01-01T20:00:00Z'));
  });

  it('fuses what an extractor dates, and ranks by plain rows what it does not', async () => {
    const system = re3({ corpus, ...bare, extractor: grammarExtractor });
    const noted = async (text: string, of = system) =>
      (await of.run({ text })).trace[1]?.notes?.['time'];
    const before = 'What was the mill before 1950?';
    assert.equal(await noted(before), '1950');
    assert.equal(await noted(before, re3({ corpus, ...bare })), '1950');
    assert.equal(await noted(before, re3({ corpus, ...bare, fuse: 'moments' })), 'none');
    const text = 'What is the mill made of?';
    assert.equal(await noted(text), 'none');
    const plain = await re3({ corpus, ...bare, weights: false }).run({ text });
    assert.deepEqual(
      (await system.run({ text })).evidence.map(({ id, score }) => [id, score]),
      plain.evidence.map(({ id, score }) => [id, score]),
    );
  });

  it('gives references as the clock of the time zone shows them', async () => {
    const timeZone = 'Asia/Tokyo';
    await using own = await Corpus.open(folder.path('tokyo'), { timeZone });
    await own.add(passages);
    const extractor = lastYear();
    const text = 'What burnt in 1972?';
    await re3({ corpus: own, extractor }).run({ text, askedAt: '2000-12-31T23:00:00Z', timeZone });
    assert.equal(extractor.seen.get(`query: ${text}`), Date.parse('2001-01-01T08:00:00Z'));
    const whole = 'passage: Lohr. The mill shut in 1949. It opened again in 1955.';
    assert.equal(extractor.seen.get(whole), Date.parse('1960-01-02T05:00:00Z'));
  });

  it('keeps vectors of rows by the id of the extractor, others as before', async () => {
    await using own = await Corpus.open(folder.path('kept'));
    await own.add(passages);
    const { rows } = own.info();
    const [one, other] = [lastYear(), lastYear('another')];
    assert.equal(await own.fuse(times), rows);
    assert.equal(await own.fuse(times, { extractor: one }), rows);
    assert.equal(await own.fuse(times, { extractor: lastYear() }), 0);
    assert.equal(await own.fuse(times, { extractor: other }), rows);
    assert.equal(await own.fuse(times), 0);
    const asked = await re3({ corpus: own, extractor: one }).run({ text: 'What burnt in 1972?' });
    assert.equal(asked.trace[1]?.notes?.['rowsFused'], undefined);
    assert.equal(one.seen.size, rows + 1, 'each row once, and the question');
    assert.equal(saved(own).length, 3);
    const stored = derivedColumnKey('fused', times.id, 'content-narrowed-1');
    assert.equal(fusedVectorColumn(times).key, stored);
    const tokyo = fusedVectorColumn(times, { timeZone: 'Asia/Tokyo' });
    assert.equal(
      tokyo.key,
      derivedColumnKey('fused', times.id, 'content-narrowed-1', 'Asia/Tokyo'),
    );
    const keys = [one, other, grammarExtractor].flatMap((extractor) =>
      [undefined, 'Asia/Tokyo'].map(
        (timeZone) => fusedVectorColumn(times, { extractor, timeZone }).key,
      ),
    );
    assert.equal(new Set([...keys, stored, tokyo.key]).size, 8);
  });

  it('shows the extractor', () => {
    assert.equal(re3({ corpus, extractor: lastYear() }).options['extractor'], 'last year');
    assert.ok(!('extractor' in re3({ corpus }).options));
  });

  it('refuses an extractor without an id, or without vectors to fuse', async () => {
    const { extract } = lastYear();
    for (const wrong of [{ extract }, { id: ' ', extract }, { id: 'x' }, 'grammar', null]) {
      const extractor = wrong as TimeExtractor;
      assert.throws(() => re3({ corpus, extractor }), fails('ERR_INVALID_ARGUMENT', /extractor/));
      await assert.rejects(
        corpus.fuse(times, { extractor }),
        fails('ERR_INVALID_ARGUMENT', /its weights/),
      );
      assert.throws(
        () => fallbackExtractor(grammarExtractor, extractor),
        fails('ERR_INVALID_ARGUMENT', /extractors/),
      );
    }
    assert.throws(
      () => re3({ corpus, extractor: lastYear(), weights: false }),
      fails('ERR_INVALID_ARGUMENT', /extractor/),
    );
  });

  it('leaves nothing where the extractor fails, and works when it no longer does', async () => {
    await using own = await Corpus.open(folder.path('failing'));
    await own.add(passages);
    let broken = true;
    const whole = lastYear('sometimes');
    const extractor: TimeExtractor = {
      id: whole.id,
      extract: (texts, options) =>
        broken ? Promise.resolve([timeTuple('1949')]) : whole.extract(texts, options),
    };
    await assert.rejects(own.fuse(times, { extractor }), fails('ERR_MODEL_FAILED', /sometimes/));
    assert.deepEqual(saved(own), []);
    broken = false;
    assert.equal(await own.fuse(times, { extractor }), own.info().rows);
    await own.verify();
  });
});
