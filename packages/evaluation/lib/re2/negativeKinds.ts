// Kinds of negatives in the triplets of a collection of conflicting versions.

/** Kind of negative: another time, entity or attribute, or a superseded version. */
export const negativeKinds = ['time', 'entity', 'attribute', 'outdated'] as const;
export type NegativeKind = (typeof negativeKinds)[number];
