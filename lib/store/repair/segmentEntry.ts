// The manifest's entry of a whole segment, from the segment alone.
import type { Segment } from '../../../binding.js';
import { AsOfError } from '../../errors.js';
import { storages, type SegmentEntry, type TimeSpan } from '../format/manifest.js';
import { hashBytes } from '../passages/passages.js';
import { clockSpan } from '../views/rowTimes.js';

/** @throws AsOfError ERR_CORPUS_CORRUPT if its sections contradict its counts */
export function segmentEntry(id: string, segment: Segment): SegmentEntry {
  const sections = new Map(segment.sections().map(({ name, count }) => [name, count]));
  const counts = Array.from(segment.read('counts') as BigUint64Array, Number);
  const [passages = 0, multiSentence = 0, rows = 0, , dimensions = 0] = counts;
  const areSound =
    passages > 0 &&
    multiSentence <= passages &&
    passages <= rows &&
    sections.get('rows.passage') === rows &&
    sections.get('passages.hash') === hashBytes * passages &&
    sections.get('vectors.f32') === dimensions * rows;
  if (!areSound)
    throw new AsOfError('ERR_CORPUS_CORRUPT', 'Expected sections of the length that counts say.');
  const spans: SegmentEntry['spans'] = {};
  for (const clock of ['published', 'valid', 'content'] as const) {
    const span = clockSpan({ segment }, clock);
    if (span) spans[clock] = span.map((end) => (Number.isFinite(end) ? end : null)) as TimeSpan;
  }
  return {
    id,
    bytes: segment.bytes,
    checksum: segment.checksum,
    passages,
    multiSentence,
    rows,
    deleted: 0,
    deletedRows: 0,
    deletedSentences: 0,
    storage: storages.find((each) => sections.has(`panels.${each}`)) ?? 'f32',
    spans,
  };
}
