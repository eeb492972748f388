// Folder layouts of test collections, for help and errors of `asof compare`.

export const tempoForm =
  "a folder with TEMPO's data (documents/DOMAIN.parquet or .jsonl, examples/, steps/), a set " +
  'a domain (FOLDER:DOMAIN takes one)';

export const setForm =
  'passages.jsonl, qrels.tsv and queries.jsonl or queries-NAME.jsonl, each a set ' +
  '(FOLDER:queries-NAME takes one of them), a BEIR folder, or ' +
  tempoForm;
