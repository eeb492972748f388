// Which passages of a damaged corpus are live: an id that several segments have is decided by the
// newest of them, since a passage is replaced by one of a later segment.
import { binding } from '../../binding.js';
import { noPassage } from '../format/openSegments.js';
import { readRecord } from '../passages/passages.js';
import type { Inventory } from './inventory.js';
import { isForeign, readableLocals, recordOf, type Source, type Damage } from './source.js';
import type { CorpusFolder } from '../format/folder.js';
import type { CorpusEncoder } from './encoders.js';

export class Liveness {
  private readonly idsOfParts = new Map<Source, Set<string>>();

  constructor(private readonly inventory: Inventory) {}

  /** Whether tombstones say which passages are live: those that a manifest vouches for. */
  isDecided({ areDeletionsKnown }: Source): boolean {
    return this.inventory.manifest !== undefined && areDeletionsKnown;
  }

  /** Which ids of passages of a source are in a newer one. */
  superseded(source: Source, ids: readonly string[]): boolean[] {
    const result = ids.map(() => false);
    for (const newer of this.inventory.sources) {
      if (newer.precedence <= source.precedence) continue;
      if (newer.open) {
        const found = binding.findPassages(newer.open.native, ids);
        found.forEach((local, at) => void (result[at] ||= local !== noPassage));
      } else {
        const known = this.idsOf(newer);
        ids.forEach((id, at) => void (result[at] ||= known.has(id)));
      }
    }
    return result;
  }

  /** Whether deletions of a source are unknown, besides those of `dead` passages. */
  isUncertain(source: Source, dead: number): boolean {
    const { areDeletionsKnown, entry } = source;
    if (areDeletionsKnown) return false;
    return !entry || isForeign(source) || entry.deleted > dead;
  }

  private idsOf(source: Source): Set<string> {
    let ids = this.idsOfParts.get(source);
    if (!ids) {
      const records = readableLocals(source).map((local) => recordOf(source, local));
      ids = new Set(records.map((record) => readRecord(record, source.file).id));
      for (const id of source.parts?.records.ids ?? []) ids.add(id);
      this.idsOfParts.set(source, ids);
    }
    return ids;
  }
}

export interface RepairReport {
  /** Live passages of the new corpus. */
  passages: number;
  /** Of them, those that were indexed again. */
  reindexed: number;
  /** Ids of passages that are lost. */
  lost: string[];
  /** Further lost passages, whose ids are unreadable, as far as their number is known. */
  lostWithoutId: number;
  /** Ids of passages that are kept and may have been deleted or replaced before. */
  uncertain: string[];
  /** Faults, file by file. */
  damage: Damage[];
}

export interface RepairContext {
  inventory: Inventory;
  liveness: Liveness;
  model: CorpusEncoder;
  from: CorpusFolder;
  to: CorpusFolder;
  /** What it has found and done so far. */
  report: RepairReport;
  /** Number of the next segment to write. */
  nextSegment: number;
  /** When passages are indexed again, of corpora with history. */
  recorded: number | undefined;
  signal: AbortSignal | undefined;
}
