// The addon's own values of rows, by which those of SQL are judged.
import { binding } from '../../../lib/binding.js';
import type { MemoryRows, Segment } from '../../../binding.js';
import { scanFlat } from '../../../lib/retrieval/flatScan.js';
import type { Mask, TemporalForm } from '../../../lib/time/temporalForms.js';
import { TermRows } from '../../../lib/text/termRows.js';
import { writeSegmentFile } from '../../../test/segmentFiles.js';
import type { StudyRows } from './rows.js';

export class MemoryRowsOf {
  readonly memory: MemoryRows;

  /** The first rows of the study, each as a passage of its own. */
  constructor(
    all: StudyRows,
    readonly rows: number,
  ) {
    const offsets = all.contentOffset.slice(0, rows + 1);
    this.memory = new binding.MemoryRows({
      passages: rows,
      multiSentence: 0,
      dimensions: all.dimensions,
      vectors: all.vectors.slice(0, rows * all.dimensions),
      rowPassage: Uint32Array.from({ length: rows }, (_, row) => row),
      published: all.published.slice(0, rows),
      validStart: all.validStart.slice(0, rows),
      validEnd: all.validEnd.slice(0, rows),
      contentOffset: offsets,
      contentStart: all.contentStart.slice(0, offsets[rows]),
      contentEnd: all.contentEnd.slice(0, offsets[rows]),
    });
  }

  /** The temporal value of each visible row; 1 without a form. */
  async temporal(
    vector: Float32Array,
    { form, mask }: { form?: TemporalForm; mask?: Mask },
  ): Promise<Map<number, number>> {
    const query = { vector, form: form ?? { combine: 'none' as const }, mask: mask ?? {} };
    const found = await scanFlat([{ rows: this.memory }], [query], { k: this.rows });
    return new Map(
      Array.from(found.row, (row, i) => [row, form ? found.temporal[i]! : 1] as const),
    );
  }
}

/** The rows as a segment of a corpus: vectors, clocks, postings. */
export async function localSegment(
  rows: StudyRows,
  path: string,
): Promise<{ segment: Segment; order: Uint32Array }> {
  // A segment has multi-sentence passages, single ones and sentences in this order.
  const order = Uint32Array.from(
    [0, 1, 2].flatMap((part) => [...rows.part.keys()].filter((row) => rows.part[row] === part)),
  );
  const [multi, single] = [0, 1].map((part) => rows.part.filter((each) => each === part).length);
  const passages = multi! + single!;
  const numbers = new Map<number, number>();
  order.slice(0, passages).forEach((row, nth) => numbers.set(rows.rowPassage[row]!, nth));
  const contentOffset = new Uint32Array(rows.rows + 1);
  const [starts, ends]: [number[], number[]] = [[], []];
  const terms = new TermRows();
  const vectors = new Float32Array(rows.vectors.length);
  const d = rows.dimensions;
  order.forEach((row, nth) => {
    for (let i = rows.contentOffset[row]!; i < rows.contentOffset[row + 1]!; i += 1) {
      starts.push(rows.contentStart[i]!);
      ends.push(rows.contentEnd[i]!);
    }
    contentOffset[nth + 1] = starts.length;
    vectors.set(rows.vectors.subarray(row * d, row * d + d), nth * d);
    const tokens: string[] = [];
    rows.terms[row]!.forEach((term, t) => {
      for (let c = 0; c < rows.counts[row]![t]!; c += 1) tokens.push(term);
    });
    terms.add(tokens);
  });
  const parts = { multiSentence: multi!, passages, rows: rows.rows };
  const column = (all: Float64Array): Float64Array => Float64Array.from(order, (row) => all[row]!);
  await writeSegmentFile(path, [
    {
      name: 'counts',
      data: BigUint64Array.from([passages, multi!, rows.rows, starts.length, d, 256, 0, 0], BigInt),
    },
    {
      name: 'rows.passage',
      data: Uint32Array.from(order, (row) => numbers.get(rows.rowPassage[row]!) ?? 0),
    },
    { name: 'vectors.f32', data: vectors },
    ...(await binding.packClocks({
      published: column(rows.published),
      validStart: column(rows.validStart),
      validEnd: column(rows.validEnd),
      contentOffset,
      contentStart: Float64Array.from(starts),
      contentEnd: Float64Array.from(ends),
      contentGranularity: new Uint8Array(starts.length),
    })),
    ...(await binding.buildPostings({ ...terms.pack(), parts })),
  ]);
  return { segment: binding.Segment.open(path), order };
}
