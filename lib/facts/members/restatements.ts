// Restatements: later publications of what a statement says of one time, or of its revision in
// mostly the same words (native/facts/restatements.hpp).

/** The later publications of all members as columns, one member after another. */
export interface RestatementColumns {
  /** By member: the end of its own, which begin at that of the member before, or at 0. */
  restatementEnds: Uint32Array;
  /** The members that restate it, the newest first. */
  restatements: Uint32Array;
  /** 1 of those that may be of one series with it in whatever words, and so are as relevant. */
  restatementsSameSeries: Uint8Array;
}

/** Of a member's later publications those of one series with it, the newest first. */
export function restatementsInSeries(
  { restatementEnds, restatements, restatementsSameSeries }: RestatementColumns,
  member: number,
): Uint32Array {
  const from = member === 0 ? 0 : restatementEnds[member - 1]!;
  return restatements
    .subarray(from, restatementEnds[member])
    .filter((_, nth) => restatementsSameSeries[from + nth] === 1);
}
