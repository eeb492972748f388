// Candidates: rows of the corpus on their way from retrieval to evidence, with named score columns.
import type { StoredPassage } from '../records.js';
import type { Interval } from '../time/interval.js';
import type { ReadValidity } from '../time/validity.js';
import type { QueryContext } from './queryContext.js';

/** A sentence that is not in the corpus: a passage condensed for the question. */
export interface Summary {
  text: string;
  /** Its content times. */
  dates: readonly Interval[];
}

/** A row of the corpus with its scores; `score` is that of the last ranking. */
export interface Candidate {
  readonly id: string;
  /** Index of the segment in the snapshot; row and passage are numbers in that segment. */
  segment: number;
  passage: number;
  row: number;
  score: number;
  /** Score columns by name: similarity, lexical, temporal and those that stages add. */
  scores: Record<string, number>;
  /** Index of the content interval that gave the temporal score. */
  interval?: number;
  /** Its validity as a stage reads it. */
  validity?: () => ReadValidity | undefined;
  /** Contribution of each feature to the logarithm of the score, in rankings by features. */
  shares?: () => Record<string, number>;
  /** The sentence that won, where the row is that of the whole passage. */
  sentence?: string;
  /** Summary of its passage; after sentence ranking, only if it was the best unit. */
  summary?: Summary;
}

/** Best first, ties by passage id, then by row. */
export function sortByScore<Hit extends Pick<Candidate, 'id' | 'row' | 'score'>>(
  hits: readonly Hit[],
): Hit[] {
  return [...hits].sort(
    (a, b) => b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.row - b.row),
  );
}

/**
 * A candidate that reads its id lazily: of a thousand that are rescored, most never need it. (A
 * getter on the prototype: one of its own makes an object ten times as slow to create.) Spread
 * copies lack the id.
 */
export class RowCandidate implements Candidate {
  declare interval?: number;
  declare validity?: () => ReadValidity | undefined;
  declare shares?: () => Record<string, number>;
  declare summary?: Summary;
  private cachedId: string | undefined;
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
    return (this.cachedId ??= this.idOf(this.segment, this.passage));
  }
}

/** Key of a candidate's passage in its snapshot, the same for all rows of the passage. */
export const passageKey = ({ segment, passage }: Pick<Candidate, 'segment' | 'passage'>): string =>
  `${segment}/${passage}`;

/** A retrieved passage that a filter removed, with its title and times, and why. */
export interface DroppedPassage
  extends Pick<StoredPassage, 'id' | 'title' | 'publishedAt' | 'validFrom' | 'validTo'> {
  because: string;
  /** The passage that supersedes it, if any. */
  newer?: string | undefined;
}

export function droppedPassage(
  { id, title, publishedAt, validFrom, validTo }: StoredPassage,
  because: string,
  newer: string,
): DroppedPassage {
  return {
    id,
    because,
    newer,
    ...(title === undefined ? {} : { title }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
  };
}

export interface Candidates {
  query: QueryContext;
  /** Best first; ties by passage id. */
  hits: Candidate[];
  /** Hits, from the first, that are for expensive stages; the rest fills up k. Default: all. */
  shortlistSize?: number;
  /** Passages that filters removed, in the order of their ranks. */
  dropped?: DroppedPassage[];
  /** Whether scores are probabilities that the passage answers. */
  calibrated?: true;
  /** Why no passage answers, in a sentence; absent where one may. */
  unanswered?: string;
}
