// Arithmetic mean.

/** The mean of the values; NaN without values. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
