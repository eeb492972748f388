// Words that stand in for one another where statements are alike but for them ("sunny", "cloudy", "rain" in many forecasts): learned
// from the statements at hand, so that two differently worded ones can be compared by them. Words that stand side by side at one
// publication, all else equal, are told beside each other: they tell facts apart and are no values.
import { headOf, namesMeasure } from './lexicon.js';
import type { Statement, Token } from './statement.js';

export class SlotWords {
  private readonly parents = new Map<string, string>();
  private readonly besideEachOther = new Set<string>();

  /** Learns from statements, among them those of one sentence pattern: the same small words around quantities, times and content. */
  constructor(statements: readonly Statement[]) {
    const patterns = new Map<string, { statement: Statement; fillings: Token[][] }[]>();
    for (const statement of statements) {
      const { pattern, fillings } = patternOf(statement);
      const alike = patterns.get(pattern);
      if (alike) alike.push({ statement, fillings });
      else patterns.set(pattern, [{ statement, fillings }]);
    }
    for (const alike of patterns.values()) {
      alike.forEach((one, at) => {
        for (let next = at + 1; next < alike.length; next += 1) this.learn(one, alike[next]!);
      });
    }
  }

  private learn(a: { statement: Statement; fillings: Token[][] }, b: { statement: Statement; fillings: Token[][] }): void {
    const differing = a.fillings.flatMap((tokens, at) => (sameKeys(tokens, b.fillings[at]!) ? [] : [at]));
    // Most of the pattern must be the same: short patterns fit by chance.
    if (differing.length === 0 || 2 * differing.length > a.fillings.length + 1) return;
    for (const at of differing) {
      const [one, other] = [soleWord(a.fillings[at]!), soleWord(b.fillings[at]!)];
      if (one === undefined || other === undefined || one === other || namesMeasure(one) || namesMeasure(other)) continue;
      this.join(one, other);
      if (differing.length > 1 || a.statement.publishedAt !== b.statement.publishedAt || !sameSet(a.statement.times, b.statement.times))
        continue;
      const values = ({ statement }: typeof a): string => statement.tokens.map(({ quantity }) => quantity?.value ?? '').join(' ');
      if (values(a) === values(b)) this.besideEachOther.add(one).add(other);
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

/** A statement's pattern, and the content words and names between its other tokens. */
function patternOf({ tokens }: Statement): { pattern: string; fillings: Token[][] } {
  const fillings: Token[][] = [[]];
  const parts: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'word' || token.kind === 'name') {
      fillings.at(-1)!.push(token);
      continue;
    }
    parts.push(token.kind === 'small' ? token.key : `${token.kind} ${token.key}`, fillings.at(-1)!.length > 0 ? '*' : '');
    fillings.push([]);
  }
  return { pattern: parts.join('|'), fillings };
}

const sameKeys = (a: readonly Token[], b: readonly Token[]): boolean => a.length === b.length && a.every(({ key }, at) => key === b[at]!.key);

/** The one word in which two fillings of a pattern may differ. */
function soleWord(tokens: readonly Token[]): string | undefined {
  return tokens.length === 1 && tokens[0]!.kind === 'word' ? headOf(tokens[0]!.key) : undefined;
}

export const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  if (a.size !== b.size) return false;
  for (const each of a) if (!b.has(each)) return false;
  return true;
};
