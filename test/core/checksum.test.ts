// CRC32C against its published check value and a bit-by-bit oracle, on both paths, at every
// alignment.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';

const { crc32c } = binding;

function oracle(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

describe('crc32c', () => {
  it('has the published check values', () => {
    for (const portable of [false, true]) {
      assert.equal(crc32c(Buffer.from('123456789'), 0, portable), 0xe3069283);
      assert.equal(crc32c(new Uint8Array(32), 0, portable), 0x8a9136aa);
      assert.equal(crc32c(new Uint8Array(32).fill(0xff), 0, portable), 0x62a8ab43);
      assert.equal(crc32c(new Uint8Array(0), 0, portable), 0);
    }
  });

  it('agrees with the table on long inputs, which are read in three streams', () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * i) >>> 5);
    for (const length of [16_367, 16_368, 16_369, 32_736, 65_536, 69_993])
      for (const [from, before] of [
        [0, 0],
        [3, 0x12345678],
      ] as const) {
        const some = bytes.subarray(from, from + length);
        assert.equal(crc32c(some, before), crc32c(some, before, true), `${length} bytes`);
      }
    assert.equal(crc32c(bytes), oracle(bytes));
  });

  it('agrees with the definition on both paths, in pieces and off alignment (property)', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.nat(300),
        fc.nat(9),
        (bytes, cut, shift) => {
          const moved = new Uint8Array(bytes.length + shift).subarray(shift);
          moved.set(bytes);
          const at = Math.min(cut, bytes.length);
          for (const portable of [false, true]) {
            assert.equal(crc32c(moved, 0, portable), oracle(bytes));
            assert.equal(
              crc32c(moved.subarray(at), crc32c(moved.subarray(0, at), 0, portable), portable),
              oracle(bytes),
            );
          }
        },
      ),
    );
  });
});
