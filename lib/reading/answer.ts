// What an answer is and what reading takes: plain data that the readers, the stage and the command
// line share.
import type { TimeInput } from '../records.js';
import type { TextModel } from '../text/textModel.js';
import type { SpanReader } from './spanReader.js';
import type { ParsedQuestion } from '../time/constraint.js';
import type { ReadValidity } from '../time/validity.js';
import { createHash } from '../runtime/digest.js';

/**
 * How an answer is made. `extract` takes a sentence of the passages, or a span of it that is
 * probably right, without a model or by a `SpanReader`; the others prompt a model: `direct` and
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

/** The least probability of a span that is shown alone, where none is asked for. */
export const defaultConfidence = 0.6;

/** How an answer is read. */
export interface ReadOptions {
  /** Default extract. */
  mode?: ReaderMode | undefined;
  /** Who is prompted. Default: the system's own model. */
  model?: TextModel | undefined;
  /** Who chooses the span of `extract`, such as `onnxReader`. Default: a linear model. */
  reader?: SpanReader | undefined;
  /**
   * How many of the passages found are read, from the best; 1 to 100. Default 5 (MRAG figure 10:
   * the best for a model of 8B).
   */
  passages?: number | undefined;
  /**
   * Characters of passages that one prompt may hold, 200 or more; a long passage gives whole
   * sentences around its best one. Default 12,000, some 3,000 tokens of English, or less where the
   * model says that its context is small.
   */
  characters?: number | undefined;
  /**
   * How probable `extract` must find a span to give it as the answer, 0 to 1; else it gives the
   * whole sentence. Default 0.6: of dated facts eight in ten such spans are right, of chats and
   * notes, where few are shown, two; 0 always gives a span, for measures of exact match.
   */
  leastConfidence?: number | undefined;
  /**
   * Sampling temperature of the model, 0 to 2. Default 0, so that answers repeat; the paper's 0.2.
   */
  temperature?: number | undefined;
  /**
   * What `concatenated` and `selfMrag` answer where the passages do not tell: nothing, or what the
   * model knows, by the prompt of `direct`. Default abstain; memory is the paper's (appendix Q).
   */
  fallback?: (typeof fallbacks)[number] | undefined;
  /**
   * Few-shot examples of the prompts that ask for the answer, in place of their own; at most 50,
   * none for an empty list. The paper's readers have 10. Default: one or two that are made up.
   */
  examples?:
    | readonly {
        question: string;
        /** Default: the day of asking of the question that is read. */
        askedAt?: TimeInput | undefined;
        /** What a reader of shown passages reads: passages, or for `selfMrag` notes of them. */
        passages?: readonly { title?: string | undefined; text: string }[] | undefined;
        /** Written before the answer by `chainOfThought` and `selfMrag`. */
        reasoning?: string | undefined;
        /** Empty where the passages do not tell. */
        answer: string;
      }[]
    | undefined;
}

/** The names of the options of a reader. */
export const readOptionNames = [
  'mode',
  'model',
  'reader',
  'passages',
  'characters',
  'temperature',
  'fallback',
  'leastConfidence',
  'examples',
] as const satisfies readonly (keyof ReadOptions)[];

/** See `ReadOptions`. */
export const fallbacks = ['abstain', 'memory'] as const;

/** The options of a reader as tables print them, and by which stored runs are found again. */
export function readingShown({ model: _model, ...options }: ReadOptions): Record<string, unknown> {
  const { mode = 'extract', passages = defaultPassages, examples, reader, ...others } = options;
  return {
    mode,
    ...(reader ? { reader: reader.id } : {}),
    passages,
    ...others,
    ...(examples ? { examples: `${examples.length}, sha256 ${digestOf(examples)}` } : {}),
  };
}

const digestOf = (examples: readonly ReaderExample[]): string =>
  createHash('sha256').update(JSON.stringify(examples)).digest('hex').slice(0, 12);

/** A few-shot example of the reader's prompts. */
export type ReaderExample = NonNullable<ReadOptions['examples']>[number];

/** What the evidence says. */
export interface Answer {
  text: string;
  /**
   * The probability that `text` is the very answer, where `extract` took it out of its sentence;
   * absent where it is the sentence.
   */
  spanConfidence?: number | undefined;
  /** What `text` lists, where the question asks for several. */
  items?: string[] | undefined;
  /**
   * The sentence in which the answer's words occur; absent where no passage that was read has them.
   */
  sentence?: string | undefined;
  /**
   * Ids of the passages it rests on; none where a model answered from memory and no passage has its
   * words.
   */
  evidence: string[];
  /**
   * The probability that the first of them answers the question, 0 to 1, in systems that rank by
   * probability.
   */
  confidence?: number | undefined;
  /** From when to when the first of them holds, in systems that read it. */
  validity?: ReadValidity | undefined;
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
  /** Receives the answer as far as it is written. */
  onAnswer?: ((text: string) => void) | undefined;
}

/** How a model is prompted for an answer. */
export interface PromptOptions
  extends Required<Pick<ReadOptions, 'model' | 'characters' | 'temperature' | 'fallback'>> {
  /** Undefined for those of the prompts. */
  examples: ReadOptions['examples'];
}

/** A reading that a model does. */
export type ModelReaderInput = ReaderInput & PromptOptions;
