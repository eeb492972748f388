// Two statements laid side by side: the longest common run of their tokens, and the hunks in which
// they differ. Quantities of one dimension and times match as kinds, whatever they say, so that
// slots lie side by side. It judges no hunk.
import type { Statement, Token } from './statement.js';

/**
 * Where two statements differ: tokens of one between two that match, and what stands there in the
 * other.
 */
export interface Edit {
  older: Token[];
  newer: Token[];
}

export interface Alignment {
  /** Share of both texts' weight that matches, 0 to 1. */
  alike: number;
  /** The weight of both texts. */
  weight: number;
  hunks: Edit[];
  /** Matching slots: a quantity or a time and what stands there in the other. */
  slots: (readonly [older: Token, newer: Token])[];
}

/** How alike two statements are that one sentence pattern could have made. */
export const patternAlike = 0.7;

const weightOf: Readonly<Record<Token['kind'], number>> = {
  word: 1,
  name: 1.5,
  quantity: 1,
  time: 1,
  small: 0.25,
};

export const weigh = (tokens: readonly Token[]): number =>
  tokens.reduce((sum, { kind }) => sum + weightOf[kind], 0);

/** A word of one text may be a name in the other: at the start of a sentence nothing tells. */
const alignedAs: Readonly<Record<Token['kind'], number>> = {
  word: 0,
  name: 0,
  quantity: 1,
  time: 2,
  small: 3,
};

/**
 * What a statement's tokens weigh by key, and together; and a text a token that is the same for
 * those that match.
 */
interface Bag {
  weights: ReadonlyMap<string, number>;
  all: number;
  matched: readonly string[];
}

const bags = new WeakMap<Statement, Bag>();

function bagOf(statement: Statement): Bag {
  let bag = bags.get(statement);
  if (!bag) {
    const weights = new Map<string, number>();
    for (const { key, kind } of statement.tokens)
      weights.set(key, (weights.get(key) ?? 0) + weightOf[kind]);
    const matched = statement.tokens.map(({ key, kind }) => `${alignedAs[kind]}${key}`);
    bags.set(statement, (bag = { weights, all: weigh(statement.tokens), matched }));
  }
  return bag;
}

/**
 * The most that two statements can be alike, whatever their order: bounds `alike` from above
 * without aligning.
 */
export function mostAlike(a: Statement, b: Statement): number {
  const [one, other] = [bagOf(a), bagOf(b)];
  let shared = 0;
  for (const [key, weight] of one.weights) {
    const theirs = other.weights.get(key);
    if (theirs !== undefined) shared += Math.min(weight, theirs);
  }
  const all = one.all + other.all;
  return all === 0 ? 0 : Math.min(1, (2 * shared) / all);
}

let table = new Float32Array(4096);
/** By token of the older and the newer one, a number that is the same for those that match. */
let [left, right] = [new Int32Array(64), new Int32Array(64)];

/** Lays two statements side by side in time and memory of the product of their lengths. */
export function align(a: Statement, b: Statement): Alignment {
  const [older, newer] = [a.tokens, b.tokens];
  const [rows, columns] = [older.length + 1, newer.length + 1];
  if (table.length < rows * columns) table = new Float32Array(2 * rows * columns);
  number(bagOf(a).matched, bagOf(b).matched);
  const best = table;
  best.fill(0, (rows - 1) * columns, rows * columns);
  for (let i = 0; i < rows; i += 1) best[i * columns + columns - 1] = 0;
  for (let i = rows - 2; i >= 0; i -= 1) {
    const [mine, weight] = [left[i]!, weightOf[older[i]!.kind]];
    const [here, below] = [i * columns, (i + 1) * columns];
    for (let j = columns - 2; j >= 0; j -= 1) {
      let most = Math.max(best[below + j]!, best[here + j + 1]!);
      if (mine === right[j])
        most = Math.max(most, best[below + j + 1]! + weight + bonus(older[i]!, newer[j]!));
      best[here + j] = most;
    }
  }
  return traced(older, newer, best, columns);
}

function number(older: readonly string[], newer: readonly string[]): void {
  if (left.length < older.length) left = new Int32Array(2 * older.length);
  if (right.length < newer.length) right = new Int32Array(2 * newer.length);
  const numbers = new Map<string, number>();
  older.forEach((key, at) => {
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    left[at] = known;
  });
  newer.forEach((key, at) => {
    right[at] = numbers.get(key) ?? -1;
  });
}

/** Of several ways to lie alike, the one in which slots say the same. */
const bonus = (a: Token, b: Token): number => {
  if (a.quantity && b.quantity) return a.quantity.value === b.quantity.value ? 0.1 : 0;
  return a.time && b.time && a.time.start === b.time.start && a.time.end === b.time.end ? 0.1 : 0;
};

function traced(
  older: readonly Token[],
  newer: readonly Token[],
  best: Float32Array,
  columns: number,
): Alignment {
  const hunks: Edit[] = [];
  const slots: (readonly [Token, Token])[] = [];
  let open: Edit | undefined;
  const hunk = (): Edit => {
    if (!open) hunks.push((open = { older: [], newer: [] }));
    return open;
  };
  let shared = 0;
  let [i, j] = [0, 0];
  while (i < older.length || j < newer.length) {
    const [a, b] = [older[i], newer[j]];
    const here = best[i * columns + j]!;
    if (
      a &&
      b &&
      left[i] === right[j] &&
      here === Math.fround(best[(i + 1) * columns + j + 1]! + weightOf[a.kind] + bonus(a, b))
    ) {
      shared += weightOf[a.kind];
      if (a.quantity || a.time) slots.push([a, b]);
      open = undefined;
      i += 1;
      j += 1;
    } else if (a && (!b || best[(i + 1) * columns + j]! >= best[i * columns + j + 1]!)) {
      hunk().older.push(a);
      i += 1;
    } else {
      hunk().newer.push(b!);
      j += 1;
    }
  }
  const all = weigh(older) + weigh(newer);
  return { alike: all === 0 ? 0 : (2 * shared) / all, weight: all, hunks, slots };
}
