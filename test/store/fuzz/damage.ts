// Random damage to a corpus's files by seed, as by disks, aborted copies and other programs.
import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { binding } from '../../../lib/binding.js';

/** A number below `limit` for each call. */
export type Draw = (limit: number) => number;

/** Numbers by a seed and a case's number: mulberry32. */
export function drawing(seed: number, number: number): Draw {
  let state = (Math.imul(seed ^ 0x9e3779b9, 2654435761) + Math.imul(number + 1, 40503)) | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

const pageBytes = 4096;

/**
 * Damages one file of the corpus at `path`, and returns a description. `other` is a corpus whose
 * files may replace its own.
 */
export function damage(path: string, other: string, draw: Draw): string {
  const segments = readdirSync(join(path, 'segments')).map((name) => join('segments', name));
  const file = draw(4) === 0 ? 'manifest' : segments[draw(segments.length)]!;
  const whole = readFileSync(join(path, file));
  const kind = draw(10);
  if (kind === 0) return `${file} ${removed(path, other, file, draw)}`;
  if (kind === 1) {
    const length =
      draw(2) === 0 ? draw(whole.length) : Math.max(0, whole.length - pageBytes * (1 + draw(4)));
    truncateSync(join(path, file), length);
    return `${file} cut from ${whole.length} to ${length} bytes`;
  }
  const { what, from, to } = place(join(path, file), whole.length, draw);
  const [bytes, how] = spoiled(whole, from, to, draw);
  const descriptor = openSync(join(path, file), 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, 0);
  closeSync(descriptor);
  return `${file} ${what} [${from}, ${to}) ${how}`;
}

function removed(path: string, other: string, file: string, draw: Draw): string {
  rmSync(join(path, file));
  if (draw(2) === 0) return 'removed';
  const theirs =
    file === 'manifest'
      ? [file]
      : readdirSync(join(other, 'segments')).map((name) => join('segments', name));
  const from = theirs[draw(theirs.length)]!;
  cpSync(join(other, from), join(path, file));
  return `replaced by ${from} of another corpus`;
}

/** A range of a file: within one section, with equal probability, or one page. */
function place(
  path: string,
  length: number,
  draw: Draw,
): { what: string; from: number; to: number } {
  if (path.endsWith('.seg') && draw(8) > 0) {
    const segment = binding.Segment.open(path);
    const sections = segment.sections().filter(({ bytes }) => bytes > 0);
    segment.close();
    const { name, offset, bytes } = sections[draw(sections.length)]!;
    return { what: name, from: offset, to: offset + bytes };
  }
  const page = draw(Math.ceil(length / pageBytes));
  return {
    what: `page ${page}`,
    from: page * pageBytes,
    to: Math.min(length, (page + 1) * pageBytes),
  };
}

/** The bytes with something wrong in [from, to). */
function spoiled(whole: Buffer, from: number, to: number, draw: Draw): [Buffer, string] {
  const bytes = Buffer.from(whole);
  const kind = draw(7);
  if (kind <= 2) {
    const flips = [1, 4, 64][kind]!;
    const at = Array.from({ length: flips }, () => [from + draw(to - from), draw(8)] as const);
    for (const [byte, bit] of at) bytes[byte]! ^= 1 << bit;
    return [bytes, `${flips} bits flipped${flips === 1 ? ` (${at[0]!.join('.')})` : ''}`];
  }
  const start = draw(2) === 0 ? from : from + draw(to - from);
  if (kind === 3) return [bytes.fill(0, start, to), `zeros from ${start}`];
  if (kind === 4) return [bytes.fill(255, start, to), `ones from ${start}`];
  if (kind === 5) {
    for (let at = start; at < to; at += 1) bytes[at] = draw(256);
    return [bytes, `noise from ${start}`];
  }
  const source = pageBytes * draw(Math.max(1, Math.floor(whole.length / pageBytes)));
  whole.copy(bytes, from, source, Math.min(source + (to - from), whole.length));
  return [bytes, `overwritten from ${source}`];
}
