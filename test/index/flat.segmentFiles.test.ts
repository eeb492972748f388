// Flat search over segment files: damage, closing, and numbers that are not finite.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding } from '../../lib/binding.js';
import type { SectionArray, Segment } from '../../binding.js';
import { scanFlat } from '../../lib/retrieval/flatScan.js';
import {
  drawWorld as world,
  refusal,
  scanSegment,
  segmentSections as sections,
  smallShape as shape,
} from './flat.corpus.js';
import { removeFolder } from '../removeFolder.js';
import { writeSegmentFile } from '../segmentFiles.js';

describe('a flat search of segment files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asof-flat-'));
  after(() => removeFolder(folder));

  let files = 0;
  async function written(contents: Record<string, SectionArray>): Promise<Segment> {
    const path = join(folder, `${(files += 1)}.segment`);
    await writeSegmentFile(
      path,
      Object.entries(contents).map(([name, data]) => ({ name, data })),
    );
    return binding.Segment.open(path);
  }

  for (const wide of [false, true]) {
    it(`finds what a search of the same rows in memory finds, with ticks of ${wide ? 64 : 32} bits`, async () => {
      const { segments, queries } = world({ hide: false });
      const opened = await Promise.all(
        segments.map((each) => written(sections(each, shape.dimensions, wide))),
      );
      const inMemory = await scanFlat(
        segments.map((each) => scanSegment(each, shape.dimensions, wide)),
        queries,
        { k: 30 },
      );
      const running = scanFlat(
        opened.map((rows) => ({ rows })),
        queries,
        { k: 30 },
      );
      opened.forEach((each) => each.close());
      assert.deepEqual(await running, inMemory);
      await assert.rejects(
        scanFlat(
          opened.map((rows) => ({ rows })),
          queries,
          { k: 30 },
        ),
        refusal(/closed/, 'ERR_CLOSED'),
      );
    });
  }

  it(
    'names what is wrong in sections that contradict each other, and survives numbers that ' +
      'point nowhere',
    async () => {
      const { segments, queries } = world({ hide: false });
      const good = sections(segments[0]!, shape.dimensions, false);
      const short = await written({
        ...good,
        'vectors.f32': (good['vectors.f32'] as Float32Array).subarray(1),
      });
      await assert.rejects(
        scanFlat([{ rows: short }], [queries[0]!], { k: 1 }),
        refusal(/vectors.*elements, found/, 'ERR_CORPUS_CORRUPT'),
      );
      const rows = segments[0]!.rows.length;
      const nowhere = {
        'rows.passage': new Uint32Array(rows).fill(4e9),
        'clock.content_offset': new Uint32Array(rows + 1).fill(4e9),
      };
      const wild = await written({ ...good, ...nowhere });
      const one = queries.map(({ lexical, ...query }) => ({
        ...query,
        ...(lexical ? { lexical: lexical.slice(0, 1) } : {}),
      }));
      const shown = new Uint8Array(Math.ceil(segments[0]!.ids.length / 8)).fill(255);
      await scanFlat([{ rows: wild }], one, { k: 5 });
      assert.equal(
        (await scanFlat([{ rows: wild, liveDocs: shown }], one, { k: 5 })).row.length,
        0,
      );
    },
  );
});
