// Quantised vectors in float64, from the words of native/kernels/quantized/contract.hpp: rounding,
// products of rounded vectors, and the bound on what they lack. Shares no code with the kernels;
// imports nothing.

export type Storage = 'bf16' | 'int8';

export interface Rounded {
  /** Whether the vector may be multiplied: finite, and not too long. */
  usable: boolean;
  /** What is stored: integers, or bf16 values. */
  stored: number[];
  scale: number;
}

const length = (values: ArrayLike<number>) =>
  Math.sqrt(Array.from(values).reduce((sum, value) => sum + value * value, 0));

/** To nearest, ties to even. */
function nearestInteger(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}

/** The nearest number of eight significant bits, ties to even; 0 where it would be denormal. */
function nearestBf16(value: number): number {
  if (value === 0) return 0;
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - 7);
  const candidates = [unit / 2, unit, unit * 2].map((step) => ({
    step,
    rounded: nearestInteger(value / step) * step,
  }));
  // The logarithm may be one off at a power of two: the right step is the smallest whose count has
  // eight bits.
  const found = candidates.find(({ step, rounded }) => Math.abs(rounded / step) <= 256)!.rounded;
  return Math.abs(found) < 2 ** -126 ? 0 : found;
}

export function rounded(values: ArrayLike<number>, storage: Storage): Rounded {
  const list = Array.from(values);
  const zeros = list.map(() => 0);
  const none = { usable: false, stored: zeros, scale: 1 };
  if (!(length(list) <= 2 ** 60)) return none;
  if (storage === 'bf16') return { usable: true, stored: list.map(nearestBf16), scale: 1 };
  const largest = Math.max(...list.map(Math.abs));
  if (largest < 2 ** -60) return { usable: true, stored: zeros, scale: 0 };
  const inverse = Math.fround(127 / largest);
  const stored = list.map((value) =>
    Math.max(-127, Math.min(127, nearestInteger(Math.fround(value * inverse)))),
  );
  return { usable: true, stored, scale: Math.fround(largest / 127) };
}

/**
 * The exact product of two rounded vectors' stored numbers (without scales), and the sum of
 * magnitudes.
 */
export function storedProduct(query: Rounded, row: Rounded): { value: number; magnitude: number } {
  let value = 0;
  let magnitude = 0;
  for (let c = 0; c < query.stored.length; c += 1) {
    const product = query.stored[c]! * row.stored[c]!;
    value += product;
    magnitude += Math.abs(product);
  }
  return { value, magnitude };
}

/** The product as the contract rounds it for int8. */
export function int8Product(query: Rounded, row: Rounded): number {
  return Math.fround(
    Math.fround(Math.fround(storedProduct(query, row).value) * row.scale) * query.scale,
  );
}

/** The product as the contract sums it for bf16 at every level without instructions for bf16. */
export function bf16Product(query: Rounded, row: Rounded): number {
  let sum = 0;
  for (let c = 0; c < query.stored.length; c += 1)
    sum = Math.fround(sum + query.stored[c]! * row.stored[c]!);
  return sum;
}

export interface Lengths {
  whole: number;
  kept: number;
  lost: number;
}

const known = new WeakMap<Rounded, Lengths>();

/**
 * Found once for each rounded vector: tests ask for them again with every vector of the other side.
 */
export function lengths(values: ArrayLike<number>, made: Rounded): Lengths {
  let found = known.get(made);
  if (!found) {
    const kept = made.stored.map((value) => value * made.scale);
    found = {
      whole: length(values),
      kept: length(kept),
      lost: length(kept.map((value, c) => values[c]! - value)),
    };
    known.set(made, found);
  }
  return found;
}

/** A vector and its rounded form. */
interface RoundedVector {
  values: ArrayLike<number>;
  made: Rounded;
}

/**
 * How far the product may be from the exact one and from the canonical one: error(q, r) of the
 * contract.
 */
export function certifiedError(
  storage: Storage,
  d: number,
  query: RoundedVector,
  row: RoundedVector,
): number {
  if (!query.made.usable || !row.made.usable) return Infinity;
  const unit = 2 ** -24;
  const q = lengths(query.values, query.made);
  const r = lengths(row.values, row.made);
  const canonical = (d / 2 + 8) * unit * (1 + 2 ** -6);
  const summed = storage === 'int8' ? 8 * unit : (d + 12) * unit * (1 + 2 ** -6);
  const inflated = 1 + 2 ** -20;
  const alpha = Math.max(2 ** -126, q.whole * (1 + canonical) * inflated);
  const beta = (q.lost + canonical * q.whole + summed * q.kept) * inflated;
  return alpha * r.lost + beta * r.kept + (d + 8) * 2 ** -124;
}
