// A segment of a damaged corpus, whole or in part.
import { join } from 'node:path';
import { AsOfError } from '../../errors.js';
import type { SegmentEntry } from '../format/manifest.js';
import type { OpenSegment } from '../format/openSegments.js';
import type { Ended } from '../format/tombstones.js';
import { salvageRecords, type SalvagedRecords } from './records.js';
import { SegmentSections } from './segmentSections.js';

/** A finding of a repair. */
export interface Damage {
  file: string;
  fault: string;
  /** The passages that are kept of it, and those that are lost. */
  outcome: string;
}

export interface Source {
  /** Name of the file. */
  file: string;
  id: string;
  /** Its entry in the manifest, if there is one. */
  entry?: SegmentEntry;
  /** Of two sources that have an id the one of higher precedence says whether it is live. */
  precedence: number;
  /** The segment, if all of it is whole. */
  open?: OpenSegment;
  /** Its fault otherwise, and its readable parts, if there is a file. */
  fault?: string;
  parts?: { sections: SegmentSections; records: SalvagedRecords };
  /** Passages; undefined if nothing says how many. */
  passages: number | undefined;
  /** Bits of its live passages; absent if all are. */
  liveDocs?: Uint8Array;
  /** Of corpora with history, when passages ended since it was written. */
  ended?: Ended;
  /** Whether those are of the newest commit. */
  areDeletionsKnown: boolean;
}

/** A file that is another than that of the manifest comes after all others. */
export const foreignPrecedence = -1e12;

export const isForeign = ({ precedence }: Source): boolean => precedence < 0;

/** Makes a source one of which parts are read. Throws errors that are no damage. */
export function demote(source: Source, folder: string, error: unknown): void {
  const isDamage =
    AsOfError.is(error) && /^ERR_(?:CORPUS_CORRUPT|CORPUS_FOREIGN|NOT_FOUND)$/.test(error.code);
  if (!isDamage) throw error;
  source.open?.native.close();
  delete source.open;
  const sections = SegmentSections.open(join(folder, source.file));
  source.fault = sections ? faultOf(error) : 'is missing';
  if (!sections) return;
  const records = salvageRecords(sections);
  source.parts = { sections, records };
  if (isForeign(source)) source.passages = records.passages;
  else source.passages ??= records.passages;
}

/** Local passages whose record is readable. */
export const readableLocals = ({ open, parts }: Source): number[] =>
  open ? [...Array(open.entry.passages).keys()] : [...(parts?.records.places.keys() ?? [])];

/** The record of one of them. */
export function recordOf({ open, parts }: Source, local: number): string {
  if (open) return open.record(local);
  const { section, from, bytes } = parts!.records.places.get(local)!;
  return parts!.sections.read(section, from, bytes).toString('utf8');
}

export function closeSource({ open, parts }: Source): void {
  open?.native.close();
  parts?.sections.close();
}

export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The fault that a message reports, without what to do. */
export const faultOf = ({ message }: AsOfError): string =>
  message
    .replace(/\. (?:Restore|Check|Close|Run|The column)\b.*$/, '')
    .replace(/^Expected/, 'expected');
