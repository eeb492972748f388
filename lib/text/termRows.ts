// Packed term rows for the native index builder: distinct terms once, a term number per token, rows
// in the segment's order.

import { atOnce, type Steps } from '../runtime/eventLoop.js';

export interface PackedTermRows {
  /** Distinct terms in UTF-8, end to end, in order of first appearance. */
  termBytes: Uint8Array;
  /** terms + 1 offsets into termBytes. */
  termOffsets: Uint32Array;
  /** rows + 1 offsets into rowTerms. */
  rowOffsets: Uint32Array;
  /** Term number of each token. */
  rowTerms: Uint32Array;
}

export class TermRows {
  private readonly numbers = new Map<string, number>();
  /** Where lists of terms begin among the tokens. */
  private readonly places = new Map<readonly string[], number>();
  private rowTerms = new Uint32Array(4096);
  private rowOffsets = new Uint32Array(1024);
  private tokens = 0;
  private rows = 0;

  get length(): number {
    return this.rows;
  }

  /** Adds the next row's terms, repetitions included. Rows may be empty. */
  add(terms: readonly string[]): void {
    this.push(terms);
    this.end();
  }

  /** Adds terms to the row that `end` ends; a list that was added before is copied. */
  push(terms: readonly string[]): void {
    if (this.tokens + terms.length > this.rowTerms.length) {
      this.rowTerms = grown(this.rowTerms, this.tokens + terms.length);
    }
    const known = this.places.get(terms);
    if (known !== undefined) {
      this.rowTerms.copyWithin(this.tokens, known, known + terms.length);
      this.tokens += terms.length;
      return;
    }
    this.places.set(terms, this.tokens);
    for (const term of terms) {
      let number = this.numbers.get(term);
      if (number === undefined) {
        number = this.numbers.size;
        this.numbers.set(term, number);
      }
      this.rowTerms[this.tokens++] = number;
    }
  }

  end(): void {
    this.rows += 1;
    if (this.rows >= this.rowOffsets.length)
      this.rowOffsets = grown(this.rowOffsets, this.rows + 1);
    this.rowOffsets[this.rows] = this.tokens;
  }

  /** The arrays, compact. More rows may be added afterwards. */
  pack(): PackedTermRows {
    return atOnce(this.packSteps());
  }

  *packSteps(): Steps<PackedTermRows> {
    const termOffsets = new Uint32Array(this.numbers.size + 1);
    let number = 0;
    for (const term of this.numbers.keys()) {
      termOffsets[number + 1] = termOffsets[number]! + Buffer.byteLength(term, 'utf8');
      number += 1;
      yield;
    }
    const termBytes = Buffer.from(new ArrayBuffer(termOffsets[number]!));
    number = 0;
    for (const term of this.numbers.keys()) {
      termBytes.write(term, termOffsets[number++]!, 'utf8');
      yield;
    }
    return {
      termBytes,
      termOffsets,
      rowOffsets: this.rowOffsets.slice(0, this.rows + 1),
      rowTerms: this.rowTerms.slice(0, this.tokens),
    };
  }
}

function grown(array: Uint32Array<ArrayBuffer>, needed: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(needed, array.length * 2));
  larger.set(array);
  return larger;
}
