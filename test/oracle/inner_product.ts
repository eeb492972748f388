// Inner products in float64, straight from the equation. Imports nothing.

/** The exact-enough value and the sum of magnitudes that error bounds are stated in. */
export function innerProduct(
  query: ArrayLike<number>,
  row: ArrayLike<number>,
): { value: number; magnitude: number } {
  let value = 0;
  let magnitude = 0;
  for (let c = 0; c < query.length; c += 1) {
    const product = query[c]! * row[c]!;
    value += product;
    magnitude += Math.abs(product);
  }
  return { value, magnitude };
}
