// The words of all candidates of a question, and by their numbers what the question has of them.
import type { Lexicon } from '../statements/lexicon.js';
import type { SeriesQuestion } from './question.js';
import type { PassageStatements } from '../statements/statements.js';
import type { WordRange } from '../statements/textWords.js';
import { isWithin } from '../statements/words.js';

/** The distinct words of candidates. */
export class Vocabulary {
  /** Numbers of the words, each once. */
  readonly words: readonly number[];
  private readonly terms: Uint8Array;

  constructor(
    readonly lexicon: Lexicon,
    passages: readonly PassageStatements[],
  ) {
    const seen = new Uint8Array(lexicon.words.length);
    const distinct: number[] = [];
    const add = ({ of: { words }, from, to }: WordRange): void => {
      for (let place = from; place < to; place += 1) {
        const word = words[place]!;
        if (seen[word] === 1) continue;
        seen[word] = 1;
        distinct.push(word);
      }
    };
    for (const { title, text } of passages) {
      add(title);
      add(text);
    }
    this.words = distinct;
    this.terms = new Uint8Array(lexicon.texts.length);
    for (const word of distinct) this.terms[lexicon.terms[word]!] = 1;
  }

  has(term: string): boolean {
    return this.terms[this.lexicon.numberOf(term)] === 1;
  }

  /** All of its terms. */
  list(): string[] {
    return this.lexicon.texts.filter((_, term) => this.terms[term] === 1);
  }
}

/** What a question has of a term, as bits: see `AskedTerms.marks`. */
export const [asked, ofName, ofAnchor, version] = [1, 2, 4, 8] as const;
/** Bits of what a question gives, so that it is no answer. */
export const given = asked | ofAnchor;

/** A value counts fully where it is stated itself, and less as the head of a version. */
const versionShare = 0.8;

/** The terms of a question by their numbers in a lexicon. */
export class AskedTerms {
  /**
   * By number of a term, bits: `asked` of a term of the question, `ofName` of one of its names,
   * `ofAnchor` of the neighbour, `version` of a version within a value of the question.
   */
  readonly marks: Uint8Array;
  /** By term of the question: whether any candidate has it. */
  readonly inPool: readonly boolean[];
  /** Number of the question's role; -1 without one. */
  readonly role: number;
  /** By number of a term: the place of the question's term. */
  private readonly places: Int16Array;
  private readonly lows: Int16Array;
  private readonly versions = new Map<number, number[]>();

  constructor(
    readonly question: SeriesQuestion,
    readonly vocabulary: Vocabulary,
  ) {
    const { lexicon, words } = vocabulary;
    const { terms, names, anchor, role } = question;
    this.marks = new Uint8Array(lexicon.texts.length);
    this.places = new Int16Array(lexicon.texts.length);
    this.lows = new Int16Array(lexicon.texts.length).fill(-1);
    const mark = (term: string, bit: number): number => {
      const number = lexicon.numberOf(term);
      if (number >= 0) this.marks[number]! |= bit;
      return number;
    };
    terms.forEach(({ term, low }, t) => {
      const number = mark(term, asked);
      if (number >= 0) this.places[number] = t;
      const ofLow = lexicon.numberOf(low);
      if (ofLow >= 0) this.lows[ofLow] = t;
    });
    for (const name of names) for (const t of name) mark(terms[t]!.term, ofName);
    for (const { forms } of anchor) for (const form of forms) mark(form, ofAnchor);
    this.role = role === undefined ? -1 : lexicon.numberOf(role);
    const values = terms.flatMap(({ term, value }, t) => (value ? [{ term, t }] : []));
    if (values.length > 0) for (const word of words) this.addVersion(lexicon.terms[word]!, values);
    const held = new Set([...this.versions.values()].flat());
    this.inPool = terms.map(({ term }, t) => vocabulary.has(term) || held.has(t));
  }

  /** By term of the question, how far a text has it. */
  presence({ of: { words, lexicon }, from, to }: WordRange): Float64Array {
    const { marks, places, versions } = this;
    const held = new Float64Array(this.question.terms.length);
    for (let at = from; at < to; at += 1) {
      const term = lexicon.terms[words[at]!]!;
      const mark = marks[term]!;
      if ((mark & asked) !== 0) held[places[term]!] = 1;
      if ((mark & version) !== 0)
        for (const t of versions.get(term)!) held[t] = Math.max(held[t]!, versionShare);
    }
    return held;
  }

  /** Whether a term is the question's value, or a version within it. */
  isValue(term: number, t: number): boolean {
    const mark = this.marks[term]!;
    if ((mark & asked) !== 0 && this.places[term] === t) return true;
    return (mark & version) !== 0 && this.versions.get(term)!.includes(t);
  }

  /** Marks in `found` the terms of the question that a text has in the very form. */
  putForms({ of: { words, lexicon }, from, to }: WordRange, found: Uint8Array): void {
    for (let at = from; at < to; at += 1) {
      const t = this.lows[lexicon.lows[words[at]!]!]!;
      if (t >= 0) found[t] = 1;
    }
  }

  private addVersion(number: number, values: readonly { term: string; t: number }[]): void {
    const text = this.vocabulary.lexicon.texts[number]!;
    const within = values.filter(({ term }) => text !== term && isWithin(text, term));
    if (within.length === 0) return;
    this.marks[number]! |= version;
    this.versions.set(
      number,
      within.map(({ t }) => t),
    );
  }
}
