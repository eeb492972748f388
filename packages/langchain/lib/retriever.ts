// LangChain retriever over a system, with the evidence in the metadata of documents.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import { ensureConfig, type RunnableConfig } from '@langchain/core/runnables';
import { invalidArgument, maxPassages, mustBeWhole, rejectOnAbort, throwIfAborted } from 'asof/kit';
import type { System, TimeInput, Where } from 'asof';
import { evidenceDocument } from './documents.js';

export interface LangchainRetrieverOptions extends BaseRetrieverInput {
  /** Documents to return, 1 to 10,000. Default 4, as LangChain's retrievers do. */
  k?: number | undefined;
  /**
   * Time of the questions; default now. A call overrides it by `configurable: { askedAt:
   * '2021-05-06' }`.
   */
  askedAt?: TimeInput | undefined;
  /** Only passages that pass this filter. A call overrides it by `configurable: { where }`. */
  where?: Where | undefined;
  /**
   * The corpus as it was recorded at this time, of corpora with history. A call overrides it by
   * `configurable: { asRecorded }`.
   */
  asRecorded?: TimeInput | undefined;
}

/**
 * A retriever over a system. A document has the passage's id and text; its metadata are the
 * passage's own, its title, and the evidence under `asof`. It honours `signal` and `timeout` of
 * LangChain's config, fired already or later, at once.
 * @throws AsOfError ERR_INVALID_ARGUMENT; of invoke(): what the system rejects with, ERR_ABORTED.
 * @example const documents = await langchainRetriever(hybrid({ corpus }), { k: 4 }).invoke('Who was
 * UK prime minister as of 6 May 2021?');
 */
export function langchainRetriever(
  system: System,
  options: LangchainRetrieverOptions = {},
): AsOfRetriever {
  return new AsOfRetriever(system, options);
}

/** What a call may have of its own. */
type Call = Pick<LangchainRetrieverOptions, 'askedAt' | 'where' | 'asRecorded'>;

export class AsOfRetriever extends BaseRetriever {
  lc_namespace = ['asof', 'retrievers'];
  // LangChain hands the signal and the rest of the config to invoke() and not to
  // _getRelevantDocuments().
  readonly #calls = new AsyncLocalStorage<Call & { signal?: AbortSignal }>();
  readonly #system: System;
  readonly #k: number;
  readonly #defaults: Call;

  static override lc_name(): string {
    return 'AsOfRetriever';
  }

  constructor(system: System, options: LangchainRetrieverOptions = {}) {
    if (typeof system !== 'object' || system === null || typeof system.run !== 'function') {
      throw invalidArgument('system', 'a System', system, 'Make one: hybrid({ corpus }).');
    }
    if (typeof options !== 'object' || options === null)
      throw invalidArgument('options', 'an object { k?, askedAt?, ... }', options);
    const { k = 4, askedAt, where, asRecorded, ...fields } = options;
    mustBeWhole({ k }, 1, maxPassages);
    super(fields);
    this.#system = system;
    this.#k = k;
    this.#defaults = given({ askedAt, where, asRecorded });
  }

  override async invoke(question: string, config?: RunnableConfig): Promise<Document[]> {
    const whole = ensureConfig(config); // turns a timeout into a signal
    const { signal } = whole;
    throwIfAborted(signal);
    const { askedAt, where, asRecorded } = (whole.configurable ?? {}) as Call;
    const call = { ...given({ askedAt, where, asRecorded }), signal };
    return (await rejectOnAbort(
      this.#calls.run(call, () => super.invoke(question, whole)),
      signal,
    )) as Document[];
  }

  override async _getRelevantDocuments(text: string): Promise<Document[]> {
    const { askedAt, ...options } = { ...this.#defaults, ...this.#calls.getStore() };
    const question = askedAt === undefined ? { text } : { text, askedAt };
    const { evidence } = await this.#system.run(question, { k: this.#k, ...options });
    return evidence.map(evidenceDocument);
  }
}

/** The entries that are not undefined. */
const given = (call: { [Name in keyof Call]: Call[Name] | undefined }): Call =>
  Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined));
