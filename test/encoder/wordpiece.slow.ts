// The tokenizer agrees with @huggingface/tokenizers on real passages and on every character.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { agreement, sameUnicode, tableUnicode } from './agreement.js';

const data = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

describe('encoder: wordpiece, at length', () => {
  let agree: (text: string) => void;
  before(async () => ({ agree } = await agreement()));

  it('agrees on 4,000 real passages', function () {
    this.timeout(60_000);
    const files = [
      'timeqa_human/corpus.jsonl',
      'cranfield/corpus.jsonl',
      'nobel_tsrag/corpus.jsonl',
      'hoh_600/corpus.jsonl',
    ].map((file) => data + file);
    if (!files.every((file) => existsSync(file))) {
      console.log('      skipped: ../shared/data is absent');
      return this.skip();
    }
    const texts = files
      .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
      .map((line) => JSON.parse(line) as { text: string; title?: string });
    const step = Math.max(1, Math.floor(texts.length / 4000));
    const chosen = texts.filter((_, i) => i % step === 0);
    assert.ok(chosen.length >= 4000, `${chosen.length} passages`);
    for (const { title, text } of chosen) agree(`${title ?? ''}. ${text}`);
  });

  it('agrees on every assigned character by itself and after a letter', function () {
    if (!sameUnicode) {
      console.log(
        `      skipped: the table has Unicode ${tableUnicode}, this Node ${process.versions.unicode}`,
      );
      return this.skip();
    }
    for (let from = 0; from < 0x110000; from += 64) {
      const each = Array.from({ length: 64 }, (_, i) => String.fromCodePoint(from + i));
      agree(each.map((character) => `${character} a${character}`).join(' '));
      // beyond lie ideographs and nothing, but for tags and private use
      if (from === 0x1ffc0) from = 0xe0000 - 64;
    }
  });
});
