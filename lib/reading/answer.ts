// What an answer is and what reading takes: plain data that the readers, the stage and the command
// line share.
import type { TextModel } from '../text/textModel.js';
import type { ParsedQuestion } from '../time/constraint.js';

/**
 * How an answer is made. `extract` takes a span of the passages by rules and needs no model; the
 * others prompt one: `direct` and
 * `chainOfThought` ask it what it knows and show it no passage, `concatenated` shows it the
 * passages in one prompt, `selfMrag` has it judge and read each passage alone and then read what it
 * gathered (MRAG sections 2.2 and 5.1).
 */
export const readerModes = [
  'extract',
  'direct',
  'chainOfThought',
  'concatenated',
  'selfMrag',
] as const;
/** See `readerModes`. */
export type ReaderMode = (typeof readerModes)[number];

/** How many of the passages are read where no number is asked for. */
export const defaultPassages = 5;

/** How an answer is read. */
export interface ReadOptions {
  /** Default extract. */
  mode?: ReaderMode;
  /** Who is prompted. Default: the system's own model. */
  model?: TextModel;
  /**
   * How many of the passages found are read, from the best; 1 to 100. Default 5 (MRAG figure 10:
   * the best for a model of 8B).
   */
  passages?: number;
  /**
   * Characters of passages that one prompt may hold, 200 or more; a long passage gives whole
   * sentences around its best one. Default 12,000, some 3,000 tokens of English, or less where the
   * model says that its context is small.
   */
  characters?: number;
}

/** What the evidence says. */
export interface Answer {
  text: string;
  /** What `text` lists, where the question asks for several. */
  items?: string[];
  /**
   * The sentence in which the answer's words occur; absent where no passage that was read has them.
   */
  sentence?: string;
  /**
   * Ids of the passages it rests on; none where a model answered from memory and no passage has its
   * words.
   */
  evidence: string[];
  /**
   * The probability that the first of them answers the question, 0 to 1, in systems that rank by
   * probability.
   */
  confidence?: number;
}

/** What a reader sees of a passage. */
export interface ReadablePassage {
  id: string;
  title?: string;
  text: string;
  /** The sentence that won the passage its place, which is kept where the passage is cut. */
  sentence?: string;
  /** What ranks it; the larger of two scores is better. */
  score?: number;
  publishedAt?: number;
  validFrom?: number;
  validTo?: number;
  /** IANA name of the time zone of its days. Default UTC; in a system that of the corpus. */
  timeZone?: string | undefined;
}

/** A question with the passages to read, best first, and where notes for the trace go. */
export interface ReaderInput {
  question: ParsedQuestion;
  passages: readonly ReadablePassage[];
  note: (key: string, value: unknown) => void;
  signal?: AbortSignal;
}

/** A reading that a model does. */
export interface ModelReaderInput extends ReaderInput {
  model: TextModel;
  characters: number;
}
