// What a system is to its users: a name, a composition that prints itself, and `run`. A system
// holds no state of its own: it reads the corpus it was given, as it stands when the question
// comes.
import { passagesRead, type Answer, type ReadOptions } from '../reading/answer.js';
import type { Read } from '../reading/reader.js';
import {
  exactnesses,
  readingsOf,
  type Exactness,
  type ScanReading,
} from '../retrieval/flatScan.js';
import type { Dropped, Evidence } from '../reading/evidence.js';
import { checkOptionNames, invalidArgument, throwIfAborted } from '../errors.js';
import type { Question } from '../records.js';
import type { Pipeline, TraceEntry } from '../pipeline.js';
import type { Corpus } from '../store/corpus.js';
import type { Snapshot } from '../store/snapshot.js';
import type { TextModel } from '../text/textModel.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import { onlyAmong } from './among.js';

/** What a system found for one question. */
export interface SystemResult {
  question: ParsedQuestion;
  /** Best first, at most k. */
  evidence: Evidence[];
  /** What was found and left out, and why; only of systems that drop. */
  dropped?: Dropped[];
  /**
   * How rows were read where they were searched by vector: the type, how many were scored by their
   * f32 vectors after it, whether it is exact.
   */
  scan?: ScanReading;
  /** What the evidence says, where the system reads it. */
  answer?: Answer;
  trace: TraceEntry[];
}

/** What every system takes. */
export interface CommonOptions {
  corpus: Corpus;
  /**
   * Prompted by the stages that have a form with a model. Without one every stage works by rules.
   */
  model?: TextModel;
  /** How the answer is made of the evidence. Default: extracted by rules. */
  read?: ReadOptions;
}

/** How one question is asked. */
export interface AskOptions {
  /**
   * Passages to return, 1 to 10,000. Default 10. The answer is read off as many as `read.passages`
   * says, whatever this is.
   */
  k?: number;
  /**
   * Ids of the only passages that may be found: a fixed pool of candidates. Those that the corpus
   * lacks are passed over. Default: all.
   */
  among?: readonly string[];
  /**
   * Of a corpus that stores vectors in few bits too. 'certified': the result of the f32 vectors,
   * bit for bit. 'rescored': the best 4 k by the few bits, ordered by their f32 vectors. 'raw': by
   * the few bits alone. Default 'certified'.
   */
  exactness?: Exactness;
  signal?: AbortSignal;
}

/**
 * A retrieval system over one corpus. It holds no state of its own: every question reads the corpus
 * as it stands then.
 */
export interface System {
  readonly name: string;
  /** Every option that changes a published number, for tables. */
  readonly options: Readonly<Record<string, unknown>>;
  run(question: Question, options?: AskOptions): Promise<SystemResult>;
  /** The composition, stage by stage. */
  toString(): string;
}

/** A question with what its stages need: how much is wanted, and the corpus as it stands now. */
export interface Ask {
  question: Question;
  k: number;
  corpus: Corpus;
  snapshot: Snapshot;
  exactness?: Exactness;
  onScan?: (reading: ScanReading) => void;
}

/**
 * What of the caller's the stages of a system would use, with the settings it was asked about. A
 * system that declares nothing uses neither.
 */
export interface Uses {
  /** Whether it scores passages by a reranker that is given. */
  reranker: boolean;
  /** Whether a stage before the reading prompts a model that is given. */
  prompts: boolean;
}

/** The most passages that a system returns for one question. */
export const mostPassages = 10_000;

/** Throws ERR_INVALID_ARGUMENT where `k` is not a number of passages that a system returns. */
export function checkPassageCount(k: number): void {
  if (Number.isInteger(k) && k >= 1 && k <= mostPassages) return;
  throw invalidArgument('k', `a whole number from 1 to ${mostPassages.toLocaleString('en-US')}`, k);
}

/**
 * Makes a system of a composition, whose last stage reads as `reading` says. The snapshot lives as
 * long as the question.
 */
export function system(
  composition: Pipeline<Ask, Read>,
  corpus: Corpus,
  options: Record<string, unknown> = {},
  reading: ReadOptions = {},
): System {
  // Not instanceof: two copies of the package may be loaded.
  if (typeof corpus?.snapshot !== 'function')
    throw invalidArgument(
      'corpus',
      'a Corpus',
      corpus,
      "Open one: await Corpus.open('wiki.asof').",
    );
  return {
    name: composition.name,
    options: {
      ...options,
      read: { mode: reading.mode ?? 'extract', passages: reading.passages ?? passagesRead },
    },
    toString: () => composition.toString(),
    async run(question, options = {}) {
      checkOptionNames(`${composition.name}.run`, options, ['k', 'among', 'exactness', 'signal']);
      const { k = 10, among, exactness = 'certified', signal } = options;
      if (typeof question?.text !== 'string' || question.text.trim() === '') {
        throw invalidArgument(
          'question.text',
          'a question in words',
          question?.text,
          "Pass { text: 'Who ...?' }.",
        );
      }
      checkPassageCount(k);
      if (!exactnesses.includes(exactness))
        throw invalidArgument('exactness', `one of ${exactnesses.join(', ')}`, exactness);
      throwIfAborted(signal);
      const turn = yieldToEventLoop();
      if (turn) await turn;
      const snapshot = corpus.snapshot();
      try {
        const seen = among === undefined ? snapshot : onlyAmong(corpus, snapshot, among);
        const wanted = Math.max(k, reading.passages ?? passagesRead);
        const scans: ScanReading[] = [];
        const ask: Ask = {
          question,
          k: wanted,
          corpus,
          snapshot: seen,
          exactness,
          onScan: (reading) => void scans.push(reading),
        };
        const { output, trace } = await composition.run(ask, signal ? { signal } : {});
        const scan = readingsOf(scans);
        const { parsed, evidence, ...shown } = output;
        return {
          question: parsed,
          evidence: evidence.slice(0, k),
          ...shown,
          ...(scan ? { scan } : {}),
          trace,
        };
      } finally {
        snapshot.release();
      }
    },
  };
}
