// Queries a second of exact BM25 over synthetic rows: with block-max skipping, scoring every
// posting, and bm25s on a smaller corpus. Rows are 10 to 50 tokens, half of them Zipf over the
// whole vocabulary, half Zipf over the row's topic; queries are 2 to 6 tokens of a random row, so
// that the first hit is a near match. Contenders return the same top k with scores. usage: node
// --import tsx bench/kernels/lexical.bench.ts [--rows 1000000] [--peer-rows 100000] [--queries 200]
// [--k 10]
import '../../test/selectAddon.js';
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { binding } from '../../lib/binding.js';
import { searchLexical } from '../../lib/retrieval/lexicalSearch.js';
import { addon } from '../../test/addon.js';
import { englishAnalyzer } from '../../lib/text/analyzer.js';
import { bm25s, lexicalIndex, packed } from '../quality/retrieval/lexicalIndex.js';

const option = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at > 0 ? Number(process.argv[at + 1]) : fallback;
};
const rowCount = option('rows', 1_000_000);
const peerRows = option('peer-rows', 100_000);
const queryCount = option('queries', 200);
const k = option('k', 10);
const rounds = 5;

let state = 20_261_121;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 4_294_967_296;
}

/**
 * Ranks from 0, frequency proportional to 1 / (rank + 1): inverse of the continuous distribution.
 */
const zipf = (size: number): number =>
  Math.min(size - 1, Math.floor(Math.exp(random() * Math.log(size + 1))) - 1);
const vocabulary = 200_000;
const topics = 2_000;
const names = Array.from({ length: vocabulary }, (_, i) => `w${i}`);

function row(): string[] {
  const topic = Math.floor(random() * topics);
  return Array.from(
    { length: 10 + Math.floor(random() * 41) },
    () =>
      names[
        random() < 0.5 ? zipf(vocabulary) : (topic * 7919 + 61 * zipf(1000) + 1000) % vocabulary
      ]!,
  );
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;
const spread = (values: number[]): string =>
  `${((100 * (Math.max(...values) - Math.min(...values))) / median(values)).toFixed(0)} %`;

async function timed(label: string, queries: number, run: () => Promise<unknown>): Promise<void> {
  await run();
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await run();
    seconds.push((performance.now() - started) / 1000);
  }
  console.log(
    `  ${label.padEnd(46)}${(queries / median(seconds)).toFixed(0).padStart(8)} queries/s   spread ${spread(seconds)}`,
  );
}

async function compare(rows: string[][], withPeer: boolean): Promise<void> {
  const index = await lexicalIndex(packed(rows));
  const segments = [{ rows: index.segment }];
  const tokens = rows.reduce((sum, each) => sum + each.length, 0);
  const queries = Array.from({ length: queryCount }, () => {
    const from = rows[Math.floor(random() * rows.length)]!;
    return {
      terms: Array.from(
        { length: 2 + Math.floor(random() * 5) },
        () => from[Math.floor(random() * from.length)]!,
      ),
    };
  });
  console.log(
    `${rows.length} rows, ${tokens} tokens: built in ${index.buildSeconds.toFixed(2)} s, ${(index.bytes / tokens).toFixed(2)} bytes a token; ` +
      `${queryCount} queries, k ${k}`,
  );
  const all = (exhaustive: boolean) => () => searchLexical(segments, queries, { k, exhaustive });
  const one = (exhaustive: boolean) => async () => {
    for (const query of queries) await searchLexical(segments, [query], { k, exhaustive });
  };
  for (const threads of [1, 0]) {
    addon.setThreadCount(threads);
    const width = `${binding.threadCount()} thread${binding.threadCount() === 1 ? '' : 's'}`;
    await timed(`block-max, one batch, ${width}`, queryCount, all(false));
    await timed(`every posting, one batch, ${width}`, queryCount, all(true));
    await timed(`block-max, one query at a time, ${width}`, queryCount, one(false));
  }
  const late = { publishedUntil: 0 };
  await timed('block-max, one batch, mask that hides nothing', queryCount, () =>
    searchLexical(
      segments,
      queries.map((each) => ({ ...each, mask: late })),
      { k },
    ),
  );
  if (withPeer) {
    for (const backend of [undefined, 'numba'] as const) {
      const peer = bm25s({
        rows,
        queries: queries.map(({ terms }) => terms),
        k1: 0.9,
        b: 0.4,
        k,
        rounds,
        ...(backend ? { backend } : {}),
      });
      if (!peer) continue;
      const label = `bm25s ${peer.version}${backend ? ', numba' : ''}, one batch, 1 thread`;
      console.log(
        `  ${label.padEnd(46)}${(queryCount / median(peer.query_s)).toFixed(0).padStart(8)} queries/s   spread ${spread(peer.query_s)}; built ` +
          `in ${peer.index_s.toFixed(2)} s`,
      );
    }
  }
  index.close();
}

/**
 * Terms a second of the analyzer on one thread, over Cranfield's texts, with and without stems
 * remembered from before.
 */
function analyze(): void {
  const corpus = new URL('../../../shared/data/cranfield/corpus.jsonl', import.meta.url);
  if (!existsSync(corpus))
    return console.log('analyser: not run, ../shared/data/cranfield is absent');
  const texts = readFileSync(corpus, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text);
  const analyzer = englishAnalyzer();
  const rate = (): string => {
    const started = performance.now();
    const terms = texts.reduce((sum, text) => sum + analyzer.analyze(text).length, 0);
    return `${(terms / (performance.now() - started) / 1000).toFixed(2)} M terms/s`;
  };
  const first = rate();
  for (let round = 0; round < rounds; round++) rate();
  console.log(
    `${analyzer.id}, ${texts.length} texts: ${first} at first, ${rate()} with the cache warm (stop words not counted)`,
  );
}

console.log(
  `${cpus()[0]?.model}, ${cpus().length} cores, node ${process.version}; median of ${rounds} rounds after one of warm-up`,
);
analyze();
const rows = Array.from({ length: Math.max(rowCount, peerRows) }, row);
await compare(rows.slice(0, peerRows), true);
if (rowCount > peerRows) await compare(rows.slice(0, rowCount), false);
