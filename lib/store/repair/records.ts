// Records of a damaged segment: all that are as they were written, by the hash of each or by the
// checksum of their section.
import { AsOfError } from '../../errors.js';
import { withSeries } from '../fields/types.js';
import { hashBytes, preparePassage, readRecord, recordHash } from '../passages/passages.js';
import type { SectionRange, SegmentSections } from './segmentSections.js';

export interface RecordPlace {
  /** The section of records, and where the record is in it. */
  section: SectionRange;
  from: number;
  bytes: number;
}

export interface SalvagedRecords {
  /** Passages of the segment; undefined if nothing says how many. */
  passages: number | undefined;
  /** Readable records, by local passage. */
  places: Map<number, RecordPlace>;
  /** Those of them for which no hash or checksum vouches: the file ends before. */
  unverified: Set<number>;
  /** Ids by local passage; none where they may be damaged. */
  ids: readonly string[];
}

type Layout = ReadonlyMap<string, SectionRange>;

/** What separates two records, and neither text nor metadata can contain: JSON escapes quotes. */
const boundary = '}{"id":"';
const windowBytes = 1 << 22;
/** Longer pieces are no records. */
const maxRecordBytes = 1 << 28;

export function salvageRecords(sections: SegmentSections): SalvagedRecords {
  const layouts = [sections.table, sections.computed];
  const hashes = new Map<string, number>();
  for (const layout of layouts) addHashes(sections, layout, hashes);
  const places: SalvagedRecords['places'] = new Map();
  const areWhole = sections.areWhole('passages.record', 'passages.record_offset');
  for (const layout of layouts) {
    const section = layout.get('passages.record');
    if (!section) continue;
    const add = (from: number, to: number, otherwise?: number): void => {
      if (from === to || to - from > maxRecordBytes) return;
      const record = sections.read(section, from, to - from);
      const passage = hashes.get(recordHash(record).toString('latin1')) ?? otherwise;
      if (passage !== undefined && !places.has(passage))
        places.set(passage, { section, from, bytes: to - from });
    };
    rangesOf(sections, layout, 'passages.record').forEach(([from, to], passage) =>
      add(from, to, areWhole ? passage : undefined),
    );
    // Where offsets are damaged records are found by what separates them.
    if (places.size < hashes.size)
      for (const [from, to] of pieces(sections, section)) add(from, to);
  }
  const unverified = addUnverified(sections, hashes.size, places);
  const areIdsWhole = sections.areWhole('passages.id', 'passages.id_offset');
  const ids = areIdsWhole ? textsOf(sections, sections.table, 'passages.id') : [];
  return { passages: passagesOf(sections), places, unverified, ids };
}

function passagesOf(sections: SegmentSections): number | undefined {
  const ofTable = sections.table.get('passages.hash');
  if (ofTable) return ofTable.bytes / hashBytes;
  const counts = sections.computed.get('counts');
  return counts && Number(sections.read(counts).readBigUInt64LE(0));
}

function addHashes(sections: SegmentSections, layout: Layout, hashes: Map<string, number>): void {
  const section = layout.get('passages.hash');
  const all = section ? sections.read(section) : Buffer.alloc(0);
  for (let at = 0; at + hashBytes <= all.length; at += hashBytes)
    hashes.set(all.toString('latin1', at, at + hashBytes), at / hashBytes);
}

/** [start, end) of each passage in a section of texts; of wrong offsets an empty one. */
function rangesOf(
  sections: SegmentSections,
  layout: Layout,
  name: string,
): [from: number, to: number][] {
  const [texts, offsets] = [layout.get(name), layout.get(`${name}_offset`)];
  if (!texts || !offsets) return [];
  const bytes = sections.read(offsets);
  const at = (passage: number): number => Number(bytes.readBigUInt64LE(8 * passage));
  return Array.from({ length: Math.max(0, Math.floor(bytes.length / 8) - 1) }, (_, passage) => {
    const [from, to] = [at(passage), at(passage + 1)];
    return from <= to && to <= texts.bytes ? [from, to] : [0, 0];
  });
}

function textsOf(sections: SegmentSections, layout: Layout, name: string): string[] {
  const texts = layout.get(name);
  const all = texts && sections.read(texts);
  if (all?.length !== texts?.bytes) return [];
  return rangesOf(sections, layout, name).map(([from, to]) => all!.toString('utf8', from, to));
}

/** [start, end) of the texts between boundaries. */
function* pieces(
  sections: SegmentSections,
  section: SectionRange,
): Generator<[from: number, to: number]> {
  let start = 0;
  let rest: Buffer = Buffer.alloc(0);
  for (let at = 0; at < section.bytes; at += windowBytes) {
    const window = Buffer.concat([rest, sections.read(section, at, windowBytes)]);
    let from = 0;
    for (let end; (end = window.indexOf(boundary, from)) >= 0; from = end + 1)
      yield [start + from, start + end + 1];
    if (window.length - from > maxRecordBytes) from = window.length - boundary.length;
    start += from;
    rest = window.subarray(from);
  }
  yield [start, section.bytes];
}

/** Records whose hashes are beyond the end of the file, of the ids that they should have. */
function addUnverified(
  sections: SegmentSections,
  verifiable: number,
  places: SalvagedRecords['places'],
): Set<number> {
  const added = new Set<number>();
  const section = sections.computed.get('passages.record');
  if (!section || sections.table.size > 0) return added;
  const ids = textsOf(sections, sections.computed, 'passages.id');
  for (const [passage, [from, to]] of rangesOf(
    sections,
    sections.computed,
    'passages.record',
  ).entries()) {
    if (passage < verifiable || to === from || to - from > maxRecordBytes) continue;
    const record = sections.read(section, from, to - from).toString('utf8');
    if (idOf(record, passage) !== ids[passage]) continue;
    places.set(passage, { section, from, bytes: to - from });
    added.add(passage);
  }
  return added;
}

const anyRules = { dimensions: 0, sentences: true, encodes: true, fields: withSeries({}) };

/** The id of a record; undefined of one that is no passage's. */
function idOf(record: string, passage: number): string | undefined {
  try {
    return preparePassage(readRecord(record, ''), passage, anyRules).stored.id;
  } catch (error) {
    if (AsOfError.is(error)) return undefined;
    throw error;
  }
}
