// Metadata filters of LlamaIndex as filters of a corpus.
import type { MetadataFilter, MetadataFilters } from '@llamaindex/core/vector-store';
import type { Where, WhereCondition } from 'asof';
import { invalidArgument } from 'asof/kit';

type Value = NonNullable<WhereCondition['equals']>;

const listOf = ({ key, value }: MetadataFilter): Value[] => {
  if (!Array.isArray(value)) throw invalidArgument(`filters.${key}`, 'a list', value);
  return value;
};

const oneOf = ({ key, value }: MetadataFilter): Value => {
  if (typeof value !== 'string' && typeof value !== 'number')
    throw invalidArgument(`filters.${key}`, 'a string or a number', value);
  return value;
};

/** By operator; those that are missing need the text of every node. */
const conditions: Partial<
  Record<MetadataFilter['operator'], (filter: MetadataFilter) => WhereCondition>
> = {
  '==': (filter) => ({ equals: oneOf(filter) }),
  '>': (filter) => ({ gt: oneOf(filter) }),
  '>=': (filter) => ({ gte: oneOf(filter) }),
  '<': (filter) => ({ lt: oneOf(filter) }),
  '<=': (filter) => ({ lte: oneOf(filter) }),
  in: (filter) => ({ in: listOf(filter) }),
  any: (filter) => ({ in: listOf(filter) }),
  all: (filter) => ({ contains: listOf(filter).map(String) }),
  contains: (filter) => ({ contains: String(oneOf(filter)) }),
  is_empty: () => ({ exists: false }),
};

/** A node without the entry passes a negation, as in LlamaIndex's own store. */
const negated: Partial<Record<MetadataFilter['operator'], MetadataFilter['operator']>> = {
  '!=': '==',
  nin: 'in',
};

/** @throws AsOfError ERR_INVALID_ARGUMENT for an operator that a corpus has not */
export function whereOf({ filters, condition = 'and' }: MetadataFilters): Where {
  const parts = filters.map((filter): Where => {
    const { key, operator } = filter;
    const positive = negated[operator];
    const make = conditions[positive ?? operator];
    if (!make) {
      const expected = [...Object.keys(conditions), ...Object.keys(negated)].join(', ');
      throw invalidArgument(`the operator of filters.${key}`, `one of ${expected}`, operator);
    }
    const where = { [key]: make(filter) } as Where;
    return positive === undefined ? where : { not: where };
  });
  return condition === 'or' ? { or: parts } : { and: parts };
}
