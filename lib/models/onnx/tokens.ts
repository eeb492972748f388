// Texts and pairs of texts as token ids, truncated, and as padded tensors.
import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import { AsOfError } from '../../errors.js';

/** Token ids with special tokens, and their token types. */
export interface Row {
  ids: readonly number[];
  types: readonly number[];
}

export interface Tokeniser {
  one(text: string): Row;
  /** Two texts; the longer is truncated first, then both equally. */
  pair(first: string, second: string): Row;
}

/** The used part of `Tokenizer`, whose declarations do not resolve as ES modules. */
interface TextEncoding {
  encode(
    text: string,
    options: {
      text_pair?: string | null;
      add_special_tokens?: boolean;
      return_token_type_ids?: boolean;
    },
  ): { ids: number[]; token_type_ids?: number[] };
}
const TextTokenizer = Tokenizer as unknown as new (
  tokenizer: object,
  config: object,
) => TextEncoding;

/** The special tokens around texts, and the types of runs and texts in turn. */
interface Frame {
  runs: number[][];
  types: number[];
  count: number;
}

/** @throws AsOfError ERR_INVALID_INPUT for no tokenizer; pair() where it knows no pairs */
export function openTokenizer(
  file: string,
  configFile: string | undefined,
  maxTokens: number,
): Tokeniser {
  let tokenizer: TextEncoding;
  let frames: { one: Frame | undefined; pair: Frame | undefined };
  try {
    const read = (path: string): object => JSON.parse(readFileSync(path, 'utf8')) as object;
    tokenizer = new TextTokenizer(read(file), configFile === undefined ? {} : read(configFile));
    frames = { one: frameOf(tokenizer, ['a']), pair: frameOf(tokenizer, ['a', 'a']) };
    if (!frames.one) throw new Error('it omits the letter a');
  } catch (error) {
    const message = `Expected ${file} to be a tokenizer, it could not be opened: ${(error as Error).message}. Fetch the model's files again.`;
    throw new AsOfError('ERR_INVALID_INPUT', message, { cause: error });
  }
  const bare = (text: string): number[] =>
    tokenizer.encode(text, { add_special_tokens: false }).ids;
  let last = { text: '', ids: bare('') }; // one question is paired with many texts
  return {
    one: (text) => framed(frames.one!, [bare(text)], maxTokens),
    pair(first, second) {
      if (!frames.pair) {
        throw new AsOfError(
          'ERR_INVALID_INPUT',
          `Expected ${file} to say how two texts are put together, it does not. Fetch the files of a cross-encoder.`,
        );
      }
      if (last.text !== first) last = { text: first, ids: bare(first) };
      return framed(frames.pair, [last.ids, bare(second)], maxTokens);
    },
  };
}

/** The special tokens of an encoded example; undefined if a text is missing from it. */
function frameOf(tokenizer: TextEncoding, texts: [string, string?]): Frame | undefined {
  const example = tokenizer.encode('a', { add_special_tokens: false }).ids;
  const { ids, token_type_ids: types = ids.map(() => 0) } = tokenizer.encode(texts[0], {
    text_pair: texts[1] ?? null,
    return_token_type_ids: true,
  });
  const frame: Frame = { runs: [], types: [], count: 0 };
  let from = 0;
  for (let text = 0; text < texts.length; text += 1) {
    const at = ids.findIndex(
      (_, index) => index >= from && example.every((id, i) => ids[index + i] === id),
    );
    if (at === -1) return undefined;
    frame.runs.push(ids.slice(from, at));
    frame.types.push(types[from] ?? 0, types[at] ?? 0);
    from = at + example.length;
  }
  frame.runs.push(ids.slice(from));
  frame.types.push(types[from] ?? 0);
  frame.count = frame.runs.reduce((sum, run) => sum + run.length, 0);
  return frame;
}

function framed({ runs, types, count }: Frame, texts: readonly number[][], maxTokens: number): Row {
  const kept = shares(
    texts.map((text) => text.length),
    Math.max(0, maxTokens - count),
  );
  const parts = runs.flatMap((run, i) =>
    i < texts.length ? [run, texts[i]!.slice(0, kept[i])] : [run],
  );
  return {
    ids: parts.flat(),
    types: parts.flatMap((part, i) => new Array<number>(part.length).fill(types[i] ?? 0)),
  };
}

/**
 * Tokens of one or two texts within `room`, the longer cut first, as cross-encoders are trained.
 */
function shares(lengths: readonly number[], room: number): number[] {
  const [first, second] = lengths as [number, number?];
  if (second === undefined) return [Math.min(first, room)];
  if (first + second <= room) return [first, second];
  const half = Math.floor(room / 2);
  if (first <= half) return [first, room - first];
  if (second <= half) return [room - second, second];
  return first > second ? [room - half, half] : [half, room - half];
}

export interface PaddedRows {
  rows: number;
  /** Tokens of the longest row. */
  length: number;
  inputs: Record<
    'input_ids' | 'attention_mask' | 'token_type_ids' | 'position_ids',
    () => BigInt64Array
  >;
}

/** Inputs of one run, built on demand, as few models take all. `typeCount`: token types. */
export function padded(batch: readonly Row[], padId: number, typeCount: number): PaddedRows {
  const length = batch.reduce((longest, { ids }) => Math.max(longest, ids.length), 1);
  const filled = (value: (row: Row, at: number) => number): BigInt64Array => {
    const values = new BigInt64Array(batch.length * length);
    batch.forEach((row, i) => {
      for (let at = 0; at < length; at += 1) values[i * length + at] = BigInt(value(row, at));
    });
    return values;
  };
  return {
    rows: batch.length,
    length,
    inputs: {
      input_ids: () => filled(({ ids }, at) => ids[at] ?? padId),
      attention_mask: () => filled(({ ids }, at) => (at < ids.length ? 1 : 0)),
      token_type_ids: () => filled(({ types }, at) => Math.min(types[at] ?? 0, typeCount - 1)),
      position_ids: () => filled((_, at) => at),
    },
  };
}

/** Row indices by ascending length, so that batches have little padding. */
export function byLength(rows: readonly Row[]): number[] {
  return rows.map((_, i) => i).sort((a, b) => rows[a]!.ids.length - rows[b]!.ids.length);
}
