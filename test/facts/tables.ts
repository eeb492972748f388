// Hand-made tables of members for the tests of the cascade and of its gradient.
import fc from 'fast-check';
import { noneInputNames } from '../../lib/facts/ranking/answerable.js';
import type { CascadeWeights } from '../../lib/facts/ranking/cascade.js';
import { featureNames, width, type FeatureName } from '../../lib/facts/features/features.js';
import { clockGate, seriesGate, type MemberColumns } from '../../lib/facts/members/members.js';
import type { RestatementColumns } from '../../lib/facts/members/restatements.js';

/** A later publication of a member. */
interface Restatement {
  member: number;
  isSameSeries: boolean;
}

export type FeatureValues = Partial<Record<FeatureName, number>>;

export interface TestMember {
  candidate: number;
  /** Default 0. */
  interpretation?: number;
  /** Default 0, the best. */
  rank?: number;
  features: FeatureValues;
  restatements?: readonly Restatement[];
  /** When its time begins, of length 1; none by default. */
  start?: number | undefined;
}

export interface TestTable {
  members: readonly TestMember[];
  candidates: number;
  /** Default 1. */
  place?: number;
  hasOperator?: boolean;
  isLatest?: boolean;
  clockInputs?: readonly number[];
  seriesInputs?: readonly number[];
  similarity?: readonly number[];
  coverage?: readonly number[];
}

const placeOf = (name: FeatureName): number => featureNames.indexOf(name);
const padded = (values: readonly number[], length: number): Float64Array =>
  Float64Array.from({ length }, (_, i) => values[i] ?? 0);

export function tableOf({
  members,
  candidates,
  place = 1,
  hasOperator = true,
  isLatest = false,
  clockInputs = [1],
  seriesInputs = [1],
  similarity = [],
  coverage = [],
}: TestTable): MemberColumns {
  const features = new Float32Array(members.length * width);
  members.forEach((member, at) => {
    for (const [name, value] of Object.entries(member.features))
      features[at * width + placeOf(name as FeatureName)] = value;
  });
  const rankOf = (at: number): number => members[at]!.rank ?? 0;
  return {
    candidates,
    place,
    features,
    match: Int32Array.from(members.keys()),
    candidate: Int32Array.from(members, ({ candidate }) => candidate),
    interpretation: Uint8Array.from(members, ({ interpretation = 0 }) => interpretation),
    rank: Int32Array.from(members.keys(), rankOf),
    ranked: Array.from({ length: 2 }, (_, each) =>
      Int32Array.from(
        [...members.keys()]
          .filter((at) => (members[at]!.interpretation ?? 0) === each)
          .sort((a, b) => rankOf(a) - rankOf(b)),
      ),
    ),
    ...restatementColumns(members.map(({ restatements = [] }) => restatements)),
    hasOperator,
    isLatest,
    starts: Float64Array.from(members, ({ start = NaN }) => start),
    ends: Float64Array.from(members, ({ start = NaN }) => start + 1),
    clockInputs: padded(clockInputs, clockGate.length),
    seriesInputs: padded(seriesInputs, seriesGate.length),
    similarity: padded(similarity, candidates),
    coverage: padded(coverage, candidates),
  };
}

function restatementColumns(lists: readonly (readonly Restatement[])[]): RestatementColumns {
  const all = lists.flat();
  let end = 0;
  return {
    restatementEnds: Uint32Array.from(lists, ({ length }) => (end += length)),
    restatements: Uint32Array.from(all, ({ member }) => member),
    restatementsSameSeries: Uint8Array.from(all, ({ isSameSeries }) => Number(isSameSeries)),
  };
}

/** Weights that are 0 where nothing is said; the order of a series counts. */
export function weightsOf({
  features = {},
  clock = [],
  series = [40],
  relevance = { logOdds: 0, similarity: 0, coverage: 0 },
  relative = { share: 0, shift: 0 },
  none = [],
}: {
  features?: FeatureValues;
  clock?: readonly number[];
  series?: readonly number[];
  relevance?: CascadeWeights['relevance'];
  relative?: CascadeWeights['relative'];
  none?: readonly number[];
}): CascadeWeights {
  return {
    features: Float64Array.from(featureNames, (name) => features[name] ?? 0),
    clock: padded(clock, clockGate.length),
    series: padded(series, seriesGate.length),
    relevance: { ...relevance },
    relative: { ...relative },
    none: padded(none, noneInputNames.length),
  };
}

/** The features that random tables fill. */
export const usedFeatures = ['bias', 'cosine', 'outside'] as const satisfies FeatureName[];

/** Numbers that are exact in 32 bits. */
export const number = (most: number): fc.Arbitrary<number> =>
  fc.integer({ min: -64 * most, max: 64 * most }).map((n) => n / 64);

/**
 * Random tables of up to 5 candidates and 10 members. Members of one interpretation and series are
 * restated by those of later publications, as in tables of real passages. `places`: which of
 * the members may be asked for.
 */
export const randomTables = (places: readonly number[] = [1]): fc.Arbitrary<TestTable> =>
  fc
    .record({
      candidates: fc.integer({ min: 1, max: 5 }),
      hasOperator: fc.boolean(),
      isLatest: fc.boolean(),
      similarity: fc.array(number(2), { minLength: 5, maxLength: 5 }),
      coverage: fc.array(number(2), { minLength: 5, maxLength: 5 }),
      place: fc.constantFrom(...places),
      gates: fc.array(number(2), { minLength: 4, maxLength: 4 }),
      rows: fc.array(
        fc.record({
          candidate: fc.nat(4),
          interpretation: fc.nat(1),
          start: fc.option(fc.nat(5), { nil: undefined }),
          rank: fc.nat(3),
          values: fc.tuple(number(2), number(2)),
          series: fc.nat(3),
          published: fc.nat(2),
        }),
        { maxLength: 10 },
      ),
    })
    .map(({ candidates, place, gates, rows, similarity, coverage, ...flags }) => {
      const all = rows.map((row) => ({
        ...row,
        candidate: row.candidate % candidates,
      }));
      const members = all.map((row, at): TestMember => {
        const { candidate, interpretation, rank, values, series, start } = row;
        const later = [...all.keys()].filter(
          (other) =>
            other !== at &&
            series > 0 &&
            all[other]!.series === series &&
            all[other]!.interpretation === interpretation &&
            all[other]!.published > row.published,
        );
        return {
          candidate,
          interpretation,
          rank,
          start,
          features: { bias: 1, cosine: values[0], outside: values[1] },
          // Series 1 are of other words, whose relevance is not taken over.
          restatements: later.map((member) => ({ member, isSameSeries: series > 1 })),
        };
      });
      return {
        members,
        candidates,
        ...flags,
        place,
        similarity: similarity.slice(0, candidates),
        coverage: coverage.slice(0, candidates),
        clockInputs: [1, gates[0]!, gates[1]!],
        seriesInputs: [1, gates[2]!, gates[3]!],
      };
    });

export const randomWeights: fc.Arbitrary<CascadeWeights> = fc
  .record({
    features: fc.tuple(number(2), number(2), number(2)),
    clock: fc.tuple(number(1), number(1), number(1)),
    series: fc.tuple(number(2), number(1), number(1)),
    relevance: fc.record({ logOdds: number(1), similarity: number(1), coverage: number(1) }),
    share: number(1),
    shift: number(2),
  })
  .map(({ features, clock, series, relevance, share, shift }) =>
    weightsOf({
      features: Object.fromEntries(usedFeatures.map((name, i) => [name, features[i]!])),
      clock,
      series,
      relevance,
      relative: { share, shift },
    }),
  );
