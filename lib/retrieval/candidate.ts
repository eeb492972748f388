// What flows from retrieval to evidence: a question being answered, and rows of the corpus that may
// answer it. Plain data and the lazily computed sides of a question; nothing here searches.
import type { Segment } from '../../binding.js';
import type { Exactness, ScanReading } from './flatScan.js';
import type { Snapshot } from '../store/snapshot.js';
import type { Analyzer } from '../text/analyzer.js';
import type { TermFrequencies } from '../text/termFrequencies.js';
import type { Keyword } from '../text/keywords/keyword.js';
import type { ParsedQuestion } from '../time/constraint.js';
import type { Interval } from '../time/interval.js';
import type { ReadValidity } from '../time/validity.js';
import type { TimeEncoder } from '../vectors/timeEncoder.js';

/**
 * The rows a search reads: whole passages, sentences (a passage of one sentence is both), or all of
 * them.
 */
export type Scope = 'passages' | 'sentences' | 'all';

/**
 * A question on its way: what was asked, the words to search by and the corpus as it stood when the
 * question came.
 */
export interface Asked {
  readonly parsed: ParsedQuestion;
  /**
   * The words that retrieval uses: the main content, the question as asked, or the question with
   * its time appended.
   */
  readonly searchText: string;
  /** How many passages the caller wants. */
  readonly k: number;
  readonly snapshot: Snapshot;
  readonly analyzer: Analyzer;
  /** The encoded search text, computed once and checked. */
  readonly vector: (signal?: AbortSignal) => Promise<Float32Array>;
  /**
   * Files whose vectors searches read for the segments' own, one a segment: those that `vector` is
   * compared with. Default: none.
   */
  readonly rowVectors?: (signal?: AbortSignal) => Promise<readonly Segment[]>;
  /**
   * The vectors of the snapshot's rows fused with their times, one file a segment; made where they
   * are not there.
   */
  readonly fuseRows: (
    times: TimeEncoder,
    signal?: AbortSignal,
  ) => Promise<{ files: readonly Segment[]; computed: number }>;
  /** How much of the f32 vectors its searches read. Default 'certified'. */
  readonly exactness?: Exactness;
  /** Told how each of its searches by vector read rows. */
  readonly onScan?: (reading: ScanReading) => void;
  /** Encodes texts that the corpus has no rows for, as passages; row-major. */
  readonly encode: (texts: readonly string[], signal?: AbortSignal) => Promise<Float32Array>;
  /** The analyzed search text, computed once. */
  readonly terms: () => string[];
  /** What the main content is about; of systems that rank by keywords. */
  readonly keywords?: readonly Keyword[];
}

/** A sentence that is not in the corpus: a passage condensed for the question. */
export interface Summary {
  text: string;
  /** The times that it speaks of. */
  dates: readonly Interval[];
  /**
   * Its title's and its sentences' terms, as their rows were counted: of each of the question's,
   * each once. Absent where no rows make it up.
   */
  counted?: TermFrequencies;
}

/** A row of the corpus with every score it has been given, the latest being `score`. */
export interface Candidate {
  readonly id: string;
  /** Index into the snapshot's segments, and the row and local passage number in it. */
  segment: number;
  passage: number;
  row: number;
  score: number;
  /** Named columns: similarity, lexical, temporal, and the score of each ranking that was made. */
  scores: Record<string, number>;
  /** Which of the row's content intervals gave the temporal score. */
  interval?: number;
  /** How its validity was read, where a stage derived one from metadata. */
  validity?: ReadValidity;
  /** Each feature's share of the score, where a stage scores by features; they sum to it. */
  shares?: () => Record<string, number>;
  /** Its passage condensed; after sentences are ranked, only where it won its passage the place. */
  summary?: Summary;
}

/**
 * A candidate whose id is read when it is asked for: of a thousand that are ranked again, most
 * never are. (An object with a getter of its own takes ten times as long to make.) Copying it by
 * its fields leaves the id behind.
 */
export class FoundRow implements Candidate {
  declare interval?: number;
  declare validity?: ReadValidity;
  declare shares?: () => Record<string, number>;
  declare summary?: Summary;
  private known: string | undefined;
  segment: number;
  passage: number;
  row: number;

  constructor(
    private readonly idOf: (segment: number, passage: number) => string,
    {
      segment,
      passage,
      row,
      interval,
    }: Pick<Candidate, 'segment' | 'passage' | 'row' | 'interval'>,
    public score: number,
    public scores: Record<string, number>,
  ) {
    this.segment = segment;
    this.passage = passage;
    this.row = row;
    if (interval !== undefined) this.interval = interval;
  }

  get id(): string {
    return (this.known ??= this.idOf(this.segment, this.passage));
  }
}

/**
 * What names a candidate's passage among those of a snapshot: rows of one passage have the same.
 */
export const placeOf = ({ segment, passage }: Pick<Candidate, 'segment' | 'passage'>): string =>
  `${segment}/${passage}`;

/**
 * Where in a list the passages of a search's rows stand; passages stand in it once. For a thousand
 * of them, without a string for each.
 */
export function placesIn(
  found: readonly Pick<Candidate, 'segment' | 'passage'>[],
): (segment: number, passage: number) => number | undefined {
  const segments: Map<number, number>[] = [];
  found.forEach(({ segment, passage }, at) => (segments[segment] ??= new Map()).set(passage, at));
  return (segment, passage) => segments[segment]?.get(passage);
}

/** A passage that was found and not shown, and why. */
export interface Dropped {
  id: string;
  because: string;
  /** The passage that it gave way to, where there is one. */
  newer?: string;
}

export interface Candidates {
  asked: Asked;
  /** Best first; ties by passage id. */
  found: Candidate[];
  /**
   * How many of them are for stages that look at few; the rest only fills up what the caller wants.
   * Default: all.
   */
  leading?: number;
  /** What a stage left out, in the order of its rank. */
  dropped?: Dropped[];
}
