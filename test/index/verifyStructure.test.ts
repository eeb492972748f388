// Structure of a segment whose checksums hold: sound ones pass, and where a section contradicts
// another it is named.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import type { SectionArray, Segment } from '../../binding.js';
import { Corpus } from '../../lib/store/corpus.js';
import { fails, hashEncoder, temporaryFolder } from '../store/fixtures.js';
import { writeSegmentFile } from '../segmentFiles.js';

type Change = (section: SectionArray) => SectionArray | void;

/** One element becomes another number. */
const set =
  (at: number, value: number | bigint): Change =>
  (section) => {
    section[at < 0 ? section.length + at : at] = value;
  };
/** The first two elements change places. */
const swap: Change = (section) => {
  [section[0], section[1]] = [section[1]!, section[0]!];
};
/** The last row that is of another passage than the last one changes places with it. */
const swapLast: Change = (section) => {
  const rows = section as Uint32Array;
  const at = rows.findLastIndex((passage) => passage !== rows.at(-1));
  [rows[at], rows[rows.length - 1]] = [rows.at(-1)!, rows[at]!];
};
const shorten: Change = (section) => section.slice(0, -1);
const add =
  (at: number): Change =>
  (section) => {
    const index = at < 0 ? section.length + at : at;
    const value = section[index]!;
    section[index] = typeof value === 'bigint' ? value + 1n : value + 1;
  };

const contradictions: [section: string, what: string, change: Change, named?: RegExp][] = [
  ['rows.passage', 'gives a passage two whole rows', (rows) => void (rows[0] = rows[1]!)],
  ['rows.passage', 'names a passage that is not there', set(-1, 0xffffffff)],
  ['rows.passage', 'lacks a row', shorten, /the rows' passages/],
  ['rows.passage', 'has sentences in another order', swapLast],
  ['rows.of_passage', 'names the row of another passage', swap],
  ['rows.of_passage', 'lacks a passage', shorten, /the passages' rows/],
  ['rows.sentence', 'ends a sentence before its start', set(0, 0xffffffff)],
  ['rows.sentence', 'lacks a sentence', shorten],
  ['passages.hash', 'lacks a byte', shorten],
  ['passages.record_offset', 'ends before the records do', set(-1, 0n)],
  ['passages.record_offset', 'starts within them', add(0)],
  ['passages.id_offset', 'descends', swap],
  ['passages.id', 'does not ascend', set(0, 0xff)],
  ['counts', 'has other blocks', set(5, 128n)],
  ['clock.encoding', 'lacks a clock', shorten],
  ['clock.content_offset', 'descends', set(1, 0xffffffff)],
  ['clock.content_offset', 'lacks a row', shorten, /content times/],
  ['clock.content_granularity', 'lacks a time', shorten],
  ['clock.content_end', 'ends before its start', set(0, -0x7ffffffe), /blocks\.content/],
  ['clock.published', 'has a time outside of its block', set(0, 0x7fffffff), /blocks\.published/],
  ['blocks.valid', 'is not of its rows', add(0)],
  ['lexical.term_bytes', 'does not ascend', set(0, 0xff)],
  ['lexical.term_offset', 'points outside', set(-1, 0xffffffff)],
  ['lexical.term_df', 'counts a row too many', add(0), /lexical\./],
  ['lexical.term_block', 'skips a block', set(1, 2)],
  ['lexical.row_length', 'is not of its tokens', add(-1), /lexical\./],
  ['lexical.counts', 'counts another number of tokens', add(3)],
  ['lexical.counts', 'has a longer row', add(6)],
  ['lexical.impacts', 'bounds by less than a posting', set(0, 0)],
  ['lexical.impact_offset', 'points outside', set(-1, 0xffffffff)],
  ['lexical.block_last', 'is not the last row', add(0), /lexical\.postings/],
  ['fields.0.values', 'does not ascend', set(0, 0xff)],
  ['fields.0.value_offset', 'points outside', set(-1, 0xffffffff)],
  ['fields.0.passage_offset', 'descends', set(1, 0xffffffff)],
  ['fields.0.passages', 'names a passage that is not there', set(-1, 0xffffffff)],
  ['fields.0.passages', 'does not ascend', swap],
  ['fields.1.numbers', 'lacks a passage', shorten],
  ['fields.1.blocks', 'is not of its numbers', set(0, 1e9)],
];

describe('the structure of a segment', () => {
  const folder = temporaryFolder();
  let sections: { name: string; data: SectionArray }[];
  let files = 0;

  before(async () => {
    const path = folder.path('corpus');
    const fields = { tenant: 'keyword', price: 'number' } as const;
    const corpus = await Corpus.open(path, { encoder: hashEncoder(), fields });
    const passages = Array.from({ length: 300 }, (_, i) => ({
      id: `p${i}`,
      text:
        i % 3 === 0
          ? `The bridge ${i} opened on 4 May ${1900 + (i % 100)}.`
          : `The mayor ${i} left in ${1900 + (i % 90)}. The bridge stood until ${1995 + (i % 20)}.`,
      publishedAt: `20${10 + (i % 10)}-01-02`,
      metadata: { tenant: `t${i % 5}`, price: i / 3 },
      ...(i % 4 === 0 ? { validFrom: `20${10 + (i % 10)}-01-01`, validTo: '2021-01-01' } : {}),
    }));
    await corpus.add(passages, { batchSize: 100 });
    await corpus.compact(); // whose rows are in the order of time
    const [file] = corpus.snapshot().segments.map(({ segment: { path } }) => path);
    await corpus.close();
    const segment = binding.Segment.open(file!);
    await segment.verifyStructure();
    sections = segment.sections().map(({ name }) => ({ name, data: segment.read(name) }));
    segment.close();
  });

  async function written(changed: string, change: Change): Promise<Segment> {
    const path = folder.path(`${(files += 1)}.seg`);
    const all = sections.map(({ name, data }) => {
      if (name !== changed) return { name, data };
      const copy = data.slice();
      return { name, data: change(copy) ?? copy };
    });
    await writeSegmentFile(path, all);
    return binding.Segment.open(path);
  }

  for (const [section, what, change, named] of contradictions) {
    it(`is refused where ${section} ${what}`, async () => {
      using segment = await closing(written(section, change));
      await segment.verify();
      const name = named ?? new RegExp(section.replaceAll('.', '\\.'));
      await assert.rejects(segment.verifyStructure(), fails('ERR_CORPUS_CORRUPT', name));
    });
  }

  it('is refused where rows are in an order that no section tells', async () => {
    const path = folder.path('untold.seg');
    const others = sections.filter(({ name }) => name !== 'rows.of_passage');
    await writeSegmentFile(path, others);
    using segment = await closing(Promise.resolve(binding.Segment.open(path)));
    await assert.rejects(
      segment.verifyStructure(),
      fails('ERR_CORPUS_CORRUPT', /rows\.passage.*order/),
    );
  });

  it('is verified in turns that a signal ends', async () => {
    using segment = await closing(written('none', () => undefined));
    const cancellation = new binding.Cancellation();
    cancellation.cancel();
    await assert.rejects(segment.verifyStructure(cancellation), fails('ERR_ABORTED'));
  });
});

async function closing(opened: Promise<Segment>): Promise<Segment & Disposable> {
  const segment = await opened;
  return Object.assign(segment, { [Symbol.dispose]: () => segment.close() });
}
