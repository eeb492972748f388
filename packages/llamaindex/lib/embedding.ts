// The encoder of a corpus as embeddings of LlamaIndex, which embeds nodes and questions itself.
import { BaseEmbedding } from '@llamaindex/core/embeddings';
import type { MessageContentDetail } from '@llamaindex/core/llms';
import type { Encoder } from 'asof';
import { encodeTexts } from 'asof/kit';

/**
 * An encoder as an embedding model: `new VectorStoreIndex` and others then need no other model.
 * @example Settings.embedModel = new AsOfEmbedding(await staticEncoder());
 */
export class AsOfEmbedding extends BaseEmbedding {
  readonly #encoder: Encoder;

  constructor(encoder: Encoder) {
    super();
    this.#encoder = encoder;
    this.embedInfo = { dimensions: encoder.dimensions };
    // Else a call for each text.
    this.getTextEmbeddings = (texts) => this.#encode(texts, 'passage');
  }

  override async getTextEmbedding(text: string): Promise<number[]> {
    return (await this.#encode([text], 'passage'))[0]!;
  }

  /** Null of what is no text, as LlamaIndex has it. */
  override async getQueryEmbedding(query: MessageContentDetail): Promise<number[] | null> {
    return query.type === 'text' ? (await this.#encode([query.text], 'query'))[0]! : null;
  }

  async #encode(texts: string[], kind: 'passage' | 'query'): Promise<number[][]> {
    const { dimensions } = this.#encoder;
    const vectors = await encodeTexts(this.#encoder, texts, { kind });
    return texts.map((_, at) => [...vectors.subarray(at * dimensions, (at + 1) * dimensions)]);
  }
}
