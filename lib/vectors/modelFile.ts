// Binary files of models/: a header of 64 bytes with four counts, then sections aligned to as many.
import { readFile } from 'node:fs/promises';
import { AsOfError } from '../errors.js';

export const headerBytes = 64;

/** @throws AsOfError ERR_NOT_FOUND; `kind` names what the file is expected to be. */
export async function readModelFile(path: string, kind: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    const message = `Expected ${kind} at ${path}, found no readable file. Install the package again.`;
    throw new AsOfError('ERR_NOT_FOUND', message, { cause });
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
