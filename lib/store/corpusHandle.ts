// What an open corpus has whatever keeps its passages: its states, its encoder and its questions.
import { AsOfError } from '../errors.js';
import type { RunOptions } from '../records.js';
import { checkRunOptions, closingController, withLinkedSignal } from '../runtime/cancellation.js';
import { canEncode, withEncode, type Encoder, type NamedEncoder } from '../vectors/encoder.js';
import type { CorpusOptions } from './corpusOptions.js';
import type { Manifest } from './format/manifest.js';
import { passageRules, type PassageRules } from './passages/passages.js';
import { QuestionQueue } from './questionQueue.js';
import type { Snapshot } from './views/snapshot.js';
import { closedError, readOnlyError } from './writing/writerLease.js';

export abstract class CorpusHandle {
  readonly readOnly: boolean;
  /** IANA name of the time zone of its days: of dates of passages, and of questions by default. */
  readonly timeZone: string;
  /** @internal */
  readonly questions: QuestionQueue;
  /** Aborted by close(). */
  protected readonly closer = closingController();
  /** Those that are not released. */
  protected readonly snapshots = new Set<Snapshot>();

  /** `place` names the corpus in errors: the path of its folder, for example. */
  protected constructor(
    private readonly place: string,
    private readonly givenEncoder: NamedEncoder | undefined,
    { readOnly = false, timeZone = 'UTC', concurrency }: CorpusOptions,
  ) {
    this.readOnly = readOnly;
    this.timeZone = timeZone;
    this.questions = new QuestionQueue(place, concurrency);
  }

  protected abstract manifest(): Manifest;
  abstract close(): Promise<void>;

  get isOpen(): boolean {
    return !this.closer.signal.aborted;
  }

  /**
   * The encoder of this corpus's passages and questions. Where it was opened with none that
   * encodes, its `encode` rejects with ERR_ENCODER_MISMATCH.
   * @throws AsOfError ERR_CLOSED
   */
  get encoder(): Encoder {
    this.checkOpen();
    return withEncode(this.givenEncoder ?? this.manifest().encoder, this.place);
  }

  /** @internal */
  get passageRules(): PassageRules {
    return passageRules(this.manifest(), !this.givenEncoder || canEncode(this.givenEncoder));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Runs a call's work under a signal that fires when its own does or the corpus is closed.
   * @throws AsOfError ERR_CLOSED, ERR_ABORTED, ERR_INVALID_ARGUMENT for options that are none
   */
  protected async whileOpen<Options extends RunOptions, Result>(
    options: Options,
    work: (linked: Options) => Promise<Result>,
  ): Promise<Result> {
    this.checkOpen();
    checkRunOptions(options);
    try {
      return await withLinkedSignal(options.signal, this.closer.signal, (signal) =>
        work({ ...options, signal }),
      );
    } catch (error) {
      throw this.isOpen || !AsOfError.is(error) ? error : closedError(this.place, error);
    }
  }

  /** @throws AsOfError ERR_CLOSED */
  protected checkOpen(): void {
    if (!this.isOpen) throw closedError(this.place);
  }

  /** The first line of what writes. @throws AsOfError ERR_CLOSED, ERR_INVALID_ARGUMENT */
  protected checkWritable(): void {
    this.checkOpen();
    if (this.readOnly) throw readOnlyError(this.place);
  }
}
