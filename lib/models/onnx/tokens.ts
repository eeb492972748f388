// Texts and pairs of texts as token ids, truncated, and as padded tensors.
import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import { AsOfError } from '../../errors.js';
import type { Span } from '../../text/sentences.js';
import { tokenSpans, type Alphabet } from './tokenSpans.js';

/** Token ids with special tokens, and their token types. */
export interface Row {
  ids: readonly number[];
  types: readonly number[];
  /** Of a row with a part of a text. */
  window?: Window;
}

/** A part of a text in a row. */
export interface Window {
  /** Place of its first token in the row. */
  first: number;
  /** Where its tokens are in the text, in UTF-16 units. */
  spans: readonly Span[];
  /** Its tokens that have more context here than in the next windows, half-open. */
  own: readonly [number, number];
}

/** Tokens that a window shares with the next one, at most (Devlin and others 2019: 128). */
const overlap = 128;

export interface Tokeniser {
  one(text: string): Row;
  /** Two texts; the longer is truncated first, then both equally. */
  pair(first: string, second: string): Row;
  /** A question with overlapping parts of a text; the question has at most half of a row. */
  windows(question: string, text: string): Row[];
}

/** The used part of `Tokenizer`, whose declarations do not resolve as ES modules. */
interface TextEncoding extends Alphabet {
  encode(
    text: string,
    options: {
      text_pair?: string | null;
      add_special_tokens?: boolean;
      return_token_type_ids?: boolean;
    },
  ): { ids: number[]; tokens: string[]; token_type_ids?: number[] };
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
  let content: object;
  let tokenizer: TextEncoding;
  let frames: { one: Frame | undefined; pair: Frame | undefined };
  try {
    const read = (path: string): object => JSON.parse(readFileSync(path, 'utf8')) as object;
    content = read(file);
    tokenizer = new TextTokenizer(content, configFile === undefined ? {} : read(configFile));
    frames = { one: frameOf(tokenizer, ['a']), pair: frameOf(tokenizer, ['a', 'a']) };
    if (!frames.one) throw new Error('it omits the letter a');
  } catch (error) {
    const message = `Expected ${file} to be a tokenizer, it could not be opened: ${(error as Error).message}. Fetch the model's files again.`;
    throw new AsOfError('ERR_INVALID_INPUT', message, { cause: error });
  }
  const encoded = (text: string): { ids: number[]; tokens: string[] } =>
    tokenizer.encode(text, { add_special_tokens: false });
  const bare = (text: string): number[] => encoded(text).ids;
  let last = { text: '', ids: bare('') }; // one question is paired with many texts
  const question = (text: string): number[] => {
    if (last.text !== text) last = { text, ids: bare(text) };
    return last.ids;
  };
  const pairs = (): Frame => {
    if (frames.pair) return frames.pair;
    throw new AsOfError(
      'ERR_INVALID_INPUT',
      `Expected ${file} to say how two texts are put together, it does not. Fetch the files of a cross-encoder or a reader.`,
    );
  };
  const spansOf = tokenSpans(tokenizer, content);
  return {
    one: (text) => framed(frames.one!, [bare(text)], maxTokens),
    pair: (first, second) => framed(pairs(), [question(first), bare(second)], maxTokens),
    windows(asked, text) {
      const { ids, tokens } = encoded(text);
      return windowed(pairs(), question(asked), ids, spansOf(text, tokens), maxTokens);
    },
  };
}

function windowed(
  frame: Frame,
  question: readonly number[],
  ids: readonly number[],
  spans: readonly Span[],
  maxTokens: number,
): Row[] {
  const room = maxTokens - frame.count;
  const asked = question.slice(0, Math.floor(room / 2));
  const size = Math.max(1, room - asked.length);
  const shared = Math.min(overlap, Math.floor(size / 2));
  const first = frame.runs[0]!.length + asked.length + frame.runs[1]!.length;
  const rows: Row[] = [];
  for (let [from, to] = [0, 0]; to < ids.length; from += size - shared) {
    to = Math.min(ids.length, from + size);
    const own = [
      from === 0 ? 0 : Math.ceil(shared / 2),
      to - from - (to === ids.length ? 0 : Math.floor(shared / 2)),
    ] as const;
    rows.push({
      ...framed(frame, [asked, ids.slice(from, to)], maxTokens),
      window: { first, spans: spans.slice(from, to), own },
    });
  }
  return rows;
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

function framed(
  { runs, types, count }: Frame,
  texts: readonly (readonly number[])[],
  maxTokens: number,
): Row {
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
