// A small corpus for the tests of a suite, in a folder of its own that is gone after it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corpus, type Passage } from '../lib/index.js';

/** Gives the corpus before the suite's tests. Call it in a describe. */
export function withCorpus(passages: readonly Passage[], give: (corpus: Corpus) => void): void {
  let folder: string;
  let corpus: Corpus;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'asof-test-'));
    corpus = await Corpus.open(join(folder, 'corpus'));
    await corpus.add(passages);
    give(corpus);
  });
  after(async () => {
    await corpus.close();
    rmSync(folder, { recursive: true, force: true });
  });
}
