// What of a statement may vary within its series: its numbers and names that the question does not
// give. They are read of few statements, and then once.
import type { Name, PassageNames } from '../question/names.js';
import type { PassageStatements, Statement } from '../statements/statements.js';
import type { WordRange } from '../statements/textWords.js';
import { given, type AskedTerms } from '../question/vocabulary.js';

export class VaryingTerms {
  private found: { values: ReadonlySet<string>; slots: ReadonlySet<string> } | undefined;

  constructor(
    private readonly asked: AskedTerms,
    private readonly passage: PassageStatements,
    private readonly statement: Statement,
    private readonly names: PassageNames,
    private readonly nth: number,
  ) {}

  get values(): ReadonlySet<string> {
    return this.read().values;
  }

  get slots(): ReadonlySet<string> {
    return this.read().slots;
  }

  /** Numbers and names of the statement that the question does not give. */
  private stated(): number[] {
    return this.newOf(this.statement.words, this.names.statements[this.nth]!);
  }

  private newOf(words: WordRange, names: readonly Name[]): number[] {
    const { marks } = this.asked;
    const figures = [...words.of.words.slice(words.from, words.to)]
      .filter((word) => words.of.lexicon.isValue[word])
      .map((word) => words.of.lexicon.terms[word]!);
    return [...figures, ...names.flat()].filter((term) => (marks[term]! & given) === 0);
  }

  private read(): NonNullable<typeof this.found> {
    if (this.found) return this.found;
    const { title } = this.passage;
    const { lexicon, words } = title.of;
    const ofTitle = new Set(words.map((word) => lexicon.terms[word]!));
    const stated = this.stated();
    const slots = stated.length > 0 ? stated : this.newOf(title, this.names.title);
    const textOf = (term: number): string => lexicon.texts[term]!;
    this.found = {
      values: new Set(stated.filter((term) => !ofTitle.has(term)).map(textOf)),
      slots: new Set(slots.map(textOf)),
    };
    return this.found;
  }
}
