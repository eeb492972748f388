// LangChain document compressor: given documents ranked by question and time, without a corpus of
// the caller's.
import type { DocumentInterface } from '@langchain/core/documents';
import { BaseDocumentCompressor } from '@langchain/core/retrievers/document_compressors';
import {
  checkClocks,
  checkEncoder,
  checkOptionNames,
  documentRanker,
  maxPassages,
  mustBe,
  mustBeWhole,
  type Clocks,
} from 'asof/kit';
import type { TimeInput, Encoder } from 'asof';
import { evidenceMetadata, passageOf } from './documents.js';

export interface AsOfCompressorOptions {
  /** Most documents to return, 1 to 10,000. Default: all of them. */
  k?: number | undefined;
  /** Time of the questions. Default now. */
  askedAt?: TimeInput | undefined;
  /** Encodes questions and documents. Default: the embedded encoder. */
  encoder?: Encoder | undefined;
  /** Entries of metadata that hold the documents' times. */
  clocks?: Clocks | undefined;
}

/**
 * Ranks documents, of any retriever, as `hybrid` ranks a corpus of them: by question and time.
 * Omitted are documents without text, those published after the time of asking, and those that
 * another one restates. A result is the document with its evidence under `metadata.asof`. The
 * documents of a call, at most 10,000, are indexed in a temporary folder while it runs.
 * @throws AsOfError ERR_INVALID_ARGUMENT; of compressDocuments(): what a corpus and `hybrid` reject
 * with.
 * @example const documents = await new AsOfCompressor({ k: 4 }).compressDocuments(found, question);
 */
export class AsOfCompressor extends BaseDocumentCompressor {
  readonly #options: AsOfCompressorOptions;
  readonly #clocks: Required<Clocks>;

  constructor(options: AsOfCompressorOptions = {}) {
    super();
    checkOptionNames('AsOfCompressor', options, ['k', 'askedAt', 'encoder', 'clocks']);
    const { k, encoder } = options;
    if (k !== undefined) mustBeWhole({ k }, 1, maxPassages);
    if (encoder !== undefined) checkEncoder(encoder);
    this.#options = options;
    this.#clocks = checkClocks(options.clocks);
  }

  override async compressDocuments(
    documents: DocumentInterface[],
    query: string,
  ): Promise<DocumentInterface[]> {
    mustBe('an array', { documents });
    const { k = maxPassages, askedAt, encoder } = this.#options;
    // Ids of documents may be absent, or shared by chunks.
    const passages = documents
      .map((each, at) => passageOf(each, `${at}`, this.#clocks))
      .filter(({ text }) => text.trim() !== '');
    if (passages.length === 0) return [];
    const question = { text: query, askedAt };
    const rank = documentRanker('AsOfCompressor', { encoder });
    const { evidence: ranked } = await rank(question, passages, { k });
    return ranked.map(({ id, text: _, ...evidence }) => {
      const document = documents[Number(id)]!;
      return { ...document, metadata: { ...document.metadata, asof: evidenceMetadata(evidence) } };
    });
  }
}
