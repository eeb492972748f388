// Definition of `asof bench-data beir`.
import type { Command } from '../command.js';

export const command: Command = {
  name: 'bench-data beir',
  summary: 'Writes passages, queries and judgements as a BEIR folder for other tools.',
  positionals: [],
  options: {
    passages: {
      type: 'string',
      value: 'P.jsonl',
      required: true,
      help: 'passages, as for asof index',
    },
    queries: {
      type: 'string',
      value: 'Q.jsonl',
      required: true,
      help: '{id, text, asked_at?, answers?, gold_evidence?} a line',
    },
    qrels: {
      type: 'string',
      value: 'R',
      required: true,
      help: "relevance judgements, TREC form or BEIR's tsv",
    },
    to: {
      type: 'string',
      value: 'FOLDER',
      required: true,
      help: 'output; replaces corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv',
    },
    split: { type: 'string', value: 'S', help: 'name of the qrels, default test' },
  },
  details: 'asof index, asof eval and asof metrics read BEIR folders. Times go into the metadata.',
  example: 'asof bench-data beir --passages p.jsonl --queries q.jsonl --qrels r.tsv --to beir',
};
