// TEMPO's data in memory: domains, queries with gold documents and annotations, steps.
import type { Passage } from 'asof';
import type { PassageAnnotation, QueryAnnotation } from './annotation.js';

/** A query of TEMPO's, with its gold documents and annotation. */
export interface TempoQuery {
  id: string;
  text: string;
  domain: string;
  /** `gold_ids`. */
  relevant: readonly string[];
  /** `gold_answers`. */
  answers: readonly string[];
  /** `excluded_ids`, removed from the ranking before scoring; "N/A" is none. */
  excluded: readonly string[];
  /**
   * `negative_ids`: hard negatives, which are part of the corpus. The published code removes them
   * from the ranking like `excluded`.
   */
  negatives: readonly string[];
  annotation?: QueryAnnotation | undefined;
  passageAnnotations: readonly PassageAnnotation[];
  /** Steps with gold documents, in order: `relevant` are those that satisfy the step. */
  steps: readonly { id: string; text: string; relevant: readonly string[] }[];
}

export type TempoStep = TempoQuery['steps'][number];

/** One domain of TEMPO's data, a corpus of its own. */
export interface TempoDomain {
  name: string;
  queries: readonly TempoQuery[];
  /** Number of documents, if their ids were read. */
  documentCount?: number | undefined;
  /** Number of steps skipped because they have no gold documents. */
  stepsWithoutGold: number;
  /**
   * The corpus, streamed from the files.
   * @throws AsOfError ERR_INVALID_INPUT by row for a duplicate id.
   */
  documents(options?: { signal?: AbortSignal | undefined }): AsyncGenerator<Passage>;
  /** All files of the domain. */
  files: readonly string[];
}

/** A folder with TEMPO's data. */
export interface TempoData {
  folder: string;
  domains: readonly TempoDomain[];
  /**
   * Other parts than documents, examples, steps and guidance: queries reworded by a model, values
   * of the option `reasoning`.
   */
  reasonings: readonly string[];
}
