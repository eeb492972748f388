// Texts as token ids, and rows of ids as the padded tensors that a model takes. It cuts and pads by the model's own numbers: the tokenizer does neither.
import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import { AsOfError } from '../../errors.js';

export type Tokenise = (text: string) => number[];

/** Reads the tokenizer. @throws AsOfError ERR_INVALID_INPUT where its files are none */
export function openTokenizer(file: string, configFile: string | undefined, maxTokens: number): Tokenise {
  try {
    const read = (path: string): object => JSON.parse(readFileSync(path, 'utf8')) as object;
    const tokenizer = new Tokenizer(read(file), configFile === undefined ? {} : read(configFile));
    const ending = specialsAtTheEnd(tokenizer);
    return (text) => {
      const { ids } = tokenizer.encode(text);
      if (ids.length <= maxTokens) return ids;
      return [...ids.slice(0, maxTokens - ending), ...ids.slice(ids.length - ending)];
    };
  } catch (error) {
    const message = `Expected ${file} to be a tokenizer, it could not be opened: ${(error as Error).message}. Fetch the model's files again.`;
    throw new AsOfError('ERR_INVALID_INPUT', message, { cause: error });
  }
}

/** How many special tokens close a text ([SEP], </s>): a text that is cut keeps them. */
function specialsAtTheEnd(tokenizer: Tokenizer): number {
  const [none, some] = [tokenizer.encode('').ids, tokenizer.encode('a').ids];
  let opening = 0;
  while (opening < none.length && none[opening] === some[opening]) opening += 1;
  return none.length - opening;
}

export interface PaddedRows {
  rows: number;
  /** Tokens of the longest row. */
  length: number;
  inputs: Record<'input_ids' | 'attention_mask' | 'token_type_ids' | 'position_ids', () => BigInt64Array>;
}

/** The inputs of one run, each made when it is asked for: few models take all of them. */
export function padded(ids: readonly (readonly number[])[], padId: number): PaddedRows {
  const length = ids.reduce((longest, row) => Math.max(longest, row.length), 1);
  const filled = (value: (row: readonly number[], at: number) => number): BigInt64Array => {
    const values = new BigInt64Array(ids.length * length);
    ids.forEach((row, i) => {
      for (let at = 0; at < length; at += 1) values[i * length + at] = BigInt(value(row, at));
    });
    return values;
  };
  return {
    rows: ids.length,
    length,
    inputs: {
      input_ids: () => filled((row, at) => row[at] ?? padId),
      attention_mask: () => filled((row, at) => (at < row.length ? 1 : 0)),
      token_type_ids: () => new BigInt64Array(ids.length * length),
      position_ids: () => filled((_, at) => at),
    },
  };
}

/** The indices of rows from short to long, so that a batch pads little. */
export function byLength(ids: readonly (readonly number[])[]): number[] {
  return ids.map((_, i) => i).sort((a, b) => ids[a]!.length - ids[b]!.length);
}
