// Slot words: words that alternate in otherwise equal statements ("sunny", "cloudy"), learned from
// the statements at hand.
import { headOf, namesMeasure } from './lexicon.js';
import type { Statement } from './statement.js';

export class SlotWords {
  private readonly parents = new Map<string, string>();
  private readonly besideEachOther = new Set<string>();

  /**
   * Learns from statements, among them those of one sentence pattern: the same small words around
   * quantities, times and content.
   */
  constructor(statements: readonly Statement[]) {
    const patterns = new Map<string, Map<string, Filled>>();
    for (const statement of statements) {
      const { pattern, fillings, filled, told } = patternOf(statement);
      if (!patterns.has(pattern)) patterns.set(pattern, new Map());
      const alike = patterns.get(pattern)!;
      // What is filled alike teaches the same.
      const same = alike.get(filled);
      if (same) same.told.add(told);
      else alike.set(filled, { fillings, told: new Set([told]) });
    }
    for (const alike of patterns.values()) {
      const all = [...alike.values()];
      all.forEach((one, at) => {
        for (let next = at + 1; next < all.length; next += 1) this.learn(one, all[next]!);
      });
    }
  }

  private learn(a: Filled, b: Filled): void {
    const most = (a.fillings.length + 1) / 2;
    const differing: number[] = [];
    for (let at = 0; at < a.fillings.length; at += 1) {
      // Most of the pattern must be the same: short patterns fit by chance.
      if (!sameKeys(a.fillings[at]!, b.fillings[at]!) && differing.push(at) > most) return;
    }
    for (const at of differing) {
      const pair = soleDifference(a.fillings[at]!, b.fillings[at]!);
      if (!pair || pair.some(namesMeasure)) continue;
      this.join(pair[0], pair[1]);
      if (differing.length === 1 && [...a.told].some((each) => b.told.has(each)))
        this.besideEachOther.add(pair[0]).add(pair[1]);
    }
  }

  private root(word: string): string {
    let at = word;
    for (let up = this.parents.get(at); up !== undefined && up !== at; up = this.parents.get(at))
      at = up;
    return at;
  }

  private join(a: string, b: string): void {
    const [one, other] = [this.root(a), this.root(b)];
    if (one === other) {
      if (!this.parents.has(one)) this.parents.set(one, one);
      return;
    }
    this.parents.set(one, other);
    if (!this.parents.has(other)) this.parents.set(other, other);
  }

  /** Whether a word is known to be told beside others of its kind. */
  tellsApart(word: string): boolean {
    return this.besideEachOther.has(word);
  }

  /** The slots that a statement's words fill: by slot, the words. */
  slotsOf({ words }: Statement): Map<string, Set<string>> {
    const slots = new Map<string, Set<string>>();
    for (const word of words) {
      if (!this.parents.has(word)) continue;
      const root = this.root(word);
      slots.set(root, (slots.get(root) ?? new Set()).add(word));
    }
    return slots;
  }
}

interface Filled {
  /** Heads of the words between each two of the pattern's tokens; names are left out. */
  fillings: string[][];
  /**
   * What statements that are filled so tell beside their words: publication, times, names and
   * quantities, as one string each.
   */
  told: Set<string>;
}

interface Pattern {
  /** A statement's small words, quantities and times, and where content stands between them. */
  pattern: string;
  fillings: string[][];
  /** The fillings as one string, and the rest. */
  filled: string;
  told: string;
}

const read = new WeakMap<Statement, Pattern>();

function patternOf(statement: Statement): Pattern {
  let found = read.get(statement);
  if (!found) read.set(statement, (found = readPattern(statement)));
  return found;
}

function readPattern({ tokens, publishedAt, times, names }: Statement): Pattern {
  const fillings: string[][] = [[]];
  const parts: string[] = [];
  for (const { kind, key } of tokens) {
    if (kind === 'word') fillings.at(-1)!.push(headOf(key));
    else if (kind !== 'name') {
      parts.push(kind === 'small' ? key : `${kind} ${key}`);
      fillings.push([]);
    }
  }
  const values = tokens.map(({ quantity }) => quantity?.value ?? '').join(' ');
  return {
    pattern: parts.join('|'),
    fillings,
    filled: fillings.map((words) => words.join(' ')).join('|'),
    told: [publishedAt, [...times].sort().join(), [...names].sort().join(), values].join('\n'),
  };
}

const sameKeys = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, at) => key === b[at]);

/** The words of two fillings, where they differ in one. */
function soleDifference(a: readonly string[], b: readonly string[]): [string, string] | undefined {
  if (a.length !== b.length) return undefined;
  const at = a.findIndex((key, place) => key !== b[place]);
  return sameKeys(a.slice(at + 1), b.slice(at + 1)) ? [a[at]!, b[at]!] : undefined;
}

export const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  if (a.size !== b.size) return false;
  for (const each of a) if (!b.has(each)) return false;
  return true;
};
