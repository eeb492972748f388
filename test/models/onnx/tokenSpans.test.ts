// Spans of tokens in texts as people write them, by small tokenizers of the three kinds that
// published models have. The expected spans are those of the words of the text.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { openTokenizer } from '../../../lib/models/onnx/tokens.js';
import { temporaryFolder } from '../../store/fixtures.js';

const bert = {
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  post_processor: { type: 'BertProcessing', sep: ['[SEP]', 2], cls: ['[CLS]', 1] },
};
const wordPiece = (...pieces: string[]): object => ({
  ...bert,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: vocabulary('[UNK]', '[CLS]', '[SEP]', 'a', ...pieces),
  },
});
const vocabulary = (...tokens: string[]): Record<string, number> =>
  Object.fromEntries(tokens.map((token, id) => [token, id]));

const byteLevel = {
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true },
  decoder: { type: 'ByteLevel' },
  post_processor: {
    type: 'RobertaProcessing',
    ...{ sep: ['[SEP]', 2], cls: ['[CLS]', 1], trim_offsets: true, add_prefix_space: false },
  },
  model: {
    type: 'BPE',
    unk_token: null,
    vocab: vocabulary('[UNK]', '[CLS]', '[SEP]', 'a', 'b', 'Ġ', 'Ġb', 'Ã', '©', 'Ã©', 'Ċ', '.'),
    merges: ['Ġ b', 'Ã ©'],
  },
};

const unigram = {
  normalizer: { type: 'NFKC' },
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
  decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
  post_processor: bert.post_processor,
  model: {
    type: 'Unigram',
    unk_id: 0,
    vocab: [
      ...['[UNK]', '[CLS]', '[SEP]'].map((token) => [token, 0]),
      ...['▁a', '▁fine', 'a', 'b', '▁', '.'].map((token) => [token, -1]),
    ],
  },
};

describe('models: spans of tokens', () => {
  const root = temporaryFolder();

  const spansOf = (tokenizer: object, text: string): string[] => {
    const file = root.path('tokenizer.json');
    writeFileSync(file, JSON.stringify({ version: '1.0', added_tokens: [], ...tokenizer }));
    const [row, ...others] = openTokenizer(file, undefined, 64).windows('a', text);
    assert.equal(others.length, 0);
    return (row?.window?.spans ?? []).map(({ start, end }) => text.slice(start, end));
  };

  it('of WordPiece: lower case, accents, spaces, parts of words', () => {
    const pieces = wordPiece('cafe', '##s', 'born', ',', 'e', '日', '本');
    assert.deepEqual(spansOf(pieces, ' Cafés,\n\tBORN  a e\u0301'), [
      ...['Café', 's', ',', 'BORN', 'a', 'e\u0301'],
    ]);
    assert.deepEqual(spansOf(pieces, 'a日本a'), ['a', '日', '本', 'a']);
  });

  it('of unknown words: what is between their neighbours', () => {
    const pieces = wordPiece('b', ',');
    assert.deepEqual(spansOf(pieces, 'Zoë, b'), ['Zoë', ',', 'b']);
    assert.deepEqual(spansOf(pieces, `a ${'x'.repeat(120)} b`), ['a', 'x'.repeat(120), 'b']);
    assert.deepEqual(spansOf(pieces, 'a ☃ ☃ b'), ['a', '☃ ☃', '☃ ☃', 'b']);
    assert.deepEqual(spansOf(pieces, 'b 🇩🇪'), ['b', '🇩🇪']);
    assert.deepEqual(spansOf(pieces, ''), []);
  });

  it('of bytes, which may share a letter', () => {
    assert.deepEqual(spansOf(byteLevel, 'a b é\nab.'), [
      ...['a', 'b', '', 'é', '\n', 'a', 'b', '.'],
    ]);
    const separate = { ...byteLevel, model: { ...byteLevel.model, merges: ['Ġ b'] } };
    assert.deepEqual(spansOf(separate, 'éa b'), ['é', 'é', 'a', 'b']);
  });

  it('of SentencePiece, after Unicode normalization', () => {
    assert.deepEqual(spansOf(unigram, 'a ﬁne ab.'), ['a', 'ﬁne', 'a', 'b', '.']);
  });
});
