// The order of a list of passages in the words of requests.
import type { ListOptions } from 'asof';
import { flag, text } from './common.js';

/** Properties of a request. */
export const orderFields = {
  order_by: text(
    'id (default), published_at, valid_from, valid_to or a field of numbers or times.',
  ),
  descending: flag('The greatest first. Default false.'),
} as const;

export interface OrderRequest {
  order_by?: string | undefined;
  descending?: boolean | undefined;
}

/** Times of passages as requests name them. */
const times: Readonly<Record<string, string>> = {
  published_at: 'publishedAt',
  valid_from: 'validFrom',
  valid_to: 'validTo',
};

export const orderOf = ({ order_by: named = 'id', descending }: OrderRequest) =>
  ({
    field: times[named] ?? named,
    direction: descending ? 'desc' : 'asc',
  }) satisfies ListOptions['orderBy'];
