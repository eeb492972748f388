// Stand-ins for a published sentence encoder, a cross-encoder and an extractive reader: a folder
// with configuration, tokenizer and a tiny ONNX model, of random weights or (the reader) of logits
// by token, written from here byte by byte, and the same models in float64 as their oracles. They
// know nothing; what is tested with them is the plumbing, never quality.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Whether onnxruntime-node, which users install themselves, is here. */
export function runtimeIsInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('onnxruntime-node');
    return true;
  } catch {
    return false;
  }
}

export const dimensions = 8;
const words = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  '[MASK]',
  'the',
  'king',
  'of',
  'spain',
  'in',
  'was',
  'born',
  '1944',
  'query',
  ':',
  'a',
  'passage',
];
export const positions = 12;

/**
 * Numbers in (-1, 1) from a seed (a linear congruential generator: reproducible is all they need to
 * be).
 */
function numbers(count: number, seed: number): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from(
    { length: count },
    () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1,
  );
}

// The wire format of Protocol Buffers: a key, then a number or a length and bytes.
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
const int = (field: number, value: number): Buffer =>
  Buffer.from([...varint(field << 3), ...varint(value)]);
const bytes = (field: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(body.length)]), body]);
};
const string = (field: number, value: string): Buffer => bytes(field, Buffer.from(value));

const float32 = 1;
const int64 = 7;
const tensor = (
  name: string,
  type: number,
  dims: number[],
  data: Float32Array | BigInt64Array,
): Buffer =>
  bytes(
    5,
    ...dims.map((dim) => int(1, dim)),
    int(2, type),
    string(8, name),
    bytes(9, new Uint8Array(data.buffer)),
  );
const node = (
  op: string,
  inputs: string[],
  output: string,
  attributes: Record<string, number> = {},
): Buffer => {
  const listed = Object.entries(attributes).map(([name, value]) =>
    bytes(5, string(1, name), int(3, value), int(20, 2)),
  );
  return bytes(
    1,
    ...inputs.map((input) => string(1, input)),
    string(2, output),
    string(3, output),
    string(4, op),
    ...listed,
  );
};
const value = (field: number, name: string, type: number, dims: (string | number)[]): Buffer => {
  const shape = dims.map((dim) => bytes(1, typeof dim === 'string' ? string(2, dim) : int(1, dim)));
  return bytes(field, string(1, name), bytes(2, bytes(1, int(1, type), bytes(2, ...shape))));
};

interface Parts {
  /**
   * The output's name: of a vector for each token, of one for all (a model that pools inside), or
   * of a cross-encoder's logits.
   */
  output?: 'last_hidden_state' | 'sentence_embedding' | 'logits';
  /** The name of the first input. */
  input?: string;
  /** Repetitions of the last layer, so that a run takes time. */
  layers?: number;
  /** Logits of a cross-encoder; default 1. */
  classes?: number;
  seed?: number;
}

const weights = (seed: number, classes = 1) => ({
  E: numbers(words.length * dimensions, seed),
  W: numbers(dimensions * dimensions, seed + 1),
  /** Of token types. */
  T: numbers(2 * dimensions, seed + 2),
  /** From the mean of the hidden vectors to logits. */
  C: numbers(dimensions * classes, seed + 3).map((each) => each * 4),
});

/**
 * hidden = tanh(E[id] + T[type] + mean of the same over the attended tokens, through W): each token
 * depends on all that the mask lets through.
 */
export function modelBytes({
  output = 'last_hidden_state',
  input = 'input_ids',
  layers = 1,
  classes = 1,
  seed = 7,
}: Parts = {}): Buffer {
  const d = dimensions;
  const { E, W, T, C } = weights(seed, classes);
  const axes = (name: string, axis: number): Buffer =>
    tensor(name, int64, [1], BigInt64Array.of(BigInt(axis)));
  const last = `layer${layers - 1}`;
  const ends = {
    last_hidden_state: [node('Tanh', [last], output)],
    sentence_embedding: [node('ReduceMean', [last], output, { keepdims: 0, axes: 0 })],
    logits: [
      node('Tanh', [last], 'hidden'),
      node('Mul', ['hidden', 'column'], 'shown'),
      node('ReduceSum', ['shown', 'one'], 'shownSum'),
      node('Div', ['shownSum', 'count'], 'pooled'),
      node('MatMul', ['pooled', 'C'], 'classified'),
      node('Squeeze', ['classified', 'one'], output),
    ],
  };
  const shapes = {
    last_hidden_state: ['batch', 'sequence', d],
    sentence_embedding: ['batch', d],
    logits: ['batch', classes],
  };
  const inputs = [input, 'attention_mask', ...(output === 'logits' ? ['token_type_ids'] : [])];
  const graph = [
    node('Gather', ['E', input], 'words'),
    ...(output === 'logits'
      ? [
          node('Gather', ['T', 'token_type_ids'], 'types'),
          node('Add', ['words', 'types'], 'embedded'),
        ]
      : [node('Identity', ['words'], 'embedded')]),
    node('Cast', ['attention_mask'], 'mask', { to: float32 }),
    node('Unsqueeze', ['mask', 'two'], 'column'),
    node('Mul', ['embedded', 'column'], 'attended'),
    node('ReduceSum', ['attended', 'one'], 'sum'),
    node('ReduceSum', ['column', 'one'], 'count'),
    node('Div', ['sum', 'count'], 'mean'),
    node('MatMul', ['mean', 'W'], 'context'),
    node('Add', ['embedded', 'context'], 'layer0'),
    ...Array.from({ length: layers - 1 }, (_, i) =>
      node('MatMul', [`layer${i}`, 'I'], `layer${i + 1}`),
    ),
    ...ends[output],
    string(2, 'double'),
    tensor('E', float32, [words.length, d], E),
    tensor('W', float32, [d, d], W),
    tensor(
      'I',
      float32,
      [d, d],
      Float32Array.from({ length: d * d }, (_, i) => (i % (d + 1) === 0 ? 1 : 0)),
    ),
    ...(output === 'logits'
      ? [tensor('T', float32, [2, d], T), tensor('C', float32, [d, classes], C)]
      : []),
    axes('one', 1),
    axes('two', 2),
    ...inputs.map((name) => value(11, name, int64, ['batch', 'sequence'])),
    value(12, output, float32, shapes[output]),
  ];
  return model(graph);
}

const model = (graph: readonly Buffer[]): Buffer =>
  Buffer.concat([int(1, 8), bytes(8, string(1, ''), int(2, 17)), bytes(7, ...graph)]);

export interface ReaderParts {
  /** Logits by token; those of the others. */
  starts: Record<string, number>;
  ends: Record<string, number>;
  others?: number;
  /** What type 1 adds to a start logit; undefined for a model without token types. */
  typed?: number | undefined;
  outputs?: readonly [string, string];
  /** Ids of tokens, by default of the double's. */
  vocabulary?: readonly string[];
}

/** A reader whose logits are those of the token alone. */
export function readerBytes({
  starts,
  ends,
  others = -100,
  typed,
  outputs = ['start_logits', 'end_logits'],
  vocabulary = words,
}: ReaderParts): Buffer {
  const logits = (name: string, by: Record<string, number>): Buffer =>
    tensor(
      name,
      float32,
      [vocabulary.length],
      Float32Array.from(vocabulary, (word) => by[word] ?? others),
    );
  const [start, end] = outputs;
  const isTyped = typed !== undefined;
  const inputs = ['input_ids', 'attention_mask', ...(isTyped ? ['token_type_ids'] : [])];
  return model([
    node('Gather', ['S', 'input_ids'], isTyped ? 'bare' : start),
    ...(isTyped
      ? [
          node('Gather', ['T', 'token_type_ids'], 'types'),
          node('Add', ['bare', 'types'], start),
          tensor('T', float32, [2], Float32Array.of(0, typed)),
        ]
      : []),
    node('Gather', ['E', 'input_ids'], end),
    string(2, 'reader'),
    logits('S', starts),
    logits('E', ends),
    ...inputs.map((name) => value(11, name, int64, ['batch', 'sequence'])),
    ...outputs.map((name) => value(12, name, float32, ['batch', 'sequence'])),
  ]);
}

const idsOf = (text: string): number[] =>
  text
    .toLowerCase()
    .split(/(:)|\s+/)
    .filter(Boolean)
    .map((word) => Math.max(words.indexOf(word), 1) || 1);

/** The hidden vectors of embedded tokens. */
function hiddenOf(embedded: readonly number[][], W: Float32Array): number[][] {
  const d = dimensions;
  const mean = Array.from(
    { length: d },
    (_, j) => embedded.reduce((sum, e) => sum + e[j]!, 0) / embedded.length,
  );
  const context = mean.map((_, j) => mean.reduce((sum, m, i) => sum + m * W[i * d + j]!, 0));
  return embedded.map((e) => e.map((each, j) => Math.tanh(each + context[j]!)));
}

const rowOf = (table: Float32Array, id: number): number[] => [
  ...table.subarray(id * dimensions, (id + 1) * dimensions),
];

/** The encoder's vector for a text of the double's own words, in float64. */
export function oracle(
  text: string,
  pooling: 'mean' | 'cls' | 'last',
  maxTokens: number,
  seed = 7,
): number[] {
  const { E, W } = weights(seed);
  const ids = [2, ...idsOf(text).slice(0, maxTokens - 2), 3];
  const hidden = hiddenOf(
    ids.map((id) => rowOf(E, id)),
    W,
  );
  const mean = hidden[0]!.map((_, j) => hidden.reduce((sum, h) => sum + h[j]!, 0) / ids.length);
  const pooled = { mean, cls: hidden[0]!, last: hidden.at(-1)! }[pooling];
  const norm = Math.hypot(...pooled);
  return pooled.map((each) => each / norm);
}

/**
 * The cross-encoder's logits for a question and a text, each already as short as the model reads
 * it, in float64.
 */
export function pairOracle(query: string, text: string, classes = 1, seed = 7): number[] {
  const { E, W, T, C } = weights(seed, classes);
  const [first, second] = [
    [2, ...idsOf(query), 3],
    [...idsOf(text), 3],
  ];
  const of = (ids: number[], type: number): number[][] =>
    ids.map((id) => rowOf(E, id).map((e, j) => e + T[type * dimensions + j]!));
  const hidden = hiddenOf([...of(first, 0), ...of(second, 1)], W);
  const pooled = Array.from(
    { length: dimensions },
    (_, j) => hidden.reduce((sum, h) => sum + h[j]!, 0) / hidden.length,
  );
  return Array.from({ length: classes }, (_, c) =>
    pooled.reduce((sum, p, j) => sum + p * C[j * classes + c]!, 0),
  );
}

const special = (id: string, type_id = 0): object => ({ SpecialToken: { id, type_id } });
const sequence = (id: string, type_id: number): object => ({ Sequence: { id, type_id } });

export interface Folder extends Parts {
  /** Files that replace or supplement those of the double; null omits one. */
  files?: Record<string, object | Buffer | string | null>;
}

/** Writes the double's folder and returns its path. */
export function writeDouble(path: string, { files = {}, ...parts }: Folder = {}): string {
  const standard: NonNullable<Folder['files']> = {
    'config.json': {
      model_type: 'bert',
      hidden_size: dimensions,
      max_position_embeddings: positions,
      pad_token_id: 0,
    },
    'tokenizer_config.json': {
      tokenizer_class: 'BertTokenizer',
      model_max_length: 512,
      do_lower_case: true,
      unk_token: '[UNK]',
    },
    'tokenizer.json': {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: words.slice(0, 5).map((content, id) => ({
        id,
        content,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
      })),
      normalizer: {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase: true,
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: {
        type: 'TemplateProcessing',
        single: [special('[CLS]'), sequence('A', 0), special('[SEP]')],
        pair: [
          special('[CLS]'),
          sequence('A', 0),
          special('[SEP]'),
          sequence('B', 1),
          special('[SEP]', 1),
        ],
        special_tokens: {
          '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
          '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
        },
      },
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      },
    },
    'onnx/model.onnx': modelBytes(parts),
  };
  for (const [name, content] of Object.entries({ ...standard, ...files })) {
    if (content === null) continue;
    const file = join(path, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(
      file,
      Buffer.isBuffer(content) || typeof content === 'string' ? content : JSON.stringify(content),
    );
  }
  return path;
}
