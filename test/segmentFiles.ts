// Segment files for tests, written by the addon to a path, and damage to their sections.
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { binding } from '../lib/binding.js';
import type { Cancellation, OutputFile, SectionArray } from '../binding.js';

/** Opens a new file for a function of the addon, and removes it if that fails. */
export async function writeTo(
  path: string,
  write: (file: OutputFile) => Promise<void>,
): Promise<void> {
  const descriptor = openSync(path, 'w+');
  try {
    await write({ descriptor, path });
  } catch (error) {
    rmSync(path);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

export const writeSegmentFile = (
  path: string,
  sections: { name: string; data: SectionArray }[],
  cancellation?: Cancellation,
): Promise<void> => writeTo(path, (file) => binding.writeSegment(file, sections, cancellation));

/** Flips a bit of a byte of a section of a file. */
export function flipBit(path: string, section: string, at: number): void {
  const segment = binding.Segment.open(path);
  const { offset } = segment.sections().find(({ name }) => name === section)!;
  segment.close();
  const whole = readFileSync(path);
  whole[offset + at]! ^= 4;
  writeFileSync(path, whole);
}
