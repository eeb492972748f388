// Live passages of a segment of a damaged corpus: by its tombstones, or by older ones.
import { join } from 'node:path';
import { binding } from '../../binding.js';
import { AsOfError } from '../../errors.js';
import { readFile } from '../files.js';
import { tombstoneFile, type SegmentEntry } from '../manifest.js';
import { liveIn, readLiveDocs } from '../openSegments.js';
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
  const { entry, number, passages } = source;
  if (isForeign(source)) source.areDeletionsKnown = false;
  if (isForeign(source) || (entry && !entry.tombstones)) return;
  let faulty = entry && readNamed(source, entry, folder, damage);
  if (entry && !faulty) return;
  const generations = names
    .flatMap((name) => {
      const [, segment, generation] = /^(\d{6,15})-(\d{6,15})\.del$/.exec(name) ?? [];
      return Number(segment) === number ? [Number(generation)] : [];
    })
    .sort((a, b) => b - a);
  for (const generation of generations) {
    const file = tombstoneFile({ number, tombstones: { generation, checksum: 0 } });
    if (file === faulty?.file) continue;
    const bits = contentOf(join(folder, file), passages ?? 0);
    const isPlausible = bits && hasForm(bits, passages ?? 0) && isOlder(bits, entry);
    if (isPlausible) source.liveDocs = bits;
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
    source.liveDocs = readLiveDocs(entry, folder)!;
    return undefined;
  } catch (error) {
    if (!AsOfError.is(error)) throw error;
    if (error.code === 'ERR_NOT_FOUND') return { file, fault: 'is missing' };
  }
  const bits = contentOf(join(folder, file), entry.passages);
  const expected = entry.tombstones!.checksum;
  const corrected = bits && withOneBitFlipped(bits, { actual: binding.crc32c(bits), expected });
  if (!corrected || liveIn(corrected) !== entry.passages - entry.deleted)
    return { file, fault: 'is damaged' };
  source.liveDocs = corrected;
  damage.push({ file, fault: 'one bit is wrong', outcome: 'corrected' });
  return undefined;
}

/** The content of a file, as much as a bitmap has; undefined if it cannot be read. */
function contentOf(path: string, passages: number): Buffer | undefined {
  try {
    return readFile(path, Math.ceil(passages / 8) + 1);
  } catch (error) {
    if (AsOfError.is(error)) return undefined;
    throw error;
  }
}

/** A bit for each passage and no other, of which some are live and some are not. */
function hasForm(bits: Uint8Array, passages: number): boolean {
  const live = liveIn(bits);
  const unused = bits.length === 0 ? 0 : bits.at(-1)! >> (passages % 8 || 8);
  return bits.length === Math.ceil(passages / 8) && unused === 0 && live > 0 && live < passages;
}

const isOlder = (bits: Uint8Array, entry: SegmentEntry | undefined): boolean =>
  entry === undefined || liveIn(bits) > entry.passages - entry.deleted;
