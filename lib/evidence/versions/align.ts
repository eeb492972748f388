// Two statements laid side by side: the longest common run of their tokens, and the hunks in which they differ. Quantities of one
// dimension and times match as kinds, whatever they say, so that slots lie side by side. It judges no hunk.
import type { Statement, Token } from './statement.js';

/** Where two statements differ: tokens of one between two that match, and what stands there in the other. */
export interface Hunk {
  older: Token[];
  newer: Token[];
}

export interface Alignment {
  /** Share of both texts' weight that matches, 0 to 1. */
  alike: number;
  /** The weight of both texts. */
  weight: number;
  hunks: Hunk[];
  /** Matching slots: a quantity or a time and what stands there in the other. */
  slots: (readonly [older: Token, newer: Token])[];
}

const weightOf: Readonly<Record<Token['kind'], number>> = { word: 1, name: 1.5, quantity: 1, time: 1, small: 0.25 };

export const weigh = (tokens: readonly Token[]): number => tokens.reduce((sum, { kind }) => sum + weightOf[kind], 0);

const matches = (a: Token, b: Token): boolean =>
  a.key === b.key && (a.kind === b.kind || ((a.kind === 'word' || a.kind === 'name') && (b.kind === 'word' || b.kind === 'name')));

/** The most that two statements can be alike, whatever their order: bounds `alike` from above without aligning. */
export function mostAlike(a: Statement, b: Statement): number {
  const counts = new Map<string, number>();
  for (const { key } of a.tokens) counts.set(key, (counts.get(key) ?? 0) + 1);
  let shared = 0;
  for (const { key, kind } of b.tokens) {
    const left = counts.get(key) ?? 0;
    if (left > 0) {
      shared += weightOf[kind];
      counts.set(key, left - 1);
    }
  }
  const all = weigh(a.tokens) + weigh(b.tokens);
  return all === 0 ? 0 : Math.min(1, (2 * shared) / all);
}

/** Lays two statements side by side in time and memory of the product of their lengths. */
export function align({ tokens: older }: Statement, { tokens: newer }: Statement): Alignment {
  const [rows, columns] = [older.length + 1, newer.length + 1];
  const best = new Float32Array(rows * columns);
  for (let i = rows - 2; i >= 0; i -= 1) {
    for (let j = columns - 2; j >= 0; j -= 1) {
      const skip = Math.max(best[(i + 1) * columns + j]!, best[i * columns + j + 1]!);
      const both = matches(older[i]!, newer[j]!) ? best[(i + 1) * columns + j + 1]! + weightOf[older[i]!.kind] + bonus(older[i]!, newer[j]!) : 0;
      best[i * columns + j] = Math.max(skip, both);
    }
  }
  return traced(older, newer, best, columns);
}

/** Of several ways to lie alike, the one in which slots say the same. */
const bonus = (a: Token, b: Token): number => {
  if (a.quantity && b.quantity) return a.quantity.value === b.quantity.value ? 0.1 : 0;
  return a.time && b.time && a.time.start === b.time.start && a.time.end === b.time.end ? 0.1 : 0;
};

function traced(older: readonly Token[], newer: readonly Token[], best: Float32Array, columns: number): Alignment {
  const hunks: Hunk[] = [];
  const slots: (readonly [Token, Token])[] = [];
  let open: Hunk | undefined;
  const hunk = (): Hunk => {
    if (!open) hunks.push((open = { older: [], newer: [] }));
    return open;
  };
  let shared = 0;
  let [i, j] = [0, 0];
  while (i < older.length || j < newer.length) {
    const [a, b] = [older[i], newer[j]];
    const here = best[i * columns + j]!;
    if (a && b && matches(a, b) && here === Math.fround(best[(i + 1) * columns + j + 1]! + weightOf[a.kind] + bonus(a, b))) {
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
