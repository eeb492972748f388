// Documents of LangChain that its classes here are tested with, and embeddings that count letters.
import { Document } from '@langchain/core/documents';
import { Embeddings } from '@langchain/core/embeddings';

export const ministers = [
  new Document({
    id: 'may',
    pageContent: 'Theresa May became prime minister of the United Kingdom on 13 July 2016.',
    metadata: { source: 'wire', publishedAt: '2016-07-14', page: 1 },
  }),
  new Document({
    id: 'johnson',
    pageContent: 'Boris Johnson became prime minister of the United Kingdom on 24 July 2019.',
    metadata: { source: 'paper', publishedAt: '2019-07-25T08:00Z', title: 'A new leader' },
  }),
  new Document({
    id: 'sunak',
    pageContent: 'Rishi Sunak became prime minister of the United Kingdom on 25 October 2022.',
    metadata: { source: 'wire', publishedAt: '2022-10-26', loc: { lines: { from: 1, to: 2 } } },
  }),
];

/** Vectors of 26 numbers: how often each letter occurs. */
export class LetterEmbeddings extends Embeddings {
  /** Texts that were embedded. */
  readonly texts: string[] = [];

  constructor() {
    super({});
  }

  override async embedDocuments(texts: string[]): Promise<number[][]> {
    return Promise.all(texts.map((text) => this.embedQuery(text)));
  }

  override async embedQuery(text: string): Promise<number[]> {
    this.texts.push(text);
    const counts = new Array<number>(26).fill(0);
    for (const letter of text.toLowerCase()) {
      const at = letter.charCodeAt(0) - 97;
      if (at >= 0 && at < 26) counts[at]! += 1;
    }
    return counts;
  }
}

/** The corpus of their vectors. */
export const letterCorpus = { encoder: { id: 'letters', dimensions: 26 }, sentences: false };

export function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, each, at) => sum + each * y[at]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
