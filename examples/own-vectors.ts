// Vectors of your own: an index in memory, with publication dates and recency inside the scan.
import { VectorIndex } from 'asof';

const dimensions = 3;
const rows = [
  { name: 'report of 2024', vector: [1, 0, 0], published: '2024-06-01' },
  { name: 'report of 2020', vector: [0.6, 0.8, 0], published: '2020-06-01' },
  { name: 'report of 2018', vector: [0.8, 0.6, 0], published: '2018-06-01' },
];
const index = new VectorIndex({
  dimensions,
  vectors: Float32Array.from(rows.flatMap(({ vector }) => vector)),
  publishedAt: Float64Array.from(rows, ({ published }) => Date.parse(published)),
});
try {
  const query = Float32Array.of(1, 0, 0);
  const names = (row: Uint32Array) => Array.from(row, (each) => rows[each]!.name).join(', ');

  const all = await index.searchBatch(query, 3);
  console.log(`by similarity: ${names(all.row)}`);

  const past = await index.searchBatch(query, 3, { asOf: '2021-05-06' });
  console.log(`as of May 2021: ${names(past.row)}`);

  // Two queries in one pass over the rows, each with times of its own.
  const batch = await index.searchBatch(Float32Array.of(1, 0, 0, 0, 1, 0), 1, {
    each: [{ asOf: '2019-01-01' }, { asOf: '2025-01-01' }],
  });
  console.log(`batch: ${names(batch.row)}`);
  console.log(`exact: ${batch.scans.every(({ exact }) => exact)}`);
} finally {
  index.close();
}
