// BM25 straight from its formula in float64, row by row: idf(t) = ln(1 + (N - df + 0.5) / (df +
// 0.5)), score = sum over the query's tokens of idf tf / (tf + k1 (1 - b + b dl / avgdl)). Slow,
// and shares nothing with the code it proves.

export interface OracleOptions {
  k1: number;
  b: number;
}

/**
 * Scores of rows (each its tokens) for a query (its tokens); N, df and avgdl are those of the rows
 * given. A row without any is 0.
 */
export function bm25Scores(
  rows: readonly (readonly string[])[],
  query: readonly string[],
  { k1, b }: OracleOptions,
): number[] {
  let tokens = 0;
  for (const row of rows) tokens += row.length;
  const averageLength = tokens / rows.length;
  return rows.map((row) => {
    let score = 0;
    for (const term of query) {
      const frequency = row.filter((each) => each === term).length;
      if (frequency === 0) continue;
      const holding = rows.filter((each) => each.includes(term)).length;
      const idf = Math.log(1 + (rows.length - holding + 0.5) / (holding + 0.5));
      score += (idf * frequency) / (frequency + k1 * (1 - b + (b * row.length) / averageLength));
    }
    return score;
  });
}
