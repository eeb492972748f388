// The addon's own values of rows, by which those of SQL are judged.
import { binding } from '../../../lib/binding.js';
import type { MemoryRows } from '../../../binding.js';
import { scanFlat } from '../../../lib/retrieval/flatScan.js';
import type { Mask, TemporalForm } from '../../../lib/time/temporalForms.js';
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
