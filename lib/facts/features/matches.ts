// How the statements of a question's candidates match it: columns in the addon
// (native/facts/matching.hpp), of which few are read here.
import { binding } from '../../binding.js';
import type { Lexicon } from '../../statements/lexicon.js';
import type { PassageStatements, Statement } from '../../statements/statements.js';
import { featurePlaces } from './features.js';

/** A statement of a candidate and how it matches the question, its times aside. */
export class StatementMatch {
  private varying: { values: ReadonlySet<string>; slots: ReadonlySet<string> } | undefined;

  constructor(
    private readonly of: Matches,
    /** Number of the match. */
    readonly nth: number,
  ) {}

  /** Index of the passage among the candidates. */
  get candidate(): number {
    return this.of.columns.candidate[this.nth]!;
  }

  get passage(): PassageStatements {
    return this.of.passages[this.candidate]!;
  }

  /** The row of its sentence, or of the passage. */
  get row(): number {
    return this.passage.rowOf(this.place, this.of.columns.kind[this.nth] === 0);
  }

  get statement(): Statement {
    return this.passage.statements[this.place]!;
  }

  private get place(): number {
    return this.of.columns.statement[this.nth]!;
  }

  /** In the order of `featureNames`, those of time 0. */
  get features(): Float64Array {
    return binding.featuresOf(this.of.columns.handle, this.nth);
  }

  /** Bits of the question's first terms that it, its title or what it continues has. */
  get matched(): number {
    return this.of.columns.matched[this.nth]!;
  }

  /** Numbers and names that question and title lack: what may vary within a series. */
  get values(): ReadonlySet<string> {
    return this.readVarying().values;
  }

  /** Numbers and names that the question lacks: of the statement, else of the title. */
  get slots(): ReadonlySet<string> {
    return this.readVarying().slots;
  }

  /** How it is like another in its words and its title. */
  likeness({ nth }: StatementMatch): ReturnType<typeof binding.compareStatements> {
    return binding.compareStatements(this.of.columns.handle, this.nth, nth);
  }

  /** Whether its title names what the passage is about. */
  get hasSubject(): boolean {
    return binding.hasSubject(this.of.columns.handle, this.nth);
  }

  private readVarying(): NonNullable<typeof this.varying> {
    if (this.varying) return this.varying;
    const { lexicon, columns } = this.of;
    const { values, slots } = binding.varyingOf(columns.handle, this.nth);
    const textsOf = (numbers: Uint32Array): Set<string> => new Set(lexicon.texts(numbers));
    return (this.varying = { values: textsOf(values), slots: textsOf(slots) });
  }
}

/** The matches of all candidates, in their order. */
export class Matches implements Iterable<StatementMatch> {
  private readonly read: (StatementMatch | undefined)[];

  constructor(
    readonly lexicon: Lexicon,
    /** By candidate. */
    readonly passages: readonly PassageStatements[],
    readonly columns: ReturnType<typeof binding.matchStatements>,
  ) {
    this.read = Array.from({ length: columns.candidate.length });
  }

  get length(): number {
    return this.read.length;
  }

  at(nth: number): StatementMatch {
    return (this.read[nth] ??= new StatementMatch(this, nth));
  }

  /** The match of a candidate's passage as a whole, or undefined of a long one. */
  wholeOf(of: number): StatementMatch | undefined {
    const { candidate, kind } = this.columns;
    for (let nth = candidate.indexOf(of); candidate[nth] === of; nth += 1)
      if (kind[nth] === 1) return this.at(nth);
    return undefined;
  }

  *[Symbol.iterator](): Generator<StatementMatch> {
    for (let nth = 0; nth < this.length; nth += 1) yield this.at(nth);
  }
}

/** What a statement lacks of the question: the smaller, the more it is about it. */
export function missingOf({ features }: StatementMatch): number {
  return (
    features[featurePlaces.rarityMissing]! +
    features[featurePlaces.nameMissing]! +
    features[featurePlaces.valueMissing]! -
    features[featurePlaces.nameOverlap]!
  );
}
