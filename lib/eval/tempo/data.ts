// TEMPO's data in memory: domains, queries with gold documents and annotations, steps.
import type { Passage } from '../../records.js';
import type { PassageAnnotation, QueryAnnotation } from './annotation.js';

/** A step of a query with the documents that satisfy it. */
export interface TempoStep {
  id: string;
  text: string;
  /** At least one. */
  relevant: readonly string[];
}

/** A query of TEMPO's, with its gold documents and annotation. */
export interface TempoQuery {
  id: string;
  text: string;
  domain: string;
  /** `gold_ids`. */
  relevant: readonly string[];
  /** `gold_answers`. */
  answers: readonly string[];
  /** `excluded_ids`, which leave the ranking before it is scored; "N/A" is none. */
  excluded: readonly string[];
  /**
   * `negative_ids`: hard negatives, which are a part of the corpus. The published code takes them
   * out of the ranking as it does `excluded`.
   */
  negatives: readonly string[];
  annotation?: QueryAnnotation;
  passageAnnotations: readonly PassageAnnotation[];
  /** Those that have gold documents, in order. */
  steps: readonly TempoStep[];
}

/** One domain of TEMPO's data, a corpus of its own. */
export interface TempoDomain {
  name: string;
  queries: readonly TempoQuery[];
  /** How many, where their ids were read. */
  documentCount?: number;
  /** Number of steps skipped because they have no gold documents. */
  stepsWithoutGold: number;
  /**
   * The corpus, streamed from the files.
   * @throws AsOfError ERR_INVALID_INPUT by row for a duplicate id.
   */
  documents(options?: { signal?: AbortSignal }): AsyncGenerator<Passage>;
  /** The files that all of it is read from. */
  files: readonly string[];
}

/** A folder with TEMPO's data. */
export interface TempoData {
  folder: string;
  domains: readonly TempoDomain[];
  /**
   * Parts other than documents, examples, steps and guidance: queries reworded by a model, as
   * `reasoning` takes one.
   */
  reasonings: readonly string[];
}
