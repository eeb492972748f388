// Terms of rows, analysed in the addon: those of title and sentences, each where it belongs, and
// rows that are refused.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import type { TermRowsHandle } from '../../binding.js';
import { passageTexts } from './facts.js';

/** Of "Ida 1970" with the sentences "Ida 1970;" and "Ida 7.1rc", and of "Ida" without title. */
async function termRows(): Promise<TermRowsHandle> {
  const rows = binding.openTermRows();
  await binding.addTermRows(rows, passageTexts());
  return rows;
}

describe('terms of rows', () => {
  it('are those of titles and sentences, of words beyond ASCII too', async () => {
    const rows = await termRows();
    const texts = ['Zu\u0308rich’s 𝒳 of Zürich', ''];
    const sentences = Uint32Array.of(0, texts[0]!.length, 0, 0);
    const sentenceEnds = Uint32Array.of(1, 2);
    await binding.addTermRows(rows, { ...passageTexts(), texts, sentenceEnds, sentences });
    const packed = await binding.packTermRows(rows, Uint32Array.of(0, 1, 2, 3, 0, 0, 2));
    const { termBytes, termOffsets, rowOffsets, rowTerms } = packed;
    const terms = Array.from(termOffsets.subarray(1), (end, at) =>
      Buffer.from(termBytes.subarray(termOffsets[at], end)).toString(),
    );
    assert.equal(new Set(terms).size, terms.length);
    assert.deepEqual(
      Array.from(rowOffsets.subarray(1), (end, row) =>
        Array.from(rowTerms.subarray(rowOffsets[row], end), (term) => terms[term]).join(' '),
      ),
      [
        'ida 1970 ida 1970 ida 7.1rc',
        'ida',
        'ida 1970 zürich 𝒳 zürich',
        '',
        ...['ida 1970 ida 1970', 'ida 1970 ida 7.1rc', 'ida 1970 zürich 𝒳 zürich'],
      ],
    );
  });

  it('are refused of other passages, and of more sentences than there are', async () => {
    const rows = await termRows();
    const refused = { code: 'ERR_INVALID_ARGUMENT' };
    await assert.rejects(binding.packTermRows(rows, Uint32Array.of(0, 2)), refused);
    await assert.rejects(binding.packTermRows(rows, Uint32Array.of(0, 1, 0, 0, 0)), refused);
  });
});
