// Blocks of a document: the structure that chunks follow, whatever format it was read from.

export interface Block {
  /** UTF-16 offsets into the document's text, half-open. */
  start: number;
  end: number;
  /**
   * `text` is cut between sentences, `whole` (code, a table) only where it has too many tokens, and
   * then between lines. A heading begins a chunk.
   */
  kind: 'text' | 'whole' | 'heading';
  /** Of a heading: 1 to 6. */
  level?: number;
  /** Of a heading: its words, without markup. */
  heading?: string;
}

/** A text of one block. */
export const oneBlock = (text: string): Block[] => [{ start: 0, end: text.length, kind: 'text' }];
