// LlamaIndex retriever over a system, with the evidence in the metadata of nodes.
import type { QueryBundle } from '@llamaindex/core/query-engine';
import { BaseRetriever } from '@llamaindex/core/retriever';
import type { NodeWithScore } from '@llamaindex/core/schema';
import { extractText } from '@llamaindex/core/utils';
import type { AskOptions, Question, System } from 'asof';
import { checkOptionNames, invalidArgument, maxPassages, mustBeWhole } from 'asof/kit';
import { evidenceNode } from './nodes.js';

export interface LlamaIndexRetrieverOptions
  extends Pick<Question, 'askedAt'>,
    Pick<AskOptions, 'where' | 'since' | 'until' | 'only' | 'asRecorded' | 'signal'> {
  /** Nodes to return, 1 to 10,000. Default 4. */
  k?: number | undefined;
}

/**
 * A retriever over a system. A node has the passage's id, text and metadata, the evidence in
 * `metadata.asof` with the names of `asof ask --json`, and the system's score. `embeddings` of a
 * question are its vector. LlamaIndex hands a retriever nothing but the question: make one for each
 * `askedAt`, filter or `signal`, which costs nothing.
 * @throws AsOfError ERR_INVALID_ARGUMENT; of retrieve(): what the system rejects with
 * @example const nodes = await llamaIndexRetriever(hybrid({ corpus }), { only: 'current' })
 *   .retrieve('Who is the UK prime minister?');
 */
export const llamaIndexRetriever = (
  system: System,
  options: LlamaIndexRetrieverOptions = {},
): AsOfRetriever => new AsOfRetriever(system, options);

export class AsOfRetriever extends BaseRetriever {
  readonly #system: System;
  readonly #askedAt: Question['askedAt'];
  readonly #options: AskOptions;

  constructor(system: System, options: LlamaIndexRetrieverOptions = {}) {
    super();
    if (typeof system?.run !== 'function')
      throw invalidArgument('system', 'a System', system, 'Make one: hybrid({ corpus }).');
    const names = ['k', 'askedAt', 'where', 'since', 'until', 'only', 'asRecorded', 'signal'];
    checkOptionNames('llamaIndexRetriever', options, names);
    const { k = 4, askedAt, ...others } = options;
    mustBeWhole({ k }, 1, maxPassages);
    this.#system = system;
    this.#askedAt = askedAt;
    this.#options = { k, ...others };
  }

  override async _retrieve({ query, embeddings }: QueryBundle): Promise<NodeWithScore[]> {
    const question = { text: extractText(query), askedAt: this.#askedAt, vector: embeddings };
    const { evidence } = await this.#system.run(question, this.#options);
    return evidence.map((each) => ({ node: evidenceNode(each), score: each.score }));
  }
}
