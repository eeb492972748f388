// A small corpus for a suite of tests, in a temporary folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corpus, type CorpusOptions, type Passage } from '../lib/index.js';

/** Creates the corpus before the suite's tests. Call it in a describe. */
export function withCorpus(
  passages: readonly Passage[],
  give: (corpus: Corpus) => void,
  options: CorpusOptions = {},
): void {
  let folder: string;
  let corpus: Corpus;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'asof-test-'));
    corpus = await Corpus.open(join(folder, 'corpus'), options);
    await corpus.add(passages);
    give(corpus);
  });
  after(async () => {
    await corpus.close();
    rmSync(folder, { recursive: true, force: true });
  });
}
