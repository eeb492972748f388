// BM25 of single rows against the native search, for every row, with repeated and absent terms.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bm25Scorer } from '../../lib/retrieval/bm25Scorer.js';
import { searchLexical } from '../../lib/retrieval/lexicalSearch.js';
import { idfWeights } from '../../lib/retrieval/documentFrequency.js';
import { Corpus } from '../../lib/store/corpus.js';
import { sentenceOf } from '../../lib/store/views/rowTimes.js';
import { englishAnalyzer } from '../../lib/text/analyzer.js';

describe('bm25Scorer', () => {
  it('scores a row like the search of the corpus', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'asof-rows-'));
    const corpus = await Corpus.open(join(folder, 'c'));
    const words = [
      'mill',
      'river',
      'owner',
      'bought',
      'roof',
      'rye',
      'town',
      '1936',
      'turbine',
      'état',
    ];
    const sentence = (n: number): string =>
      `The ${words[n % 10]} of the ${words[(n * 3 + 1) % 10]} and ${words[(n * 7 + 2) % 10]} ${words[n % 4]}.`;
    const batches = [0, 1].map((half) =>
      Array.from({ length: 30 }, (_, n) => ({
        id: `p${half}-${n}`,
        ...(n % 3 === 0 ? { title: `Mill ${n}` } : {}),
        text: Array.from({ length: 1 + (n % 4) }, (_, s) => sentence(n + s + half)).join(' '),
      })),
    );
    for (const batch of batches) await corpus.add(batch, { batchSize: 30 });
    const snapshot = corpus.snapshot();
    const analyzer = englishAnalyzer();
    const terms = [
      ...analyzer.analyze('Who bought the mill, and whose mill was it in 1936?'),
      '1936',
      'état',
      'nowhere',
    ];
    for (const parameters of [{}, { k1: 1.5, b: 0.9 }, { k1: 0, b: 0 }]) {
      const rows = bm25Scorer(snapshot, terms, parameters);
      const found = await searchLexical(
        snapshot.segments.map(({ segment }) => ({ rows: segment })),
        [{ terms }],
        { k: 500, ...parameters },
      );
      assert.ok(found.row.length > 60);
      found.row.forEach((row, hit) => {
        const { segment } = snapshot.segments[found.segment[hit]!]!;
        const { title, text } = snapshot.passage(found.segment[hit]!, found.passage[hit]!);
        const { start, end } = sentenceOf({ segment }, row);
        const score = rows.score(
          rows.count(analyzer.analyze(title ?? '')),
          rows.count(analyzer.analyze(text.slice(start, end))),
        );
        assert.ok(Math.abs(score - found.score[hit]!) < 1e-6, `${score} ${found.score[hit]}`);
      });
    }
    const [known, unknown] = idfWeights(snapshot, ['mill', 'nowhere']);
    assert.ok(known! > 0 && unknown! > known!);
    snapshot.release();
    await corpus.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
