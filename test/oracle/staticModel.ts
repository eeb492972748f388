// A static encoder straight from its definition, in float64: reads the model file by its documented
// layout, and pools the ids it is given. Imports nothing of lib and shares no code with
// native/encoder.
import { readFileSync } from 'node:fs';

export interface OracleModel {
  header: Record<string, unknown>;
  tokens: string[];
  dimensions: number;
  saturation: number;
  scales: Float32Array;
  rows: Int8Array;
}

const aligned = (at: number): number => Math.ceil(at / 64) * 64;

export function readStaticModel(path: string): OracleModel {
  const file = readFileSync(path);
  const at = (offset: number): number => file.readUInt32LE(offset);
  const [count, dimensions, headerLength, vocabularyLength] = [at(24), at(28), at(32), at(36)];
  const vocabulary = aligned(64 + headerLength);
  const scales = aligned(vocabulary + vocabularyLength);
  const rows = aligned(scales + count * 4);
  const bytes = (from: number, length: number): ArrayBuffer =>
    new Uint8Array(file.subarray(from, from + length)).buffer;
  return {
    header: JSON.parse(file.toString('utf8', 64, 64 + headerLength)) as Record<string, unknown>,
    tokens: file
      .toString('utf8', vocabulary, vocabulary + vocabularyLength)
      .split('\n')
      .slice(0, -1),
    dimensions,
    saturation: file.readFloatLE(40),
    scales: new Float32Array(bytes(scales, count * 4)),
    rows: new Int8Array(bytes(rows, count * dimensions)),
  };
}

/**
 * The sum of n^saturation * scale * row over the known tokens, each occurring n times, brought to
 * length one; all zero where there is none.
 */
export function pool(model: OracleModel, ids: Iterable<number>): Float64Array {
  const out = new Float64Array(model.dimensions);
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [id, count] of counts) {
    if (model.tokens[id] === '[UNK]') continue;
    const weight = count ** model.saturation * model.scales[id]!;
    for (let j = 0; j < out.length; j += 1) out[j]! += weight * model.rows[id * out.length + j]!;
  }
  const length = Math.hypot(...out);
  return length > 0 ? out.map((value) => value / length) : out;
}

/** What @huggingface/tokenizers is configured with to cut text as the model does. */
export function tokenizerConfig(model: OracleModel): object {
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(model.tokens.map((token, id) => [token, id])),
    },
  };
}
