// Rows in two planes of four bits in float64, from the words of
// native/kernels/int4/contract.hpp: turning as a sum over the matrix's entries, planes as bytes,
// lengths and bounds. Shares no code with the kernels; imports nothing.

/** Signs of the d components before the first block of h, and of those before the second. */
function signs(d: number): number[] {
  let state = 0x6e6962626c6573n;
  const mask = (1n << 64n) - 1n;
  return Array.from({ length: 2 * d }, () => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let mixed = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & mask;
    return mixed >> 63n === 1n ? -1 : 1;
  });
}

const ones = (bits: number): number => {
  let count = 0;
  for (let left = bits; left > 0; left &= left - 1) count += 1;
  return count;
};

/** R x: the contract's orthogonal matrix, entry by entry. */
export function turned(values: ArrayLike<number>): number[] {
  const d = values.length;
  const h = 2 ** Math.floor(Math.log2(d));
  const sign = signs(d);
  const block = (list: number[], from: number, at: number): number[] => {
    const part = Array.from({ length: h }, (_, c) => list[from + c]! * sign[at + c]!);
    const mixed = part.map(
      (_, row) =>
        part.reduce((sum, value, c) => sum + (ones(row & c) % 2 === 0 ? value : -value), 0) /
        Math.sqrt(h),
    );
    return [...list.slice(0, from), ...mixed, ...list.slice(from + h)];
  };
  const once = block(Array.from(values), 0, 0);
  return h < d ? block(once, d - h, d) : once;
}

export const length = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));

/** The integers v of row r of n, from both planes, and 32 u - 241 of the first. */
export function planesOf(
  panels: Uint8Array,
  n: number,
  d: number,
  row: number,
): { whole: number[]; middles: number[] } {
  const units = Math.ceil(d / 64);
  const panel = Math.floor(row / 16);
  const block = Math.floor(panel / 64) * 64;
  const held = Math.min(Math.ceil(n / 16) - block, 64);
  const first = (2 * block + panel - block) * 512 * units;
  const second = (2 * block + held + panel - block) * 512 * units + (row % 16) * 32 * units;
  const half = (byte: number, upper: boolean): number => (upper ? byte >> 4 : byte & 15);
  const u = Array.from({ length: d }, (_, c) =>
    half(panels[first + Math.floor(c / 8) * 64 + (row % 16) * 4 + (c % 4)]!, c % 8 >= 4),
  );
  const w = Array.from({ length: d }, (_, c) =>
    half(panels[second + Math.floor(c / 64) * 32 + (c % 32)]!, c % 64 >= 32),
  );
  return {
    whole: u.map((value, c) => 16 * (value - 8) + w[c]!),
    middles: u.map((value) => 32 * value - 241),
  };
}
