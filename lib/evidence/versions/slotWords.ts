// Words that stand in for one another where statements are alike but for them ("sunny", "cloudy", "rain" in many forecasts): learned
// from the statements at hand, so that two differently worded ones can be compared by them. Words that stand side by side at one
// publication, all else equal, are told beside each other: they tell facts apart and are no values.
import type { Alignment } from './align.js';
import { headOf, namesMeasure } from './lexicon.js';
import type { Statement, Token } from './statement.js';

export class SlotWords {
  private readonly parents = new Map<string, string>();
  private readonly besideEachOther = new Set<string>();

  /** Learns from two statements that are alike. */
  learn(a: Statement, b: Statement, { hunks, slots }: Alignment): void {
    for (const { older, newer } of hunks) {
      const [one, other] = [soleWord(older), soleWord(newer)];
      if (one === undefined || other === undefined || one === other || namesMeasure(one) || namesMeasure(other)) continue;
      this.join(one, other);
      const equalElse =
        a.publishedAt === b.publishedAt &&
        sameSet(a.names, b.names) &&
        sameSet(a.times, b.times) &&
        slots.every(([x, y]) => !x.quantity || x.quantity.value === y.quantity!.value);
      if (equalElse && hunks.length === 1) this.besideEachOther.add(one).add(other);
    }
  }

  private root(word: string): string {
    let at = word;
    for (let up = this.parents.get(at); up !== undefined && up !== at; up = this.parents.get(at)) at = up;
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

function soleWord(tokens: readonly Token[]): string | undefined {
  const told = tokens.filter(({ kind }) => kind !== 'small');
  return told.length === 1 && told[0]!.kind === 'word' ? headOf(told[0]!.key) : undefined;
}

export const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size === b.size && [...a].every((each) => b.has(each));
