// The reference that the tokenizer must agree with, and whether both know the same characters.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from '@huggingface/tokenizers';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import { readStaticModel, tokenizerConfig } from '../oracle/staticModel.js';

const path = fileURLToPath(new URL('../../models/default-encoder.bin', import.meta.url));

/**
 * The Unicode version the generated table was made with; where Node has another, newly assigned
 * characters may differ.
 */
export const tableUnicode = /Unicode (\S+)\. Not/.exec(
  readFileSync(new URL('../../native/text/unicode_table.inc', import.meta.url), 'utf8'),
)![1];
export const sameUnicode = process.versions.unicode === tableUnicode;

/** The tokenizer's handle, and a check that a text has the tokens of the reference. */
export async function agreement() {
  const handle = await binding.openStaticEncoder(path);
  const reference = new Tokenizer(tokenizerConfig(readStaticModel(path)), {});
  const agree = (text: string): void =>
    assert.deepEqual(
      [...addon.tokenizeText(handle, text)],
      reference.encode(text, { add_special_tokens: false }).ids,
      JSON.stringify(text).slice(0, 300),
    );
  return { handle, agree };
}
