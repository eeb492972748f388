// State of a running repair, shared by its steps.
import type { CorpusFolder } from '../format/folder.js';
import type { CorpusEncoder } from './encoders.js';
import type { Inventory } from './inventory.js';
import type { Liveness } from './liveness.js';
import type { Damage } from './source.js';

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
