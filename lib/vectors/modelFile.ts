// Binary files of models/: a header of 64 bytes with four counts, then sections aligned to as many.
import { readFile } from 'node:fs/promises';
import { unreadable } from '../errors.js';

export const headerBytes = 64;

/** @throws AsOfError ERR_NOT_FOUND, ERR_STORAGE; `kind` names what the file is expected to be. */
export async function readModelFile(path: string, kind: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw unreadable(`${kind} at ${path}`, cause, 'Install the package again.');
  });
}

/** The counts of the header, and a reader of one section after another by its length in bytes. */
export function modelSections(file: Buffer): {
  counts: [rows: number, dimensions: number, headerLength: number, termsLength: number];
  next: (length: number) => Buffer;
} {
  const [rows, dimensions, headerLength, termsLength] = [24, 28, 32, 36].map((at) =>
    file.readUInt32LE(at),
  ) as [number, number, number, number];
  let at = headerBytes;
  return {
    counts: [rows, dimensions, headerLength, termsLength],
    next: (length) => {
      const part = file.subarray(at, at + length);
      at += Math.ceil(length / headerBytes) * headerBytes;
      return part;
    },
  };
}
