// Flat search over segment files: damage, closing, and numbers that are not finite.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding } from '../../lib/binding.js';
import type { SectionArray, Segment } from '../../binding.js';
import { scanFlat } from '../../lib/retrieval/flatScan.js';
import type { OracleSegment } from '../oracle/scan.js';
import {
  day,
  drawWorld as world,
  refusal,
  scanSegment,
  smallShape as shape,
} from './flat.corpus.js';
import { writeSegmentFile } from '../segmentFiles.js';

describe('a flat search of segment files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asof-flat-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * The sections of segment.hpp with one row a passage, times in days (or milliseconds, where
   * wide).
   */
  function sections(
    { rows, ids, multiSentence }: OracleSegment,
    dimensions: number,
    wide: boolean,
  ): Record<string, SectionArray> {
    const unit = wide ? 1 : day;
    const tick = (value: number | undefined): number | bigint => {
      const reach = wide ? 2n ** 63n : 2n ** 31n;
      const whole =
        value === undefined
          ? -reach
          : value === Infinity
            ? reach - 1n
            : value === -Infinity
              ? 1n - reach
              : BigInt(value / unit);
      return wide ? whole : Number(whole);
    };
    const ticks = (values: (number | undefined)[]): SectionArray =>
      wide
        ? BigInt64Array.from(values.map(tick) as bigint[])
        : Int32Array.from(values.map(tick) as number[]);
    const offset = [0];
    for (const { content } of rows) offset.push(offset.at(-1)! + (content?.length ?? 0));
    const times = rows.flatMap(({ content }) => content ?? []);
    return {
      counts: BigUint64Array.from(
        [ids.length, multiSentence, rows.length, times.length, dimensions, 256, 0, 0].map(BigInt),
      ),
      'vectors.f32': Float32Array.from(rows.flatMap(({ vector }) => vector)),
      'rows.passage': Uint32Array.from(rows.map(({ passage }) => passage)),
      'clock.encoding': Float64Array.of(unit, 0, unit, 0, unit, 0),
      'clock.published': ticks(rows.map(({ published }) => published)),
      'clock.valid_start': ticks(rows.map(({ validity }) => validity?.[0])),
      'clock.valid_end': ticks(rows.map(({ validity }) => validity?.[1])),
      'clock.content_offset': Uint32Array.from(offset),
      'clock.content_start': ticks(times.map(([start]) => start)),
      'clock.content_end': ticks(times.map(([, end]) => end)),
    };
  }
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
