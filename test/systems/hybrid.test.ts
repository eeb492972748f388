// hybrid with the weights of the package.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corpus, hybrid } from '../../lib/index.js';

describe('hybrid', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'asof-hybrid-'))));
  after(() => rmSync(folder, { recursive: true }));

  it("keeps states that held at the question's time, however they changed since", async () => {
    const prices = await Corpus.open(join(folder, 'prices.asof'));
    await prices.add(
      [
        ['2019-01-15', 29],
        ['2021-01-15', 35],
        ['2023-02-01', 49],
      ].map(([publishedAt, price]) => ({
        id: `${price}`,
        text: `Varn pricing: the Team plan costs $${price} per month.`,
        publishedAt: publishedAt as string,
      })),
    );
    const price = async (when: string, askedAt = '2024-01-01') => {
      const { evidence, answer } = await hybrid({ corpus: prices }).run({
        text: `What did the Team plan of Varn cost ${when}?`,
        askedAt,
      });
      return [evidence[0]!.id, answer?.text];
    };
    assert.deepEqual(await price('as of June 2022'), ['35', '$35']);
    assert.deepEqual(await price('in 2020'), ['29', '$29']);
    assert.deepEqual(await price('before March 2020'), ['29', '$29']);
    assert.deepEqual(await price('as of May 2023'), ['49', '$49']);
    await prices.close();
  });
});
