// Features of a statement as a member of the series that a question asks for, by name.
// native/facts/matching.cpp and members.cpp make them. Missing terms count as sums, not as shares,
// so that each adds its own evidence: the log-odds are linear in them.

/**
 * Names in the order of weight files, by the sign that a weight may have: 1 only raises the
 * log-odds, -1 only lowers them, 0 either.
 */
const signs = {
  bias: 0,
  // The question's names: overlap with the statement's whole names, share in the passage, ...
  nameOverlap: 1,
  nameInPassage: 1,
  sibling: -1,
  substituted: -1,
  nameExtra: -1,
  titleAsked: 1,
  titleSibling: -1,
  // Values and words of the question.
  valueShare: 1,
  valueMissing: -1,
  asksValue: 0,
  valueConflict: -1,
  rarityMissing: -1,
  nameMissing: -1,
  kindMissing: -1,
  pairConflict: -1,
  exactForm: 1,
  unknown: -1,
  unknownName: -1,
  // Similarity of the whole.
  cosine: 1,
  cosineBelowBest: 1,
  scanUnordered: 1,
  scanOrdered: 1,
  // Shape.
  ofTitleAlone: 0,
  length: 0,
  passageLength: 0,
  typeMissing: -1,
  // Time.
  compared: -1,
  roleOfOther: -1,
  previous: -1,
  later: -1,
  ofTitle: 0,
  undated: -1,
  before: -1,
  beforeOfFigure: -1,
  outside: -1,
  overhang: -1,
  gap: -1,
  coarse: -1,
  span: -1,
  equal: 1,
  laterReport: -1,
  publishedAfter: -1,
  publishedGap: -1,
} as const;
export type FeatureName = keyof typeof signs;
export const featureNames = Object.keys(signs) as FeatureName[];
export const featureSigns: readonly number[] = Object.values(signs);
export const width = featureNames.length;
/** The features before this place are of the statement, those from it on of its time. */
export const firstTimed = featureNames.indexOf('compared');
export const featurePlaces = Object.fromEntries(
  featureNames.map((name, place) => [name, place]),
) as Record<FeatureName, number>;
