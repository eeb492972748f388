// Sentence generation from a grammar: rules in angle brackets, slots in braces, alternatives drawn
// by seed. Alternatives with an empty slot are never drawn.
import type { Random } from 'asof/kit';

/** Alternatives by rule. An alternative may name rules `<rule>` and slots `{slot}`. */
export type Grammar = Readonly<Record<string, readonly string[]>>;
export type Slots = Readonly<Record<string, string | undefined>>;

type Piece = { kind: 'text' | 'slot' | 'rule'; of: string };

/** A compiled grammar; an expansion costs microseconds. */
export class Sentences {
  readonly #rules = new Map<string, readonly (readonly Piece[])[]>();
  readonly #usable = new Map<string, ReadonlyMap<string, readonly (readonly Piece[])[]>>();

  /**
   * Errors: a plain Error for an unknown rule, a fault of the grammar.
   */
  constructor(grammar: Grammar) {
    for (const [rule, alternatives] of Object.entries(grammar))
      this.#rules.set(rule, alternatives.map(pieces));
    for (const alternatives of this.#rules.values()) {
      const missing = alternatives
        .flat()
        .find(({ kind, of }) => kind === 'rule' && !this.#rules.has(of));
      if (missing) throw new Error(`The grammar has no rule ${missing.of}.`);
    }
  }

  /** Number of top alternatives of a rule that the slots allow. */
  families(rule: string, slots: Slots): number {
    return this.#allowed(slots).get(rule)?.length ?? 0;
  }

  /**
   * A text of the rule. `family` selects its top alternative among the allowed ones; default
   * random.
   */
  expand(rule: string, slots: Slots, random: Random, family?: number): string {
    const allowed = this.#allowed(slots);
    const top = allowed.get(rule) ?? [];
    if (top.length === 0)
      throw new Error(`The grammar has no ${rule} for ${Object.keys(slots).join(', ')}.`);
    let text = '';
    let starting = true;
    const append = (piece: string, isSlot: boolean): void => {
      if (piece === '') return;
      text += starting ? capitalised(piece, isSlot) : piece;
      starting = !isSlot && /[.!?]\s*$/.test(piece);
    };
    const walk = (parts: readonly Piece[]): void => {
      for (const { kind, of } of parts) {
        if (kind === 'text') append(of, false);
        else if (kind === 'slot') append(slots[of]!, true);
        else walk(random.pick(allowed.get(of)!));
      }
    };
    walk(family === undefined ? random.pick(top) : top[family % top.length]!);
    return text
      .replace(/\s+/g, ' ')
      .replace(/ ([,.;:!?])/g, '$1')
      .trim();
  }

  /** The alternatives whose slots have values and whose rules have alternatives. */
  #allowed(slots: Slots): ReadonlyMap<string, readonly (readonly Piece[])[]> {
    const key = Object.keys(slots)
      .filter((name) => slots[name] !== undefined)
      .sort()
      .join(' ');
    const found = this.#usable.get(key);
    if (found) return found;
    const present = new Set(key.split(' '));
    const usable = new Map<string, readonly (readonly Piece[])[]>();
    const resolving = new Set<string>();
    const resolve = (rule: string): readonly (readonly Piece[])[] => {
      const done = usable.get(rule);
      if (done) return done;
      if (resolving.has(rule)) throw new Error(`The rule ${rule} names itself.`);
      resolving.add(rule);
      const fits = ({ kind, of }: Piece): boolean =>
        kind === 'text' || (kind === 'slot' ? present.has(of) : resolve(of).length > 0);
      const alternatives = this.#rules.get(rule)!.filter((parts) => parts.every(fits));
      resolving.delete(rule);
      usable.set(rule, alternatives);
      return alternatives;
    };
    for (const rule of this.#rules.keys()) resolve(rule);
    this.#usable.set(key, usable);
    return usable;
  }
}

function pieces(alternative: string): Piece[] {
  return alternative.split(/(<[^<>]+>|\{[^{}]+\})/).flatMap((part): Piece[] => {
    if (part === '') return [];
    if (part.startsWith('<')) return [{ kind: 'rule', of: part.slice(1, -1) }];
    if (part.startsWith('{')) return [{ kind: 'slot', of: part.slice(1, -1) }];
    return [
      {
        kind: 'text',
        of: part.replace(
          /([.!?]\s+)([a-z])/g,
          (_, end: string, letter: string) => end + letter.toUpperCase(),
        ),
      },
    ];
  });
}

/**
 * Capitalises a lower-case word, but not a name with a mixed form ("iPhone sales").
 */
function capitalised(piece: string, isSlot: boolean): string {
  if (isSlot && !/^\p{Ll}+(?:[\s,.']|$)/u.test(piece)) return piece;
  return piece.replace(
    /^(\s*)(\p{Ll})/u,
    (_, blank: string, letter: string) => blank + letter.toUpperCase(),
  );
}
