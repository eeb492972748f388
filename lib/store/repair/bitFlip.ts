// Correction of one flipped bit by CRC32C. The checksum is linear: the difference that a flipped
// bit makes depends on its distance from the end alone.

/** Reversed polynomial of CRC32C. */
const polynomial = 0x82f63b78;

const shifted = (syndrome: number): number =>
  (syndrome & 1) === 0 ? syndrome >>> 1 : (syndrome >>> 1) ^ polynomial;
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let syndrome = byte;
  for (let bit = 0; bit < 8; bit += 1) syndrome = shifted(syndrome);
  return syndrome;
});

/**
 * The bytes with the one bit flipped after which their checksum is the `expected` one; undefined if
 * there is none. Of n bytes with more damage than that, 2 n in a billion are miscorrected: for
 * files of kilobytes whose other invariants are checked as well.
 */
export function withOneBitFlipped(
  bytes: Uint8Array,
  { actual, expected }: { actual: number; expected: number },
): Uint8Array | undefined {
  const difference = (actual ^ expected) >>> 0;
  // Of each bit of a byte that is followed by `bytes.length - 1 - at` others.
  const syndromes = Uint32Array.from({ length: 8 }, (_, bit) => table[1 << bit]!);
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    const bit = syndromes.indexOf(difference);
    if (bit >= 0) return bytes.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte));
    for (let i = 0; i < 8; i += 1)
      syndromes[i] = (syndromes[i]! >>> 8) ^ table[syndromes[i]! & 255]!;
  }
  return undefined;
}
