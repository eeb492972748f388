// Normalisation and Re3's fusion in float64, straight from the equations. Imports nothing.

export function norm(row: ArrayLike<number>): number {
  // Scaled by the largest component, so that squares neither overflow nor vanish.
  const largest = Math.max(...Array.from(row, Math.abs));
  if (largest === 0) return 0;
  return (
    largest * Math.sqrt(Array.from(row).reduce((sum, value) => sum + (value / largest) ** 2, 0))
  );
}

export function normalized(row: ArrayLike<number>): number[] {
  const length = norm(row);
  return Array.from(row, (value) => (length === 0 ? 0 : value / length));
}

/**
 * Equation 9 of Re3 and the normalisation after it, with the magnitudes that its error bound is
 * stated in.
 */
export function film(
  x: ArrayLike<number>,
  gamma: ArrayLike<number>,
  beta: ArrayLike<number>,
  alpha: number,
): { y: number[]; slack: number[] } {
  const fused = Array.from(x, (value, c) => (1 + alpha * gamma[c]!) * value + beta[c]!);
  const magnitudes = Array.from(
    x,
    (value, c) => (1 + Math.abs(alpha * gamma[c]!)) * Math.abs(value) + Math.abs(beta[c]!),
  );
  const length = norm(fused);
  const largest = Math.max(...magnitudes);
  return {
    y: normalized(fused),
    slack: magnitudes.map((magnitude) => (length === 0 ? 0 : (magnitude + largest) / length)),
  };
}
