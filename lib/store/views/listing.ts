// Pages of passages in an order, by keyset: a cursor names the last passage of a page, so that
// writes between pages neither repeat nor skip what they do not touch.
import { binding, withCancellation } from '../../binding.js';
import { invalidArgument, mustBe, mustBeWhole } from '../../errors.js';
import type { StoredPassage, TimeInput } from '../../records.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { firstIndex } from '../../runtime/firstIndex.js';
import { passagesOf } from './passingPassages.js';
import type { Snapshot } from './snapshot.js';
import type { SnapshotSegment } from './snapshotSegment.js';
import type { Fields } from '../fields/types.js';
import { fieldOf, type Where } from '../fields/where.js';

export interface ListOptions {
  /** Default: all passages. */
  where?: Where | undefined;
  /** The corpus as it was recorded at this time (`AskOptions`). Default: the newest commit. */
  asRecorded?: TimeInput | undefined;
  /**
   * 'id' (by UTF-16 units), or a field of numbers or times, publishedAt, validFrom or validTo,
   * equal ones by id; with 'desc' the greatest first. Passages without it come last. Default 'id'.
   */
  orderBy?: string | { field: string; direction?: 'asc' | 'desc' | undefined } | undefined;
  /** Passages of a page, 1 to 10,000. Default 100. */
  limit?: number | undefined;
  /**
   * Most UTF-16 units of the texts and the metadata of a page, which is rejected with
   * ERR_INVALID_ARGUMENT as soon as more are read. Default: no limit.
   */
  mostUnits?: number | undefined;
  /** `next` of the page before. */
  after?: string | undefined;
  signal?: AbortSignal | undefined;
}

export const listOptions: readonly (keyof ListOptions)[] = [
  'where',
  'asRecorded',
  'orderBy',
  'limit',
  'mostUnits',
  'after',
  'signal',
];

export interface ListPage {
  passages: StoredPassage[];
  /** Cursor of the next page; absent at the end. */
  next?: string | undefined;
}

const mostListed = 10_000;
/** Time between turns of the event loop while passages are read, in milliseconds. */
const sliceMs = 1;

/** The place of a passage in an order. */
export interface Place {
  /** Of the field, negated where the greatest comes first; null if the passage has none. */
  value: number | null;
  id: string;
}

/** What a page is to have: passages in an order, those without the order's field last. */
export interface PageRequest {
  /** `field` is its number, as in a filter; undefined: by id, ascending. */
  order: { field?: number | undefined; name: string; descending: boolean };
  /** Passages, at most. */
  limit: number;
  /** The last passage of the page before. */
  cursor: Place | undefined;
}

/** Checks the options of a page. @throws AsOfError ERR_INVALID_ARGUMENT */
export function pageRequest(
  { orderBy = 'id', limit = 100, after }: ListOptions,
  fields: Fields,
): PageRequest & {
  /** Text of the place of the last passage, where others come after it. */
  next(last: Place): string;
} {
  mustBeWhole({ limit }, 1, mostListed);
  const order = orderOf(orderBy, fields);
  const key = `${order.name} ${order.descending ? 'desc' : 'asc'}`;
  return {
    order,
    limit,
    cursor: after === undefined ? undefined : readCursor(after, key),
    next: ({ value, id }) =>
      Buffer.from(JSON.stringify({ order: key, value, id })).toString('base64url'),
  };
}

/** A passage of a page: `value` ascends in the order, NaN last. */
interface Listed {
  segment: number;
  passage: number;
  value: number;
  id: string;
}

/** A page of a snapshot's live passages. */
export async function listPassages(snapshot: Snapshot, options: ListOptions): Promise<ListPage> {
  const { signal } = options;
  const { order, limit, cursor, next } = pageRequest(options, snapshot.manifest.fields);
  const found: Listed[] = [];
  for (const [segment, each] of snapshot.segments.entries())
    found.push(
      ...(await firstOf(snapshot, { segment, each, order, limit: limit + 1, cursor, signal })),
    );
  found.sort(byOrder);
  const page = found.slice(0, limit);
  const passages: StoredPassage[] = [];
  const count = unitCounter(options.mostUnits);
  let since = performance.now();
  for (const { segment, passage } of page) {
    // A turn for each of many short passages would cost more than they do.
    if (performance.now() - since >= sliceMs) {
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
      since = performance.now();
    }
    const read = snapshot.passage(segment, passage);
    count(read);
    passages.push(read);
  }
  const last = page.at(-1);
  if (!last || found.length <= limit) return { passages };
  return { passages, next: next({ value: nullable(last.value), id: last.id }) };
}

/** A count of what passages hold. @throws AsOfError ERR_INVALID_ARGUMENT beyond `most` */
export function unitCounter(most?: number): (passage: StoredPassage) => void {
  if (most === undefined) return () => undefined;
  mustBeWhole({ mostUnits: most }, 1);
  let units = 0;
  return ({ text, metadata }) => {
    units += text.length + (metadata ? JSON.stringify(metadata).length : 0);
    if (units > most)
      throw invalidArgument(
        'mostUnits',
        'the UTF-16 units of the page or more',
        most,
        'Ask for fewer passages at a time: limit.',
      );
  };
}

interface SegmentPage {
  segment: number;
  each: SnapshotSegment;
  order: PageRequest['order'];
  limit: number;
  cursor: Place | undefined;
  signal: AbortSignal | undefined;
}

/** The first passages of a segment behind the cursor. Local numbers ascend by id. */
async function firstOf(
  snapshot: Snapshot,
  { segment, each, order, limit, cursor, signal }: SegmentPage,
): Promise<Listed[]> {
  const passages = passagesOf(each);
  const start = cursor
    ? firstIndex(passages, (passage) => snapshot.id(segment, passage) > cursor.id)
    : 0;
  const listed = (at: number, value: number): Listed => {
    const passage = passages[at]!;
    return { segment, passage, value, id: snapshot.id(segment, passage) };
  };
  if (order.field === undefined)
    return Array.from({ length: Math.min(limit, passages.length - start) }, (_, i) =>
      listed(start + i, 0),
    );
  const { field } = order;
  const numbers = await withCancellation(signal, (cancellation) =>
    binding.fieldNumbers(each.segment, field, passages, cancellation),
  );
  // -0 and 0 are equal, NaN is last in both directions.
  const values = numbers.map((number) => (order.descending ? 0 - number : number + 0));
  const from = cursor ? (cursor.value ?? NaN) : -Infinity;
  const isBehind = (at: number): boolean =>
    !cursor || compare(values[at]!, from) > 0 || (compare(values[at]!, from) === 0 && at >= start);
  const behind = values.filter((_, at) => isBehind(at)).sort();
  const limitValue = behind[Math.min(limit, behind.length) - 1];
  if (limitValue === undefined) return [];
  const chosen: Listed[] = [];
  let ties = limit - behind.findIndex((value) => compare(value, limitValue) === 0);
  for (let at = 0; at < values.length; at += 1) {
    const turn = at % 4096 === 0 ? yieldToEventLoop(signal) : undefined;
    if (turn) await turn;
    const order = compare(values[at]!, limitValue);
    if (order > 0 || !isBehind(at)) continue;
    if (order === 0 && (ties -= 1) < 0) continue;
    chosen.push(listed(at, values[at]!));
  }
  return chosen;
}

/** NaN is greater than all numbers, and equal to itself. */
function compare(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -1 : Number(a > b);
}

const byOrder = (a: Listed, b: Listed): number =>
  compare(a.value, b.value) || (a.id < b.id ? -1 : Number(a.id > b.id));

const nullable = (value: number): number | null => (Number.isNaN(value) ? null : value);

function orderOf(
  orderBy: NonNullable<ListOptions['orderBy']>,
  fields: Fields,
): PageRequest['order'] {
  if (typeof orderBy === 'string') return orderOf({ field: orderBy }, fields);
  mustBe('an object', { orderBy });
  const { field: name, direction = 'asc' } = orderBy;
  if (direction !== 'asc' && direction !== 'desc')
    throw invalidArgument('orderBy.direction', 'asc or desc', direction);
  const descending = direction === 'desc';
  if (name === 'id') {
    if (descending) throw invalidArgument('orderBy', 'ascending for ids', direction);
    return { name, descending };
  }
  const { field, type } = fieldOf(name, fields, 'orderBy');
  if (type !== 'number' && type !== 'time')
    throw invalidArgument('orderBy', 'id, or a field of numbers or times', `${name} (${type})`);
  return { field, name, descending };
}

function readCursor(text: string, order: string): Place {
  let cursor: Partial<Place & { order: string }> | undefined;
  try {
    cursor = JSON.parse(Buffer.from(text, 'base64url').toString()) as typeof cursor;
  } catch {
    // Reported below.
  }
  const { value, id } = cursor ?? {};
  const isWhole = typeof id === 'string' && (value === null || typeof value === 'number');
  if (isWhole && cursor?.order === order) return { value, id };
  throw invalidArgument(
    'after',
    `the cursor of a page in the order ${order}`,
    cursor?.order ?? text,
    'Pass `next` of the page before, with the same orderBy.',
  );
}
