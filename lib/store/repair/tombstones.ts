// Live passages of a segment of a damaged corpus: by its tombstones, or by older ones.
import { join } from 'node:path';
import { binding } from '../../binding.js';
import { AsOfError } from '../../errors.js';
import { readFile } from '../format/files.js';
import { tombstoneFile, tombstonesOfFile, type SegmentEntry } from '../format/manifest.js';
import {
  liveIn,
  maxTombstoneBytes,
  parseTombstones,
  readTombstones as readNewest,
  type Tombstones,
} from '../format/tombstones.js';
import { withOneBitFlipped } from './bitFlip.js';
import { isForeign, type Damage, type Source } from './source.js';

/**
 * Sets the live passages of a source. Without a manifest nothing vouches for tombstones but their
 * form. `names` are the files of the folder.
 */
export function readTombstones(
  source: Source,
  folder: string,
  names: readonly string[],
  damage: Damage[],
): void {
  const { entry, id, passages } = source;
  if (isForeign(source)) source.areDeletionsKnown = false;
  if (isForeign(source) || (entry && !entry.tombstones)) return;
  let faulty = entry && readNamed(source, entry, folder, damage);
  if (entry && !faulty) return;
  const files = names
    .flatMap((file) => {
      const { segment, generation = 0 } = tombstonesOfFile(file) ?? {};
      return segment === id ? [{ file, generation }] : [];
    })
    .sort((a, b) => b.generation - a.generation);
  for (const { file } of files) {
    if (file === faulty?.file) continue;
    const content = contentOf(join(folder, file), passages ?? 0);
    const older = content && parseTombstones(content, passages ?? 0);
    const isPlausible = older && isPartial(older, passages ?? 0) && isOlder(older, entry);
    if (isPlausible) setTombstones(source, older);
    if (isPlausible) break;
    faulty ??= { file, fault: 'is damaged' };
  }
  if (!faulty) return;
  source.areDeletionsKnown = false;
  const outcome = source.liveDocs
    ? 'older ones are in their place'
    : `all of ${source.file} are live`;
  damage.push({ ...faulty, outcome });
}

/** Reads the tombstones that the manifest names; their fault otherwise. */
function readNamed(
  source: Source,
  entry: SegmentEntry,
  folder: string,
  damage: Damage[],
): { file: string; fault: string } | undefined {
  const file = tombstoneFile(entry);
  try {
    setTombstones(source, readNewest(entry, folder)!);
    return undefined;
  } catch (error) {
    if (!AsOfError.is(error)) throw error;
    if (error.code === 'ERR_NOT_FOUND') return { file, fault: 'is missing' };
  }
  const content = contentOf(join(folder, file), entry.passages);
  const sums = content && {
    actual: binding.crc32c(content),
    expected: entry.tombstones!.checksum,
  };
  const bytes = content && withOneBitFlipped(content, sums!);
  const corrected = bytes && parseTombstones(bytes, entry.passages);
  if (!corrected || liveIn(corrected.live) !== entry.passages - entry.deleted)
    return { file, fault: 'is damaged' };
  setTombstones(source, corrected);
  damage.push({ file, fault: 'one bit is wrong', outcome: 'corrected' });
  return undefined;
}

function setTombstones(source: Source, { live, ended }: Tombstones): void {
  source.liveDocs = live;
  source.ended = ended;
}

/** The content of a file, as much as tombstones have; undefined if it cannot be read. */
function contentOf(path: string, passages: number): Buffer | undefined {
  try {
    return readFile(path, maxTombstoneBytes(passages) + 1);
  } catch (error) {
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    // A sector that the disk does not read is damage, a lack of descriptors is none.
    if (AsOfError.is(error) && !/^E[MN]FILE$/.test(String(cause?.code))) return undefined;
    throw error;
  }
}

/** Whether some passages are live and some are not. */
function isPartial({ live }: Tombstones, passages: number): boolean {
  const count = liveIn(live);
  return count > 0 && count < passages;
}

const isOlder = ({ live }: Tombstones, entry: SegmentEntry | undefined): boolean =>
  entry === undefined || liveIn(live) > entry.passages - entry.deleted;
