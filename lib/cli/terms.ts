// Terms of information retrieval that help uses, each with one line for readers who are new to it.

const terms: readonly (readonly [term: string, pattern: RegExp, meaning: string])[] = [
  [
    'qrels',
    /qrels/i,
    'relevance judgements, a line "query 0 document grade" (TREC) or a tsv (BEIR)',
  ],
  [
    'TREC run',
    /TREC run|\.trec\b/,
    'a ranking, a line "query Q0 document rank score tag" for each document',
  ],
  ['BEIR folder', /BEIR/, 'corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv in one folder'],
  ['BM25', /BM25|bm25/, 'ranking by the words that question and passage share'],
  ['encoder', /\bencoder/i, 'a model that turns a text into a vector; similar texts lie close'],
  [
    'cross-encoder',
    /cross-encoder/,
    'a model that reads question and passage together and scores the pair',
  ],
  ['ONNX', /\bONNX\b/, 'a file format of neural networks, run by onnxruntime-node'],
  ['granularity', /granularity/, 'the unit that a date is known to: year, month, day ...'],
  ['TIMEX3', /TIMEX3|timex/, "TimeML's standard for expressions of time, with a type and a value"],
  [
    'window',
    /window_start/,
    'the times that satisfy the question: "before 2020" has an open start',
  ],
  ['constraint', /\bconstraint/, 'the part of a question that limits the time: "as of May 2021"'],
  ['TEMPO', /\bTEMPO/, 'a benchmark of temporal retrieval with 13 domains and its own metrics'],
  [
    'MRAG',
    /\bMRAG|\bmrag\b/,
    'a published system for time-sensitive questions (modular retrieval)',
  ],
  ['Re3', /\bRe3\b|\bre3\b/, 'a published system that encodes times in addition to texts'],
  ['triplet', /triplets?\b/, 'a question with a passage that answers it and one that does not'],
  ['hard negative', /hard negative/, 'a passage that looks relevant and is not'],
  ['adapter', /\badapter\b/, 'a small trained matrix that is applied to the vectors of an encoder'],
  ['fold', /\bfolds?\b/, 'a part of the questions that is held out while the rest choose'],
];

/** The terms that occur in a text, with their meanings. */
export function termsIn(text: string): [term: string, meaning: string][] {
  return terms
    .filter(([, pattern]) => pattern.test(text))
    .map(([term, , meaning]) => [term, meaning]);
}
