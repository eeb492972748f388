// Passages with fields, and filters with what they mean, drawn at random.
import fc from 'fast-check';
import type { Passage } from '../../../lib/records.js';
import type { Fields } from '../../../lib/store/fields/types.js';
import type { Where } from '../../../lib/store/fields/where.js';

export const fields = {
  tenant: 'keyword',
  tags: 'keyword[]',
  price: 'number',
  isDraft: 'boolean',
  seen: 'time',
} as const satisfies Fields;

const day = 86_400_000;
const days = ['2020-01-01', '2020-01-02', '2020-02-29', '1969-12-31', '-0043-03-15'];
const tenants = ['a', 'b', 'é', 'a b', '日本'];
const numbers = [-1.5, -0, 0, 5e-324, 1, 1.5, 2 ** 53, Number.MAX_VALUE];

export interface Metadata {
  tenant?: string;
  tags?: string[];
  price?: number;
  isDraft?: boolean;
  seen?: string;
}

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
export const metadata: fc.Arbitrary<Metadata> = fc.record(
  {
    tenant: optional(fc.constantFrom(...tenants)),
    tags: optional(fc.array(fc.constantFrom(...tenants), { maxLength: 3 })),
    price: optional(fc.constantFrom(...numbers)),
    isDraft: optional(fc.boolean()),
    seen: optional(fc.constantFrom(...days)),
  },
  { requiredKeys: [] },
);

export const passageOf = (i: number, metadata: Metadata): Passage => ({
  id: `p${String(i).padStart(4, '0')}`,
  text: `The bridge of town ${i} opened in ${1900 + (i % 100)}.`,
  ...(i % 3 === 0 ? {} : { publishedAt: Date.UTC(2000, 0, 1 + (i % 40)) }),
  metadata: { ...metadata },
});

/** A filter, and whether metadata pass it. */
export interface Case {
  where: Where;
  passes: (metadata: Metadata) => boolean;
}

const start = (date: string): number =>
  Date.parse(date.startsWith('-') ? `-00${date.slice(1)}` : date);

function comparisons<T extends string | number>(
  name: 'price' | 'seen',
  values: readonly T[],
  range: (value: T) => [number, number],
): fc.Arbitrary<Case> {
  const number = (of: Metadata): number | undefined => {
    const value = of[name];
    return value === undefined ? undefined : range(value as T)[0];
  };
  const compared = {
    equals: (a: number, [from, to]: [number, number]) => a >= from && a <= to,
    gt: (a: number, [, to]: [number, number]) => a > to,
    gte: (a: number, [from]: [number, number]) => a >= from,
    lt: (a: number, [from]: [number, number]) => a < from,
    lte: (a: number, [, to]: [number, number]) => a <= to,
  };
  return fc
    .tuple(
      fc.constantFrom(...(Object.keys(compared) as (keyof typeof compared)[])),
      fc.constantFrom(...values),
    )
    .map(([operator, value]) => ({
      where: { [name]: { [operator]: value } },
      passes: (of) => {
        const a = number(of);
        return a !== undefined && compared[operator](a, range(value));
      },
    }));
}

const condition: fc.Arbitrary<Case> = fc.oneof(
  fc.constantFrom(...tenants, 'none').map(
    (tenant): Case => ({
      where: { tenant },
      passes: (of) => of.tenant === tenant,
    }),
  ),
  fc.subarray(tenants).map(
    (list): Case => ({
      where: { tenant: { in: list } },
      passes: (of) => of.tenant !== undefined && list.includes(of.tenant),
    }),
  ),
  fc.subarray(tenants, { maxLength: 2 }).map(
    (list): Case => ({
      where: { tags: { contains: list } },
      passes: (of) => list.every((each) => of.tags?.includes(each)),
    }),
  ),
  fc.subarray(tenants).map(
    (list): Case => ({
      where: { tags: { in: list } },
      passes: (of) => list.some((each) => of.tags?.includes(each)),
    }),
  ),
  fc.boolean().map(
    (isDraft): Case => ({
      where: { isDraft },
      passes: (of) => of.isDraft === isDraft,
    }),
  ),
  fc.subarray(numbers).map(
    (list): Case => ({
      where: { price: { in: list } },
      passes: (of) => of.price !== undefined && list.some((each) => each === of.price),
    }),
  ),
  fc.tuple(fc.constantFrom(...(Object.keys(fields) as (keyof Metadata)[])), fc.boolean()).map(
    ([name, exists]): Case => ({
      where: { [name]: { exists } },
      passes: (of) => {
        const value = of[name];
        return (Array.isArray(value) ? value.length > 0 : value !== undefined) === exists;
      },
    }),
  ),
  comparisons('price', numbers, (value) => [value, value]),
  comparisons('seen', days, (value) => [start(value), start(value) + day - 1]),
);

/** Filters of filters, too. */
export const filterCase: fc.Arbitrary<Case> = fc.letrec<{ any: Case }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    condition,
    fc.array(tie('any'), { maxLength: 3 }).map(
      (of): Case => ({
        where: { and: of.map(({ where }) => where) },
        passes: (metadata) => of.every(({ passes }) => passes(metadata)),
      }),
    ),
    fc.array(tie('any'), { maxLength: 3 }).map(
      (of): Case => ({
        where: { or: of.map(({ where }) => where) },
        passes: (metadata) => of.some(({ passes }) => passes(metadata)),
      }),
    ),
    tie('any').map(
      ({ where, passes }): Case => ({
        where: { not: where },
        passes: (metadata) => !passes(metadata),
      }),
    ),
    fc.tuple(tie('any'), tie('any')).map(
      ([a, b]): Case => ({
        where: { not: a.where, and: [b.where] },
        passes: (metadata) => !a.passes(metadata) && b.passes(metadata),
      }),
    ),
  ),
})).any;
